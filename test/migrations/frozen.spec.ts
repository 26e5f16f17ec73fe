import { createHash } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { migrations } from '../../src/schema/migrations/index.js';
import digests from './frozen.json';

/** SHA-256 of the statements that a migration runs, in their order. */
async function digestOf(migration: InstanceType<(typeof migrations)[number]>, way: 'up' | 'down'): Promise<string> {
  const hash = createHash('sha256');
  // A migration that queries the database gets one schema and one table.
  const query = async (sql: string): Promise<object[]> => {
    hash.update(`${sql}\0`);
    return [{ schema: 'public', name: 'records' }];
  };
  await migration[way]({ query } as unknown as QueryRunner);
  return hash.digest('hex');
}

const timestampOf = (name: string): number => Number(/\d{13}$/.exec(name)![0]);

// TypeORM runs them by their timestamps. One with an earlier timestamp than those before it in the list would run without them
// on a new database.
it('the migrations are listed in the order in which they run', () => {
  const listed = migrations.map(({ name }) => timestampOf(name));
  expect(listed).toEqual(listed.toSorted((a, b) => a - b));
});

// A database does not repeat a migration, so a changed migration would only affect new databases. For a new migration, add its
// digests to frozen.json; the failure of this test shows them.
it('every migration runs the statements that it was published with', async () => {
  const found: Record<string, { up: string; down: string }> = {};
  for (const Migration of migrations) {
    const migration = new Migration();
    found[migration.name!] = { up: await digestOf(migration, 'up'), down: await digestOf(migration, 'down') };
  }
  expect(found).toEqual(digests);
});
