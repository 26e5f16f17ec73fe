import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  // The columns of a function that exists cannot be changed.
  `DROP FUNCTION coverage_spans(date)`,
  `-- All coverage: what contracts and SLAs cover, and the warranties of assets, each from its first to its last day, which are null if it is
-- open. \`is_active\`: the day is one of these, and the status of the contract lets it count. It has one statement, so that PostgreSQL makes it
-- part of the query that reads from it, and reads no more than that needs. \`device_id\` and \`asset_id\` are \`record_id\` where that is a device or an
-- asset: the coverage of many of them is found by an index.
CREATE OR REPLACE FUNCTION coverage_spans(on_day date)
RETURNS TABLE (resource text, record_id uuid, kind text, source text, source_id uuid, source_name text, vendor_id uuid, first_day date, last_day date, is_active boolean, is_draft boolean, device_id uuid, asset_id uuid)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT s.resource, s.record_id, s.kind, s.source, s.source_id, s.source_name, s.vendor_id, s.first_day, s.last_day,
    s.is_live AND coalesce(s.first_day <= on_day, true) AND coalesce(s.last_day >= on_day, true), s.is_draft,
    s.device_id, s.asset_id
  FROM (
    SELECT x.resource::text, x.record_id, 'contract'::text, 'contracts'::text, c.id, c.name::text, c.vendor_id,
      coalesce(x.start_date, c.start_date), coalesce(x.end_date, c.end_date),
      c.status NOT IN ('draft', 'expired', 'terminated'), c.status = 'draft',
      x.device_id, x.asset_id
    FROM contract_coverage x JOIN contracts c ON c.id = x.contract_id
    UNION ALL
    SELECT x.resource::text, x.record_id, 'sla'::text, 'slas'::text, s.id, s.name::text, s.vendor_id, x.start_date, x.end_date, true, false,
      x.device_id, x.asset_id
    FROM sla_coverage x JOIN slas s ON s.id = x.sla_id
    UNION ALL
    SELECT 'assets'::text, a.id, 'warranty'::text, 'assets'::text, a.id, a.name::text, o.vendor_id,
      (a.purchased_at AT TIME ZONE INTERVAL '0')::date, (a.warranty_until AT TIME ZONE INTERVAL '0')::date, true, false,
      NULL::uuid, a.id
    FROM assets a LEFT JOIN purchase_orders o ON o.id = a.purchase_order_id WHERE a.warranty_until IS NOT NULL
  ) s (resource, record_id, kind, source, source_id, source_name, vendor_id, first_day, last_day, is_live, is_draft, device_id, asset_id)
$$;`,
];

const down = [
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  // The columns of a function that exists cannot be changed.
  `DROP FUNCTION coverage_spans(date)`,
  `-- All coverage: what contracts and SLAs cover, and the warranties of assets, each from its first to its last day, which are null if it is
-- open. \`is_active\`: the day is one of these, and the status of the contract lets it count. It has one statement, so that PostgreSQL makes it
-- part of the query that reads from it, and reads no more than that needs.
CREATE OR REPLACE FUNCTION coverage_spans(on_day date)
RETURNS TABLE (resource text, record_id uuid, kind text, source text, source_id uuid, source_name text, vendor_id uuid, first_day date, last_day date, is_active boolean, is_draft boolean)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT s.resource, s.record_id, s.kind, s.source, s.source_id, s.source_name, s.vendor_id, s.first_day, s.last_day,
    s.is_live AND coalesce(s.first_day <= on_day, true) AND coalesce(s.last_day >= on_day, true), s.is_draft
  FROM (
    SELECT x.resource::text, x.record_id, 'contract'::text, 'contracts'::text, c.id, c.name::text, c.vendor_id,
      coalesce(x.start_date, c.start_date), coalesce(x.end_date, c.end_date),
      c.status NOT IN ('draft', 'expired', 'terminated'), c.status = 'draft'
    FROM contract_coverage x JOIN contracts c ON c.id = x.contract_id
    UNION ALL
    SELECT x.resource::text, x.record_id, 'sla'::text, 'slas'::text, s.id, s.name::text, s.vendor_id, x.start_date, x.end_date, true, false
    FROM sla_coverage x JOIN slas s ON s.id = x.sla_id
    UNION ALL
    SELECT 'assets'::text, a.id, 'warranty'::text, 'assets'::text, a.id, a.name::text, o.vendor_id,
      (a.purchased_at AT TIME ZONE INTERVAL '0')::date, (a.warranty_until AT TIME ZONE INTERVAL '0')::date, true, false
    FROM assets a LEFT JOIN purchase_orders o ON o.id = a.purchase_order_id WHERE a.warranty_until IS NOT NULL
  ) s (resource, record_id, kind, source, source_id, source_name, vendor_id, first_day, last_day, is_live, is_draft)
$$;`,
];

export class CoverageSpansByKind1795720000000 implements MigrationInterface {
  readonly name = 'CoverageSpansByKind1795720000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
