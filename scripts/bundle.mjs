// Bundles the compiled service into one file, `dist/src/app/start.bundle.js` (docs/adr/0015-one-file-at-start.md).
import { spawnSync } from 'node:child_process';
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
const ascii = (text) =>
  text.replaceAll(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** ES modules of packages have all their exports defined anew in each file that requires them, unless one module does so for all. */
const once = (name) => `module.exports = require('${name}')`;
/** A module that few requests need. It is loaded when it is first used. */
const lazy = (name) => `module.exports = new Proxy({}, { get: (_, key) => require('${name}')[key] })`;

/** What a file gets that requires one of these, instead of the module itself. */
const REQUIRED = {
  '@nestjs/common': once('@nestjs/common'),
  '@nestjs/core': once('@nestjs/core'),
  '@nestjs/swagger': once('@nestjs/swagger'),
  '@node-rs/argon2': lazy('@node-rs/argon2'),
  // Its main module loads all its rules, one of which has the telephone numbers of all countries.
  'class-validator': `export { getMetadataStorage, IsOptional, ValidateBy, ValidateIf, ValidateNested, validateSync } from 'class-validator/esm2015/index.js'`,
  'node:http2': lazy('node:http2'),
};

/**
 * Nest's own loggers, which the service does not use, make a format for dates when they load. That loads the data of languages.
 * @throws Error if they no longer do
 */
function withoutDateFormat(path, source) {
  if (!/@nestjs.common.services.(console-)?logger\.service\.js$/.test(path)) return source;
  const format = /const dateTimeFormatter = (new Intl\.DateTimeFormat\([^;]*\));/;
  if (!format.test(source)) throw new Error(`${path} has changed: adapt scripts/bundle.mjs`);
  return source.replace(format, 'const dateTimeFormatter = { format: (date) => $1.format(date) };');
}

const sources = {
  name: 'sources',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?js$/ }, async ({ path }) => ({
      contents: ascii(withoutDateFormat(path, await readFile(path, 'utf8'))),
    }));
  },
};

const required = {
  name: 'required',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/, namespace: 'file' }, ({ path, kind, resolveDir }) =>
      kind === 'require-call' && Object.hasOwn(REQUIRED, path)
        ? { path, namespace: 'required', pluginData: resolveDir }
        : undefined,
    );
    // Nest's validation pipe, which the service does not use, would bring all of it into the bundle.
    onResolve({ filter: /^class-validator$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
    onLoad({ filter: /^/, namespace: 'required' }, ({ path, pluginData: resolveDir }) => ({
      contents: REQUIRED[path],
      resolveDir,
    }));
  },
};

/**
 * @param {string} root directory of the project, whose `dist` is compiled
 */
export async function bundle(root) {
  const service = join(root, 'dist', 'src');
  const file = join(service, 'app', 'start.bundle.js');
  await build({
    entryPoints: [join(service, 'app', 'start.js')],
    outfile: file,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: EXTERNAL,
    plugins: [required, sources],
    // Scripts of `node:vm` have no `import()`. What the bundle does not hold can be required.
    supported: { 'dynamic-import': false },
    // Indentation is a third of the bundle. Stacks still name functions, and lines that are short enough to be read.
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'none',
    // With LOG_LEVEL=debug stacks name the TypeScript sources.
    sourcemap: 'linked',
    sourcesContent: false,
    banner: {
      js: `const bundleUrl = require('node:url').pathToFileURL(__filename).href, bundleNavigator = { userAgent: 'Node.js' };`,
    },
    define: {
      'import.meta.url': 'bundleUrl',
      // pg asks it whether it runs at Cloudflare. Node 20 has none, and pg would make a Response, which loads all of `fetch`.
      navigator: 'bundleNavigator',
    },
    logLevel: 'warning',
  });
  // In a process of its own, as it starts the service.
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'compile.cjs'), service], {
    stdio: ['ignore', 'ignore', 2],
  });
  if (status !== 0) throw new Error('The bundle does not start');
}
