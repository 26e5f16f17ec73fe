import type { MigrationInterface, QueryRunner } from 'typeorm';
import { down, up } from '../../auth/session/session.sql.js';

export class SessionChanges1795219200010 implements MigrationInterface {
  name = 'SessionChanges1795219200010';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
