import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(__dirname, '../..');

/** The service in a process of its own. */
export interface SpawnedService {
  url: string;
  /** Physical memory of the process in bytes. */
  memory(): number;
  kill(): Promise<unknown>;
}

/** Builds the service. */
export function buildService(): void {
  const { status } = spawnSync(process.execPath, ['scripts/run.mjs'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The build of the service failed');
}

/** Starts the built service. Resolves once it listens, and throws its output if it does not. */
export async function spawnService(environment: NodeJS.ProcessEnv): Promise<SpawnedService> {
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    cwd: root,
    env: { PATH: process.env.PATH, SECRET_KEY: 'a key that only the tests use, 32+', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  for (;;) {
    const url = /listening on (http:\S+)/.exec(output)?.[1];
    if (url) {
      return {
        url,
        memory: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)])) * 1024,
        kill: () => {
          child.kill('SIGKILL');
          return gone;
        },
      };
    }
    if (child.exitCode !== null) throw new Error(`The service ended: ${output}`);
    await sleep(20);
  }
}
