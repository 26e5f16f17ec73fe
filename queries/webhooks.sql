-- :columns
t.id AS "id",
t.name AS "name",
t.url AS "url",
t.resources AS "resources",
t.actions AS "actions",
t.fields AS "fields",
t.conditions AS "where",
t.format AS "format",
t.is_active AS "isActive",
t.description AS "description",
state.last_success_at AS "lastSuccessAt",
state.failing_since AS "failingSince",
t.deactivated_reason AS "deactivatedReason",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :joins
CROSS JOIN LATERAL (SELECT to_char(s.last_success_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_success_at,
  to_char(s.failing_since AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS failing_since
  FROM (SELECT) one
  LEFT JOIN webhook_states s ON s.webhook_id = t.id) state

-- :version
to_hex(hashtextextended(ROW(t.id, t.name, t.url, t.resources, t.actions, t.fields, t.conditions, t.format, t.is_active, t.description,
      t.updated_at)::text, 0))

-- List
WITH counted AS MATERIALIZED (SELECT total, total AS reach, pending
  FROM (SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending
    FROM record_counts
    WHERE table_name = 'webhooks') kept), page_keys AS (SELECT t.id, t.created_at
  FROM webhooks t
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
            sum(coalesce(octet_length(t.url), 0) + coalesce(octet_length(t.description), 0)) OVER (ROWS BETWEEN UNBOUNDED
              PRECEDING AND 2 PRECEDING) AS before FROM ( SELECT * FROM unnest(ARRAY(SELECT t.id FROM (SELECT * FROM page_keys)
                  t)) WITH ORDINALITY keys (id, place_in_page) ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT *
              FROM webhooks t WHERE t.id = keys.id OFFSET 0) t) t WHERE t.before IS NULL OR t.before <= 524288) t :joins
        ORDER BY t.place_in_page) r OFFSET 0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM webhooks t :joins
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO webhooks (name, url, resources, actions, fields, conditions, format, is_active, description)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t :joins;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::webhooks, with_defaults('webhooks', '{}')) AS row ) INSERT INTO webhooks
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE webhooks t
  SET name = $1, url = $2, resources = $3, actions = $4, fields = $5, conditions = $6, format = $7, is_active = $8, description
  = $9
  WHERE t.id = $10 AND :version = ANY($11)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t :joins;

-- Change many
UPDATE webhooks t
SET (actions, conditions, description, fields, format, is_active, name, resources, url) = (SELECT made.actions, made.conditions,
  made.description, made.fields, made.format, made.is_active, made.name, made.resources, made.url
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t
RETURNING t.id;

-- Delete
DELETE
FROM webhooks t
WHERE t.id = ANY($1)
RETURNING t.id;
