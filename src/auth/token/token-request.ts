import { isEmail } from '../../fields/types/text.js';
import { AREAS, ROLES, type Area, type Role } from '../../access/access.js';
import type { Database } from '../../database/database.js';
import { Invalid } from '../../fields/types/field-type.js';
import { MAX_LINE, text } from '../../fields/types/text.js';
import { valueReader } from '../../fields/validation.js';
import { issueToken } from './issue-token.js';
import { DEFAULT_DAYS, inDays, MAX_DAYS } from './token.bodies.js';
import { sql } from '../../database/sql.js';

/** The token that `npm run token` creates. */
export interface TokenForProfile {
  email: string;
  name: string;
  role?: Role;
  areas?: Area[];
  days: number;
  readOnly: boolean;
}

const readName = valueReader({ type: text, maxLength: MAX_LINE, notBlank: true });

/** The options of the command line, as `parseArgs` gives them. */
interface TokenOptions {
  email?: string;
  name?: string;
  role?: string;
  areas?: string;
  days?: string;
  'read-only'?: boolean;
}

/** @throws Error with a sentence for the operator */
export function parseTokenRequest(options: TokenOptions): TokenForProfile {
  const { email, name, role, areas, days = String(DEFAULT_DAYS), 'read-only': readOnly = false } = options;
  if (!email) throw new Error('Give the profile with --email, for example --email admin@example.com');
  if (name === undefined) throw new Error("Say what the token is for with --name, for example --name 'nightly import'");
  const read = readName(name);
  if (read instanceof Invalid) throw new Error(`--name ${read.message}`);
  if (role !== undefined && !(ROLES as readonly string[]).includes(role)) {
    throw new Error(`--role must be one of ${ROLES.join(', ')}, not '${role}'`);
  }
  const names = areas?.split(',').filter(Boolean);
  const unknown = names?.find((area) => !(AREAS as readonly string[]).includes(area));
  if (unknown !== undefined) throw new Error(`--areas must be a list of ${AREAS.join(', ')}, not '${unknown}'`);
  if (!/^\d{1,3}$/.test(days) || Number(days) < 1 || Number(days) > MAX_DAYS) {
    throw new Error(`--days must be an integer between 1 and ${MAX_DAYS}, not '${days}'`);
  }
  return {
    email,
    name,
    role: role as Role | undefined,
    areas: names as Area[] | undefined,
    days: Number(days),
    readOnly,
  };
}

/** Text of a new token of a profile. @throws Error with a sentence for the operator */
export async function openToken(db: Database, { email, days, ...wanted }: TokenForProfile): Promise<string> {
  return db.transaction(async (tx) => {
    const [profile] = await tx.query<{ id: string; isActive: boolean }>(
      sql`SELECT id, is_active AS "isActive" FROM profiles WHERE ${isEmail('email', email)}`,
    );
    if (!profile) throw new Error(`There is no profile ${email}`);
    if (!profile.isActive) throw new Error(`The profile ${email} is not active`);
    return (await issueToken(tx, profile.id, { ...wanted, expiresAt: inDays(days) })).text;
  });
}
