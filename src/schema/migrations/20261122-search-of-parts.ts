import type { MigrationInterface, QueryRunner } from 'typeorm';
import { searchIndex, type ListedColumns } from './record-table.js';

/** What the search of everything reads of parts. */
const TABLES: Record<string, ListedColumns> = {
  device_ports: { lines: ['name', 'label', 'mac_address'], texts: ['description'] },
  device_type_modules: { lines: ['sku', 'name'], texts: ['description', 'notes'] },
};

export class SearchOfParts1795330000000 implements MigrationInterface {
  name = 'SearchOfParts1795330000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(TABLES)) await runner.query(searchIndex(table, columns));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(TABLES)) await runner.query(`DROP INDEX IF EXISTS ix_${table}_search`);
  }
}
