-- :columns
t.id AS "id",
t.a_resource AS "aResource",
t.a_id AS "aId",
t.b_resource AS "bResource",
t.b_id AS "bId",
t.type AS "type",
t.status AS "status",
t.label AS "label",
t.color AS "color",
t.length_m AS "lengthM",
t.tenant_group_id AS "tenantGroupId",
t.description AS "description",
coalesce((SELECT d.name || ' ' || p.name
    FROM device_ports p JOIN devices d ON d.id = p.device_id
    WHERE p.id = t.a_id), (SELECT c.circuit_number || ' ' || e.side
    FROM circuit_terminations e JOIN circuits c ON c.id = e.circuit_id
    WHERE e.id = t.a_id), (SELECT f.name
    FROM power_feeds f
    WHERE f.id = t.a_id)) AS "aName",
coalesce((SELECT d.name || ' ' || p.name
    FROM device_ports p JOIN devices d ON d.id = p.device_id
    WHERE p.id = t.b_id), (SELECT c.circuit_number || ' ' || e.side
    FROM circuit_terminations e JOIN circuits c ON c.id = e.circuit_id
    WHERE e.id = t.b_id), (SELECT f.name
    FROM power_feeds f
    WHERE f.id = t.b_id)) AS "bName",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.a_resource, t.a_id, t.b_resource, t.b_id, t.type, t.status, t.label, t.color, t.length_m,
      t.tenant_group_id, t.description, t.updated_at)::text, 0))

-- List
WITH counted AS MATERIALIZED (SELECT total, total AS reach, pending
  FROM (SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending
    FROM record_counts
    WHERE table_name = 'cables') kept), page_keys AS (SELECT t.id, t.created_at
  FROM cables t
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
              ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM cables t WHERE t.id = keys.id OFFSET 0) t)
          t WHERE t.before IS NULL OR t.before <= 524288) t ORDER BY t.place_in_page) r OFFSET 0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM cables t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO cables (a_resource, a_id, b_resource, b_id, type, status, label, color, length_m, tenant_group_id,
    description)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::cables, with_defaults('cables', '{}')) AS row ) INSERT INTO cables
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE cables t
  SET a_resource = $1, a_id = $2, b_resource = $3, b_id = $4, type = $5, status = $6, label = $7, color = $8, length_m =
  $9, tenant_group_id = $10, description = $11
  WHERE t.id = $12 AND :version = ANY($13)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE cables t
SET (a_id, a_resource, b_id, b_resource, color, description, label, length_m, status, tenant_group_id, type) = (SELECT made.a_id,
  made.a_resource, made.b_id, made.b_resource, made.color, made.description, made.label, made.length_m, made.status, made.tenant_group_id,
  made.type
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t
RETURNING t.id;

-- Delete
DELETE
FROM cables t
WHERE t.id = ANY($1)
RETURNING t.id;
