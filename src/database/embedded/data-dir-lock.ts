import { createHash, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, unlink } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Handles a request from another process to the owner of a data directory. An error is reported to the sender as its message. */
export type RequestHandler = (request: object) => Promise<object>;

/** Folder of the database in a data directory. */
export const DATABASE = 'postgres';
/** Directory of the lock within the data directory, accessible to its owner only. */
const FOLDER = 'lock';
/** Maximum length of a request or response on the control channel, in characters. */
const MAX_LINE = 1024 * 1024;
/** Milliseconds within which a client must send its line. */
const LINE_TIMEOUT = 5_000;
/**
 * `sun_path` has 104 bytes on macOS and 108 on Linux, including the terminating NUL. Longer paths are truncated without an error.
 */
const MAX_SOCKET_PATH = 103;

const onWindows = process.platform === 'win32';

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException | undefined)?.code;

/**
 * Locks a data directory for one process, and lets other processes send requests to that process.
 *
 * The lock consists only of what the operating system releases when a process dies: listening sockets.
 * - `lock/1`, `lock/2`, … in the directory. A socket that nobody answers is stale, and the owner is the process that added the
 *   number after the highest one when that was stale. The highest number is never removed, so no number is used twice. A socket
 *   gets its name by `link` after it has started to listen, so it is never mistaken for a stale one. This also works between
 *   containers, and on macOS.
 * - On Linux also an abstract socket named after the inode of the directory, for file systems without sockets.
 * - On Windows a named pipe instead of both.
 */
export class DataDirLock {
  private readonly servers: net.Server[] = [];
  private readonly connections = new Set<net.Socket>();
  private handler?: RequestHandler;

  private constructor() {}

  /**
   * @param dataDir an existing directory
   * @throws Error with a sentence for the operator if another process holds it, or with `code` if it cannot be used
   */
  static async acquire(dataDir: string): Promise<DataDirLock> {
    const directory = await realpath(dataDir);
    const lock = new DataDirLock();
    try {
      await (onWindows ? lock.claimPipe(directory) : lock.claim(directory));
      return lock;
    } catch (error) {
      await lock.release();
      if (codeOf(error) !== 'EADDRINUSE') throw error;
      throw new Error(await inUse(dataDir), { cause: error });
    }
  }

  onRequest(handler: RequestHandler): void {
    this.handler = handler;
  }

