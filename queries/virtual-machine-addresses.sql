-- :columns
t.id AS "id",
t.virtual_machine_id AS "virtualMachineId",
t.ip_address_id AS "ipAddressId",
t.interface_id AS "interfaceId",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.ip_address_id, t.interface_id, t.updated_at)::text, 0))

-- List
WITH matching AS MATERIALIZED (SELECT t.id, t.created_at
  FROM virtual_machine_addresses t
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
    FROM (SELECT row_to_json(r)::text AS record FROM (SELECT :columns FROM (SELECT t.*, keys.place_in_page FROM ( SELECT
            * FROM unnest(ARRAY(SELECT t.id FROM (SELECT * FROM page_keys) t)) WITH ORDINALITY keys (id, place_in_page) ORDER
            BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM virtual_machine_addresses t WHERE t.id = keys.id OFFSET
            0) t) t ORDER BY t.place_in_page) r OFFSET 0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM virtual_machine_addresses t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO virtual_machine_addresses (ip_address_id, interface_id)
  VALUES ($1, $2)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::virtual_machine_addresses, with_defaults('virtual_machine_addresses', '{}')) AS row
    ) INSERT INTO virtual_machine_addresses
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE virtual_machine_addresses t
  SET ip_address_id = $1, interface_id = $2
  WHERE t.id = $3 AND t.virtual_machine_id = $4 AND :version = ANY($5)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE virtual_machine_addresses t
SET (interface_id, ip_address_id) = (SELECT made.interface_id, made.ip_address_id
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t AND t.virtual_machine_id
= $3
RETURNING t.id;

-- Delete
DELETE
FROM virtual_machine_addresses t
WHERE t.id = ANY($1) AND t.virtual_machine_id = $2
RETURNING t.id;
