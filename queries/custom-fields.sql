-- :columns
t.id AS "id",
t.key AS "key",
t.label AS "label",
t.description AS "description",
t.resources AS "resources",
t.type AS "type",
t.choices AS "choices",
t.target AS "target",
t.required AS "required",
t.is_unique AS "unique",
t.default_value AS "default",
t.minimum AS "minimum",
t.maximum AS "maximum",
t.pattern AS "pattern",
t.searched AS "searched",
t.position AS "position",
t.status AS "status",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.key, t.label, t.description, t.resources, t.type, t.choices, t.target, t.required, t.is_unique,
      t.default_value, t.minimum, t.maximum, t.pattern, t.searched, t.position, t.updated_at)::text, 0))

-- List
WITH counted AS MATERIALIZED (SELECT total, total AS reach, pending
  FROM (SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending
    FROM record_counts
    WHERE table_name = 'custom_fields') kept), page_keys AS (SELECT t.id, t.created_at
  FROM custom_fields t
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
              ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM custom_fields t WHERE t.id = keys.id OFFSET
              0) t) t WHERE t.before IS NULL OR t.before <= 524288) t ORDER BY t.place_in_page) r OFFSET 0) records) page)
p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM custom_fields t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO custom_fields (key, label, description, resources, type, choices, target, required, is_unique,
    default_value, minimum, maximum, pattern, searched, position)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::custom_fields, with_defaults('custom_fields', '{}')) AS row ) INSERT INTO custom_fields
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE custom_fields t
  SET key = $1, label = $2, description = $3, resources = $4, type = $5, choices = $6, target = $7, required = $8, is_unique
  = $9, default_value = $10, minimum = $11, maximum = $12, pattern = $13, searched = $14, position = $15
  WHERE t.id = $16 AND :version = ANY($17)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE custom_fields t
SET (choices, default_value, description, is_unique, key, label, maximum, minimum, pattern, position, required, resources,
  searched, target, type) = (SELECT made.choices, made.default_value, made.description, made.is_unique, made.key, made.label,
  made.maximum, made.minimum, made.pattern, made.position, made.required, made.resources, made.searched, made.target, made.type
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t
RETURNING t.id;

-- Delete
DELETE
FROM custom_fields t
WHERE t.id = ANY($1)
RETURNING t.id;
