import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['people', 'profiles'] as const;

/** Addresses that several records have in different cases, where the locale of the database has let them. */
const TAKEN = (table: string): string => `SELECT lower(email COLLATE "C") AS email, count(*)::int AS count FROM ${table}
  GROUP BY 1 HAVING count(*) > 1 ORDER BY 1 LIMIT 10`;

// An index by the rules of a locale tells addresses apart that are equal.
const up = [
  `DROP INDEX uq_people_email`,
  `CREATE UNIQUE INDEX uq_people_email ON people (lower(email COLLATE "C"))`,
  `DROP INDEX uq_profiles_email`,
  `CREATE UNIQUE INDEX uq_profiles_email ON profiles (lower(email COLLATE "C"))`,
];

const down = [
  `DROP INDEX uq_profiles_email`,
  `CREATE UNIQUE INDEX uq_profiles_email ON profiles (lower(email))`,
  `DROP INDEX uq_people_email`,
  `CREATE UNIQUE INDEX uq_people_email ON people (lower(email))`,
];

export class EmailKeys1795700000025 implements MigrationInterface {
  readonly name = 'EmailKeys1795700000025';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      const taken = (await runner.query(TAKEN(table))) as { email: string; count: number }[];
      if (taken.length === 0) continue;
      const addresses = taken.map(({ email, count }) => `${email} (${count} times)`).join(', ');
      throw new Error(
        `The database cannot be upgraded yet, because ${table} have the same email address in upper and lower case: ${addresses}. Change all but one with the release before, or in SQL (UPDATE ${table} SET email = …), and start again`,
      );
    }
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
