import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropListIndexes, listIndexes, type ListedColumns } from './record-table.js';

const NAME_AND_DESCRIPTION: ListedColumns = { lines: ['name'], texts: ['description'] };

/** What lists searched when these indexes came in. */
const TABLES: Record<string, ListedColumns> = {
  profiles: { lines: ['email'] },
  people: { lines: ['full_name', 'email'], texts: ['notes'] },
  tenant_groups: NAME_AND_DESCRIPTION,
  on_call_schedules: NAME_AND_DESCRIPTION,
  runbooks: NAME_AND_DESCRIPTION,
  known_issues: NAME_AND_DESCRIPTION,
  maintenance_windows: NAME_AND_DESCRIPTION,
  change_requests: NAME_AND_DESCRIPTION,
  incidents: NAME_AND_DESCRIPTION,
  sites: { lines: ['name', 'facility'], texts: ['description'] },
  locations: { lines: ['name', 'facility'], texts: ['description'] },
  racks: { lines: ['name'] },
  device_types: { lines: ['model', 'part_number'], texts: ['description'] },
  device_roles: NAME_AND_DESCRIPTION,
  platforms: NAME_AND_DESCRIPTION,
  devices: { lines: ['name', 'serial_number'], texts: ['description'] },
  vrfs: { lines: ['name', 'route_distinguisher'], texts: ['description'] },
  // The addresses have an order of their own, and an index for it.
  ip_addresses: { lines: ['dns_name'], texts: ['(address::text)', 'description'] },
  cluster_types: NAME_AND_DESCRIPTION,
  clusters: NAME_AND_DESCRIPTION,
  virtual_machines: NAME_AND_DESCRIPTION,
  manufacturers: NAME_AND_DESCRIPTION,
  asset_categories: NAME_AND_DESCRIPTION,
  assets: { lines: ['name', 'asset_tag', 'serial_number'], texts: ['notes'] },
  purchase_orders: { lines: ['order_number', 'supplier_reference'], texts: ['notes'] },
  vendors: { lines: ['name', 'account_manager'], texts: ['description'] },
  contracts: { lines: ['name', 'contract_number'], texts: ['notes'] },
  slas: NAME_AND_DESCRIPTION,
  software_licences: { lines: ['name', 'product'], texts: ['notes'] },
  renewals: { lines: ['name'], texts: ['notes'] },
};

export class ListIndexes1795219200012 implements MigrationInterface {
  name = 'ListIndexes1795219200012';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(TABLES)) {
      for (const statement of listIndexes(table, columns)) await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(TABLES)) {
      for (const statement of dropListIndexes(table, columns)) await runner.query(statement);
    }
  }
}
