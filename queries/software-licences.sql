-- :columns
t.id AS "id",
t.name AS "name",
t.product AS "product",
t.licence_key AS "licenceKey",
t.seats AS "seats",
t.assigned_seats AS "assignedSeats",
t.vendor_id AS "vendorId",
t.expiry_date AS "expiryDate",
t.cost::text AS "cost",
t.status AS "status",
t.notes AS "notes",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.name, t.product, t.licence_key, t.seats, t.assigned_seats, t.vendor_id, t.expiry_date,
      t.cost, t.status, t.notes, t.updated_at)::text, 0))

-- List
WITH counted AS MATERIALIZED (SELECT total, total AS reach, pending
  FROM (SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending
    FROM record_counts
    WHERE table_name = 'software_licences') kept), page_keys AS (SELECT t.id, t.created_at
  FROM software_licences t
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
            sum(coalesce(octet_length(t.licence_key), 0) + coalesce(octet_length(t.notes), 0)) OVER (ROWS BETWEEN UNBOUNDED
              PRECEDING AND 2 PRECEDING) AS before FROM ( SELECT * FROM unnest(ARRAY(SELECT t.id FROM (SELECT * FROM page_keys)
                  t)) WITH ORDINALITY keys (id, place_in_page) ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT *
              FROM software_licences t WHERE t.id = keys.id OFFSET 0) t) t WHERE t.before IS NULL OR t.before <= 524288)
        t ORDER BY t.place_in_page) r OFFSET 0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM software_licences t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO software_licences (name, product, licence_key, seats, assigned_seats, vendor_id, expiry_date,
    cost, status, notes)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::software_licences, with_defaults('software_licences', '{}')) AS row ) INSERT INTO
  software_licences
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE software_licences t
  SET name = $1, product = $2, licence_key = $3, seats = $4, assigned_seats = $5, vendor_id = $6, expiry_date = $7, cost
  = $8, status = $9, notes = $10
  WHERE t.id = $11 AND :version = ANY($12)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE software_licences t
SET (assigned_seats, cost, expiry_date, licence_key, name, notes, product, seats, status, vendor_id) = (SELECT made.assigned_seats,
  made.cost, made.expiry_date, made.licence_key, made.name, made.notes, made.product, made.seats, made.status, made.vendor_id
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t
RETURNING t.id;

-- Delete
DELETE
FROM software_licences t
WHERE t.id = ANY($1)
RETURNING t.id;
