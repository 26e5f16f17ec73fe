import { EMPTY, join, literal, raw, sql, type Sql } from '../../database/sql.js';
import type { Class } from '../../fields/field.js';
import { instantText } from '../../fields/types/time.js';
import { Device } from '../../network/device/device.entity.js';
import { VirtualMachine } from '../../network/virtual-machine/virtual-machine.entity.js';
import { Asset } from '../../procurement/asset/asset.entity.js';
import { linkedName } from '../../records/record-link.js';
import { nameOfResource, outward } from '../containment.js';
import { coveringAt, personOf } from '../on-call/on-call.lists.js';
import { rankOf, responsibilitiesOn } from '../responsibility/responsibilities-on-way.js';
import { DESCRIBED_RECORDS, recordOf } from '../target/targeted-records.js';

/** A known issue `t` that can still occur. */
export const IS_KNOWN = raw(`t.status NOT IN ('resolved', 'closed')`);

/** SQL of the step of a known issue `x`. */
export const KNOWN_ISSUE_STEP = raw(
  `json_build_object('step', 'known_issue', 'id', x.id, 'name', x.name, 'severity', x.severity, 'workaround', x.workaround)`,
);

/**
 * The groups that a record belongs to (type, role, platform, manufacturer), in the order of the response: SELECT of `(place,
 * resource, id)` for the record with the id `s.id`.
 */
export const KINDS_OF = new Map<Class, string>([
  [
    Device,
    `SELECT k.* FROM devices r LEFT JOIN device_types t ON t.id = r.device_type_id CROSS JOIN LATERAL (VALUES
       (1, 'device-types', r.device_type_id), (2, 'device-roles', r.device_role_id), (3, 'platforms', r.platform_id),
       (4, 'manufacturers', t.manufacturer_id)) k (place, resource, id) WHERE r.id = s.id AND k.id IS NOT NULL`,
  ],
  [
    VirtualMachine,
    `SELECT 1, 'platforms', r.platform_id FROM virtual_machines r WHERE r.id = s.id AND r.platform_id IS NOT NULL`,
  ],
  [
    Asset,
    `SELECT 1, 'manufacturers', r.manufacturer_id FROM assets r WHERE r.id = s.id AND r.manufacturer_id IS NOT NULL`,
  ],
]);

/** SQL of the serial number of a record; null for kinds without one. @param resource SQL of its resource @param id SQL of its id */
const serialNumberOf = (resource: Sql, id: Sql): Sql => sql`CASE ${resource}
  WHEN 'devices' THEN (SELECT d.serial_number FROM devices d WHERE d.id = ${id})
  WHEN 'assets' THEN (SELECT a.serial_number FROM assets a WHERE a.id = ${id}) END`;

/** SELECT of the steps of a record's coverage on a day: contracts first, and within each kind the coverage that ends last. */
const vendorSteps = (resource: Sql, id: Sql, day: Sql): Sql => sql`
  SELECT 3, array_position(ARRAY['contract', 'sla', 'warranty'], x.kind), NULL, 0,
    row_number() OVER (ORDER BY x.last_day DESC NULLS FIRST, x.source_name COLLATE "C", x.source_id, x.via NULLS FIRST, x.via_id), NULL, x.source_id,
    json_build_object('step', 'vendor',
      'vendor', CASE WHEN v.id IS NOT NULL THEN
        json_build_object('id', v.id, 'name', v.name, 'phone', v.phone, 'email', v.email, 'website', v.website) END,
      'contract', CASE WHEN c.id IS NOT NULL THEN
        json_build_object('id', c.id, 'name', c.name, 'contractNumber', c.contract_number) END,
      'sla', CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name', l.name, 'responseTime', l.response_time) END,
      'serialNumber', coalesce(${serialNumberOf(resource, id)}, ${serialNumberOf(raw('x.via'), raw('x.via_id'))}), 'until', x.last_day,
      'via', (SELECT ${recordOf('r')} FROM (SELECT x.via AS resource, x.via_id AS id) r WHERE r.id IS NOT NULL))
  FROM what_covers(${resource}, ${id}, ${day}) x
    LEFT JOIN vendors v ON v.id = x.vendor_id
    LEFT JOIN contracts c ON x.kind = 'contract' AND c.id = x.source_id
    LEFT JOIN slas l ON x.kind = 'sla' AND l.id = x.source_id
  WHERE x.is_active`;

