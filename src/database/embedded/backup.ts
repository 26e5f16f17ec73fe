import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { createTarPacker } from 'modern-tar';
import type { Pool } from 'pg';
import { KEY_FILE } from '../../config/configuration.js';
import { DATABASE } from './data-dir-lock.js';

/** The first file of a backup, which describes it. */
export interface BackupNotes {
  /** Of the files in the backup. */
  format: 1;
  /** Of the service that wrote it. */
  version: string;
  /** The last migration of the database. */
  migration: string;
  madeAt: string;
}

export const NOTES = 'backup.json';

// PostgreSQL creates the contents of these anew at startup. `pg_basebackup` leaves them out as well.
const MADE_ANEW = [
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)|backup_label.*|pgsql_tmp.*)$/;
/** Read last, because this log has the writes during the backup. */
const LOG = 'pg_wal';
/** Read as a whole, because PostgreSQL writes it in place. */
const CONTROL = 'global/pg_control';

type Add = (name: string, size: number, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => Promise<void>;

interface Source {
  /** A pool of the embedded database. */
  pool: Pool;
  dataDir: string;
  version: string;
}

/**
 * Writes a compressed copy of the embedded database and of its key, in the way of PostgreSQL's online backups: the files are copied
 * while they are written, and the write-ahead log makes them consistent when the copy is opened. There must be no checkpoint meanwhile.
 * The file appears under its name when it is complete and on the disk.
 */
export async function writeBackup(
  source: Source,
  file: string,
): Promise<BackupNotes & { bytes: number; key: boolean }> {
  const draft = `${file}.incomplete`;
  await rm(draft, { force: true });
  const { readable, controller } = createTarPacker();
  const target = createWriteStream(draft, { mode: 0o600, flags: 'wx' });
  const add: Add = async (name, size, chunks) => {
    const entry = controller.add({ name, size, mode: 0o600, type: 'file' }).getWriter();
    for await (const chunk of chunks) await entry.write(chunk);
    await entry.close();
  };
  try {
    const written = pipeline(readable, createGzip({ level: 1 }), target, { end: true });
    // The error of a full disk is reported where the pipeline is awaited.
    written.catch((error: unknown) => controller.error(error));
    const result = await addAll(source, add, (name) =>
      controller.add({ name, size: 0, mode: 0o700, type: 'directory' }).close(),
    )
      .then((notes) => (controller.finalize(), notes))
      .catch(async (error: unknown) => {
        controller.error(error);
        await written;
        throw error;
      });
    await written;
    const handle = await open(draft, 'r+');
    await handle.sync().finally(() => handle.close());
    const { size: bytes } = await stat(draft);
    await rename(draft, file);
    return { ...result, bytes };
  } catch (error) {
    target.destroy();
    if (!target.closed) await once(target, 'close');
    await rm(draft, { force: true });
    throw error;
  }
}

async function addAll(
  { pool, dataDir, version }: Source,
  add: Add,
  addFolder: (name: string) => Promise<void>,
): Promise<BackupNotes & { key: boolean }> {
  const root = join(dataDir, DATABASE);
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM migrations ORDER BY timestamp DESC LIMIT 1');
  const notes: BackupNotes = { format: 1, version, migration: rows[0]!.name, madeAt: new Date().toISOString() };
  const addText = (name: string, text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    return add(name, bytes.length, [bytes]);
  };
  await addText(NOTES, `${JSON.stringify(notes, null, 2)}\n`);
  const key = await readFile(join(dataDir, KEY_FILE), 'utf8').catch(ignoreMissing);
  if (key !== undefined) await addText(KEY_FILE, key);
  await pool.query(`SELECT pg_backup_start('backup', true)`);
  let label: string | undefined;
  const end = async (): Promise<string> =>
    (await pool.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)')).rows[0]!.labelfile;
  try {
    for await (const path of entries(root, '')) {
      if (path.endsWith('/')) await addFolder(`${DATABASE}/${path}`);
      else if (path !== CONTROL && !path.startsWith(`${LOG}/`)) await addFile(add, root, path);
    }
    const control = await readFile(join(root, CONTROL));
    await add(`${DATABASE}/${CONTROL}`, control.length, [control]);
    label = await end();
    for (const segment of await readdir(join(root, LOG), { withFileTypes: true }))
      if (segment.isFile()) await addFile(add, root, `${LOG}/${segment.name}`);
    await addText(`${DATABASE}/backup_label`, label);
  } finally {
    if (label === undefined) await end().catch(() => {});
  }
  return { ...notes, key: key !== undefined };
}

/** Files and folders below a folder; the names of folders end with a slash. */
async function* entries(root: string, folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue;
    const path = folder + entry.name;
    if (!entry.isDirectory()) yield path;
    else {
      yield `${path}/`;
      if (!MADE_ANEW.includes(path)) yield* entries(root, `${path}/`);
    }
  }
}

/**
 * Copies a file at its current length. The write-ahead log has everything that is appended or truncated until the backup ends, and also
 * the reason if a file has gone.
 */
async function addFile(add: Add, root: string, path: string): Promise<void> {
  const size = (await stat(join(root, path)).catch(ignoreMissing))?.size;
  if (size === undefined) return;
  await add(`${DATABASE}/${path}`, size, contents(join(root, path), size));
}

async function* contents(path: string, size: number): AsyncGenerator<Uint8Array> {
  let left = size;
  try {
    if (size === 0) return;
    for await (const chunk of createReadStream(path, { end: size - 1, highWaterMark: 256 * 1024 })) {
      left -= (chunk as Buffer).length;
      yield new Uint8Array(chunk as Buffer);
    }
  } catch (error) {
    ignoreMissing(error);
  }
  for (; left > 0; left -= Math.min(left, 65_536)) yield new Uint8Array(Math.min(left, 65_536));
}

/** A file that was there a moment ago may have been dropped. @throws every other error */
function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
