import { raw, sql, type Sql } from '../../database/sql.js';

/** Most entries of a trace. */
export const MOST_ENTRIES = 512;

/**
 * The recursive CTE of traces: a row for each step, and one lookup of the other end of a cable (`cable_hop` in `src/schema/functions`).
 * Traces are not stored. `length` counts the entries so far.
 * @param seeds SELECT of the ids of the ports where traces begin, as `id`
 */
const hops = (
  seeds: Sql,
): Sql => sql`hops (seed, n, length, cable_id, arrived_id, kind, passed_id, circuit_id, positions, splits) AS (
  SELECT id, 0, 1, NULL::uuid, NULL::uuid, NULL::text, id, NULL::uuid, '{}'::int[], false FROM (${seeds}) seeds
  UNION ALL
  SELECT h.seed, h.n + 1, h.length + 2 + CASE WHEN x.passed_id IS NULL THEN 0 WHEN x.circuit_id IS NULL THEN 1 ELSE 2 END,
    x.cable_id, x.arrived_id, x.kind, x.passed_id, x.circuit_id, x.positions, x.splits
  FROM hops h CROSS JOIN LATERAL cable_hop(h.passed_id, h.positions) x WHERE h.length <= ${raw(MOST_ENTRIES)}
)`;

/** SQL of the status of a trace. @param last its last step */
const statusOf = (last: string): string =>
  `(CASE WHEN ${last}.n = 0 THEN 'not_connected' WHEN ${last}.length > ${MOST_ENTRIES} THEN 'open' WHEN ${last}.splits THEN 'splits'
    WHEN ${last}.kind IN ('front', 'rear') THEN 'open' ELSE 'complete' END)`;

/** SQL of the JSON of an entry that is a port; null if there is no such port. @param id SQL of its id */
const portEntry = (id: string): string =>
  `(SELECT json_build_object('resource', 'device-ports', 'id', p.id, 'name', p.name, 'kind', p.kind,
      'device', json_build_object('id', d.id, 'name', d.name))
    FROM device_ports p JOIN devices d ON d.id = p.device_id WHERE p.id = ${id})`;

const other = (resource: string, table: string, name: string, id: string): string =>
  `(SELECT json_build_object('resource', '${resource}', 'id', r.id, 'name', ${name}) FROM ${table} r WHERE r.id = ${id})`;

/** SQL of the JSON of an entry that is not a cable. */
const endEntry = (id: string): string =>
  `coalesce(${portEntry(id)},
    ${other('circuit-terminations', 'circuit_terminations', `(SELECT c.circuit_number FROM circuits c WHERE c.id = r.circuit_id) || ' ' || r.side`, id)},
    ${other('power-feeds', 'power_feeds', 'r.name', id)})`;

/** Reads the trace of a port as `{json, look}`: the JSON of the response, and the colour and type of its cables by id. */
export const traceOf = (port: Sql): Sql => sql`WITH RECURSIVE ${hops(sql`SELECT ${port}::uuid AS id`)},
  last AS (SELECT * FROM hops ORDER BY n DESC LIMIT 1),
  entries AS (
    SELECT e.*, row_number() OVER (ORDER BY n, k) AS place FROM hops h CROSS JOIN LATERAL (VALUES
      (0, CASE WHEN h.n = 0 THEN ${raw(endEntry('h.seed'))} ELSE ${raw(other('cables', 'cables', 'r.label', 'h.cable_id'))} END),
      (1, CASE WHEN h.n > 0 THEN ${raw(endEntry('h.arrived_id'))} END),
      (2, ${raw(other('circuits', 'circuits', 'r.circuit_number', 'h.circuit_id'))}),
      (3, CASE WHEN h.n > 0 AND h.passed_id IS NOT NULL THEN ${raw(endEntry('h.passed_id'))} END)
    ) e (k, entry) WHERE e.entry IS NOT NULL
  )
  SELECT json_build_object(
      'status', ${raw(statusOf('l'))},
      'path', (SELECT json_agg(entry ORDER BY place) FROM entries WHERE place <= ${raw(MOST_ENTRIES)}),
      'branches', CASE WHEN l.splits AND l.length <= ${raw(MOST_ENTRIES)} THEN (
        SELECT coalesce(json_agg(${raw(portEntry('f.id'))} ORDER BY f.rear_position), '[]') FROM device_ports f WHERE f.rear_port_id = l.arrived_id
      ) ELSE '[]' END,
      'planned', EXISTS (SELECT FROM hops h JOIN cables c ON c.id = h.cable_id WHERE c.status = 'planned')
    )::jsonb || CASE WHEN l.length > ${raw(MOST_ENTRIES)} THEN '{"truncated": true}' ELSE '{}' END::jsonb AS trace,
    (SELECT coalesce(json_object_agg(c.id, json_build_object('color', c.color, 'type', c.type, 'status', c.status)), '{}')
      FROM hops h JOIN cables c ON c.id = h.cable_id) AS look
  FROM last l WHERE EXISTS (SELECT FROM device_ports WHERE id = l.seed)`;

/** Rows of the neighbours of a device: each of its ports that has a cable, with the end of its trace. */
export const neighboursOf = (device: Sql): Sql => sql`
  WITH RECURSIVE ${hops(sql`SELECT p.id FROM device_ports p JOIN cable_ends e ON e.end_id = p.id WHERE p.device_id = ${device}::uuid`)},
  last AS (SELECT DISTINCT ON (seed) * FROM hops ORDER BY seed, n DESC)
  SELECT p.id, p.name, p.kind AS port_kind, ${raw(portEntry('l.seed'))} AS port, ${raw(statusOf('l'))} AS status, l.n AS cables,
    CASE WHEN ${raw(statusOf('l'))} = 'complete' THEN ${raw(portEntry('l.arrived_id'))} END AS "end"
  FROM last l JOIN device_ports p ON p.id = l.seed`;
