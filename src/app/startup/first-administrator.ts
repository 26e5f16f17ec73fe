import { randomBytes } from 'node:crypto';
import { password as rules } from '../../auth/password.field.js';
import { hashPassword } from '../../auth/passwords.js';
import type { Configuration } from '../../config/configuration.js';
import type { Database, Executor } from '../../database/database.js';

export interface FirstAdministrator {
  email: string;
  /** Only where it was made up: a password that was given is not shown. */
  password?: string;
  /** What is wrong with the one that was given, as the end of a sentence. It is taken all the same: there is no other way in. */
  weakness?: string;
}

/** Makes an administrator where there is no profile at all; undefined where there is one. */
export async function makeFirstAdministrator(
  db: Database,
  { adminEmail, adminPassword }: Pick<Configuration, 'adminEmail' | 'adminPassword'>,
): Promise<FirstAdministrator | undefined> {
  const [some] = await db.query('SELECT 1 FROM profiles LIMIT 1');
  if (some) return undefined;
  const password = adminPassword ?? randomBytes(15).toString('base64url');
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    // Two replicas may start on one empty database.
    await tx.query('LOCK TABLE profiles IN EXCLUSIVE MODE');
    const made = await tx.query(
      `INSERT INTO profiles (email, role, password_hash)
       SELECT $1, 'admin', $2 WHERE NOT EXISTS (SELECT 1 FROM profiles) RETURNING id`,
      [adminEmail, passwordHash],
    );
    if (made.length === 0) return undefined;
    if (adminPassword === undefined) return { email: adminEmail, password };
    const weakness = rules.check(adminPassword, {});
    return { email: adminEmail, ...(weakness !== undefined && { weakness }) };
  });
}

/** Email of an administrator who can log in: the one of the configuration where it is one, else the oldest. */
export async function administratorEmail(db: Executor, configured: string): Promise<string> {
  const [administrator] = await db.query<{ email: string }>(
    `SELECT email FROM profiles WHERE role = 'admin' AND is_active
     ORDER BY lower(email) = lower($1) DESC, created_at, id LIMIT 1`,
    [configured],
  );
  return administrator?.email ?? configured;
}
