import { compilePattern } from '../../src/fields/custom/pattern.js';
import { createTestDatabase, onServer, type TestDatabase } from '../support/database.js';
import { identifier, join, sql, write } from '../../src/database/sql.js';

const itOnServer = onServer ? it : it.skip;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Defines a field by SQL, with the statement of the service. */
async function define(key: string, type: string, more: Record<string, unknown> = {}): Promise<string> {
  const columns = { key, type, resources: '{vendors}', ...more };
  const [row] = await database.db.write<{ id: string }>(
    write`INSERT INTO custom_fields (${join(Object.keys(columns).map(identifier))})
      VALUES (${join(Object.values(columns).map((value) => sql`${value}`))}) RETURNING id`,
  );
  return row!.id;
}

const insert = (values: object | null, name = 'v'): Promise<{ id: string; custom_fields: unknown }[]> =>
  database.db.write(
    write`INSERT INTO vendors (name, custom_fields) VALUES (${name}, ${values && JSON.stringify(values)}) RETURNING id, custom_fields`,
  );

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'accepted',
    (error: Error) => error.message,
  );

// Removes the reserved names too, so that the next test can store values by their keys.
afterEach(async () => {
  await database.db.write(write`DELETE FROM custom_fields RETURNING id`);
  await database.db.write(write`DELETE FROM custom_field_names RETURNING key`);
});

