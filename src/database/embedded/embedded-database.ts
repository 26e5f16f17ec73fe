import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { citext } from '@electric-sql/pglite/contrib/citext';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Pool, PoolConfig } from 'pg';
import { DATABASE, DataDirLock, type RequestHandler } from './data-dir-lock.js';
import { PgliteSession } from './pglite-session.js';
import { PgliteStream } from './pglite-stream.js';

export interface EmbeddedDatabaseOptions {
  /** Directory of the data, created if missing. Without it the data is kept in memory and lost with the process. */
  dataDir?: string;
  /** Instead of a directory: files in memory that hold a database. */
  files?: PGliteOptions['fs'];
  /** Called before a database is created, which takes seconds. */
  whenCreating?: (files: string) => void;
}

/** Suffix of a database and a key that a restore has set aside. */
export const REPLACED = '.replaced';

/** Milliseconds that a request waits for the only connection: longer than an import of as many rows as a file may have takes. */
const CONNECT_TIMEOUT = 30_000;

const START_PARAMETERS = [
  ...PGlite.defaultStartParams,
  '-c',
  'TimeZone=UTC',
  // The minimum. V8's stack overflows long before the 2 MB that PostgreSQL assumes, and then the engine must be restarted,
  // whereas PostgreSQL's own limit is an ordinary error.
  '-c',
  'max_stack_depth=100kB',
  // PostgreSQL would take 160 MB for the memory of a machine, of which the service needs the most itself. What is not in these
  // buffers is in the cache of the operating system.
  '-c',
  'shared_buffers=32MB',
];

// The tables that autovacuum would process with its default settings; or all tables.
const TABLES_TO_VACUUM = `
  SELECT format('%I.%I', s.schemaname, s.relname) AS name
  FROM pg_stat_all_tables s JOIN pg_class c ON c.oid = s.relid
  WHERE s.schemaname <> 'pg_toast' AND ($1 OR s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
    OR s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0))`;

// Statistics of earlier statements are otherwise up to a second late, and a round that misses them is followed by none.
const WAL_POSITION = 'SELECT pg_current_wal_insert_lsn()::text AS position, pg_stat_force_next_flush()';

/**
 * PostgreSQL within this process: PGlite, for `pg` and everything on top of it.
 *
 * Committed data survives the end of the process, however sudden. It does not survive a power failure, because nothing is flushed
 * to disk. There is one session and therefore one transaction at a time, and `statement_timeout` has no effect.
 */
export class EmbeddedDatabase {
  private maintenance?: NodeJS.Timeout;
  private closing?: Promise<void>;
  private backingUp = false;

  private constructor(
    private readonly session: PgliteSession,
    private readonly lock?: DataDirLock,
  ) {}

