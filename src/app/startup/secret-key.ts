import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigurationError, KEY_FILE, SHORTEST_KEY, type Configuration } from '../../config/configuration.js';
import type { Executor } from '../../database/executor.js';
import { Secrets } from '../../access/secrets.js';
import { sql, write } from '../../database/sql.js';

const CHECK = 'secret_key_check';

/**
 * Opens the box that encrypts secrets of records. The key is `SECRET_KEY`, or a file in the data directory that the first start creates.
 * @throws ConfigurationError if the secrets in the database were encrypted with another key. Otherwise records would need two keys.
 */
export async function openSecrets(
  { secretKey, dataDir }: Pick<Configuration, 'secretKey' | 'dataDir'>,
  db: Executor,
): Promise<Secrets> {
  const key = secretKey ?? (await keyFile(dataDir));
  const secrets = new Secrets(key);
  const digest = secrets.digest(CHECK);
  let known = await knownDigest(db);
  if (known === undefined) {
    // An incomplete key must not become the key of a database without secrets.
    if (key.length < SHORTEST_KEY) {
      throw new ConfigurationError(
        `The key in ${join(dataDir, KEY_FILE)} has fewer than ${SHORTEST_KEY} characters. Delete the file, and the next start creates another one`,
      );
    }
    await db.write(
      write`INSERT INTO settings (name, value) VALUES (${CHECK}, ${digest}) ON CONFLICT (name) DO NOTHING RETURNING name`,
    );
    known = await knownDigest(db);
  }
  if (known !== digest) {
    const source = secretKey === undefined ? `The key in ${join(dataDir, KEY_FILE)}` : 'SECRET_KEY';
    throw new ConfigurationError(
      `${source} is not the key that the secrets in this database were encrypted with. Set SECRET_KEY to that key.`,
    );
  }
  return secrets;
}

async function knownDigest(db: Executor): Promise<string | undefined> {
  const [known] = await db.query<{ value: string }>(sql`SELECT value FROM settings WHERE name = ${CHECK}`);
  return known?.value;
}

async function keyFile(dataDir: string): Promise<string> {
  const file = join(dataDir, KEY_FILE);
  return (await readKey(file)) ?? (await createKey(file));
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

/** The file appears when it is complete. A full disk or a killed start leaves no partial key. */
async function createKey(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  const text = `${randomBytes(32).toString('base64url')}\n`;
  const create = (path: string): Promise<void> => writeFile(path, text, { mode: 0o600, flag: 'wx', flush: true });
  try {
    await create(draft);
    // Only one of two concurrent first starts creates the key, and both read it.
    await link(draft, file).catch((error: NodeJS.ErrnoException) =>
      // Some file systems have no links.
      error.code === 'EEXIST' ? undefined : create(file),
    );
  } finally {
    await rm(draft, { force: true });
  }
  return (await readKey(file))!;
}
