-- :columns
t.id AS "id",
t.circuit_id AS "circuitId",
t.side AS "side",
t.site_id AS "siteId",
t.provider_network AS "providerNetwork",
t.port_speed_kbps AS "portSpeedKbps",
t.upstream_speed_kbps AS "upstreamSpeedKbps",
t.cross_connect AS "crossConnect",
t.patch_panel AS "patchPanel",
t.description AS "description",
(SELECT e.cable_id
  FROM cable_ends e
  WHERE e.end_id = t.id) AS "cableId",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.side, t.site_id, t.provider_network, t.port_speed_kbps, t.upstream_speed_kbps, t.cross_connect,
      t.patch_panel, t.description, t.updated_at)::text, 0))

-- List
WITH matching AS MATERIALIZED (SELECT t.id, t.created_at
  FROM circuit_terminations t
  WHERE t.circuit_id = $1), counted AS MATERIALIZED (SELECT count(*)::float8 AS total, count(*)::float8 AS reach, 0 AS pending
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
    FROM (SELECT row_to_json(r)::text AS record FROM (SELECT :columns FROM (SELECT * FROM (SELECT t.*, keys.place_in_page,
            sum(coalesce(octet_length(t.description), 0)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS before
            FROM ( SELECT * FROM unnest(ARRAY(SELECT t.id FROM (SELECT * FROM page_keys) t)) WITH ORDINALITY keys (id, place_in_page)
              ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM circuit_terminations t WHERE t.id = keys.id
              OFFSET 0) t) t WHERE t.before IS NULL OR t.before <= 524288) t ORDER BY t.place_in_page) r OFFSET 0) records)
  page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM circuit_terminations t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO circuit_terminations (side, site_id, provider_network, port_speed_kbps, upstream_speed_kbps,
    cross_connect, patch_panel, description)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::circuit_terminations, with_defaults('circuit_terminations', '{}')) AS row ) INSERT
  INTO circuit_terminations
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE circuit_terminations t
  SET side = $1, site_id = $2, provider_network = $3, port_speed_kbps = $4, upstream_speed_kbps = $5, cross_connect = $6,
  patch_panel = $7, description = $8
  WHERE t.id = $9 AND t.circuit_id = $10 AND :version = ANY($11)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE circuit_terminations t
SET (cross_connect, description, patch_panel, port_speed_kbps, provider_network, side, site_id, upstream_speed_kbps) = (SELECT
  made.cross_connect, made.description, made.patch_panel, made.port_speed_kbps, made.provider_network, made.side, made.site_id,
  made.upstream_speed_kbps
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t AND t.circuit_id
= $3
RETURNING t.id;

-- Delete
DELETE
FROM circuit_terminations t
WHERE t.id = ANY($1) AND t.circuit_id = $2
RETURNING t.id;
