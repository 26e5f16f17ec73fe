-- :columns
t.id AS "id",
t.name AS "name",
t.device_type_id AS "deviceTypeId",
t.device_role_id AS "deviceRoleId",
t.platform_id AS "platformId",
t.site_id AS "siteId",
t.location_id AS "locationId",
t.rack_id AS "rackId",
t.rack_position AS "rackPosition",
t.rack_face AS "rackFace",
t.cluster_id AS "clusterId",
t.tenant_group_id AS "tenantGroupId",
t.asset_id AS "assetId",
t.status AS "status",
t.serial_number AS "serialNumber",
t.description AS "description",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.name, t.device_type_id, t.device_role_id, t.platform_id, t.site_id, t.location_id, t.rack_id,
      t.rack_position, t.rack_face, t.cluster_id, t.tenant_group_id, t.asset_id, t.status, t.serial_number, t.description,
      t.updated_at)::text, 0))

-- List
WITH counted AS MATERIALIZED (SELECT total, total AS reach, pending
  FROM (SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending
    FROM record_counts
    WHERE table_name = 'devices') kept), page_keys AS (SELECT t.id, t.created_at
  FROM devices t
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
              ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM devices t WHERE t.id = keys.id OFFSET 0) t)
          t WHERE t.before IS NULL OR t.before <= 524288) t ORDER BY t.place_in_page) r OFFSET 0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM devices t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO devices (name, device_type_id, device_role_id, platform_id, site_id, location_id, rack_id, rack_position,
    rack_face, cluster_id, tenant_group_id, asset_id, status, serial_number, description)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::devices, with_defaults('devices', '{}')) AS row ) INSERT INTO devices
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE devices t
  SET name = $1, device_type_id = $2, device_role_id = $3, platform_id = $4, site_id = $5, location_id = $6, rack_id = $7,
  rack_position = $8, rack_face = $9, cluster_id = $10, tenant_group_id = $11, asset_id = $12, status = $13, serial_number
  = $14, description = $15
  WHERE t.id = $16 AND :version = ANY($17)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE devices t
SET (asset_id, cluster_id, description, device_role_id, device_type_id, location_id, name, platform_id, rack_face, rack_id,
  rack_position, serial_number, site_id, status, tenant_group_id) = (SELECT made.asset_id, made.cluster_id, made.description,
  made.device_role_id, made.device_type_id, made.location_id, made.name, made.platform_id, made.rack_face, made.rack_id,
  made.rack_position, made.serial_number, made.site_id, made.status, made.tenant_group_id
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t
RETURNING t.id;

-- Delete
DELETE
FROM devices t
WHERE t.id = ANY($1)
RETURNING t.id;