describe('what SQL by hand writes', () => {
  it.each([
    ['text', 5, 'has a value of the wrong type'],
    ['text', 'x'.repeat(65_537), 'must be at most 65536 characters long'],
    ['integer', 1.5, 'must be a 32-bit integer'],
    ['integer', 2_147_483_648, 'must be a 32-bit integer'],
    ['integer', '5', 'has a value of the wrong type'],
    ['decimal', '01', 'must be a decimal number'],
    ['decimal', '-0.0', 'must be a decimal number'],
    ['decimal', 1.5, 'has a value of the wrong type'],
    ['boolean', 'true', 'has a value of the wrong type'],
    ['date', '2026-02-29', 'must be a date'],
    ['date', '2026-2-3', 'must be a date'],
    ['dateTime', '2026-03-01T08:30:00Z', 'must be an instant in UTC with milliseconds'],
    ['dateTime', '2026-03-01T24:30:00.000Z', 'must be an instant in UTC with milliseconds'],
    ['url', 'ftp://example.com', 'must be an absolute http or https address'],
    ['url', 'https:///x', 'must be an absolute http or https address'],
    ['url', 'https://example.com/a b', 'must be an absolute http or https address'],
    ['tags', 'a', 'has a value of the wrong type'],
    ['tags', ['b', 'a'], 'must be tags in order, each of them once'],
    ['tags', ['a', 'a'], 'must be tags in order, each of them once'],
    ['tags', [''], 'must be tags of 1 to 255 characters'],
    ['tags', [1], 'must be tags of 1 to 255 characters'],
  ])('of type %s is refused what is of no such form (%#)', async (type, value, message) => {
    await define('x', type);
    expect(await refusal(insert({ x: value }))).toBe(`customFields.x ${message}`);
  });

  it.each([
    ['text', ''],
    ['integer', -2_147_483_648],
    ['decimal', '12345678901234567890.1234567890'],
    ['boolean', false],
    ['date', '2024-02-29'],
    ['dateTime', '2026-03-01T08:30:00.000Z'],
    ['url', 'https://example.com/a?b#c'],
    ['tags', ['Z', 'a', 'ä']],
  ])('of type %s may be %j', async (type, value) => {
    await define('x', type);
    const [row] = await insert({ x: value });
    expect(row!.custom_fields).toEqual({ x: value });
  });

  it('of an integer has no fraction, not even of zero, which no filter could read', async () => {
    await define('x', 'integer');
    const written = database.db.write(
      write`INSERT INTO vendors (name, custom_fields) VALUES ('v', ${'{"x": 1.0}'}) RETURNING id`,
    );
    expect(await refusal(written)).toBe('customFields.x must be a 32-bit integer');
  });

  it('has to obey bounds, choices and patterns', async () => {
    await define('n', 'integer', { minimum: '1', maximum: '10' });
    await define('d', 'decimal', { minimum: '"9.5"' });
    await define('day', 'date', { maximum: '"2026-01-31"' });
    await define('c', 'choice', { choices: '{gold,silver}' });
    await define('t', 'tags', { choices: '{a,b}' });
    await define('p', 'text', { pattern: '^[0-9]+$', pattern_sql: '^[0-9]+$' });
    expect(await refusal(insert({ n: 11 }))).toBe('customFields.n must be between 1 and 10');
    expect(await refusal(insert({ d: '9.4999' }))).toBe('customFields.d must be at least 9.5');
    expect(await refusal(insert({ d: '10' }))).toBe('accepted');
    expect(await refusal(insert({ day: '2026-02-01' }))).toBe('customFields.day must be at most 2026-01-31');
    expect(await refusal(insert({ c: 'bronze' }))).toBe('customFields.c must be one of gold, silver');
    expect(await refusal(insert({ t: ['a', 'c'] }))).toBe('customFields.t must have entries of a, b');
    expect(await refusal(insert({ p: '12a' }))).toBe('customFields.p must match ^[0-9]+$');
    expect(await refusal(insert({ unknown: 1 }))).toBe('customFields.unknown is not a known property');
    expect(await refusal(insert([] as never))).toBe('customFields must be an object');
  });

  it('gets defaults, and needs what is required', async () => {
    await define('tier', 'text', { default_value: '"gold"' });
    const [row] = await insert(null);
    expect(row!.custom_fields).toEqual({ tier: 'gold' });
    expect((await insert({ tier: null }))[0]!.custom_fields).toBeNull();
    await define('owner', 'text', { required: true });
    expect(await refusal(insert(null))).toBe('customFields.owner is required');
    expect((await insert({ owner: 'x' }))[0]!.custom_fields).toEqual({ owner: 'x', tier: 'gold' });
  });

  it('holds a value once where it is unique, decimals as numbers', async () => {
    await define('erp', 'decimal', { is_unique: true });
    const [first] = await insert({ erp: '1.50' });
    expect(await refusal(insert({ erp: '1.5' }))).toBe('customFields.erp is already taken by another record');
    await database.db.write(
      write`UPDATE vendors SET custom_fields = '{"erp": "1.5"}' WHERE id = ${first!.id} RETURNING id`,
    );
    await database.db.write(write`DELETE FROM vendors WHERE id = ${first!.id} RETURNING id`);
    expect(await refusal(insert({ erp: '1.500' }))).toBe('accepted');
  });

  it('refers to records, and is cleared with them, in the log as well', async () => {
    await define('parent', 'reference', { target: 'vendors' });
    const [target] = await insert(null, 'target');
    expect(await refusal(insert({ parent: '00000000-0000-4000-8000-000000000000' }))).toBe(
      'customFields.parent does not refer to an existing record',
    );
    const [row] = await insert({ parent: target!.id });
    await database.db.write(write`DELETE FROM vendors WHERE id = ${target!.id} RETURNING id`);
    const [after] = await database.db.query(sql`SELECT custom_fields FROM vendors WHERE id = ${row!.id}`);
    expect(after).toEqual({ custom_fields: null });
    const [entry] = await database.db.query(
      sql`SELECT custom_entry(old_values->'custom_fields', new_values->'custom_fields') AS before, custom_entry(new_values->'custom_fields', old_values->'custom_fields') AS after
       FROM change_log WHERE record_id = ${row!.id} AND action = 'update'`,
    );
    expect(entry).toEqual({ before: { 'customFields.parent': target!.id }, after: { 'customFields.parent': null } });
  });

  it('may refer to its own record, also to a new one', async () => {
    await define('parent', 'reference', { target: 'vendors' });
    const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
    const [row] = await database.db.write(
      write`INSERT INTO vendors (id, name, custom_fields) VALUES (${id}, ${'itself'}, ${JSON.stringify({ parent: id })}) RETURNING custom_fields`,
    );
    expect(row).toEqual({ custom_fields: { parent: id } });
    await define('maker', 'reference', { target: 'manufacturers' });
    expect(
      await refusal(
        database.db.write(
          write`UPDATE vendors SET custom_fields = ${JSON.stringify({ maker: id })} WHERE id = ${id} RETURNING id`,
        ),
      ),
    ).toBe('customFields.maker does not refer to an existing record');
  });

  it('is not more than 256 KiB of a record', async () => {
    for (const key of ['a', 'b', 'c', 'd']) await define(key, 'text');
    const text = 'x'.repeat(65_000);
    expect(await refusal(insert({ a: text, b: text, c: text }))).toBe('accepted');
    expect(await refusal(insert({ a: text, b: text, c: text, d: 'ä'.repeat(65_000) }))).toBe(
      'customFields must have at most 256 KiB in all',
    );
  });
});

