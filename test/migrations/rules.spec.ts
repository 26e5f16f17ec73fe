import { describedConstraints } from '../../src/database/constraint-faults.js';
import { getMetadataArgsStorage } from 'typeorm';
import { toDomainError } from '../../src/database/database-errors.js';
import { fieldsOf, type Class } from '../../src/fields/field.js';
import { entities } from '../../src/schema/entities.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { sql, raw } from '../../src/database/sql.js';

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
  const known = new Set((await database.db.query<{ name: string }>(raw(NAMES))).map(({ name }) => name));
  expect(described.filter((name) => !known.has(name))).toEqual([]);
});

// Without a sentence the answer says only that a value is not allowed.
it('every rule that a trigger raises has a sentence', async () => {
  const raised = await database.db.query<{ name: string }>(
    sql`SELECT raised[1] AS name FROM pg_proc p
     CROSS JOIN LATERAL regexp_matches(p.prosrc, 'CONSTRAINT = ''(\\w+)''', 'g') raised
     WHERE p.pronamespace = 'public'::regnamespace`,
  );
  expect(raised.length).toBeGreaterThan(5);
  expect(raised.map(({ name }) => name).filter((name) => !describedConstraints().includes(name))).toEqual([]);
});

/** Made by the service, which makes none twice. */
const MADE = ['ix_sessions_token_hash', 'ix_calendar_feeds_secret_hash', 'ix_custom_fields_stored_as'];

const KINDS: Readonly<Record<string, string>> = { p: '23505', u: '23505', f: '23503', c: '23514' };

// A name of the database says nothing to a client: pkSites, ckAssetsOwner.
it('every constraint is told as a field of its record', async () => {
  const constraints = await database.db.query<{ table: string; name: string; kind: string }>(
    sql`SELECT conrelid::regclass::text AS table, conname::text AS name, contype::text AS kind FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f', 'c')
     UNION SELECT indrelid::regclass::text, c.relname, 'u' FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       WHERE indisunique AND c.relnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid)`,
  );
  const strange = getMetadataArgsStorage().tables.flatMap(({ target, name: table }) => {
    const properties = new Set(fieldsOf(target as Class).map(({ property }) => property));
    return constraints.flatMap(({ name, kind, table: of }) => {
      if (of !== table || properties.size === 0 || MADE.includes(name) || describedConstraints().includes(name))
        return [];
      const error = Object.assign(new Error('refused'), { code: KINDS[kind], table, constraint: name });
      const fields = (toDomainError(error)!.refusal.extra.details ?? []).map(({ field }) => field);
      return fields.some((field) => !properties.has(field)) ? [`${table} ${name}: ${fields.join(', ')}`] : [];
    });
  });
  expect(constraints.length).toBeGreaterThan(300);
  expect(strange).toEqual([]);
});
