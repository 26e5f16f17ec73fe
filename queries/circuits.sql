-- :columns
t.id AS "id",
t.circuit_number AS "circuitNumber",
t.vendor_id AS "vendorId",
t.contract_id AS "contractId",
t.type AS "type",
t.status AS "status",
t.commit_rate_kbps AS "commitRateKbps",
t.install_date AS "installDate",
t.termination_date AS "terminationDate",
t.tenant_group_id AS "tenantGroupId",
t.description AS "description",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.circuit_number, t.vendor_id, t.contract_id, t.type, t.status, t.commit_rate_kbps, t.install_date,
      t.termination_date, t.tenant_group_id, t.description, t.updated_at)::text, 0))

-- List
WITH counted AS MATERIALIZED (SELECT total, total AS reach, pending
  FROM (SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending
    FROM record_counts
    WHERE table_name = 'circuits') kept), page_keys AS (SELECT t.id, t.created_at
  FROM circuits t
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
              ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM circuits t WHERE t.id = keys.id OFFSET 0) t)
          t WHERE t.before IS NULL OR t.before <= 524288) t ORDER BY t.place_in_page) r OFFSET 0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM circuits t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO circuits (circuit_number, vendor_id, contract_id, type, status, commit_rate_kbps, install_date,
    termination_date, tenant_group_id, description)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::circuits, with_defaults('circuits', '{}')) AS row ) INSERT INTO circuits
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE circuits t
  SET circuit_number = $1, vendor_id = $2, contract_id = $3, type = $4, status = $5, commit_rate_kbps = $6, install_date
  = $7, termination_date = $8, tenant_group_id = $9, description = $10
  WHERE t.id = $11 AND :version = ANY($12)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE circuits t
SET (circuit_number, commit_rate_kbps, contract_id, description, install_date, status, tenant_group_id, termination_date,
  type, vendor_id) = (SELECT made.circuit_number, made.commit_rate_kbps, made.contract_id, made.description, made.install_date,
  made.status, made.tenant_group_id, made.termination_date, made.type, made.vendor_id
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t
RETURNING t.id;

-- Delete
DELETE
FROM circuits t
WHERE t.id = ANY($1)
RETURNING t.id;
