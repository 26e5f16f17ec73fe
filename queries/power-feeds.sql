-- :columns
t.id AS "id",
t.name AS "name",
t.site_id AS "siteId",
t.rack_id AS "rackId",
t.panel AS "panel",
t.status AS "status",
t.type AS "type",
t.supply AS "supply",
t.phase AS "phase",
t.voltage_v AS "voltageV",
t.amperage_a AS "amperageA",
t.maximum_utilisation AS "maximumUtilisation",
t.tenant_group_id AS "tenantGroupId",
t.description AS "description",
floor(abs(t.voltage_v)::numeric * t.amperage_a::numeric * CASE t.phase WHEN 'three' THEN sqrt(3::numeric) ELSE 1 END * t.maximum_utilisation
  / 100)::int8 AS "availableW",
(SELECT e.cable_id
  FROM cable_ends e
  WHERE e.end_id = t.id) AS "cableId",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.name, t.site_id, t.rack_id, t.panel, t.status, t.type, t.supply, t.phase, t.voltage_v,
      t.amperage_a, t.maximum_utilisation, t.tenant_group_id, t.description, t.updated_at)::text, 0))

-- List
WITH counted AS MATERIALIZED (SELECT total, total AS reach, pending
  FROM (SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending
    FROM record_counts
    WHERE table_name = 'power_feeds') kept), page_keys AS (SELECT t.id, t.created_at
  FROM power_feeds t
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
              ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM power_feeds t WHERE t.id = keys.id OFFSET 0)
            t) t WHERE t.before IS NULL OR t.before <= 524288) t ORDER BY t.place_in_page) r OFFSET 0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM power_feeds t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO power_feeds (name, site_id, rack_id, panel, status, type, supply, phase, voltage_v, amperage_a,
    maximum_utilisation, tenant_group_id, description)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::power_feeds, with_defaults('power_feeds', '{}')) AS row ) INSERT INTO power_feeds
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE power_feeds t
  SET name = $1, site_id = $2, rack_id = $3, panel = $4, status = $5, type = $6, supply = $7, phase = $8, voltage_v = $9,
  amperage_a = $10, maximum_utilisation = $11, tenant_group_id = $12, description = $13
  WHERE t.id = $14 AND :version = ANY($15)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE power_feeds t
SET (amperage_a, description, maximum_utilisation, name, panel, phase, rack_id, site_id, status, supply, tenant_group_id,
  type, voltage_v) = (SELECT made.amperage_a, made.description, made.maximum_utilisation, made.name, made.panel, made.phase,
  made.rack_id, made.site_id, made.status, made.supply, made.tenant_group_id, made.type, made.voltage_v
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t
RETURNING t.id;

-- Delete
DELETE
FROM power_feeds t
WHERE t.id = ANY($1)
RETURNING t.id;
