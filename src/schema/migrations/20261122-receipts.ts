import { logChanges } from './record-table.js';
import { SqlMigration } from './sql-migration.js';

/* Receipts of purchase orders, also for the units that were received before there were any. */

const table = [
  `CREATE TABLE receipts (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    purchase_order_id uuid NOT NULL,
    received_at timestamptz(3) NOT NULL DEFAULT now(),
    received_by varchar(255),
    reversed_at timestamptz(3),
    reversed_by varchar(255),
    lines jsonb NOT NULL,
    CONSTRAINT pk_receipts PRIMARY KEY (id),
    CONSTRAINT fk_receipts_purchase_order_id FOREIGN KEY (purchase_order_id) REFERENCES purchase_orders (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX ix_receipts_created_at_id ON receipts (created_at, id)',
  'CREATE INDEX ix_receipts_purchase_order_id ON receipts (purchase_order_id)',
  ...logChanges('receipts', { area: 'procurement' }),
  `CREATE TRIGGER receipts_stamp BEFORE UPDATE ON receipts FOR EACH ROW EXECUTE FUNCTION stamp_record()`,
];

/*
 * The change log knows a receive as one transaction of a request, which counts units of lines and creates as many assets
 * with the names of the lines. Lines that share a name take the assets in turn. An order of which the log counts more units
 * than were received was changed by other means: nothing of it is known.
 */
const fromChangeLog = `
INSERT INTO receipts (purchase_order_id, received_at, received_by, lines)
WITH counted AS MATERIALIZED (
  SELECT c.transaction_id, c.request_id, min(c.created_at) AS received_at, min(c.actor) AS received_by,
    i.purchase_order_id, i.id AS item_id, i.name, i.sort_order, i.position, i.quantity_received,
    sum((c.new_values->>'quantity_received')::int - (c.old_values->>'quantity_received')::int)::int AS quantity
  FROM purchase_order_items i JOIN change_log c ON c.record_id = i.id
  WHERE i.quantity_received > 0 AND c.resource = 'purchase-order-items' AND c.action = 'update' AND c.request_id IS NOT NULL
    AND c.new_values ? 'quantity_received'
  GROUP BY c.transaction_id, c.request_id, i.id
), known AS (
  SELECT * FROM counted WHERE purchase_order_id NOT IN (
    SELECT purchase_order_id FROM counted GROUP BY purchase_order_id, item_id, quantity_received
    HAVING sum(quantity) > quantity_received OR min(quantity) <= 0
  )
), units AS (
  SELECT known.*, unit, row_number() OVER (
      PARTITION BY transaction_id, request_id, purchase_order_id, name ORDER BY sort_order, position, unit
    ) AS place
  FROM known CROSS JOIN generate_series(1, quantity) unit
), made AS (
  SELECT c.transaction_id, c.request_id, (c.new_values->>'purchase_order_id')::uuid AS purchase_order_id,
    c.new_values->>'name' AS name, c.record_id AS asset_id, row_number() OVER (
      PARTITION BY c.transaction_id, c.request_id, c.new_values->>'purchase_order_id', c.new_values->>'name' ORDER BY c.id
    ) AS place
  FROM change_log c
  WHERE c.resource = 'assets' AND c.action = 'create' AND c.request_id IN (SELECT request_id FROM known)
), lines AS (
  SELECT transaction_id, request_id, received_at, received_by, purchase_order_id, item_id, name, sort_order, position, quantity,
    coalesce(jsonb_agg(asset_id ORDER BY place) FILTER (WHERE asset_id IS NOT NULL), '[]') AS asset_ids
  FROM units LEFT JOIN made USING (transaction_id, request_id, purchase_order_id, name, place)
  GROUP BY transaction_id, request_id, received_at, received_by, purchase_order_id, item_id, name, sort_order, position, quantity
)
SELECT purchase_order_id, min(received_at), left(min(received_by), 255), jsonb_agg(
    jsonb_build_object('itemId', item_id, 'name', name, 'quantity', quantity, 'assetIds', asset_ids) ORDER BY sort_order, position
  )
FROM lines GROUP BY transaction_id, request_id, purchase_order_id ORDER BY 2`;

/*
 * One receipt for the other units of an order, received by nobody that is known. Their assets are those of the order with the
 * name of the line, where there are as many of them as units: otherwise it is not known which.
 */
const theRest = `
INSERT INTO receipts (purchase_order_id, received_at, lines)
WITH receipt_lines AS MATERIALIZED (
  SELECT line FROM receipts CROSS JOIN jsonb_array_elements(lines) line
), rest AS (
  SELECT * FROM (
    SELECT i.purchase_order_id, i.id AS item_id, i.name, i.sort_order, i.position,
      i.quantity_received - coalesce(k.quantity, 0)::int AS quantity
    FROM purchase_order_items i LEFT JOIN (
      SELECT (line->>'itemId')::uuid AS id, sum((line->>'quantity')::int) AS quantity FROM receipt_lines GROUP BY 1
    ) k USING (id)
  ) i WHERE quantity > 0
), units AS (
  SELECT rest.*, row_number() OVER named AS place, count(*) OVER (PARTITION BY purchase_order_id, name) AS total
  FROM rest CROSS JOIN generate_series(1, quantity) unit
  WINDOW named AS (PARTITION BY purchase_order_id, name ORDER BY sort_order, position, unit)
), made AS (
  SELECT a.purchase_order_id, a.name, a.id AS asset_id, a.created_at,
    row_number() OVER (PARTITION BY a.purchase_order_id, a.name ORDER BY a.created_at, a.id) AS place,
    count(*) OVER (PARTITION BY a.purchase_order_id, a.name) AS total
  FROM assets a WHERE a.purchase_order_id IN (SELECT purchase_order_id FROM rest) AND a.id NOT IN (
    SELECT jsonb_array_elements_text(line->'assetIds')::uuid FROM receipt_lines
  )
), lines AS (
  SELECT purchase_order_id, item_id, name, sort_order, position, quantity, max(created_at) AS received_at,
    coalesce(jsonb_agg(asset_id ORDER BY place) FILTER (WHERE asset_id IS NOT NULL), '[]') AS asset_ids
  FROM units LEFT JOIN made USING (purchase_order_id, name, place, total)
  GROUP BY purchase_order_id, item_id, name, sort_order, position, quantity
)
SELECT o.id, coalesce(max(lines.received_at), o.updated_at), jsonb_agg(
    jsonb_build_object('itemId', item_id, 'name', name, 'quantity', quantity, 'assetIds', asset_ids) ORDER BY sort_order, position
  )
FROM lines JOIN purchase_orders o ON o.id = lines.purchase_order_id GROUP BY o.id`;

export class Receipts1795342000000 extends SqlMigration {
  readonly name = 'Receipts1795342000000';
  protected readonly statements = { up: [...table, fromChangeLog, theRest], down: ['DROP TABLE receipts'] };
}
