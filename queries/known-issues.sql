-- :columns
t.id AS "id",
t.name AS "name",
t.severity AS "severity",
t.status AS "status",
t.affected_system AS "affectedSystem",
t.workaround AS "workaround",
t.description AS "description",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.name, t.severity, t.status, t.affected_system, t.workaround, t.description, t.updated_at)::text,
    0))

-- List
WITH counted AS MATERIALIZED (SELECT total, total AS reach, pending
  FROM (SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending
    FROM record_counts
    WHERE table_name = 'known_issues') kept), page_keys AS (SELECT t.id, t.created_at
  FROM known_issues t
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
            sum(coalesce(octet_length(t.workaround), 0) + coalesce(octet_length(t.description), 0)) OVER (ROWS BETWEEN UNBOUNDED
              PRECEDING AND 2 PRECEDING) AS before FROM ( SELECT * FROM unnest(ARRAY(SELECT t.id FROM (SELECT * FROM page_keys)
                  t)) WITH ORDINALITY keys (id, place_in_page) ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT *
              FROM known_issues t WHERE t.id = keys.id OFFSET 0) t) t WHERE t.before IS NULL OR t.before <= 524288) t ORDER
        BY t.place_in_page) r OFFSET 0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM known_issues t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO known_issues (name, severity, status, affected_system, workaround, description)
  VALUES ($1, $2, $3, $4, $5, $6)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::known_issues, with_defaults('known_issues', '{}')) AS row ) INSERT INTO known_issues
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE known_issues t
  SET name = $1, severity = $2, status = $3, affected_system = $4, workaround = $5, description = $6
  WHERE t.id = $7 AND :version = ANY($8)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE known_issues t
SET (affected_system, description, name, severity, status, workaround) = (SELECT made.affected_system, made.description,
  made.name, made.severity, made.status, made.workaround
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t
RETURNING t.id;

-- Delete
DELETE
FROM known_issues t
WHERE t.id = ANY($1)
RETURNING t.id;
