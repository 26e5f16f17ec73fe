import { isEmail } from '../../fields/types/text.js';
import { randomBytes } from 'node:crypto';
import { passwordFault } from '../../auth/password/password.field.js';
import { hashPassword } from '../../auth/password/passwords.js';
import type { Configuration } from '../../config/configuration.js';
import type { Database } from '../../database/database.js';
import type { Executor } from '../../database/executor.js';
import { sql, write } from '../../database/sql.js';

export interface FirstAdministrator {
  email: string;
  /** Only if the password was generated. A configured password is never shown. */
  password?: string;
  /** Why the configured password is weak, as the end of a sentence. It is accepted anyway, because there is no other way to log in. */
  weakness?: string;
}

/** Creates the first administrator if there are no profiles. Returns undefined if there are some. */
export async function makeFirstAdministrator(
  db: Database,
  { adminEmail, adminPassword }: Pick<Configuration, 'adminEmail' | 'adminPassword'>,
): Promise<FirstAdministrator | undefined> {
  const [some] = await db.query(sql`SELECT 1 FROM profiles LIMIT 1`);
  if (some) return undefined;
  const password = adminPassword ?? randomBytes(15).toString('base64url');
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    // Two replicas may start on the same empty database.
    await tx.write(write`LOCK TABLE profiles IN EXCLUSIVE MODE`);
    const made = await tx.write(
      write`INSERT INTO profiles (email, role, password_hash)
       SELECT ${adminEmail}, 'admin', ${passwordHash} WHERE NOT EXISTS (SELECT 1 FROM profiles) RETURNING id`,
    );
    if (made.length === 0) return undefined;
    if (adminPassword === undefined) return { email: adminEmail, password };
    const weakness = passwordFault(adminPassword);
    return { email: adminEmail, ...(weakness !== undefined && { weakness }) };
  });
}

/**
 * Email address of an administrator who can log in: the configured one if it belongs to an administrator, otherwise the oldest.
 */
export async function administratorEmail(db: Executor, configured: string): Promise<string> {
  const [administrator] = await db.query<{ email: string }>(
    sql`SELECT email FROM profiles WHERE role = 'admin' AND is_active
      ORDER BY ${isEmail('email', configured)} DESC, created_at, id LIMIT 1`,
  );
  return administrator?.email ?? configured;
}
