import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  `-- The coverage of devices: their own, and that of their assets.
CREATE OR REPLACE FUNCTION device_coverage(on_day date)
RETURNS TABLE (device_id uuid, kind text, source text, source_id uuid, source_name text, vendor_id uuid, first_day date, last_day date, is_active boolean, is_draft boolean)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT s.record_id, s.kind, s.source, s.source_id, s.source_name, s.vendor_id, s.first_day, s.last_day, s.is_active, s.is_draft
  FROM coverage_spans(on_day) s WHERE s.resource = 'devices'
  UNION ALL
  SELECT d.id, s.kind, s.source, s.source_id, s.source_name, s.vendor_id, s.first_day, s.last_day, s.is_active, s.is_draft
  FROM devices d JOIN coverage_spans(on_day) s ON s.record_id = d.asset_id WHERE s.resource = 'assets'
$$;`,
  `-- What a device of each type was last bought for: the price of the asset that was bought last among those with a device of the type. Assets
-- without a price do not count, and those without a day of purchase come last.
CREATE OR REPLACE FUNCTION type_prices()
RETURNS TABLE (device_type_id uuid, amount numeric, currency text)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT p.device_type_id, p.purchase_price, o.currency::text FROM (
    SELECT DISTINCT ON (d.device_type_id) d.device_type_id, a.purchase_price, a.purchase_order_id
    FROM devices d JOIN assets a ON a.id = d.asset_id
    WHERE d.device_type_id IS NOT NULL AND a.purchase_price IS NOT NULL
    ORDER BY d.device_type_id, a.purchased_at DESC NULLS LAST, a.created_at DESC, a.id
  ) p LEFT JOIN purchase_orders o ON o.id = p.purchase_order_id
$$;`,
];

const down = [`DROP FUNCTION device_coverage(date)`, `DROP FUNCTION type_prices()`];

export class Exposure1795700000034 implements MigrationInterface {
  readonly name = 'Exposure1795700000034';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