  /** Releases the directory. A stale socket remains in it, as described above. */
  async release(): Promise<void> {
    for (const connection of this.connections) connection.destroy();
    await Promise.all(this.servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  private async claimPipe(directory: string): Promise<void> {
    await this.listen(pipeName(directory), (socket) => this.serve(socket));
  }

  private async claim(directory: string): Promise<void> {
    const abstract = process.platform === 'linux';
    if (abstract) await this.listen(await abstractName(directory), (socket) => socket.destroy());
    try {
      const folder = join(directory, FOLDER);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await withShortPath(folder, (path) => this.claimNumber(path));
    } catch (error) {
      const noSocketsHere = ['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'ENOSYS', 'EINVAL'].includes(String(codeOf(error)));
      if (!abstract || !noSocketsHere) throw error;
    }
  }

  private async claimNumber(folder: string): Promise<void> {
    const draft = join(folder, `new-${randomBytes(4).toString('hex')}`);
    await this.listen(draft, (socket) => this.serve(socket));
    try {
      await chmod(draft, 0o600);
      while (!(await takeNextNumber(folder, draft)));
    } catch (error) {
      // Only a process that has acquired the lock removes drafts of others.
      throw codeOf(error) === 'ENOENT' ? inUseError() : error;
    }
  }

  private async listen(path: string, onConnection: (socket: net.Socket) => void): Promise<void> {
    const server = net.createServer(onConnection);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    // A client that disconnects, or a lack of file descriptors, must not end the process. The lock must not keep the process
    // alive either.
    server.on('error', () => {}).unref();
    this.servers.push(server);
  }

  private serve(socket: net.Socket): void {
    this.connections.add(socket);
    socket.on('close', () => this.connections.delete(socket)).on('error', () => socket.destroy());
    readLine(socket, LINE_TIMEOUT)
      .then((line) => this.answer(line))
      .then((answer) => {
        socket.write(`${answer}\n`);
        socket.destroySoon();
      })
      .catch(() => socket.destroy());
  }

  private async answer(line: string): Promise<string> {
    try {
      const request: unknown = JSON.parse(line);
      // Sent by a process that finds the directory locked.
      if (request === null) return JSON.stringify({ ok: true, result: { pid: process.pid } });
      if (typeof request !== 'object') throw new Error('A request must be an object');
      if (!this.handler) throw new Error('The process that uses the data directory does not accept requests yet');
      return JSON.stringify({ ok: true, result: await this.handler(request) });
    } catch (error) {
      return JSON.stringify({ ok: false, error: error instanceof Error ? error.message : String(error) });
    }
  }
}

/**
 * Sends a request to the process that holds a data directory.
 * @param request is passed to that process's handler as JSON
 * @param timeout milliseconds to wait for the response
 * @returns the handler's response, or null if no process holds the directory (or its file system does not support sockets)
 * @throws Error with the handler's error message, or if there is no response, or if the owner is another user
 */
export async function askOwner(dataDir: string, request: object | null, timeout = 10_000): Promise<object | null> {
  try {
    const directory = await realpath(dataDir);
    if (onWindows) return await ask(pipeName(directory), request, timeout);
    const folder = join(directory, FOLDER);
    const last = await highest(folder);
    return await withShortPath(folder, (path) => ask(join(path, String(last)), request, timeout));
  } catch (error) {
    if (isDead(error)) return null;
    throw error;
  }
}

async function ask(path: string, request: object | null, timeout: number): Promise<object> {
  const socket = await connect(path);
  try {
    socket.write(`${JSON.stringify(request)}\n`);
    const answer = JSON.parse(await readLine(socket, timeout)) as { ok: boolean; result: object; error: string };
    if (!answer.ok) throw new Error(answer.error);
    return answer.result;
  } finally {
    socket.destroy();
  }
}

const inUseError = (): Error => Object.assign(new Error('in use'), { code: 'EADDRINUSE' });

async function inUse(dataDir: string): Promise<string> {
  const owner = (await askOwner(dataDir, null, 1_000).catch(() => null)) as { pid: number } | null;
  const pid = owner === null ? '' : ` (pid ${owner.pid})`;
  return `The data directory ${dataDir} is in use by another process${pid}. Stop it first, or give this one its own DATA_DIR.`;
}

/**
 * Gives the listening socket `draft` the number after the highest, if that one is stale.
 * @returns false if another process was faster and the state must be examined again
 * @throws Error with `code` EADDRINUSE if another process holds the lock
 */
async function takeNextNumber(folder: string, draft: string): Promise<boolean> {
  const last = await highest(folder);
  if (last > 0 && (await isAlive(join(folder, String(last))))) throw inUseError();
  const mine = last + 1;
  try {
    await link(draft, join(folder, String(mine)));
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  // The number was free, but possibly only because later owners have removed it.
  const won = (await highest(folder)) === mine;
  const obsolete = won ? (await readdir(folder)).filter((name) => !(Number(name) >= mine)) : [String(mine)];
  for (const name of obsolete) await rm(join(folder, name), { force: true });
  return won;
}

/** The highest number in the lock directory, or 0. */
async function highest(folder: string): Promise<number> {
  return Math.max(0, ...(await readdir(folder)).map(Number).filter(Number.isSafeInteger));
}

function connect(path: string): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(path, () => resolve(socket)).on('error', reject);
  });
}

/** Whether a `connect` error means that nobody is listening. */
const isDead = (error: unknown): boolean => ['ECONNREFUSED', 'ENOENT'].includes(String(codeOf(error)));

async function isAlive(path: string): Promise<boolean> {
  try {
    (await connect(path)).destroy();
    return true;
  } catch (error) {
    if (isDead(error)) return false;
    throw error;
  }
}

/** @throws Error if the socket ends, if the line is too long, or if it does not arrive within `timeout` milliseconds */
function readLine(socket: net.Socket, timeout: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let done = false;
    const timer = setTimeout(() => reject(new Error('No response arrived in time')), timeout);
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      // Anything after the line is discarded.
      if (done) return;
      text += chunk;
      const end = text.indexOf('\n');
      done = end >= 0 || text.length > MAX_LINE;
      if (end >= 0) resolve(text.slice(0, end));
      else if (done) reject(new Error('The line is too long'));
    });
    socket.on('error', reject).on('close', () => {
      clearTimeout(timer);
      reject(new Error('The connection was closed'));
    });
  });
}

/** The same for every path to the directory, and of maximum length, because Node versions differ in how they pad it. */
async function abstractName(directory: string): Promise<string> {
  const { dev, ino } = await stat(directory, { bigint: true });
  return `\0embedded-database:${dev}:${ino}:`.padEnd(108, '.');
}

function pipeName(directory: string): string {
  const name = createHash('sha256').update(directory.toLowerCase()).digest('hex').slice(0, 32);
  return `\\\\.\\pipe\\embedded-database-${name}`;
}

/** Calls `use` with a path to the directory that is short enough for a socket in it. */
async function withShortPath<T>(folder: string, use: (path: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(join(folder, 'new-12345678')) <= MAX_SOCKET_PATH) return use(folder);
  const temporary = await mkdtemp(join(tmpdir(), 'db-'));
  const path = join(temporary, 'd');
  try {
    await symlink(folder, path);
    return await use(path);
  } finally {
    await unlink(path).catch(() => {});
    await rm(temporary, { recursive: true, force: true });
  }
}
