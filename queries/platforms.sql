-- :columns
t.id AS "id",
t.name AS "name",
t.slug AS "slug",
t.manufacturer_id AS "manufacturerId",
t.description AS "description",
t.nos_family AS "nosFamily",
t.typical_devices AS "typicalDevices",
t.key_features AS "keyFeatures",
t.common_use_cases AS "commonUseCases",
t.commercial_status AS "commercialStatus",
t.automation_apis AS "automationApis",
t.popular AS "popular",
t.source AS "source",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.name, t.slug, t.manufacturer_id, t.description, t.nos_family, t.typical_devices, t.key_features,
      t.common_use_cases, t.commercial_status, t.automation_apis, t.popular, t.updated_at)::text, 0))

-- List
WITH counted AS MATERIALIZED (SELECT total, total AS reach, pending
  FROM (SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending
    FROM record_counts
    WHERE table_name = 'platforms') kept), page_keys AS (SELECT t.id, t.created_at
  FROM platforms t
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
            sum(coalesce(octet_length(t.description), 0) + coalesce(octet_length(t.typical_devices), 0) + coalesce(octet_length(t.key_features),
                0) + coalesce(octet_length(t.common_use_cases), 0)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING)
            AS before FROM ( SELECT * FROM unnest(ARRAY(SELECT t.id FROM (SELECT * FROM page_keys) t)) WITH ORDINALITY keys
              (id, place_in_page) ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM platforms t WHERE t.id
              = keys.id OFFSET 0) t) t WHERE t.before IS NULL OR t.before <= 524288) t ORDER BY t.place_in_page) r OFFSET
      0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM platforms t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO platforms (name, slug, manufacturer_id, description, nos_family, typical_devices, key_features,
    common_use_cases, commercial_status, automation_apis, popular)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::platforms, with_defaults('platforms', '{}')) AS row ) INSERT INTO platforms
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE platforms t
  SET name = $1, slug = $2, manufacturer_id = $3, description = $4, nos_family = $5, typical_devices = $6, key_features =
  $7, common_use_cases = $8, commercial_status = $9, automation_apis = $10, popular = $11
  WHERE t.id = $12 AND :version = ANY($13)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE platforms t
SET (automation_apis, commercial_status, common_use_cases, description, key_features, manufacturer_id, name, nos_family,
  popular, slug, typical_devices) = (SELECT made.automation_apis, made.commercial_status, made.common_use_cases, made.description,
  made.key_features, made.manufacturer_id, made.name, made.nos_family, made.popular, made.slug, made.typical_devices
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t
RETURNING t.id;

-- Delete
DELETE
FROM platforms t
WHERE t.id = ANY($1)
RETURNING t.id;
