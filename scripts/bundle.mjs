// Bundles the compiled service into one file, in place of `dist/src/app/start.js` (docs/adr/0015-one-file-at-start.md).
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Packages that stay in node_modules. PGlite, argon2 and Swagger UI have files beside their modules. The others are large and
 * are loaded for a few requests only.
 */
const EXTERNAL = [
  '@electric-sql/pglite',
  '@node-rs/argon2',
  '@zxcvbn-ts/language-common',
  'bwip-js',
  'swagger-ui-dist',
  'yaml',
  // Optional peers that are not installed. Their users load them on demand.
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  'pg-native',
];

/**
 * Escapes the letters of other scripts, because esbuild leaves those of regular expressions as they are. One such
 * letter doubles the memory that the bundle takes: V8 then holds the whole script in two bytes per character.
 */
const ascii = {
  name: 'ascii',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        /[\u0080-\uffff]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    }));
  },
};

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The numbers of a segment of a source map, in base 64 with the sign in the lowest bit. */
function decode(segment) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = shift = 0;
  }
  return numbers;
}

function encode(numbers) {
  let text = '';
  for (const number of numbers) {
    let rest = number < 0 ? (-number << 1) | 1 : number << 1;
    do {
      const bits = rest & 31;
      rest >>= 5;
      text += DIGITS[rest > 0 ? bits | 32 : bits];
    } while (rest > 0);
  }
  return text;
}

/** Removes the packages from a source map, of which they are two thirds. */
function withoutPackages({ sources, mappings, ...map }) {
  const own = sources.filter((source) => !source.includes('node_modules/'));
  const place = sources.map((source) => own.indexOf(source));
  let [source, line, column] = [0, 0, 0];
  let written = [0, 0, 0];
  const lines = mappings.split(';').map((text) => {
    let at = 0;
    let writtenAt = 0;
    let isOwn = false;
    const segments = [];
    for (const segment of text ? text.split(',') : []) {
      const [step, ...to] = decode(segment);
      at += step;
      if (to.length > 0) [source, line, column] = [source + to[0], line + to[1], column + to[2]];
      const wasOwn = isOwn;
      isOwn = to.length > 0 && place[source] >= 0;
      // A segment without a source ends the one before it.
      if (!isOwn && !wasOwn) continue;
      const now = [place[source], line, column];
      segments.push(encode([at - writtenAt, ...(isOwn ? now.map((value, index) => value - written[index]) : [])]));
      writtenAt = at;
      if (isOwn) written = now;
    }
    return segments.join(',');
  });
  return { ...map, sources: own, names: [], mappings: lines.join(';') };
}

/**
 * @param {string} root directory of the project, whose `dist` is compiled
 */
export async function bundle(root) {
  const file = join(root, 'dist', 'src', 'app', 'start.js');
  await build({
    entryPoints: [file],
    outfile: file,
    allowOverwrite: true,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: EXTERNAL,
    plugins: [ascii],
    // Names of classes are names of schemas, tables and errors. The bundle renames a class whose name is taken.
    keepNames: true,
    minifyWhitespace: true,
    legalComments: 'none',
    // Stacks name the TypeScript sources of the service.
    sourcemap: 'linked',
    sourcesContent: false,
    banner: { js: `const bundleUrl = require('node:url').pathToFileURL(__filename).href;` },
    define: { 'import.meta.url': 'bundleUrl' },
    logLevel: 'warning',
  });
  const map = JSON.parse(await readFile(`${file}.map`, 'utf8'));
  await writeFile(`${file}.map`, JSON.stringify(withoutPackages(map)));
}
