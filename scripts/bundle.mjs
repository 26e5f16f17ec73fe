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
    plugins: [ascii],
    // Scripts of `node:vm` have no `import()`. What the bundle does not hold can be required.
    supported: { 'dynamic-import': false },
    // Indentation is a third of the bundle. Stacks still name functions, and lines that are short enough to be read.
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'none',
    // With LOG_LEVEL=debug stacks name the TypeScript sources.
    sourcemap: 'linked',
    sourcesContent: false,
    banner: { js: `const bundleUrl = require('node:url').pathToFileURL(__filename).href;` },
    define: {
      'import.meta.url': 'bundleUrl',
      // pg asks it whether it runs at Cloudflare. Node 20 has none, and pg would make a Response, which loads all of `fetch`.
      navigator: '{ "userAgent": "Node.js" }',
    },
    logLevel: 'warning',
  });
  // In a process of its own, as it starts the service.
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'compile.cjs'), service], {
    stdio: ['ignore', 'ignore', 2],
  });
  if (status !== 0) throw new Error('The bundle does not start');
}
