-- :columns
t.id AS "id",
t.model AS "model",
t.manufacturer_id AS "manufacturerId",
t.slug AS "slug",
t.part_number AS "partNumber",
t.u_height AS "uHeight",
t.is_full_depth AS "isFullDepth",
t.weight AS "weight",
t.airflow AS "airflow",
t.subdevice_role AS "subdeviceRole",
t.is_powered AS "isPowered",
t.description AS "description",
t.source AS "source",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.model, t.manufacturer_id, t.slug, t.part_number, t.u_height, t.is_full_depth, t.weight,
      t.airflow, t.subdevice_role, t.is_powered, t.description, t.updated_at)::text, 0))

-- List
WITH counted AS MATERIALIZED (SELECT total, total AS reach, pending
  FROM (SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending
    FROM record_counts
    WHERE table_name = 'device_types') kept), page_keys AS (SELECT t.id, t.created_at
  FROM device_types t
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT (SELECT CASE WHEN least($1::bigint, reach - $2::bigint) <= 100 THEN $1::bigint ELSE 0 END
    FROM counted) OFFSET (SELECT $2::bigint))
SELECT p.rows, p.cut, total, reach, pending, CASE WHEN reach > $2::bigint + $1::bigint THEN (SELECT json_build_array((t.created_at)::text,
    (t.id)::text)::text
  FROM page_keys t
  LIMIT 1 OFFSET (SELECT $1::bigint - 1)) END AS next
FROM counted, (SELECT string_agg(record, ',') FILTER (WHERE reach <= 524288 OR reach = octet_length(record)) AS rows, count(*)
  > count(*) FILTER (WHERE reach <= 524288 OR reach = octet_length(record)) AS cut
  FROM (SELECT record, sum(octet_length(record)) OVER (ROWS UNBOUNDED PRECEDING) AS reach
    FROM (SELECT row_to_json(r)::text AS record FROM (SELECT :columns FROM (SELECT * FROM (SELECT t.*, keys.place_in_page,
            sum(coalesce(octet_length(t.description), 0)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS before
            FROM ( SELECT * FROM unnest(ARRAY(SELECT t.id FROM (SELECT * FROM page_keys) t)) WITH ORDINALITY keys (id, place_in_page)
              ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM device_types t WHERE t.id = keys.id OFFSET
              0) t) t WHERE t.before IS NULL OR t.before <= 524288) t ORDER BY t.place_in_page) r OFFSET 0) records) page)
p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM device_types t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO device_types (model, manufacturer_id, slug, part_number, u_height, is_full_depth, weight, airflow,
    subdevice_role, is_powered, description)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::device_types, with_defaults('device_types', '{}')) AS row ) INSERT INTO device_types
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE device_types t
  SET model = $1, manufacturer_id = $2, slug = $3, part_number = $4, u_height = $5, is_full_depth = $6, weight = $7, airflow
  = $8, subdevice_role = $9, is_powered = $10, description = $11
  WHERE t.id = $12 AND :version = ANY($13)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE device_types t
SET (airflow, description, is_full_depth, is_powered, manufacturer_id, model, part_number, slug, subdevice_role, u_height,
  weight) = (SELECT made.airflow, made.description, made.is_full_depth, made.is_powered, made.manufacturer_id, made.model,
  made.part_number, made.slug, made.subdevice_role, made.u_height, made.weight
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t
RETURNING t.id;

-- Delete
DELETE
FROM device_types t
WHERE t.id = ANY($1)
RETURNING t.id;
