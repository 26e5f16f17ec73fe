-- :columns
t.id AS "id",
t.device_type_id AS "deviceTypeId",
t.kind AS "kind",
t.name AS "name",
t.label AS "label",
t.type AS "type",
t.mgmt_only AS "mgmtOnly",
t.speed_mbps AS "speedMbps",
t.maximum_draw_w AS "maximumDrawW",
t.allocated_draw_w AS "allocatedDrawW",
t.power_port_id AS "powerPortId",
t.feed_leg AS "feedLeg",
t.rear_port_id AS "rearPortId",
t.rear_position AS "rearPosition",
t.positions AS "positions",
t.description AS "description",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.kind, t.name, t.label, t.type, t.mgmt_only, t.speed_mbps, t.maximum_draw_w, t.allocated_draw_w,
      t.power_port_id, t.feed_leg, t.rear_port_id, t.rear_position, t.positions, t.description, t.updated_at)::text, 0))

-- List
WITH matching AS MATERIALIZED (SELECT t.id, t.created_at
  FROM device_type_ports t
  WHERE t.device_type_id = $1), counted AS MATERIALIZED (SELECT count(*)::float8 AS total, count(*)::float8 AS reach, 0 AS
  pending
  FROM matching), page_keys AS (SELECT t.id, t.created_at
  FROM matching t
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT (SELECT CASE WHEN least($2::bigint, reach - $3::bigint) <= 100 THEN $2::bigint ELSE 0 END
    FROM counted) OFFSET (SELECT $3::bigint))
SELECT p.rows, p.cut, total, reach, pending, CASE WHEN reach > $3::bigint + $2::bigint THEN (SELECT json_build_array((t.created_at)::text,
    (t.id)::text)::text
  FROM page_keys t
  LIMIT 1 OFFSET (SELECT $2::bigint - 1)) END AS next
FROM counted, (SELECT string_agg(record, ',') FILTER (WHERE reach <= 524288 OR reach = octet_length(record)) AS rows, count(*)
  > count(*) FILTER (WHERE reach <= 524288 OR reach = octet_length(record)) AS cut
  FROM (SELECT record, sum(octet_length(record)) OVER (ROWS UNBOUNDED PRECEDING) AS reach
    FROM (SELECT row_to_json(r)::text AS record FROM (SELECT :columns FROM (SELECT * FROM (SELECT t.*, keys.place_in_page,
            sum(coalesce(octet_length(t.description), 0)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS before
            FROM ( SELECT * FROM unnest(ARRAY(SELECT t.id FROM (SELECT * FROM page_keys) t)) WITH ORDINALITY keys (id, place_in_page)
              ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM device_type_ports t WHERE t.id = keys.id OFFSET
              0) t) t WHERE t.before IS NULL OR t.before <= 524288) t ORDER BY t.place_in_page) r OFFSET 0) records) page)
p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM device_type_ports t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO device_type_ports (kind, name, label, type, mgmt_only, speed_mbps, maximum_draw_w, allocated_draw_w,
    power_port_id, feed_leg, rear_port_id, rear_position, positions, description)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::device_type_ports, with_defaults('device_type_ports', '{}')) AS row ) INSERT INTO
  device_type_ports
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE device_type_ports t
  SET kind = $1, name = $2, label = $3, type = $4, mgmt_only = $5, speed_mbps = $6, maximum_draw_w = $7, allocated_draw_w
  = $8, power_port_id = $9, feed_leg = $10, rear_port_id = $11, rear_position = $12, positions = $13, description = $14
  WHERE t.id = $15 AND t.device_type_id = $16 AND :version = ANY($17)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE device_type_ports t
SET (allocated_draw_w, description, feed_leg, kind, label, maximum_draw_w, mgmt_only, name, positions, power_port_id, rear_port_id,
  rear_position, speed_mbps, type) = (SELECT made.allocated_draw_w, made.description, made.feed_leg, made.kind, made.label,
  made.maximum_draw_w, made.mgmt_only, made.name, made.positions, made.power_port_id, made.rear_port_id, made.rear_position,
  made.speed_mbps, made.type
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t AND t.device_type_id
= $3
RETURNING t.id;

-- Delete
DELETE
FROM device_type_ports t
WHERE t.id = ANY($1) AND t.device_type_id = $2
RETURNING t.id;
