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
// A call of its own: DISCARD ALL refuses to run in the implicit transaction of several statements.
const DISCARD_ALL = frontendMessage('Q', 'DISCARD ALL\0');

// PostgreSQL's own: reads messages and answers them until there is nothing left to read.
const MAIN_LOOP = '_PostgresMainLoopOnce';

const FORCE_EXIT = '_emscripten_force_exit';

const ERROR_RESPONSE = 'E'.charCodeAt(0);

// How PGlite's build says `longjmp`: an ordinary error of SQL, which PGlite handles.
const LONGJMP = 100;

/** A failure of the database itself, with the SQLSTATE that PostgreSQL has for it. */
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
 * PGlite's one session, which clients use one after the other: each finds it as if it had just been opened, whatever the
 * one before left behind.
 *
 * Some statements break the engine rather than fail: deep expressions, for example, overflow the stack of V8 before that
 * of PostgreSQL. The client is told, and the next one finds the engine started anew from what was committed.
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
   * @param start starts the engine, and once more each time it broke
   * @param restartable whether the engine finds what was committed when it is started again
   */
  static async open(start: () => Promise<PGlite>, restartable: boolean): Promise<PgliteSession> {
    return new PgliteSession(throwTraps(await start()), start, restartable);
  }

  /**
   * Waits until the session is nobody's, and cleans it.
   * @returns ends the turn
   * @throws Error when the database is closed, or cannot be started again
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
   * Runs complete frontend messages, which must end where PostgreSQL answers: at Query, Sync, Flush or a startup message.
   * @returns the backend's messages; an error of SQL is one of them
   * @throws Error with `code` 57P02 or 57P03 when the engine broke or is closed: nothing more can be run in this turn
   */
  async execute(messages: Uint8Array): Promise<Buffer> {
    // The engine runs within this thread and PGlite's promises are microtasks: without this, a queue of statements would
    // keep timers and sockets waiting until it is empty.
    await new Promise(setImmediate);
    return this.pglite.runExclusive(async () => {
      if (this.state === 'closed') throw new SessionError('The embedded database is closed', '57P03');
      if (this.state === 'broken') throw new SessionError('The embedded database broke and was not restarted', '57P03');
      const chunks: Buffer[] = [];
      try {
        // A chunk is a view of the engine's memory, which it writes over: keep a copy.
        const onRawData = (chunk: Uint8Array): unknown => chunks.push(Buffer.from(chunk));
        await this.pglite.execProtocolRawStream(messages, { onRawData });
      } catch (cause) {
        this.state = 'broken';
        throw new SessionError('The statement broke the embedded database, which restarts', '57P02', cause);
      }
      return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    });
  }

  /** A snapshot of what was committed, as an uncompressed tar file. */
  dump(): Promise<Blob> {
    return this.pglite.dumpDataDir('none');
  }

  /** Waits for the statement that runs, and closes the engine; whoever comes after is refused. */
  async close(): Promise<void> {
    if (this.state === 'closed') return;
    await this.restarting?.catch(() => {});
    // So that the next start has nothing to recover. What is committed is kept without it as well.
    await this.execute(frontendMessage('Q', 'CHECKPOINT\0')).catch(() => {});
    const broken = this.state === 'broken';
    this.state = 'closed';
    if (broken) abandon(this.pglite);
    else await this.pglite.close();
  }

  private async restart(): Promise<void> {
    if (!this.restartable) {
      throw new SessionError('The embedded database broke, and what it held in memory is lost', '57P03');
    }
    abandon(this.pglite);
    this.pglite = throwTraps(await this.start());
    this.state = 'open';
  }
}

/**
 * Ends an engine that broke. Not by PGlite's `close`: that would have PostgreSQL write down what its memory holds.
 * Left alone it would keep its files open, and a timer that makes it run again.
 */
function abandon(pglite: PGlite): void {
  const engine = pglite.Module as PGlite['Module'] & Record<typeof FORCE_EXIT, (status: number) => void>;
  for (const end of [
    () => engine.FS.quit(),
    // Whatever PostgreSQL does at its exit, the directory is out of its reach.
    () => engine.FS.unmount(PGlite.paths.PGDATA),
    () => engine[FORCE_EXIT](1),
  ]) {
    try {
      end();
    } catch {
      // Has been ended before, is in memory and has no directory, or has exited, which is reported as an error.
    }
  }
}

/**
 * Makes PGlite's `execProtocolRawStream` reject when the engine traps. By itself it goes on as if nothing had happened:
 * with an answer that lacks its end, on a state that is no longer sound, or in a loop that never ends.
 */
function throwTraps(pglite: PGlite): PGlite {
  const engine = pglite.Module as unknown as Record<typeof MAIN_LOOP, () => void>;
  const loop = engine[MAIN_LOOP];
  if (typeof loop !== 'function') throw new Error('This version of PGlite has another main loop: adapt throwTraps');
  engine[MAIN_LOOP] = () => {
    try {
      loop();
    } catch (error) {
      if ((error as { status?: unknown } | null)?.status === LONGJMP) throw error;
      // PGlite catches all, looks at `status`, and swallows what it does not know; so the look itself must throw.
      throw Object.defineProperty({}, 'status', {
        get: () => {
          throw error;
        },
      });
    }
  };
  return pglite;
}
