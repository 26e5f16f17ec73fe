// `npm run test:node -- 22 24 -- test/e2e/http.spec.ts`: runs the tests on other versions of Node. The binaries come from npm,
// into a directory that is removed afterwards. Arguments after `--` are passed to jest; without them all tests run.
import './help.mjs';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
const end = given.includes('--') ? given.indexOf('--') : given.length;
const versions = given.slice(0, end);
const jestArguments = given.slice(end + 1);
if (versions.length === 0 || !versions.every((version) => /^\d+(?:\.\d+){0,2}$/.test(version))) {
  process.stderr.write('Give the versions of Node, for example: npm run test:node -- 22 24 -- test/e2e/http.spec.ts\n');
  process.exit(2);
}

const directory = mkdtempSync(join(tmpdir(), 'test-node-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

/** The binary of a version, or undefined if it cannot be downloaded. */
function fetchNode(version) {
  const prefix = join(directory, version);
  const name = `node-${process.platform}-${process.arch}`;
  const options = ['--prefix', prefix, '--no-save', '--ignore-scripts', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...options, `${name}@${version}`], {
    stdio: ['ignore', 'ignore', 2],
  });
  return status === 0 ? join(prefix, 'node_modules', name, 'bin', 'node') : undefined;
}

for (const version of versions) {
  const node = fetchNode(version);
  if (!node) {
    console.log(`SKIPPED: Node ${version} could not be downloaded`);
    continue;
  }
  console.log(`== ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}`);
  const flags = ['--disable-warning=ExperimentalWarning'];
  const { status } = spawnSync(
    node,
    [...flags, join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...jestArguments],
    {
      cwd: root,
      stdio: 'inherit',
      // Child processes of the tests use the same version.
      env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
    },
  );
  if (status !== 0) process.exitCode = 1;
}
