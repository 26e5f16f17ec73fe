import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { unpackTar } from 'modern-tar/fs';
import { Pool } from 'pg';
import { KEY_FILE } from '../../config/configuration.js';
import { NOTES, type BackupNotes } from './backup.js';
import { leaveIdentity } from '../identity.js';
import { DATABASE } from './data-dir-lock.js';
import { EmbeddedDatabase, lockDirectory, REPLACED } from './embedded-database.js';

/** Folder in which a backup is unpacked and checked. */
const DRAFT = 'restore.incomplete';
/** Allowed contents of a data directory without data. */
const NO_DATA = ['lock', DRAFT];

/** Names that a backup may have in it. */
const EXPECTED = new RegExp(`^(?:${NOTES}|${KEY_FILE}|${DATABASE}(?:/[\\w.-]+)*/?)$`);
const isExpected = (name: string): boolean => EXPECTED.test(name) && !name.split('/').includes('..');

interface Options {
  /** Whether to set the contents of the directory aside. */
  replace: boolean;
  /** Whether this version of the service has a migration. */
  knows: (migration: string) => boolean;
}

/**
 * Restores a backup into a data directory that no process uses. It is unpacked and opened first, so that a damaged file leaves the
 * directory as it is.
 * @throws Error with a sentence for the operator
 */
export async function restoreBackup(
  file: string,
  dataDir: string,
  options: Options,
): Promise<BackupNotes & { key: boolean }> {
  const directory = resolve(dataDir);
  const lock = await lockDirectory(directory);
  const draft = join(directory, DRAFT);
  try {
    const held = (await readdir(directory)).filter((name) => !NO_DATA.includes(name));
    if (held.length > 0 && !options.replace) {
      throw new Error(
        `The data directory ${directory} is not empty: it has ${held.toSorted().join(', ')}. Give another DATA_DIR, or --replace`,
      );
    }
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    const notes = await unpack(file, draft);
    if (!options.knows(notes.migration)) {
      throw new Error(
        `${file} was made by version ${notes.version}, whose database this version does not know. Restore it with that version`,
      );
    }
    await examine(draft, notes);
    const key = existsSync(join(draft, KEY_FILE));
    await putInPlace(draft, directory, key);
    return { ...notes, key };
  } finally {
    await rm(draft, { recursive: true, force: true });
    await lock.release();
  }
}

/** @throws Error if the file is not a complete backup */
async function unpack(file: string, draft: string): Promise<BackupNotes> {
  const no = (reason: string, cause?: unknown): Error => new Error(`${file} ${reason}`, { cause });
  const names = new Set<string>();
  const target = unpackTar(draft, {
    strict: true,
    fmode: 0o600,
    dmode: 0o700,
    filter: ({ name, type }) => {
      if ((type !== 'file' && type !== 'directory') || !isExpected(name))
        throw no(`is not a backup of this service: it contains ${name}`);
      names.add(name);
      return true;
    },
  });
  await pipeline(createReadStream(file), createGunzip(), target).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall !== undefined) throw no(`cannot be restored: ${error.message}`, error);
    if (error.message.startsWith(file)) throw error;
    if (error.code === 'Z_DATA_ERROR' && names.size === 0) throw no('is not a backup of this service', error);
    throw no(`is damaged or not complete: ${error.message}`, error);
  });
  const notes = JSON.parse(await readFile(join(draft, NOTES), 'utf8').catch(() => 'null')) as BackupNotes | null;
  if (notes === null) throw no('is not a backup of this service');
  if (notes.format !== 1) throw no(`was made by version ${notes.version}, in a format that this version does not read`);
  // Its last file.
  if (!names.has(`${DATABASE}/backup_label`)) throw no('is not complete');
  return notes;
}

/** Opens the database, which makes it consistent, and marks it as a copy, because the original may still be in use. */
async function examine(draft: string, { migration }: BackupNotes): Promise<void> {
  const embedded = await EmbeddedDatabase.open({ dataDir: draft });
  const pool = new Pool(embedded.poolOptions());
  try {
    const { rows } = await pool.query('SELECT name FROM migrations ORDER BY timestamp DESC LIMIT 1');
    if (rows[0]?.name !== migration)
      throw new Error(`The backup should have the migration ${migration}, and has ${rows[0]?.name}`);
    const { text, values } = leaveIdentity().whole;
    await pool.query(text, [...values]);
  } finally {
    await pool.end();
    await embedded.close();
  }
}

/** The database comes last. The service refuses to start with no database beside one that was set aside. */
async function putInPlace(draft: string, directory: string, withKey: boolean): Promise<void> {
  for (const name of withKey ? [DATABASE, KEY_FILE] : [DATABASE]) {
    const path = join(directory, name);
    // An interrupted restore has already set the database aside.
    if (!existsSync(path)) continue;
    await rm(path + REPLACED, { recursive: true, force: true });
    await rename(path, path + REPLACED);
  }
  if (withKey) await rename(join(draft, KEY_FILE), join(directory, KEY_FILE));
  await rename(join(draft, DATABASE), join(directory, DATABASE));
}
