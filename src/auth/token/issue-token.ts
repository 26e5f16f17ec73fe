import { hasRole, type Area, type Rights, type Role } from '../../access/access.js';
import type { Transaction } from '../../database/executor.js';
import { Conflict, Fault, invalid, ValidationFailed } from '../../http/errors.js';
import { DEFAULT_DAYS, inDays } from './token.bodies.js';
import { makeToken } from './token-text.js';
import { sql, write } from '../../database/sql.js';

const MAX_TOKENS = 100;

/** A request for a token. The default rights are those of the profile. */
interface TokenRequest {
  name: string;
  expiresAt?: string;
  role?: Role;
  areas?: readonly Area[];
  readOnly?: boolean;
  allowedNetworks?: readonly string[];
}

/**
 * Creates a token of a profile. The profile's row is locked, so that a concurrent deletion of its tokens includes this one, and
 * concurrent requests do not exceed the maximum number of tokens.
 * @param tx a transaction
 * @throws ValidationFailed, Conflict
 */
export async function issueToken(
  tx: Transaction,
  profileId: string,
  { name, expiresAt = inDays(DEFAULT_DAYS), readOnly = false, allowedNetworks = [], ...wanted }: TokenRequest,
): Promise<{ id: string; text: string }> {
  const [profile] = await tx.query<Rights>(
    sql`SELECT role, areas FROM profiles WHERE id = ${profileId} FOR NO KEY UPDATE`,
  );
  if (!profile) throw invalid('profileId', 'refers to a record that does not exist');
  const { role = profile.role, areas = profile.areas } = wanted;
  refuseMore({ role, areas }, profile);
  const [{ count } = { count: 0 }] = await tx.query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM tokens WHERE profile_id = ${profileId} AND expires_at > now()`,
  );
  if (count >= MAX_TOKENS) {
    throw new Conflict(new Fault('profileId', `already has ${MAX_TOKENS} tokens. Delete one first`));
  }
  const { text, prefix, secretHash } = makeToken();
  const [made] = await tx.write<{ id: string }>(
    write`INSERT INTO tokens (name, profile_id, prefix, secret_hash, role, areas, read_only, allowed_networks, expires_at)
     VALUES (${name}, ${profileId}, ${prefix}, ${secretHash}, ${role}, ${areas}, ${readOnly}, ${allowedNetworks}, ${expiresAt}) RETURNING id`,
  );
  return { id: made!.id, text };
}

/** @throws ValidationFailed if a token would have more rights than its profile */
function refuseMore(wanted: Rights, profile: Rights): void {
  const faults: Fault[] = [];
  if (!hasRole(profile, wanted.role)) {
    faults.push(new Fault('role', `must not be above ${profile.role}, the role of the profile`));
  }
  const more = wanted.areas.filter((area) => !profile.areas.includes(area));
  if (more.length > 0) faults.push(new Fault('areas', `must not have ${more.join(', ')}, which the profile lacks`));
  if (faults.length > 0) throw new ValidationFailed(faults);
}
