import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `CREATE INDEX ix_sites_slug_order ON sites (slug COLLATE "C", id)`,
  `CREATE INDEX ix_locations_slug_order ON locations (slug COLLATE "C", id)`,
  `CREATE INDEX ix_device_types_slug_order ON device_types (slug COLLATE "C", id)`,
  `CREATE INDEX ix_device_roles_slug_order ON device_roles (slug COLLATE "C", id)`,
  `CREATE INDEX ix_platforms_slug_order ON platforms (slug COLLATE "C", id)`,
  `CREATE INDEX ix_cluster_types_slug_order ON cluster_types (slug COLLATE "C", id)`,
  `CREATE INDEX ix_asset_categories_slug_order ON asset_categories (slug COLLATE "C", id)`,
  `CREATE INDEX ix_manufacturers_slug_order ON manufacturers (slug COLLATE "C", id)`,
  `CREATE INDEX ix_vendors_slug_order ON vendors (slug COLLATE "C", id)`,
  `CREATE INDEX ix_tenant_groups_slug_order ON tenant_groups (slug COLLATE "C", id)`,
];

const down = [
  `DROP INDEX IF EXISTS ix_tenant_groups_slug_order`,
  `DROP INDEX IF EXISTS ix_vendors_slug_order`,
  `DROP INDEX IF EXISTS ix_manufacturers_slug_order`,
  `DROP INDEX IF EXISTS ix_asset_categories_slug_order`,
  `DROP INDEX IF EXISTS ix_cluster_types_slug_order`,
  `DROP INDEX IF EXISTS ix_platforms_slug_order`,
  `DROP INDEX IF EXISTS ix_device_roles_slug_order`,
  `DROP INDEX IF EXISTS ix_device_types_slug_order`,
  `DROP INDEX IF EXISTS ix_locations_slug_order`,
  `DROP INDEX IF EXISTS ix_sites_slug_order`,
];

export class Slugs1795700000007 implements MigrationInterface {
  readonly name = 'Slugs1795700000007';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
