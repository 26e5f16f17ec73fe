// Bundles the compiled service into one file, in place of `dist/src/app/start.js` (docs/adr/0015-one-file-at-start.md).
import { readFile } from 'node:fs/promises';
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
    legalComments: 'none',
    // Stacks name the TypeScript sources of the service.
    sourcemap: 'linked',
    sourcesContent: false,
    banner: { js: `const bundleUrl = require('node:url').pathToFileURL(__filename).href;` },
    define: { 'import.meta.url': 'bundleUrl' },
    logLevel: 'warning',
  });
}
