// `npm run check -- generators`: checks the document with third-party tools. Clients are generated from it, compiled with `tsc --strict`
// and used against a running service; Prism validates requests and responses as a proxy. See docs/clients.md. Tools that cannot
// be downloaded print SKIPPED; failures set the exit status to 1. `--only <text>` uses the tools whose names contain it. With
// `--within <seconds>` no further tool is begun after that time, and the names of those left are printed. Each day begins with another
// tool, so that all of them run within a few days.
import './help.mjs';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { throughPrism } from './generators/prism.mjs';
import { documentAt, logIn, ownDocument } from './clients/own-fields.mjs';
import { documents, install, root, Skipped, startService, work } from './clients/workshop.mjs';

/**
 * The last versions that run on Node 20; later ones need 22 or 24. Versions are pinned, so that a failure is caused by a change
 * in this repository. Paths are relative to the directory of each generator; the client is in `client`.
 */
const GENERATORS = {
  'hey-api': {
    packages: ['@hey-api/openapi-ts@0.95.0'],
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'client'],
  },
  orval: {
    packages: ['orval@7.13.2'],
    command: ['orval', '--input', 'openapi.json', '--output', 'client/client.ts', '--client', 'fetch'],
  },
  kubb: {
    packages: ['cli', 'core', 'plugin-oas', 'plugin-ts', 'plugin-client'].map((name) => `@kubb/${name}@4.39.3`),
    command: ['kubb', 'generate'],
    files: {
      'kubb.config.js': `import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
const [input, output] = [{ path: 'openapi.json' }, { path: 'client', format: false }];
export default { root: '.', input, output, plugins: [pluginOas(), pluginTs(), pluginClient({ client: 'fetch' })] };\n`,
    },
  },
  'swagger-typescript-api': {
    packages: ['swagger-typescript-api@13.13.0'],
    command: ['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', 'client', '-n', 'client.ts'],
  },
  oazapfts: {
    packages: ['oazapfts@7.5.0', '@oazapfts/runtime@1'],
    command: ['oazapfts', 'openapi.json', 'client/client.ts'],
  },
  'ng-openapi-gen': {
    packages: [
      'ng-openapi-gen@1.1.0',
      ...['core', 'common', 'compiler'].map((name) => `@angular/${name}@20`),
      'rxjs@7',
    ],
    command: ['ng-openapi-gen', '-i', 'openapi.json', '-o', 'client'],
  },
  'openapi-zod-client': {
    packages: ['openapi-zod-client@1.18.3', '@zodios/core@10', 'axios@1', 'zod@3'],
    command: ['openapi-zod-client', 'openapi.json', '-o', 'client/client.ts'],
    // TypeScript supports unions of at most 1,000 types, and the client has one for each operation.
    areas: ['network', 'procurement'],
  },
  'openapi-typescript-codegen': {
    packages: ['openapi-typescript-codegen@0.31.0'],
    command: ['openapi', '-i', 'openapi.json', '-o', 'client', '--useOptions'],
  },
};
const PRISM = '@stoplight/prism-cli@5.14.2';
const COMPILER = ['typescript@5.9', 'esbuild@0.25'];

const TYPESCRIPT = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    experimentalDecorators: true,
    skipLibCheck: true,
    types: [],
  },
  include: ['.'],
};

/** Runs an installed program. @throws Error with its output if it fails */
function tool(directory, [name, ...args], environment = {}) {
  const env = { ...process.env, ...environment };
  const child = spawn(join(work, 'node_modules', '.bin', name), args, { cwd: directory, env, timeout: 900_000 });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  child.stderr.on('data', (chunk) => (said += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status, signal) =>
      status === 0 ? resolve() : reject(new Error(`${name} failed (${signal ?? status}):\n${said.slice(-4000)}`)),
    );
  });
}

