// Runs a compiled entry of the service, for example `node scripts/run.mjs main`. Builds first if the sources have changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist', '.sources');

function* files(path) {
  for (const entry of readdirSync(path, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = join(path, entry.name);
    if (entry.isDirectory()) yield* files(full);
    else if (!entry.name.endsWith('.spec.ts')) yield full;
  }
}

/** Digest of all files that the build reads. */
function sources() {
  const hash = createHash('sha256');
  const inputs = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'ormconfig.ts', 'openapi.json'];
  for (const file of [...inputs.map((name) => join(root, name)), ...files(join(root, 'src'))]) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

const isBuilt = (digest) => existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;

// Beside the modules, because a build begins by deleting its output.
const lock = join(root, 'node_modules', '.inventory-build');
const release = () => rmSync(lock, { force: true });

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Waits for another process that builds the same sources. @returns whether this process has to build them */
function takeTurn(digest) {
  for (;;) {
    if (isBuilt(digest)) return false;
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      process.once('exit', release);
      return true;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
    if (holder > 0 && !isAlive(holder)) release();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

/** Writes the files of the page that browsers load. */
async function bundlePage() {
  const { bundle } = await import(pathToFileURL(join(root, 'dist/src/page/bundle.js')).href);
  mkdirSync(join(root, 'dist/src/page/files'));
  for (const [name, content] of await bundle(join(root, 'src/page')))
    writeFileSync(join(root, 'dist/src/page/files', name), content);
}

export async function build() {
  const digest = sources();
  if (!takeTurn(digest)) return;
  process.stderr.write('Building…\n');
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  if (!existsSync(compiler)) {
    process.stderr.write('The build tools are not installed. Run `npm ci` with development dependencies first.\n');
    process.exit(1);
  }
  // The scripts of the page are compiled with the types of the API.
  const { sdk } = await import('./sdk.mjs');
  await sdk();
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  // Standard output is reserved for the entry, because scripts read it.
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
  // Files that the service reads: the page of Swagger UI, SQL.
  cpSync(join(root, 'src'), join(root, 'dist', 'src'), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || !/\.(?:tsx?|md)$/.test(path),
  });
  await bundlePage();
  writeFileSync(stamp, digest);
  process.off('exit', release);
  release();
}

// Other scripts import `build` only.
if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const entry = process.argv[2];
  await build();
  if (entry) {
    process.argv.splice(1, 2, join(root, 'dist', 'src', `${entry}.js`));
    await import(pathToFileURL(process.argv[1]).href);
  }
}
