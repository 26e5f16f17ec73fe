import type { MigrationInterface, QueryRunner } from 'typeorm';
import * as network from '../../network/network.sql.js';
import * as procurement from '../../procurement/procurement.sql.js';

/** What decorators cannot express: expression and partial indexes, and the rules that triggers hold. */
const up = [
  'CREATE UNIQUE INDEX uq_profiles_email ON profiles (lower(email))',
  'CREATE UNIQUE INDEX uq_people_email ON people (lower(email))',
  ...network.up,
  ...procurement.up,
];

const down = [...procurement.down, ...network.down, 'DROP INDEX uq_people_email', 'DROP INDEX uq_profiles_email'];

export class Rules1795219200001 implements MigrationInterface {
  name = 'Rules1795219200001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
