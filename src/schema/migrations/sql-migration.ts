import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A migration that is a list of statements each way. */
export abstract class SqlMigration implements MigrationInterface {
  abstract readonly name: string;
  protected abstract readonly statements: { up: readonly string[]; down: readonly string[] };

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements.up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements.down) await runner.query(statement);
  }
}
