import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError, type Configuration } from '../../config/configuration.js';
import type { Executor } from '../../database/database.js';
import { SecretBox } from '../../records/secret-box.js';

const CHECK = 'secret_key_check';

/**
 * The box for record secrets: its key is `SECRET_KEY`, or else a file beside the data that the first start makes.
 * @throws ConfigurationError when the database's secrets were encrypted with another key: better no start than records
 * with secrets that only one of two keys opens
 */
export async function openSecretBox(
  { secretKey, dataDir }: Pick<Configuration, 'secretKey' | 'dataDir'>,
  db: Executor,
): Promise<SecretBox> {
  const box = new SecretBox(secretKey ?? (await keyFile(dataDir)));
  const digest = box.digest(CHECK);
  await db.query('INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [CHECK, digest]);
  const [known] = await db.query<{ value: string }>('SELECT value FROM settings WHERE name = $1', [CHECK]);
  if (known!.value !== digest) {
    const source = secretKey === undefined ? `The key in ${join(dataDir, 'secret.key')}` : 'SECRET_KEY';
    throw new ConfigurationError(
      `${source} is not the key that the secrets in this database were encrypted with. Set SECRET_KEY to that key.`,
    );
  }
  return box;
}

async function keyFile(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret.key');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    // 'wx': of two first starts one makes the key, and both read it.
    await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
