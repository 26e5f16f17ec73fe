-- :columns
t.id AS "id",
t.device_type_id AS "deviceTypeId",
t.sku AS "sku",
t.name AS "name",
t.description AS "description",
t.slot_label AS "slotLabel",
t.connector_type AS "connectorType",
t.speeds AS "speeds",
t.port_count AS "portCount",
t.poe_standard AS "poeStandard",
t.poe_watts AS "poeWatts",
t.notes AS "notes",
t.sort_order AS "sortOrder",
t.source AS "source",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.sku, t.name, t.description, t.slot_label, t.connector_type, t.speeds, t.port_count, t.poe_standard,
      t.poe_watts, t.notes, t.sort_order, t.updated_at)::text, 0))

-- List
WITH matching AS MATERIALIZED (SELECT t.id, t.created_at
  FROM device_type_modules t
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
            sum(coalesce(octet_length(t.description), 0) + coalesce(octet_length(t.notes), 0)) OVER (ROWS BETWEEN UNBOUNDED
              PRECEDING AND 2 PRECEDING) AS before FROM ( SELECT * FROM unnest(ARRAY(SELECT t.id FROM (SELECT * FROM page_keys)
                  t)) WITH ORDINALITY keys (id, place_in_page) ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT *
              FROM device_type_modules t WHERE t.id = keys.id OFFSET 0) t) t WHERE t.before IS NULL OR t.before <= 524288)
        t ORDER BY t.place_in_page) r OFFSET 0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM device_type_modules t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO device_type_modules (sku, name, description, slot_label, connector_type, speeds, port_count,
    poe_standard, poe_watts, notes, sort_order)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::device_type_modules, with_defaults('device_type_modules', '{}')) AS row ) INSERT INTO
  device_type_modules
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE device_type_modules t
  SET sku = $1, name = $2, description = $3, slot_label = $4, connector_type = $5, speeds = $6, port_count = $7, poe_standard
  = $8, poe_watts = $9, notes = $10, sort_order = $11
  WHERE t.id = $12 AND t.device_type_id = $13 AND :version = ANY($14)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE device_type_modules t
SET (connector_type, description, name, notes, poe_standard, poe_watts, port_count, sku, slot_label, sort_order, speeds)
= (SELECT made.connector_type, made.description, made.name, made.notes, made.poe_standard, made.poe_watts, made.port_count,
  made.sku, made.slot_label, made.sort_order, made.speeds
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t AND t.device_type_id
= $3
RETURNING t.id;

-- Delete
DELETE
FROM device_type_modules t
WHERE t.id = ANY($1) AND t.device_type_id = $2
RETURNING t.id;
