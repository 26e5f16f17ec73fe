-- :columns
t.id AS "id",
t.resource AS "resource",
t.record_id AS "recordId",
(CASE t.resource WHEN 'sites' THEN (SELECT linked.name::text
    FROM sites linked
    WHERE linked.id = t.record_id) WHEN 'locations' THEN (SELECT linked.name::text
    FROM locations linked
    WHERE linked.id = t.record_id) WHEN 'racks' THEN (SELECT linked.name::text
    FROM racks linked
    WHERE linked.id = t.record_id) WHEN 'devices' THEN (SELECT linked.name::text
    FROM devices linked
    WHERE linked.id = t.record_id) WHEN 'clusters' THEN (SELECT linked.name::text
    FROM clusters linked
    WHERE linked.id = t.record_id) WHEN 'virtual-machines' THEN (SELECT linked.name::text
    FROM virtual_machines linked
    WHERE linked.id = t.record_id) WHEN 'ip-addresses' THEN (SELECT linked.address::text::text
    FROM ip_addresses linked
    WHERE linked.id = t.record_id) WHEN 'assets' THEN (SELECT linked.name::text
    FROM assets linked
    WHERE linked.id = t.record_id) WHEN 'software-licences' THEN (SELECT linked.name::text
    FROM software_licences linked
    WHERE linked.id = t.record_id) WHEN 'regions' THEN (SELECT linked.name::text
    FROM regions linked
    WHERE linked.id = t.record_id) WHEN 'circuits' THEN (SELECT linked.circuit_number::text
    FROM circuits linked
    WHERE linked.id = t.record_id) WHEN 'power-feeds' THEN (SELECT linked.name::text
    FROM power_feeds linked
    WHERE linked.id = t.record_id) WHEN 'device-types' THEN (SELECT linked.model::text
    FROM device_types linked
    WHERE linked.id = t.record_id) WHEN 'device-roles' THEN (SELECT linked.name::text
    FROM device_roles linked
    WHERE linked.id = t.record_id) WHEN 'platforms' THEN (SELECT linked.name::text
    FROM platforms linked
    WHERE linked.id = t.record_id) WHEN 'manufacturers' THEN (SELECT linked.name::text
    FROM manufacturers linked
    WHERE linked.id = t.record_id) END) AS "name",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.resource, t.record_id, t.updated_at)::text, 0))

-- List
WITH matching AS MATERIALIZED (SELECT t.id, t.created_at
  FROM known_issue_targets t
  WHERE t.known_issue_id = $1), counted AS MATERIALIZED (SELECT count(*)::float8 AS total, count(*)::float8 AS reach, 0 AS
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
    FROM (SELECT row_to_json(r)::text AS record FROM (SELECT :columns FROM (SELECT t.*, keys.place_in_page FROM ( SELECT
            * FROM unnest(ARRAY(SELECT t.id FROM (SELECT * FROM page_keys) t)) WITH ORDINALITY keys (id, place_in_page) ORDER
            BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM known_issue_targets t WHERE t.id = keys.id OFFSET 0)
          t) t ORDER BY t.place_in_page) r OFFSET 0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM known_issue_targets t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO known_issue_targets (resource, record_id)
  VALUES ($1, $2)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::known_issue_targets, with_defaults('known_issue_targets', '{}')) AS row ) INSERT INTO
  known_issue_targets
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE known_issue_targets t
  SET resource = $1, record_id = $2
  WHERE t.id = $3 AND t.known_issue_id = $4 AND :version = ANY($5)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE known_issue_targets t
SET (record_id, resource) = (SELECT made.record_id, made.resource
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t AND t.known_issue_id
= $3
RETURNING t.id;

-- Delete
DELETE
FROM known_issue_targets t
WHERE t.id = ANY($1) AND t.known_issue_id = $2
RETURNING t.id;
