import { hasRole, type Caller } from '../access/access.js';
import { identifier, literal, sql, type Sql } from '../database/sql.js';
import type { StoredRecord } from '../fields/record.js';
import type { Class } from '../fields/field.js';
import { areaOf } from '../fields/record-entity.js';
import type { ComputedList } from '../lists/computed-list.js';
import { resourceNameOf, tableOf } from '../lists/record-sql.js';
import { movableFieldsOf } from '../fields/movable.js';
import { Order } from '../lists/order.js';

const column = (name: string, isText = false) => ({ name, sql: `t."${name}"`, isText });

const COLUMNS = [
  column('field'),
  column('to', true),
  column('role'),
  {
    ...column('approvals'),
    members: ['needed', 'given'].map((name) => ({
      name: `approvals.${name}`,
      sql: `t.approvals->>'${name}'`,
      isText: false,
    })),
  },
  { ...column('allowed'), isBoolean: true as const },
  column('why', true),
];

/** Why a caller may change no record of a kind; undefined if that depends on the transition. */
function standstillOf(caller: Caller, record: Class): string | undefined {
  const area = areaOf(record);
  if (caller.credential.kind === 'token' && caller.credential.readOnly) return 'needs a token that is not read-only';
  if (hasRole(caller, 'editor') && area !== null && !caller.areas.includes(area)) {
    return `needs access to the area ${area}`;
  }
  return undefined;
}

/** The transitions that are open to a record, for the current caller. */
export function openTransitions(record: Class<StoredRecord>, id: string, caller: Caller): ComputedList {
  const table = tableOf(record);
  const [records, resource] = [literal(table), literal(resourceNameOf(table))];
  const fields: Sql = sql`${movableFieldsOf(record)}::text[]`;
  return {
    name: 'transitions',
    rows: sql`SELECT f.field, f.place, m.to_value AS "to", m.role,
        json_build_object('needed', m.approvals, 'given', g.given) AS approvals, w.why IS NULL AS allowed, w.why
      FROM (SELECT to_jsonb(t) AS row, approval_digest_of(${records}, t.id) AS digest FROM ${identifier(table)} t WHERE t.id = ${id}) r
      CROSS JOIN unnest(${fields}) WITH ORDINALITY f (field, place)
      CROSS JOIN LATERAL open_transitions(${resource}, f.field, r.row->>f.field) m
      CROSS JOIN LATERAL (SELECT CASE WHEN m.approvals = 0 THEN 0 ELSE
        (SELECT count(DISTINCT a.who)::int FROM counting_approvals(${records}, ${id}::uuid, r.digest, m.approver_role) a) END AS given) g
      CROSS JOIN LATERAL (SELECT CASE
        WHEN role_rank(${caller.role}) < role_rank(m.role) THEN 'needs the role ' || m.role || CASE m.role WHEN 'admin' THEN '' ELSE ' or above' END
        ELSE coalesce(${standstillOf(caller, record) ?? null}::text, CASE WHEN m.approvals > 0 THEN
          lacking_approvals(m.approvals, g.given, m.approver_role, rejecting_approver(${records}, ${id}::uuid, r.digest)) END) END AS why) w`,
    columns: COLUMNS,
    order: new Order(['t.place', 't."to" COLLATE "C"']),
  };
}
