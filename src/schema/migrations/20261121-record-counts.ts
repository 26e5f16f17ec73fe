import type { MigrationInterface, QueryRunner } from 'typeorm';
import { down, up } from '../record-counts.sql.js';

export class RecordCounts1795219200011 implements MigrationInterface {
  name = 'RecordCounts1795219200011';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
