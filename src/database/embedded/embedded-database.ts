import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { citext } from '@electric-sql/pglite/contrib/citext';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Pool, PoolConfig } from 'pg';
import { DataDirLock, type RequestHandler } from './data-dir-lock.js';
import { PgliteSession } from './pglite-session.js';
import { PgliteStream } from './pglite-stream.js';

export interface EmbeddedDatabaseOptions {
  /** Directory of the records, created if it is missing. Without one they are in memory and go with the process. */
  dataDir?: string;
  /** What a new database starts from, instead of an empty one: an uncompressed or gzipped tar file, as `dump` gives it. */
  loadDataDir?: Blob | File;
}

/** Milliseconds that a request waits for the one connection. */
const CONNECT_TIMEOUT = 10_000;

const START_PARAMETERS = [
  ...PGlite.defaultStartParams,
  '-c',
  'TimeZone=UTC',
  // The least there is. V8's stack ends long before the 2 MB that PostgreSQL would assume, and when it does the engine has
  // to be restarted, where the limit of PostgreSQL is an ordinary error.
  '-c',
  'max_stack_depth=100kB',
];

// Which tables autovacuum would take, at its default settings; or all of them.
const TABLES_TO_VACUUM = `
  SELECT format('%I.%I', s.schemaname, s.relname) AS name
  FROM pg_stat_all_tables s JOIN pg_class c ON c.oid = s.relid
  WHERE s.schemaname <> 'pg_toast' AND ($1 OR s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
    OR s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0))`;

const WAL_POSITION = 'SELECT pg_current_wal_insert_lsn()::text AS position';

/**
 * PostgreSQL within this process: PGlite, for `pg` and all that stands on it.
 *
 * What is committed survives the end of the process, however sudden. It does not survive the loss of power: nothing is
 * flushed to the disk. There is one session, so one transaction at a time, and `statement_timeout` has no effect.
 */
export class EmbeddedDatabase {
  private maintenance?: NodeJS.Timeout;
  private closing?: Promise<void>;

  private constructor(
    private readonly session: PgliteSession,
    private readonly lock?: DataDirLock,
  ) {}

  /**
   * Opens the database, and makes it if it is not there. A second one of the same directory is refused, in any process.
   * @throws Error with a sentence for the operator
   */
  static async open({ dataDir, loadDataDir }: EmbeddedDatabaseOptions = {}): Promise<EmbeddedDatabase> {
    if (dataDir === undefined) {
      return new EmbeddedDatabase(await PgliteSession.open(() => start({ loadDataDir }), false));
    }
    const directory = resolve(dataDir);
    const lock = await lockDirectory(directory);
    try {
      const files = join(directory, 'postgres');
      if (!existsSync(files)) await create(files, loadDataDir);
      else if (loadDataDir) throw new Error(`The data directory ${directory} holds a database already.`);
      else if (!existsSync(join(files, 'PG_VERSION'))) {
        throw new Error(`${files} is not the directory of a PostgreSQL database: it has no PG_VERSION. Move it away.`);
      }
      return new EmbeddedDatabase(await PgliteSession.open(() => start({ dataDir: files }), true), lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** For `new pg.Pool`, or TypeORM's `extra`. More clients than the pool's one wait for each other to disconnect. */
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

  /** Sets what answers other processes that use `askOwner` on the data directory. */
  onRequest(handler: RequestHandler): void {
    this.lock?.onRequest(handler);
  }

  /**
   * Does from now on what a server has background processes for: vacuums and analyzes tables that have changed much, and
   * keeps the write-ahead log short. Table by table, because the process does nothing else meanwhile; and nothing at all
   * when nothing was written. Ends with the pool.
   * @param pool a pool of this database
   * @param onError is told of failures; the next round comes anyway
   * @param interval milliseconds between two rounds
   */
  startMaintenance(pool: Pool, onError: (error: unknown) => void, interval = 60_000): void {
    let seen: string | undefined;
    const round = async (): Promise<void> => {
      const position = async (): Promise<string> => (await pool.query(WAL_POSITION)).rows[0].position;
      if ((await position()) === seen) return;
      // What has changed is counted from the start of the process on: in the first round, take all.
      const { rows } = await pool.query<{ name: string }>(TABLES_TO_VACUUM, [seen === undefined]);
      for (const { name } of rows) {
        if (over()) return;
        await pool.query(`VACUUM (ANALYZE) ${name}`).catch(report);
      }
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

  /** A copy of what was committed, as an uncompressed tar file: what `loadDataDir` takes. */
  dump(): Promise<Blob> {
    return this.session.dump();
  }

  /** Closes the database after the statement that runs, then gives the directory up. May be called more than once. */
  close(): Promise<void> {
    clearTimeout(this.maintenance);
    return (this.closing ??= this.session.close().finally(() => this.lock?.release()));
  }
}

async function lockDirectory(directory: string): Promise<DataDirLock> {
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

/** Makes a database under another name, so that a start which is cut short leaves nothing that looks like one. */
async function create(files: string, loadDataDir?: Blob | File): Promise<void> {
  const draft = `${files}.incomplete`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  const pglite = await start({ dataDir: draft, loadDataDir });
  await pglite.close();
  await rename(draft, files);
}

async function start({ dataDir, loadDataDir }: EmbeddedDatabaseOptions): Promise<PGlite> {
  let log: string[] | undefined = [];
  try {
    const pglite = await PGlite.create({
      dataDir,
      loadDataDir,
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
    // PostgreSQL says in its log why it did not start; what PGlite throws does not.
    const reasons = (log ?? []).flatMap((line) => /(?:FATAL|PANIC|DETAIL|postgres):\s+(.*)/.exec(line)?.[1] ?? []);
    const reason = reasons.length > 0 ? reasons.join('. ') : error instanceof Error ? error.message : String(error);
    throw new Error(`The embedded database ${dataDir ?? 'in memory'} did not start: ${reason}`, { cause: error });
  }
}
