-- :columns
t.id AS "id",
t.asset_id AS "assetId",
asset.name AS "assetName",
t.device_id AS "deviceId",
device.name AS "deviceName",
t.category_id AS "categoryId",
to_char(t.start_time AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "startTime",
to_char(t.end_time AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "endTime",
t.status AS "status",
t.person_id AS "personId",
t.change_request_id AS "changeRequestId",
t.purpose AS "purpose",
t.no_show_minutes AS "noShowMinutes",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :joins
LEFT JOIN assets asset ON asset.id = t.asset_id
LEFT JOIN devices device ON device.id = t.device_id

-- :version
to_hex(hashtextextended(ROW(t.id, t.asset_id, t.device_id, t.category_id, t.start_time, t.end_time, t.person_id, t.change_request_id,
      t.purpose, t.no_show_minutes, t.updated_at)::text, 0))

-- List
WITH counted AS MATERIALIZED (SELECT total, total AS reach, pending
  FROM (SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending
    FROM record_counts
    WHERE table_name = 'bookings') kept), page_keys AS (SELECT t.id, t.created_at
  FROM bookings t
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
            sum(coalesce(octet_length(t.purpose), 0)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS before FROM
            ( SELECT * FROM unnest(ARRAY(SELECT t.id FROM (SELECT * FROM page_keys) t)) WITH ORDINALITY keys (id, place_in_page)
              ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM bookings t WHERE t.id = keys.id OFFSET 0) t)
          t WHERE t.before IS NULL OR t.before <= 524288) t :joins ORDER BY t.place_in_page) r OFFSET 0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM bookings t :joins
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO bookings (asset_id, device_id, category_id, start_time, end_time, person_id, change_request_id,
    purpose, no_show_minutes)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t :joins;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::bookings, with_defaults('bookings', '{}')) AS row ) INSERT INTO bookings
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE bookings t
  SET asset_id = $1, device_id = $2, category_id = $3, start_time = $4, end_time = $5, person_id = $6, change_request_id
  = $7, purpose = $8, no_show_minutes = $9
  WHERE t.id = $10 AND :version = ANY($11)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t :joins;

-- Change many
UPDATE bookings t
SET (asset_id, category_id, change_request_id, device_id, end_time, no_show_minutes, person_id, purpose, start_time) = (SELECT
  made.asset_id, made.category_id, made.change_request_id, made.device_id, made.end_time, made.no_show_minutes, made.person_id,
  made.purpose, made.start_time
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t
RETURNING t.id;

-- Delete
DELETE
FROM bookings t
WHERE t.id = ANY($1)
RETURNING t.id;