/** SELECT of the steps of records that are about others, each once, with the nearest of the others. @param step SQL of the object */
const aboutSubjects = (part: number, table: string, owner: string, step: Sql, condition: Sql = EMPTY): Sql => sql`
  SELECT ${raw(part)} AS part, NULL::int AS rank, NULL::text AS kind, x.distance, x.place, x.name AS text, x.id AS tie, ${step} AS step
  FROM (
    SELECT DISTINCT ON (t.id) t.*, s.distance, s.place, s.resource AS of_resource, s.id AS of_id
    FROM subject s
      -- Without OFFSET all targets would be read: a way seems to be longer than it is.
      CROSS JOIN LATERAL (
        SELECT l.${raw(owner)}_id FROM ${raw(owner)}_targets l WHERE l.record_id = s.id AND l.resource = s.resource OFFSET 0
      ) l
      JOIN ${raw(table)} t ON t.id = l.${raw(owner)}_id ${condition}
    ORDER BY t.id, s.distance, s.place, s.id
  ) x`;

/**
 * One statement of the people to call about a record, as JSON. It has a row if the record exists. The sources of steps are SELECTs of
 * `{part, rank, kind, distance, place, text, tie, step}`, by which the steps are sorted.
 */
export function callStatement(record: Class, id: string, at: string): Sql {
  const resource = literal(nameOfResource(record));
  const seed = sql`SELECT ${id}::uuid AS seed, ${resource} AS resource, ${id}::uuid AS id`;
  // A device on the way outward: the record itself, or the device of the asset.
  const kinds = [...KINDS_OF].map(
    ([kind, ofKind]) => sql`
      SELECT k.resource, k.id, s.distance, k.place FROM way s CROSS JOIN LATERAL (${raw(ofKind)}) k (place, resource, id)
      WHERE s.resource = ${literal(nameOfResource(kind))}`,
  );
  const sources = [
    sql`SELECT 1 AS part, NULL::int AS rank, NULL::text AS kind, e.distance, 0 AS place, e.created_at::text AS text, e.entry AS tie,
        json_build_object('step', 'on_call', 'roster', e.roster, 'via', ${recordOf('e')},
          'person', CASE WHEN c.reason IS NULL THEN c.person END, 'startTime', CASE WHEN c.reason IS NULL THEN c."startTime" END,
          'endTime', CASE WHEN c.reason IS NULL THEN c."endTime" END, 'next', c.next,
          'reason', CASE WHEN c.roster IS NULL THEN 'no_roster' ELSE c.reason END) AS step
      FROM operating e LEFT JOIN covering c ON c.roster = e.roster`,
    sql`SELECT 2, ${rankOf('e.kind')}, e.kind, e.distance, 0, e.created_at::text, e.entry,
        json_build_object('step', 'person', 'person', ${personOf('p')}, 'via', ${recordOf('e')}, 'kind', e.kind)
      FROM entry e JOIN people p ON p.id = e.person_id`,
    vendorSteps(resource, sql`${id}::uuid`, sql`(${at}::timestamptz AT TIME ZONE INTERVAL '0')::date`),
    aboutSubjects(
      4,
      'runbooks',
      'runbook',
      sql`json_build_object('step', 'runbook', 'id', x.id, 'name', x.name, 'category', x.category, 'via',
        (SELECT ${recordOf('v')} FROM (SELECT x.of_resource AS resource, x.of_id AS id) v))`,
    ),
    aboutSubjects(5, 'known_issues', 'known_issue', KNOWN_ISSUE_STEP, sql`AND ${IS_KNOWN}`),
  ];
  return sql`WITH RECURSIVE ${outward('way', seed, [record])},
    entry AS MATERIALIZED (SELECT * FROM (${responsibilitiesOn('way', sql`'{}'::text[]`)}) e),
    operating AS MATERIALIZED (
      SELECT DISTINCT ON (roster) * FROM entry WHERE kind = 'operates' AND roster IS NOT NULL
      ORDER BY roster, distance, resource, id
    ),
    covering AS MATERIALIZED (${coveringAt(at, sql`ARRAY(SELECT roster FROM operating)`)}),
    subject AS MATERIALIZED (
      SELECT resource, id, distance, 0 AS place FROM way
      UNION ALL ${join(kinds, ' UNION ALL ')}
    )
    SELECT json_build_object('record', ${recordOf('o')}, 'at', ${raw(instantText('o.at'))}, 'steps', coalesce((
        SELECT json_agg(s.step ORDER BY s.part, s.rank NULLS LAST, s.kind COLLATE "C", s.distance, s.place, s.text COLLATE "C", s.tie)
        FROM (${join(sources, '\nUNION ALL\n')}) s
      ), '[]'))::text AS json
    FROM (SELECT ${resource} AS resource, ${id}::uuid AS id, ${at}::timestamptz AS at) o
    WHERE ${raw(linkedName(DESCRIBED_RECORDS, 'o.resource', 'o.id'))} IS NOT NULL`;
}
