-- :columns
t.id AS "id",
t.order_number AS "orderNumber",
t.vendor_id AS "vendorId",
t.status AS "status",
t.order_date AS "orderDate",
t.expected_date AS "expectedDate",
t.received_date AS "receivedDate",
t.currency AS "currency",
t.supplier_reference AS "supplierReference",
t.requested_by_id AS "requestedById",
t.site_id AS "siteId",
t.location_id AS "locationId",
t.notes AS "notes",
(SELECT (SELECT coalesce(json_agg(item.json::json), '[]')
    FROM (SELECT r.id, replace(row_to_json(r)::text, ',"stockItemId":null', '') AS json FROM (SELECT t.id AS "id", t.purchase_order_id
        AS "purchaseOrderId", t.name AS "name", t.sku AS "sku", t.quantity AS "quantity", t.quantity_received AS "quantityReceived",
        t.quantity - t.quantity_received AS "quantityRemaining", t.unit_price::text AS "unitPrice", t.category_id AS "categoryId",
        t.manufacturer_id AS "manufacturerId", t.stock_item_id AS "stockItemId", t.warranty_months AS "warrantyMonths", t.notes
        AS "notes", t.sort_order AS "sortOrder", to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        AS "createdAt", to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt" FROM
        purchase_order_items t WHERE t.purchase_order_id = parent.id ORDER BY t.sort_order, t.position) r) item)
  FROM (SELECT t.id) parent) AS "items",
(SELECT coalesce(sum(quantity), 0)
  FROM purchase_order_items
  WHERE purchase_order_id = t.id) AS "orderedQuantity",
(SELECT coalesce(sum(quantity_received), 0)
  FROM purchase_order_items
  WHERE purchase_order_id = t.id) AS "receivedQuantity",
(SELECT coalesce(sum(quantity * unit_price), 0.00)::text
  FROM purchase_order_items
  WHERE purchase_order_id = t.id) AS "totalPrice",
to_char(t.created_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
to_char(t.updated_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"

-- :version
to_hex(hashtextextended(ROW(t.id, t.order_number, t.vendor_id, t.status, t.order_date, t.expected_date, t.received_date,
      t.currency, t.supplier_reference, t.requested_by_id, t.site_id, t.location_id, t.notes, t.updated_at)::text, 0))

-- List
WITH counted AS MATERIALIZED (SELECT total, total AS reach, pending
  FROM (SELECT coalesce(sum(delta), 0)::float8 AS total, count(*)::int AS pending
    FROM record_counts
    WHERE table_name = 'purchase_orders') kept), page_keys AS (SELECT t.id, t.created_at
  FROM purchase_orders t
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
              ORDER BY place_in_page ) keys CROSS JOIN LATERAL (SELECT * FROM purchase_orders t WHERE t.id = keys.id OFFSET
              0) t) t WHERE t.before IS NULL OR t.before <= 524288) t ORDER BY t.place_in_page) r OFFSET 0) records) page)
p;

-- Read
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM purchase_orders t
WHERE t.id = ANY($1);

-- Create
WITH written AS (INSERT INTO purchase_orders (order_number, vendor_id, status, order_date, expected_date, received_date,
    currency, supplier_reference, requested_by_id, site_id, location_id, notes)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  RETURNING *)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Create many
WITH written AS (WITH defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::purchase_orders, with_defaults('purchase_orders', '{}')) AS row ) INSERT INTO purchase_orders
  SELECT made.*
  FROM defaults, json_populate_recordset(defaults.row, $1) made
  RETURNING *)
SELECT count(*)
FROM written;

-- Change
WITH written AS (UPDATE purchase_orders t
  SET order_number = $1, vendor_id = $2, status = $3, order_date = $4, expected_date = $5, received_date = $6, currency =
  $7, supplier_reference = $8, requested_by_id = $9, site_id = $10, location_id = $11, notes = $12
  WHERE t.id = $13 AND :version = ANY($14)
  RETURNING t.*)
SELECT t.id, (SELECT row_to_json(r)::text
  FROM (SELECT :columns) r) AS json, :version AS version
FROM written t;

-- Change many
UPDATE purchase_orders t
SET (currency, expected_date, location_id, notes, order_date, order_number, received_date, requested_by_id, site_id, status,
  supplier_reference, vendor_id) = (SELECT made.currency, made.expected_date, made.location_id, made.notes, made.order_date,
  made.order_number, made.received_date, made.requested_by_id, made.site_id, made.status, made.supplier_reference, made.vendor_id
  FROM jsonb_populate_record(t, given.row) made)
FROM jsonb_array_elements($1) given (row)
WHERE t.id = (given.row->>'id')::uuid AND t.id = ANY($2::uuid[]) AND jsonb_populate_record(t, given.row) *<> t
RETURNING t.id;

-- Delete
DELETE
FROM purchase_orders t
WHERE t.id = ANY($1)
RETURNING t.id;
