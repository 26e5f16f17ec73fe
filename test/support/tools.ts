import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { PATIENCE_MS } from './until.js';

/* Third-party programs from the packages of the operating system. */

// Servers are in directories that are not in the PATH of ordinary users.
const PATH = [process.env.PATH, '/usr/sbin', '/usr/local/sbin'].join(delimiter);

const isInstalled = (program: string): boolean =>
  PATH.split(delimiter).some((folder) => existsSync(join(folder, program)));

/** `describe` if the programs are installed. Otherwise the tests are skipped with a message. */
export function describeWith(...programs: string[]): jest.Describe {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length > 0) console.warn(`SKIPPED: there is no ${missing.join(', ')}`);
  return missing.length > 0 ? describe.skip : describe;
}

/** The output of a program. @throws Error with its output if it fails */
export async function run(program: string, args: readonly string[], environment: object = {}): Promise<string> {
  const options = { env: { ...process.env, PATH, ...environment }, maxBuffer: 64 * 1024 * 1024, timeout: PATIENCE_MS };
  const { stdout } = await promisify(execFile)(program, args, options).catch((error: Error & { stdout?: string }) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return stdout;
}

/** A program that runs until it is stopped. */
export class Running {
  private output = '';
  private readonly child: ChildProcess;

  constructor(program: string, args: readonly string[]) {
    this.child = spawn(program, args, { env: { ...process.env, PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.on('data', (chunk) => (this.output += String(chunk)));
    }
  }

  /** Polls until there is a result. @throws Error with the output of the program if there is none */
  async until<T>(ask: () => Promise<T | undefined>): Promise<T> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const found = await ask().catch(() => undefined);
      if (found !== undefined) return found;
      if (this.child.exitCode !== null || Date.now() > end)
        throw new Error(`No answer of the program:\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
