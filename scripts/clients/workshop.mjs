// Shared by the checks of client generators: running programs, both documents, and a separate service.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ADMINISTRATOR = { email: 'admin@example.com', password: 'Correct-horse-battery-7-staple' };

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A directory that is removed when the process ends. */
export const work = mkdtempSync(join(tmpdir(), 'clients-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

/** Reports what the machine cannot run. */
export class Skipped extends Error {}

/** Runs a program to completion. @throws Error with its output if it fails */
export function run(command, args, { cwd = work, env = {} } = {}) {
  const options = { cwd, env: { ...process.env, ...env }, encoding: 'utf8', timeout: 240_000 };
  const { status, error, stdout, stderr } = spawnSync(command, args, { ...options, maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${command} failed (${error?.message ?? status}):\n${stdout ?? ''}${stderr ?? ''}`);
  return stdout;
}

export const runs = (command, args) => spawnSync(command, args, { stdio: 'ignore', timeout: 30_000 }).status === 0;

/** Installs npm packages under `work`. @throws Skipped if they cannot be downloaded */
export function install(...packages) {
  const args = ['install', '--prefix', work, '--no-save', '--no-audit', '--no-fund', ...packages];
  if (spawnSync('npm', args, { cwd: work, stdio: 'ignore', timeout: 240_000 }).status !== 0) {
    throw new Skipped(`${packages.join(', ')} could not be downloaded`);
  }
}

/** The current document in OpenAPI 3.1 and 3.0, after a build of the service, and what makes the latter of another one. */
export async function documents() {
  run(process.execPath, [join(root, 'scripts', 'run.mjs')], { cwd: root });
  const newer = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
  const { toOpenApi30 } = await import('../../dist/src/openapi/document/to-3.0.js');
  return { newer, older: toOpenApi30(newer), toOlder: toOpenApi30 };
}

/** Starts the service on a new embedded database. */
export async function startService() {
  const administrator = { ADMIN_EMAIL: ADMINISTRATOR.email, ADMIN_PASSWORD: ADMINISTRATOR.password };
  const settings = { DATABASE_URL: '', DATA_DIR: join(work, 'data'), PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error' };
  return listening(process.execPath, [join(root, 'dist', 'src', 'main.js')], /listening on (http:\S+)/, {
    ...administrator,
    ...settings,
  });
}

/** Starts a server program. Resolves to the address that it prints once it listens. */
export async function listening(command, args, pattern, environment = {}) {
  const child = spawn(command, args, { env: { ...process.env, ...environment }, cwd: root });
  let said = '';
  const url = await new Promise((resolve, reject) => {
    const hear = (chunk) => {
      said += chunk;
      const found = pattern.exec(said);
      if (found) resolve(found[1]);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', () => reject(new Error(`${args[0]} did not start:\n${said}`)));
  });
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve);
        child.kill();
      }),
  };
}
