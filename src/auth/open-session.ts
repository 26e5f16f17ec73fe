import { isEmail } from '../fields/types/text.js';
import { randomBytes } from 'node:crypto';
import type { Executor } from '../database/executor.js';
import { Invalid } from '../fields/types/field-type.js';
import { email as emailType, MAX_LINE } from '../fields/types/text.js';
import { valueReader } from '../fields/validation.js';
import { AREAS, ROLES, type Area, type Role } from '../access/access.js';
import { hashPassword } from './password/passwords.js';
import type { Sessions } from './session/sessions.js';
import { sql, write } from '../database/sql.js';

/** The request of `npm run session`. */
export interface SessionRequest {
  email: string;
  /** Creates the profile if it does not exist. */
  role?: Role;
  areas?: Area[];
}

/** @throws Error with a sentence for the operator */
export function parseSessionRequest({ email, role, areas }: Record<string, string | undefined>): SessionRequest {
  if (!email) throw new Error('Give the profile with --email, such as --email admin@example.com');
  if (role !== undefined && !(ROLES as readonly string[]).includes(role)) {
    throw new Error(`--role must be one of ${ROLES.join(', ')}`);
  }
  const names = areas?.split(',').filter(Boolean);
  const unknown = names?.find((name) => !(AREAS as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`--areas must be a list of ${AREAS.join(', ')}, not '${unknown}'`);
  return { email, role: role as Role | undefined, areas: names as Area[] | undefined };
}

const readEmail = valueReader({ type: emailType, maxLength: MAX_LINE });

/** Token of a new session of a profile. The profile is created if it does not exist and a role is given. */
export async function openSession(
  db: Executor,
  sessions: Sessions,
  { email, role, areas }: SessionRequest,
): Promise<string> {
  const find = (): Promise<{ id: string }[]> => db.query(sql`SELECT id FROM profiles WHERE ${isEmail('email', email)}`);
  let [profile] = await find();
  if (!profile) {
    if (!role) throw new Error(`There is no profile ${email}. Give a role with --role to create it.`);
    const read = readEmail(email);
    if (read instanceof Invalid) throw new Error(`--email ${read.message}, not '${email}'`);
    // Nobody knows the password. The profile is for scripts until an administrator sets a password.
    const passwordHash = await hashPassword(randomBytes(32).toString('base64url'));
    await db.write(
      write`INSERT INTO profiles (email, role, areas, password_hash) VALUES (${email}, ${role}, ${areas ?? [...AREAS]}, ${passwordHash}) ON CONFLICT DO NOTHING RETURNING id`,
    );
    [profile] = await find();
  }
  const token = profile && (await sessions.open(db, profile.id, { userAgent: 'npm run session' }));
  if (!token) throw new Error(`The profile ${email} is not active`);
  return token;
}
