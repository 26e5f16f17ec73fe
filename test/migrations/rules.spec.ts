import { describedConstraints } from '../../src/database/constraint-faults.js';
import { entities } from '../../src/schema/entities.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** What a statement can violate by name: constraints, unique indexes, and the texts of functions that raise rules. */
const NAMES = `SELECT conname::text AS name FROM pg_constraint
  UNION SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indisunique
  UNION SELECT given[1] FROM pg_trigger t CROSS JOIN LATERAL regexp_matches(pg_get_triggerdef(t.oid), '''((?:ck|uq|ex)_[a-z_]+)''', 'g') given
  UNION SELECT raised[1] FROM pg_proc p CROSS JOIN LATERAL regexp_matches(p.prosrc, '''((?:ck|uq|ex|ix)_[a-z_]+)''', 'g') raised
    WHERE p.pronamespace = 'public'::regnamespace AND p.prosrc LIKE '%RAISE EXCEPTION%'`;

// A sentence for a constraint that was renamed would never be said: the answer would be a 500, or name no field.
it('every rule that has a sentence is a constraint of the database, or raised by a trigger', async () => {
  expect(entities.length).toBeGreaterThan(0);
  const described = describedConstraints();
  expect(described.length).toBeGreaterThan(20);
  const known = new Set((await database.db.query<{ name: string }>(NAMES)).map(({ name }) => name));
  expect(described.filter((name) => !known.has(name))).toEqual([]);
});

// Without a sentence the answer says only that a value is not allowed.
it('every rule that a trigger raises has a sentence', async () => {
  const raised = await database.db.query<{ name: string }>(
    `SELECT raised[1] AS name FROM pg_proc p
     CROSS JOIN LATERAL regexp_matches(p.prosrc, 'CONSTRAINT = ''(\\w+)''', 'g') raised
     WHERE p.pronamespace = 'public'::regnamespace`,
  );
  expect(raised.length).toBeGreaterThan(5);
  expect(raised.map(({ name }) => name).filter((name) => !describedConstraints().includes(name))).toEqual([]);
});
