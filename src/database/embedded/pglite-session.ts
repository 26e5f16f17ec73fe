import { PGlite } from '@electric-sql/pglite';

/** A frontend message of PostgreSQL's wire protocol: a type, the length, and a body. */
export function frontendMessage(type: string, body = ''): Buffer {
  const message = Buffer.alloc(5 + Buffer.byteLength(body));
  message.write(type, 0, 'latin1');
  message.writeInt32BE(message.length - 1, 1);
  message.write(body, 5);
  return message;
}

const ROLLBACK = Buffer.concat([frontendMessage('S'), frontendMessage('Q', 'ROLLBACK\0')]);
// Sent on its own, because DISCARD ALL refuses to run in the implicit transaction of several statements.
const DISCARD_ALL = frontendMessage('Q', 'DISCARD ALL\0');

// PostgreSQL's function that reads and processes messages until there are none left.
const MAIN_LOOP = '_PostgresMainLoopOnce';

const FORCE_EXIT = '_emscripten_force_exit';

const ERROR_RESPONSE = 'E'.charCodeAt(0);

// The status with which PGlite's build reports `longjmp`: an ordinary SQL error, which PGlite handles.
const LONGJMP = 100;

/** A failure of the database itself, with PostgreSQL's SQLSTATE for it. */
class SessionError extends Error {
  constructor(
    message: string,
    /** 57P02 crash_shutdown, 57P03 cannot_connect_now */
    readonly code: '57P02' | '57P03',
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/**
 * PGlite's only session, which clients use in turn. Each client finds it as if it had just been opened.
 *
 * Some statements break the engine instead of failing. Deep expressions, for example, overflow V8's stack before PostgreSQL's
 * limit is reached. The client gets an error, and for the next one the engine is restarted from the committed data.
 */
export class PgliteSession {
  private turn: Promise<void> = Promise.resolve();
  private state: 'open' | 'broken' | 'closed' = 'open';
  private restarting?: Promise<void>;

  private constructor(
    private pglite: PGlite,
    private readonly start: () => Promise<PGlite>,
    private readonly restartable: boolean,
  ) {}

  /**
   * @param start starts the engine, also after each breakdown
   * @param restartable whether a restarted engine finds the committed data
   */
  static async open(start: () => Promise<PGlite>, restartable: boolean): Promise<PgliteSession> {
    return new PgliteSession(throwTraps(await start()), start, restartable);
  }

  /**
   * Waits until the session is free, and resets it.
   * @returns a function that releases the session
   * @throws Error if the database is closed or cannot be restarted
   */
  async take(): Promise<() => void> {
    const before = this.turn;
    let release!: () => void;
    this.turn = new Promise((resolve) => (release = resolve));
    await before;
    try {
      if (this.state === 'broken') await (this.restarting = this.restart());
      await this.execute(ROLLBACK);
      const answer = await this.execute(DISCARD_ALL);
      if (answer[0] === ERROR_RESPONSE) throw new SessionError('The session could not be reset', '57P03');
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  /**
   * Runs complete frontend messages. They must end with one that PostgreSQL responds to: Query, Sync, Flush or a startup message.
   * @returns the backend's messages, which include SQL errors
   * @throws Error with `code` 57P02 or 57P03 if the engine broke or is closed; the session can then not be used any more
   */
  async execute(messages: Uint8Array): Promise<Buffer> {
    // The engine runs in this thread and PGlite's promises are microtasks. Without this, a queue of statements would block timers
    // and sockets until it is empty.
    await new Promise(setImmediate);
    return this.pglite.runExclusive(async () => {
      if (this.state === 'closed') throw new SessionError('The embedded database is closed', '57P03');
      if (this.state === 'broken')
        throw new SessionError('The embedded database crashed and was not restarted', '57P03');
      const chunks: Buffer[] = [];
      try {
        // The chunk is a view of the engine's memory, which will be overwritten.
        const onRawData = (chunk: Uint8Array): unknown => chunks.push(Buffer.from(chunk));
        await this.pglite.execProtocolRawStream(messages, { onRawData });
      } catch (cause) {
        this.state = 'broken';
        throw new SessionError('The statement crashed the embedded database, which is restarting', '57P02', cause);
      }
      return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    });
  }

  /** Waits for the running statement and closes the engine. Later callers are refused. */
  async close(): Promise<void> {
    if (this.state === 'closed') return;
    await this.restarting?.catch(() => {});
    // Spares the next start its recovery. Committed data is safe without it as well.
    await this.execute(frontendMessage('Q', 'CHECKPOINT\0')).catch(() => {});
    const broken = this.state === 'broken';
    this.state = 'closed';
    if (broken) abandon(this.pglite);
    else await this.pglite.close();
  }

  private async restart(): Promise<void> {
    if (!this.restartable) {
      throw new SessionError('The embedded database crashed, and its data in memory is lost', '57P03');
    }
    abandon(this.pglite);
    this.pglite = throwTraps(await this.start());
    this.state = 'open';
  }
}

/**
 * Ends a broken engine. PGlite's `close` would let PostgreSQL write its corrupt memory to disk. Doing nothing would leave files
 * open, and a timer that runs the engine again.
 */
function abandon(pglite: PGlite): void {
  const engine = pglite.Module as PGlite['Module'] & Record<typeof FORCE_EXIT, (status: number) => void>;
  for (const end of [
    () => engine.FS.quit(),
    // PostgreSQL can then no longer reach the directory, whatever it does at exit.
    () => engine.FS.unmount(PGlite.paths.PGDATA),
    () => engine[FORCE_EXIT](1),
  ]) {
    try {
      end();
    } catch {
      // The engine has already ended, has no directory because it is in memory, or has exited, which is reported as an error.
    }
  }
}

/**
 * Makes PGlite's `execProtocolRawStream` reject when the engine traps. Otherwise it continues with a truncated response, on
 * corrupt state, or in an endless loop.
 */
function throwTraps(pglite: PGlite): PGlite {
  const engine = pglite.Module as PGlite['Module'] & Record<typeof MAIN_LOOP, () => void>;
  const loop = engine[MAIN_LOOP];
  if (typeof loop !== 'function') throw new Error('This version of PGlite has a different main loop: adapt throwTraps');
  engine[MAIN_LOOP] = () => {
    try {
      loop();
    } catch (error) {
      if ((error as { status?: unknown } | null)?.status === LONGJMP) throw error;
      // PGlite catches every error, reads `status`, and discards unknown errors. So reading `status` must throw.
      throw Object.defineProperty({}, 'status', {
        get: () => {
          throw error;
        },
      });
    }
  };
  return pglite;
}
