-- :columns
t.id AS "id",
t.virtual_machine_id AS "virtualMachineId",
t.name AS "name",
t.enabled AS "enabled",
t.mac_address AS "macAddress",
t.mtu AS "mtu",
t.mode AS "mode",
t.untagged_vlan_id AS "untaggedVlanId",
t.vrf_id AS "vrfId",
t.description AS "description",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.name, t.enabled, t.mac_address, t.mtu, t.mode, t.untagged_vlan_id, t.vrf_id, t.description,
      t.updated_at)::text, 0))

-- List
WITH matching AS MATERIALIZED (SELECT t.id, t.created_at
  FROM virtual_machine_interfaces t
  WHERE t.virtual_machine_id = $1), counted AS MATERIALIZED (SELECT count(*)::float8 AS total, count(*)::float8 AS reach,
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
    FROM (SELECT row_to_json(r)::text AS record FROM (SELECT :columns FROM (SELECT * FROM (SELECT t.*, keys.place_in_page,
            sum(coalesce(octet_length(t.description), 0)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS before
            FROM ( SELECT * FROM unnest(ARRAY(SELECT t.id FROM (SELECT * FROM page_keys) t)) WITH ORDINALITY keys (id, place_in_page)
              ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM virtual_machine_interfaces t WHERE t.id = keys.id
              OFFSET 0) t) t WHERE t.before IS NULL OR t.before <= 524288) t ORDER BY t.place_in_page) r OFFSET 0) records)
  page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM virtual_machine_interfaces t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO virtual_machine_interfaces (name, enabled, mac_address, mtu, mode, untagged_vlan_id, vrf_id,
    description)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::virtual_machine_interfaces, with_defaults('virtual_machine_interfaces', '{}')) AS
    row ) INSERT INTO virtual_machine_interfaces
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE virtual_machine_interfaces t
  SET name = $1, enabled = $2, mac_address = $3, mtu = $4, mode = $5, untagged_vlan_id = $6, vrf_id = $7, description = $8
  WHERE t.id = $9 AND t.virtual_machine_id = $10 AND :version = ANY($11)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE virtual_machine_interfaces t
SET (description, enabled, mac_address, mode, mtu, name, untagged_vlan_id, vrf_id) = (SELECT made.description, made.enabled,
  made.mac_address, made.mode, made.mtu, made.name, made.untagged_vlan_id, made.vrf_id
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t AND t.virtual_machine_id
= $3
RETURNING t.id;

-- Delete
DELETE
FROM virtual_machine_interfaces t
WHERE t.id = ANY($1) AND t.virtual_machine_id = $2
RETURNING t.id;
