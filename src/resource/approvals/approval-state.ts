import type { Caller } from '../../access/access.js';
import type { Executor } from '../../database/executor.js';
import { identifier, literal, sql, where, type Sql } from '../../database/sql.js';
import type { Class } from '../../fields/field.js';
import type { StoredRecord } from '../../fields/record.js';
import { resourceNameOf, tableOf } from '../../lists/record-sql.js';

/** The digest of the current record; undefined if there is none. @param conditions on `t` that it must meet */
export async function recordDigest(
  db: Executor,
  record: Class<StoredRecord>,
  id: string,
  conditions: readonly Sql[] = [],
): Promise<string | undefined> {
  const table = tableOf(record);
  const [found] = await db.query<{ digest: string }>(
    sql`SELECT approval_digest_of(${literal(table)}, t.id) AS digest FROM ${identifier(table)} t
      ${where([sql`t.id = ${id}`, ...conditions])}`,
  );
  return found?.digest;
}

/** The lowest role whose approvals count for a kind of record: the role in its transitions, or manager if no transition needs approvals. */
const leastRole = (table: string): Sql =>
  sql`coalesce((SELECT approver_role FROM transitions
    WHERE resource = ${literal(resourceNameOf(table))} AND approvals > 0 ORDER BY role_rank(approver_role) LIMIT 1), 'manager')`;

/** The number of people whose approvals of a record count now, and whether an approval of the caller would count. */
export async function approvalsSoFar(
  db: Executor,
  record: Class<StoredRecord>,
  id: string,
  { profileId, role }: Caller,
): Promise<{ given: number; mayApprove: boolean }> {
  const table = tableOf(record);
  const name = literal(table);
  const [found] = await db.query<{ given: number; mayApprove: boolean }>(
    sql`SELECT (SELECT count(DISTINCT who)::int FROM counting_approvals(${name}, ${id}::uuid, approval_digest_of(${name}, ${id}::uuid), r.role)) AS given,
        role_rank(${role}) >= role_rank(r.role) AND EXISTS (SELECT FROM approvers(${name}, ${id}::uuid, r.role, ARRAY[${profileId}]::uuid[])) AS "mayApprove"
      FROM (SELECT ${leastRole(table)} AS role) r`,
  );
  return found!;
}

/** The approvals of the current record. */
export interface ApprovalState {
  digest: string;
  /** Number of people whose approval counts. */
  given: number;
  /** The approvals that count. */
  approvalIds: string[];
  /** Email address of the person who has rejected it; null if nobody has. */
  rejectedBy: string | null;
}

/** The approvals of the current record; undefined if there is no such record. */
export async function approvalState(
  db: Executor,
  record: Class<StoredRecord>,
  id: string,
): Promise<ApprovalState | undefined> {
  const table = tableOf(record);
  const name = literal(table);
  const [state] = await db.query<ApprovalState & { digest: string | null }>(
    sql`SELECT r.digest, rejecting_approver(${name}, ${id}::uuid, r.digest) AS "rejectedBy", counted.*
      FROM (SELECT approval_digest_of(${name}, ${id}::uuid) AS digest, ${leastRole(table)} AS role) r,
      LATERAL (SELECT count(DISTINCT who)::int AS given, coalesce(array_agg(id ORDER BY id), '{}') AS "approvalIds"
        FROM counting_approvals(${name}, ${id}::uuid, r.digest, r.role)) counted`,
  );
  return state?.digest ? state : undefined;
}
