import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  // What was bought last is found from here, whatever its type.
  `CREATE INDEX ix_assets_latest ON assets (purchased_at DESC NULLS LAST, created_at DESC, id) WHERE purchase_price IS NOT NULL`,
  `DROP FUNCTION type_prices()`,
];

const down = [
  `CREATE OR REPLACE FUNCTION type_prices()
RETURNS TABLE (device_type_id uuid, amount numeric, currency text)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT p.device_type_id, p.purchase_price, o.currency::text FROM (
    SELECT DISTINCT ON (d.device_type_id) d.device_type_id, a.purchase_price, a.purchase_order_id
    FROM devices d JOIN assets a ON a.id = d.asset_id
    WHERE d.device_type_id IS NOT NULL AND a.purchase_price IS NOT NULL
    ORDER BY d.device_type_id, a.purchased_at DESC NULLS LAST, a.created_at DESC, a.id
  ) p LEFT JOIN purchase_orders o ON o.id = p.purchase_order_id
$$`,
  `DROP INDEX ix_assets_latest`,
];

export class LatestPurchases1795700000040 implements MigrationInterface {
  readonly name = 'LatestPurchases1795700000040';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
