import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns with an index of their own that another index of the table begins with, so that every write kept both. */
const COVERED = [
  ['change_request_targets', 'change_request_id'],
  ['device_ports', 'device_id'],
  ['device_type_ports', 'device_type_id'],
  ['incident_targets', 'incident_id'],
  ['maintenance_window_targets', 'maintenance_window_id'],
  ['vlans', 'vlan_group_id'],
];

export class CoveredIndexes1795700000003 implements MigrationInterface {
  readonly name = 'CoveredIndexes1795700000003';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column] of COVERED) await runner.query(`DROP INDEX ix_${table}_${column}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, column] of COVERED) {
      await runner.query(`CREATE INDEX ix_${table}_${column} ON ${table} (${column})`);
    }
  }
}