  /**
   * Opens the database, and creates it if it does not exist. A second open of the same directory is refused, in any process.
   * @throws Error with a sentence for the operator
   */
  static async open({ dataDir, files: held, whenCreating }: EmbeddedDatabaseOptions = {}): Promise<EmbeddedDatabase> {
    if (dataDir === undefined) {
      return new EmbeddedDatabase(await PgliteSession.open(() => start({ files: held }), false));
    }
    const directory = resolve(dataDir);
    const lock = await lockDirectory(directory);
    try {
      const files = join(directory, DATABASE);
      if (!existsSync(files)) {
        if (existsSync(files + REPLACED))
          throw new Error(
            `A restore into ${directory} was interrupted. Run it again, or rename ${files}${REPLACED} back to ${files}.`,
          );
        whenCreating?.(files);
        await create(files);
      } else if (!existsSync(join(files, 'PG_VERSION'))) {
        throw new Error(`${files} is not the directory of a PostgreSQL database: it has no PG_VERSION. Move it away.`);
      }
      return new EmbeddedDatabase(await PgliteSession.open(() => start({ dataDir: files }), true), lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Options for `new pg.Pool`, or for TypeORM's `extra`. Clients outside the pool's only one wait until it disconnects. */
  poolOptions(): PoolConfig {
    return {
      user: 'postgres',
      database: 'postgres',
      ssl: false,
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      stream: () => new PgliteStream(this.session),
    };
  }

  /** Sets the handler for requests that other processes send with `askOwner`. */
  onRequest(handler: RequestHandler): void {
    this.lock?.onRequest(handler);
  }

  /**
   * Does the work of a server's background processes: it vacuums and analyzes tables with many changes, and keeps the write-ahead log short.
   * It works table by table, because the process is blocked meanwhile, and does nothing if nothing was written. It stops when the pool ends.
   * @param pool a pool of this database
   * @param onError is called with failures; the next run takes place anyway
   * @param interval milliseconds between two runs
   */
  startMaintenance(pool: Pool, onError: (error: unknown) => void, interval = 60_000): void {
    let seen: string | undefined;
    const round = async (): Promise<void> => {
      if (this.backingUp) return;
      const position = async (): Promise<string> => (await pool.query(WAL_POSITION)).rows[0].position;
      if ((await position()) === seen) return;
      // Statistics start with the process, so the first run processes all tables.
      const { rows } = await pool.query<{ name: string }>(TABLES_TO_VACUUM, [seen === undefined]);
      for (const { name } of rows) {
        if (over()) return;
        await pool.query(`VACUUM (ANALYZE) ${name}`).catch(report);
      }
      if (this.backingUp) return;
      await pool.query('CHECKPOINT');
      seen = await position();
    };
    const over = (): boolean => this.closing !== undefined || pool.ending;
    const report = (error: unknown): void => {
      if (!over()) onError(error);
    };
    const arm = (): void => {
      if (over()) return;
      this.maintenance = setTimeout(() => void round().catch(report).finally(arm), interval).unref();
    };
    arm();
  }

  /**
   * Does the work of a backup. Meanwhile there is no checkpoint, so that the write-ahead log keeps what a backup needs.
   * @throws Error if there is another backup
   */
  async backup<T>(work: () => Promise<T>): Promise<T> {
    if (this.backingUp) throw new Error('Another backup is being written. Wait until it is complete');
    this.backingUp = true;
    try {
      return await work();
    } finally {
      this.backingUp = false;
    }
  }

  /** Closes the database after the running statement, then releases the directory. May be called more than once. */
  close(): Promise<void> {
    clearTimeout(this.maintenance);
    return (this.closing ??= this.session.close().finally(() => this.lock?.release()));
  }
}

/** @throws Error with a sentence for the operator */
export async function lockDirectory(directory: string): Promise<DataDirLock> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return await DataDirLock.acquire(directory);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const hint = code === 'EACCES' ? ' It, or something in it, belongs to another user.' : '';
    throw new Error(`The data directory ${directory} cannot be used by this process: ${message}.${hint}`, {
      cause: error,
    });
  }
}

/** Creates the database under another name first, so that an interrupted start leaves nothing that looks like a database. */
async function create(files: string): Promise<void> {
  const draft = `${files}.incomplete`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  const pglite = await start({ dataDir: draft });
  await pglite.close();
  await rename(draft, files);
}

async function start({ dataDir, files }: EmbeddedDatabaseOptions): Promise<PGlite> {
  let log: string[] | undefined = [];
  try {
    const pglite = await PGlite.create({
      dataDir,
      fs: files,
      extensions: { pg_trgm, citext, btree_gist },
      startParams: START_PARAMETERS,
      relaxedDurability: false,
      onStderr: (line) => {
        log?.push(line);
        return false;
      },
    });
    log = undefined;
    return pglite;
  } catch (error) {
    // PostgreSQL logs the reason for a failed start. PGlite's error does not contain it.
    const reasons = (log ?? []).flatMap((line) => /(?:FATAL|PANIC|DETAIL|postgres):\s+(.*)/.exec(line)?.[1] ?? []);
    const reason = reasons.length > 0 ? reasons.join('. ') : error instanceof Error ? error.message : String(error);
    throw new Error(`The embedded database ${dataDir ?? 'in memory'} did not start: ${reason}`, { cause: error });
  }
}
