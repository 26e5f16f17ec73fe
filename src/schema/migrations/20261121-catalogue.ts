import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notes what the shipped catalogue has brought. */
export class Catalogue1795219200002 implements MigrationInterface {
  name = 'Catalogue1795219200002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE catalogue_entries (
         kind text NOT NULL,
         slug text NOT NULL,
         CONSTRAINT pk_catalogue_entries PRIMARY KEY (kind, slug)
       )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE catalogue_entries');
  }
}
