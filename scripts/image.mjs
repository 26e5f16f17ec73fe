// `npm run check -- image`: executes the Dockerfile without a container engine, and runs the result as an ordinary user, with
// everything but DATA_DIR and the directory for temporary files read-only. Checks that the service of the image starts, passes
// its health check, lets its administrator log in, writes nowhere else, and stops.
import './help.mjs';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const context = dirname(dirname(fileURLToPath(import.meta.url)));
/** The ids of Debian's `nobody`. Only root can switch to another user. */
const ORDINARY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const STARTS_IN_MS = 180_000;

/** Instructions of a Dockerfile, each as its keyword and the rest. */
const instructionsOf = (dockerfile) =>
  dockerfile
    .replaceAll(/^[ \t]*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter(Boolean)
    .map((line) => /^(\w+)\s+(\S.*)$/.exec(line).slice(1));

const work = mkdtempSync(join(tmpdir(), 'image-'));
chmodSync(work, 0o755);
const stages = [];
const at = (stage, path) => join(stage.root, resolve(stage.workdir, path));

function fail(message) {
  throw new Error(message);
}

/** Runs a command with the paths of the image replaced by those of the stage. */
function run(stage, command) {
  console.log(`RUN ${command}`);
  const rewritten = command
    .replaceAll(/(?<=\s)\/(?=\w)/g, `${stage.root}/`)
    .replaceAll('node:node', ORDINARY.uid === undefined ? String(process.getuid()) : `${ORDINARY.uid}:${ORDINARY.gid}`);
  const { status } = spawnSync('bash', ['-euo', 'pipefail', '-c', rewritten], {
    cwd: at(stage, '.'),
    env: { ...process.env, ...stage.env },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) fail(`It ended with ${status}`);
}

function copy(stage, parameters) {
  const words = parameters.split(/\s+/);
  const from = /^--from=(.*)$/.exec(words[0])?.[1];
  if (from) words.shift();
  const source = stages.find(({ name }) => from && name === from);
  const to = words.pop();
  for (const path of words) {
    const file = source ? join(source.root, path) : join(context, path);
    // The contents of a directory are copied to the target, a file to the target or into it.
    const target =
      to.endsWith('/') && !statSync(file).isDirectory() ? join(at(stage, to), basename(file)) : at(stage, to);
    cpSync(file, target, { recursive: true, verbatimSymlinks: true });
  }
}

const INSTRUCTIONS = {
  FROM(_, parameters) {
    const [, image, name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(parameters);
    if (!/@sha256:[\da-f]{64}$/.test(image)) fail(`${image} is not pinned by its digest`);
    const stage = { name, root: join(work, `stage-${stages.length}`), workdir: '/', env: {}, user: 'root' };
    mkdirSync(stage.root);
    stages.push(stage);
  },
  WORKDIR(stage, path) {
    stage.workdir = path;
    mkdirSync(at(stage, '.'), { recursive: true });
  },
  COPY: copy,
  RUN: run,
  ENV(stage, parameters) {
    Object.assign(
      stage.env,
      Object.fromEntries(parameters.split(/\s+/).map((each) => /^([^=]+)=(.*)$/.exec(each).slice(1))),
    );
  },
  USER: (stage, user) => void (stage.user = user),
  VOLUME: (stage, path) => void (stage.volume = path),
  EXPOSE: () => {},
  HEALTHCHECK: (stage, parameters) => void (stage.health = JSON.parse(parameters.slice(parameters.indexOf('[')))),
  CMD: (stage, command) => void (stage.command = JSON.parse(command)),
};

function* files(path) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const full = join(path, entry.name);
    yield full;
    if (entry.isDirectory()) yield* files(full);
  }
}

/** Every file of the tree with its modification time, without the volume. */
const snapshot = (root, volume) =>
  new Map(
    [...files(root)]
      .filter((path) => path !== volume && !path.startsWith(`${volume}/`))
      .map((path) => [path, statSync(path, { throwIfNoEntry: false })?.mtimeMs]),
  );

function freePort() {
  return new Promise((resolvePort) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolvePort(port));
    });
  });
}

async function check(stage) {
  if (stage.user === 'root') fail('The service runs as root');
  const volume = join(stage.root, stage.volume);
  const temporary = join(work, 'tmp');
  mkdirSync(temporary);
  if (ORDINARY.uid !== undefined) chownSync(temporary, ORDINARY.uid, ORDINARY.gid);
  spawnSync('chmod', ['-R', 'a-w', at(stage, '.')]);
  const before = snapshot(stage.root, volume);
  const port = await freePort();
  const password = 'a passphrase that only this check uses';
  const environment = {
    PATH: process.env.PATH,
    ...stage.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: volume,
    TMPDIR: temporary,
    HOME: '/nonexistent',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: password,
  };
  const options = { cwd: at(stage, '.'), env: environment, ...ORDINARY };
  const [command, ...parameters] = stage.command;
  const service = spawn(command, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  let isRunning = true;
  const ended = once(service, 'close').then(([code]) => {
    isRunning = false;
    return code;
  });
  try {
    const [healthCommand, ...healthParameters] = stage.health;
    const isHealthy = async () => {
      const [status] = await once(spawn(healthCommand, healthParameters, { ...options, stdio: 'ignore' }), 'close');
      return status === 0;
    };
    if (await isHealthy()) fail('The health check passes before the service runs');
    const deadline = Date.now() + STARTS_IN_MS;
    while (!(await isHealthy())) {
      if (!isRunning || Date.now() > deadline)
        fail(`The service is not healthy, and ${isRunning ? 'is running' : 'has ended'}:\n${output}`);
      await setTimeout(500);
    }
    const { status } = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@example.com', password }),
    });
    if (status !== 200) fail(`Logging in gave ${status}:\n${output}`);
    const html = await (await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'text/html' } })).text();
    const scripts = html.match(/\/page\/[\w-]+\.js(?=")/g) ?? fail(`The page has no scripts:\n${html}`);
    // The service reads these from files: its own, those of a package, and the version in package.json.
    for (const path of [
      '/docs',
      ...scripts,
      '/page/declarations.json',
      '/docs/docs.js',
      '/docs/swagger-ui.css',
      '/openapi.json',
    ]) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      if (answer.status !== 200) fail(`${path} gave ${answer.status}:\n${output}`);
    }
    if (existsSync(join(stage.root, 'app/node_modules/typescript')))
      fail('The image contains development dependencies');
  } finally {
    service.kill('SIGTERM');
  }
  const code = await ended;
  if (code !== 0) fail(`The service exited with ${code} after SIGTERM:\n${output}`);
  const after = snapshot(stage.root, volume);
  const changed = [...after].filter(([path, time]) => before.get(path) !== time).map(([path]) => path);
  if (changed.length > 0) fail(`The service wrote outside of its volume: ${changed.join(', ')}`);
  if (readdirSync(volume).length === 0) fail('The service wrote nothing to its volume');
}

try {
  for (const [instruction, parameters] of instructionsOf(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    const handle = INSTRUCTIONS[instruction] ?? fail(`The instruction ${instruction} is not supported`);
    handle(stages.at(-1), parameters);
  }
  await check(stages.at(-1));
  console.log(
    'The image was assembled without a container engine, started read-only as an ordinary user, became healthy, and stopped',
  );
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