/** Generates a client, compiles it completely, and uses it. */
async function use(name, { command, files = {}, areas = [] }, documentOf, environment) {
  const directory = join(work, name);
  mkdirSync(join(directory, 'client'), { recursive: true });
  const inputs = {
    'openapi.json': await documentOf(areas),
    'tsconfig.json': TYPESCRIPT,
    'package.json': { type: 'module' },
  };
  for (const [file, content] of Object.entries(inputs)) writeFileSync(join(directory, file), JSON.stringify(content));
  for (const [file, content] of Object.entries(files)) writeFileSync(join(directory, file), content);
  await tool(directory, command);
  const programs = join(root, 'scripts', 'generators', 'programs');
  cpSync(join(programs, 'walk.ts'), join(directory, 'walk.ts'));
  cpSync(join(programs, `${name}.ts`), join(directory, 'program.ts'));
  await tool(directory, ['tsc', '-p', '.']);
  const bundle = ['--bundle', '--platform=node', '--format=cjs', '--log-level=error', '--outfile=program.cjs'];
  await tool(directory, ['esbuild', 'program.ts', ...bundle]);
  await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['program.cjs'], {
      cwd: directory,
      env: { ...process.env, ...environment },
      timeout: 240_000,
    });
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    child.once('exit', (status) => (status === 0 ? resolve() : reject(new Error(said))));
  });
}

const { values: options } = parseArgs({
  options: { within: { type: 'string', default: 'Infinity' }, only: { type: 'string', default: '' } },
});

async function main() {
  const started = Date.now();
  const isChosen = (name) => name.includes(options.only);
  const generators = Object.entries(GENERATORS).filter(([, { packages }]) => isChosen(packages[0]));
  install(...(isChosen(PRISM) ? [PRISM] : []), ...COMPILER, ...generators.flatMap(([, { packages }]) => packages));
  process.stdout.write(`fetched in ${Math.round((Date.now() - started) / 1000)} s\n`);
  const { toOlder } = await documents();
  const service = await startService();
  const session = await logIn(service.url);
  // With custom fields, so that they are generated and used too.
  const newer = await ownDocument(service.url, session);
  /** The document without change sets, all of it or of some areas. */
  const direct = async (areas) => {
    const parts = await Promise.all(
      (areas.length > 0 ? areas : [undefined]).map((area) =>
        documentAt(service.url, session, { changeSets: 'none', ...(area && { areas: area }) }),
      ),
    );
    const [first, ...others] = parts;
    for (const { paths, components } of others) {
      Object.assign(first.paths, paths);
      for (const [kind, entries] of Object.entries(components)) Object.assign((first.components[kind] ??= {}), entries);
    }
    return first;
  };
  const older = toOlder(newer);
  const trials = generators.map(([name, generator]) => ({
    name: `${generator.packages[0]}`,
    run: () => use(name, generator, direct, { SERVICE: service.url, SESSION: session }),
    said: 'generated, compiled, used',
  }));
  for (const document of isChosen(PRISM) ? [newer, older] : []) {
    trials.unshift({
      name: `${PRISM}, OpenAPI ${document.openapi}`,
      run: () => throughPrism(join(work, 'node_modules', '.bin', 'prism'), document, service.url, session),
    });
  }
  const first = Math.floor(started / 86_400_000) % (trials.length || 1);
  trials.push(...trials.splice(0, first));
  const end = started + Number(options.within) * 1000;
  const next = async () => {
    for (let trial = trials.shift(); trial; trial = trials.shift()) {
      if (Date.now() > end) {
        process.stdout.write(`not run: ${trial.name}\n`);
        continue;
      }
      const { name, run, said } = trial;
      const from = Date.now();
      try {
        const found = await run();
        process.stdout.write(`${name}: ${found ?? said} in ${Math.round((Date.now() - from) / 1000)} s\n`);
      } catch (error) {
        process.exitCode = 1;
        process.stdout.write(`${name}: FAILED, ${error.message}\n`);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, next));
  } finally {
    await service.stop();
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Skipped)) throw error;
  process.stdout.write(`SKIPPED: ${error.message}\n`);
}
