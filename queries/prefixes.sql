-- :columns
t.id AS "id",
t.prefix AS "prefix",
t.vrf_id AS "vrfId",
t.site_id AS "siteId",
t.vlan_id AS "vlanId",
t.tenant_group_id AS "tenantGroupId",
t.status AS "status",
t.role AS "role",
t.is_pool AS "isPool",
t.description AS "description",
family(t.prefix) AS "family",
(WITH RECURSIVE before AS ( (SELECT p.id, p.prefix, coalesce(p.vrf_id, '00000000-0000-0000-0000-000000000000') AS space FROM
      prefixes p WHERE (coalesce(p.vrf_id, '00000000-0000-0000-0000-000000000000'), p.prefix) <= (coalesce(t.vrf_id, '00000000-0000-0000-0000-000000000000'),
        CASE WHEN masklen(t.prefix) > 0 THEN network(set_masklen(t.prefix::inet, masklen(t.prefix) - 1)) END) ORDER BY coalesce(p.vrf_id,
        '00000000-0000-0000-0000-000000000000') DESC, p.prefix DESC LIMIT 1)
    UNION ALL
    SELECT next.*
    FROM before
    CROSS JOIN LATERAL (SELECT p.id, p.prefix, coalesce(p.vrf_id, '00000000-0000-0000-0000-000000000000') AS space FROM prefixes
      p WHERE (coalesce(p.vrf_id, '00000000-0000-0000-0000-000000000000'), p.prefix) <= (before.space, CASE family(before.prefix)
        WHEN family(t.prefix) THEN inet_merge(before.prefix, t.prefix) END) ORDER BY coalesce(p.vrf_id, '00000000-0000-0000-0000-000000000000')
      DESC, p.prefix DESC LIMIT 1) next
    WHERE before.space = coalesce(t.vrf_id, '00000000-0000-0000-0000-000000000000') AND NOT before.prefix >> t.prefix )
  SELECT id
  FROM before
  WHERE space = coalesce(t.vrf_id, '00000000-0000-0000-0000-000000000000') AND prefix >> t.prefix)::text AS "parentId",
trunc(2::numeric ^ (CASE family(t.prefix) WHEN 4 THEN 32 ELSE 128 END - masklen(t.prefix)))::text AS "size",
used.hosts AS "usedAddresses",
used.hosts::float8 / 2::float8 ^ (CASE family(t.prefix) WHEN 4 THEN 32 ELSE 128 END - masklen(t.prefix)) AS "utilisation",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :joins
CROSS JOIN LATERAL (SELECT (CASE WHEN masklen(t.prefix) <= CASE family(t.prefix) WHEN 4 THEN CASE WHEN masklen(t.prefix)
    <= 16 THEN 16 ELSE 24 END ELSE CASE WHEN masklen(t.prefix) <= 64 THEN 64 ELSE 120 END END THEN (SELECT coalesce(sum(b.hosts),
        0)::bigint FROM address_blocks b WHERE b.space = coalesce(t.vrf_id, '00000000-0000-0000-0000-000000000000') AND masklen(b.block)
      = CASE family(t.prefix) WHEN 4 THEN CASE WHEN masklen(t.prefix) <= 16 THEN 16 ELSE 24 END ELSE CASE WHEN masklen(t.prefix)
      <= 64 THEN 64 ELSE 120 END END AND b.block BETWEEN t.prefix AND set_masklen(broadcast(t.prefix), CASE family(broadcast(t.prefix))
        WHEN 4 THEN 32 ELSE 128 END)) ELSE (SELECT count(*) FROM address_hosts h WHERE h.space = coalesce(t.vrf_id, '00000000-0000-0000-0000-000000000000')
      AND h.host BETWEEN t.prefix AND set_masklen(broadcast(t.prefix), CASE family(broadcast(t.prefix)) WHEN 4 THEN 32 ELSE
        128 END)) END) AS hosts OFFSET 0) used

-- :version
to_hex(hashtextextended(ROW(t.id, t.prefix, t.vrf_id, t.site_id, t.vlan_id, t.tenant_group_id, t.status, t.role, t.is_pool,
      t.description, t.updated_at)::text, 0))

-- List
WITH counted AS MATERIALIZED (SELECT total, total AS reach, pending
  FROM (SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending
    FROM record_counts
    WHERE table_name = 'prefixes') kept), page_keys AS (SELECT t.id, t.created_at
  FROM prefixes t
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
              ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM prefixes t WHERE t.id = keys.id OFFSET 0) t)
          t WHERE t.before IS NULL OR t.before <= 524288) t :joins ORDER BY t.place_in_page) r OFFSET 0) records) page) p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM prefixes t :joins
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO prefixes (prefix, vrf_id, site_id, vlan_id, tenant_group_id, status, role, is_pool, description)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t :joins;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::prefixes, with_defaults('prefixes', '{}')) AS row ) INSERT INTO prefixes
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE prefixes t
  SET prefix = $1, vrf_id = $2, site_id = $3, vlan_id = $4, tenant_group_id = $5, status = $6, role = $7, is_pool = $8, description
  = $9
  WHERE t.id = $10 AND :version = ANY($11)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t :joins;

-- Change many
UPDATE prefixes t
SET (description, is_pool, prefix, role, site_id, status, tenant_group_id, vlan_id, vrf_id) = (SELECT made.description, made.is_pool,
  made.prefix, made.role, made.site_id, made.status, made.tenant_group_id, made.vlan_id, made.vrf_id
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t
RETURNING t.id;

-- Delete
DELETE
FROM prefixes t
WHERE t.id = ANY($1)
RETURNING t.id;
