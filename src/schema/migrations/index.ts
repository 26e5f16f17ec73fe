import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The time of a migration, which gives the order, and what it does. */
const FILE = /^(\d{13})-([a-z0-9]+(?:-[a-z0-9]+)*)\.sql$/;

/** The name by which the table of migrations knows a file: `DeviceBays1795824000001` for `1795824000001-device-bays.sql`. */
export function nameOfMigration(file: string): string {
  const [, time, slug] = FILE.exec(file)!;
  return `${slug!.replaceAll(/(?:^|-)([a-z0-9])/g, (_, first: string) => first.toUpperCase())}${time}`;
}

/** There is no way back, because the version before works on the tables of this one (ADR 20). */
function migrationOf(file: string): new () => MigrationInterface {
  const name = nameOfMigration(file);
  // TypeORM takes the name of the class.
  const { [name]: Migration } = {
    [name]: class implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query(readFileSync(join(__dirname, file), 'utf8'));
      }

      down(): Promise<void> {
        return Promise.reject(new Error(`${name} cannot be reverted: restore a backup`));
      }
    },
  };
  return Migration!;
}

/** Migrations in the order they run: the SQL files of this folder. One that is released is never changed. */
export const migrations: readonly (new () => MigrationInterface)[] = readdirSync(__dirname)
  .filter((file) => FILE.test(file))
  .toSorted()
  .map(migrationOf);
