-- :columns
t.id AS "id",
t.name AS "name",
t.asset_tag AS "assetTag",
t.serial_number AS "serialNumber",
t.status AS "status",
t.condition AS "condition",
t.category_id AS "categoryId",
category.name AS "categoryName",
category.slug AS "categorySlug",
t.manufacturer_id AS "manufacturerId",
manufacturer.name AS "manufacturerName",
t.site_id AS "siteId",
site.name AS "siteName",
t.location_id AS "locationId",
location.name AS "locationName",
t.purchase_order_id AS "purchaseOrderId",
to_char(t.purchased_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "purchasedAt",
to_char(t.warranty_until AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "warrantyUntil",
t.purchase_price::text AS "purchasePrice",
t.notes AS "notes",
(SELECT row_to_json(c)
  FROM (
    SELECT a.id, p.full_name AS "fullName", p.email, a.person_id AS "personId", p.profile_id AS "userId"
    FROM asset_assignments a JOIN people p ON p.id = a.person_id
    WHERE a.asset_id = t.id AND a.returned_at IS NULL ) c) AS "currentAssignee",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :joins
LEFT JOIN asset_categories category ON category.id = t.category_id
LEFT JOIN manufacturers manufacturer ON manufacturer.id = t.manufacturer_id
LEFT JOIN sites site ON site.id = t.site_id
LEFT JOIN locations location ON location.id = t.location_id

-- :version
to_hex(hashtextextended(ROW(t.id, t.name, t.asset_tag, t.serial_number, t.status, t.condition, t.category_id, t.manufacturer_id,
      t.site_id, t.location_id, t.purchase_order_id, t.purchased_at, t.warranty_until, t.purchase_price, t.notes, t.updated_at)::text,
    0))

-- List
WITH counted AS MATERIALIZED (SELECT total, total AS reach, pending
  FROM (SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending
    FROM record_counts
    WHERE table_name = 'assets') kept), page_keys AS (SELECT t.id, t.created_at
  FROM assets t
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
              ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM assets t WHERE t.id = keys.id OFFSET 0) t)
          t WHERE t.before IS NULL OR t.before <= 524288) t :joins ORDER BY t.place_in_page) r OFFSET 0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM assets t :joins
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO assets (name, asset_tag, serial_number, status, condition, category_id, manufacturer_id, site_id,
    location_id, purchase_order_id, purchased_at, warranty_until, purchase_price, notes)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t :joins;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::assets, with_defaults('assets', '{}')) AS row ) INSERT INTO assets
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE assets t
  SET name = $1, asset_tag = $2, serial_number = $3, status = $4, condition = $5, category_id = $6, manufacturer_id = $7,
  site_id = $8, location_id = $9, purchase_order_id = $10, purchased_at = $11, warranty_until = $12, purchase_price = $13,
  notes = $14
  WHERE t.id = $15 AND :version = ANY($16)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t :joins;

-- Change many
UPDATE assets t
SET (asset_tag, category_id, condition, location_id, manufacturer_id, name, notes, purchase_order_id, purchase_price, purchased_at,
  serial_number, site_id, status, warranty_until) = (SELECT made.asset_tag, made.category_id, made.condition, made.location_id,
  made.manufacturer_id, made.name, made.notes, made.purchase_order_id, made.purchase_price, made.purchased_at, made.serial_number,
  made.site_id, made.status, made.warranty_until
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t
RETURNING t.id;

-- Delete
DELETE
FROM assets t
WHERE t.id = ANY($1)
RETURNING t.id;
