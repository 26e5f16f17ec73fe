-- :columns
t.id AS "id",
t.software_licence_id AS "softwareLicenceId",
software_licence.name AS "softwareLicenceName",
t.person_id AS "personId",
t.asset_id AS "assetId",
t.device_id AS "deviceId",
coalesce((SELECT full_name
    FROM people
    WHERE id = t.person_id), (SELECT name
    FROM assets
    WHERE id = t.asset_id), (SELECT name
    FROM devices
    WHERE id = t.device_id)) AS "name",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :joins
LEFT JOIN software_licences software_licence ON software_licence.id = t.software_licence_id

-- :version
to_hex(hashtextextended(ROW(t.id, t.person_id, t.asset_id, t.device_id, t.updated_at)::text, 0))

-- List
WITH matching AS MATERIALIZED (SELECT t.id, t.created_at
  FROM software_licence_seats t
  WHERE t.software_licence_id = $1), counted AS MATERIALIZED (SELECT count(*)::float8 AS total, count(*)::float8 AS reach,
  0 AS pending
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
            BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM software_licence_seats t WHERE t.id = keys.id OFFSET
            0) t) t :joins ORDER BY t.place_in_page) r OFFSET 0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM software_licence_seats t :joins
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO software_licence_seats (person_id, asset_id, device_id)
  VALUES ($1, $2, $3)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t :joins;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::software_licence_seats, with_defaults('software_licence_seats', '{}')) AS row ) INSERT
  INTO software_licence_seats
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE software_licence_seats t
  SET person_id = $1, asset_id = $2, device_id = $3
  WHERE t.id = $4 AND t.software_licence_id = $5 AND :version = ANY($6)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t :joins;

-- Change many
UPDATE software_licence_seats t
SET (asset_id, device_id, person_id) = (SELECT made.asset_id, made.device_id, made.person_id
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t AND t.software_licence_id
= $3
RETURNING t.id;

-- Delete
DELETE
FROM software_licence_seats t
WHERE t.id = ANY($1) AND t.software_licence_id = $2
RETURNING t.id;
