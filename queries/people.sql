-- :columns
t.id AS "id",
t.full_name AS "fullName",
t.email AS "email",
t.phone AS "phone",
t.job_title AS "jobTitle",
t.department AS "department",
t.employee_id AS "employeeId",
t.site_id AS "siteId",
site.name AS "siteName",
t.profile_id AS "profileId",
t.status AS "status",
t.start_date AS "startDate",
t.notes AS "notes",
(SELECT row_to_json(p)
  FROM (SELECT id, email, role, is_active AS "isActive"
    FROM profiles
    WHERE id = t.profile_id) p) AS "profile",
(SELECT count(*)::int
  FROM asset_assignments a
  WHERE a.person_id = t.id AND a.returned_at IS NULL) AS "assetCount",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :joins
LEFT JOIN sites site ON site.id = t.site_id

-- :version
to_hex(hashtextextended(ROW(t.id, t.full_name, t.email, t.phone, t.job_title, t.department, t.employee_id, t.site_id, t.profile_id,
      t.status, t.start_date, t.notes, t.updated_at)::text, 0))

-- List
WITH counted AS MATERIALIZED (SELECT total, total AS reach, pending
  FROM (SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending
    FROM record_counts
    WHERE table_name = 'people') kept), page_keys AS (SELECT t.id, t.created_at
  FROM people t
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
            sum(coalesce(octet_length(t.notes), 0)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS before FROM
            ( SELECT * FROM unnest(ARRAY(SELECT t.id FROM (SELECT * FROM page_keys) t)) WITH ORDINALITY keys (id, place_in_page)
              ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM people t WHERE t.id = keys.id OFFSET 0) t)
          t WHERE t.before IS NULL OR t.before <= 524288) t :joins ORDER BY t.place_in_page) r OFFSET 0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM people t :joins
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO people (full_name, email, phone, job_title, department, employee_id, site_id, profile_id, status,
    start_date, notes)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t :joins;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::people, with_defaults('people', '{}')) AS row ) INSERT INTO people
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE people t
  SET full_name = $1, email = $2, phone = $3, job_title = $4, department = $5, employee_id = $6, site_id = $7, profile_id
  = $8, status = $9, start_date = $10, notes = $11
  WHERE t.id = $12 AND :version = ANY($13)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t :joins;

-- Change many
UPDATE people t
SET (department, email, employee_id, full_name, job_title, notes, phone, profile_id, site_id, start_date, status) = (SELECT
  made.department, made.email, made.employee_id, made.full_name, made.job_title, made.notes, made.phone, made.profile_id,
  made.site_id, made.start_date, made.status
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t
RETURNING t.id;

-- Delete
DELETE
FROM people t
WHERE t.id = ANY($1)
RETURNING t.id;
