import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  // A circuit that ends before it was installed was recorded without this rule, and keeps no database from starting.
  `ALTER TABLE "circuits" ADD CONSTRAINT "ck_circuit_termination_date" CHECK ("termination_date" >= "install_date") NOT VALID`,
];

const down = [`ALTER TABLE "circuits" DROP CONSTRAINT "ck_circuit_termination_date"`];

export class CircuitDates1795760000010 implements MigrationInterface {
  readonly name = 'CircuitDates1795760000010';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
