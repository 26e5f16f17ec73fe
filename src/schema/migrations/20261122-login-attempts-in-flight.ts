import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LoginAttemptsInFlight1795305600000 implements MigrationInterface {
  name = 'LoginAttemptsInFlight1795305600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE login_throttles ADD in_flight timestamp with time zone[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE login_throttles DROP COLUMN in_flight');
  }
}