it('values of a field that is gone fall without an entry, and do not come back with a new field of the same key', async () => {
  await define('old', 'text');
  await define('kept', 'text');
  const [row] = await insert({ old: 'x', kept: 'y' });
  await database.db.write(write`DELETE FROM custom_fields WHERE key = 'old' RETURNING id`);
  await define('old', 'text');
  const entries = (): Promise<{ count: string }[]> =>
    database.db.query(sql`SELECT count(*) FROM change_log WHERE record_id = ${row!.id}`);
  await database.db.write(
    write`UPDATE vendors SET custom_fields = custom_fields || ${'{}'} WHERE id = ${row!.id} RETURNING id`,
  );
  const touch = write`UPDATE vendors SET custom_fields = custom_fields - 'old' WHERE id = ${row!.id} RETURNING custom_fields`;
  expect(await database.db.write(touch)).toEqual([{ custom_fields: { kept: 'y' } }]);
  expect(await entries()).toEqual([{ count: '1' }]);
  const [{ stored_as }] = (await database.db.query(sql`SELECT stored_as FROM custom_fields WHERE key = 'old'`)) as [
    { stored_as: string },
  ];
  expect(stored_as).toBe('old#2');
});

itOnServer('of 32 writers of one unique value, one wins, and all others are refused', async () => {
  await define('serial', 'text', { is_unique: true });
  const results = await Promise.all(Array.from({ length: 32 }, () => refusal(insert({ serial: 'same' }))));
  expect(results.filter((result) => result === 'accepted')).toHaveLength(1);
  expect(new Set(results)).toEqual(new Set(['accepted', 'customFields.serial is already taken by another record']));
});

itOnServer('a reference to a record that is deleted meanwhile is refused or cleared', async () => {
  await define('to', 'reference', { target: 'manufacturers' });
  for (let round = 0; round < 10; round++) {
    const [target] = await database.db.write<{ id: string }>(
      write`INSERT INTO manufacturers (name) VALUES ('m') RETURNING id`,
    );
    await Promise.all([
      ...Array.from({ length: 8 }, () => refusal(insert({ to: target!.id }))),
      database.db.write(write`DELETE FROM manufacturers WHERE id = ${target!.id} RETURNING id`),
    ]);
    const left = await database.db.query(sql`SELECT id FROM vendors WHERE custom_fields->>'to' = ${target!.id}`);
    expect(left).toEqual([]);
  }
});

it.each([
  '^[A-Z]{2}\\d+$',
  'a|b|',
  '(?:ab)+c?',
  '[^\\d]',
  '[]a-c\\-]',
  '[[:alpha:]_]+\\.',
  '\\S\\s\\w\\W',
  '.',
  '^(a|b{2})*$',
  '\\$\\^\\/',
  '^\\t?-?a-z$',
])('PostgreSQL reads the pattern %s as the service does', async (pattern) => {
  const texts = ['', 'AB12', 'ab', 'abababc', 'a b!', 'bb', 'abb', '$^/', '\n', '-', ']', '\ta-z', 'foo_.', '7', 'é'];
  const { source, test } = compilePattern(pattern);
  const rows = await database.db.query<{ found: boolean }>(
    sql`SELECT text ~ ${source} AS found FROM unnest(${texts}::text[]) WITH ORDINALITY texts (text, place) ORDER BY place`,
  );
  expect(rows.map(({ found }) => found)).toEqual(texts.map(test));
});
