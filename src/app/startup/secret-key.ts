import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError, KEY_FILE, type Configuration } from '../../config/configuration.js';
import type { Executor } from '../../database/executor.js';
import { Secrets } from '../../access/secrets.js';
import { sql, write } from '../../database/sql.js';

const CHECK = 'secret_key_check';

/**
 * Opens the box that encrypts secrets of records. The key is `SECRET_KEY`, or a file in the data directory that the first start
 * creates.
 * @throws ConfigurationError if the secrets in the database were encrypted with another key. Starting anyway would leave records
 * that need two keys.
 */
export async function openSecrets(
  { secretKey, dataDir }: Pick<Configuration, 'secretKey' | 'dataDir'>,
  db: Executor,
): Promise<Secrets> {
  const secrets = new Secrets(secretKey ?? (await keyFile(dataDir)));
  const digest = secrets.digest(CHECK);
  await db.write(
    write`INSERT INTO settings (name, value) VALUES (${CHECK}, ${digest}) ON CONFLICT (name) DO NOTHING RETURNING name`,
  );
  const [known] = await db.query<{ value: string }>(sql`SELECT value FROM settings WHERE name = ${CHECK}`);
  if (known!.value !== digest) {
    const source = secretKey === undefined ? `The key in ${join(dataDir, KEY_FILE)}` : 'SECRET_KEY';
    throw new ConfigurationError(
      `${source} is not the key that the secrets in this database were encrypted with. Set SECRET_KEY to that key.`,
    );
  }
  return secrets;
}

async function keyFile(dataDir: string): Promise<string> {
  const file = join(dataDir, KEY_FILE);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    // With 'wx' only one of two concurrent first starts creates the key, and both read it.
    await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
