import { sql, type Sql } from '../../src/database/sql.js';
import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { Client } from 'pg';
import type { Executor } from '../../src/database/executor.js';
import { pattern, textCondition, type TextOperator } from '../../src/lists/search-text.js';
import { administer, createTestDatabase, type TestDatabase, urlOf } from '../support/database.js';
import { itOnServer } from '../support/server.js';

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

type Ask = (statement: Sql) => Promise<object[]>;

const OPERATORS: readonly TextOperator[] = ['ic', 'isw', 'ie'];

/** Whether the condition gives the same result as ILIKE for each text. */
async function compare(
  ask: Ask,
  operator: TextOperator,
  given: string[],
  texts: string[],
): Promise<Record<string, unknown>[]> {
  const patterns = given.map((value) => pattern(operator, value));
  const statement = sql`SELECT t, ${textCondition('t', operator, given, false)} AS found,
    t ILIKE ANY(${patterns}::text[]) AS expected FROM unnest(${texts}::text[]) t`;
  return (await ask(statement)) as Record<string, unknown>[];
}

const onDatabase: Ask = (statement) => (database.db as Executor).query(statement.unprepared());

// Letters with irregular case, letters without case, combining marks, and special characters of patterns and expressions.
const LETTERS = [
  ...'iIİıaAäÄßẞſsSkKKåÅÅσςΣǆǅǄθϴωΩᾳᾼÿŸйЙᲐაᎠꭰ中😀𐐀𐐨',
  'i\u0307',
  'a\u0308',
  ...String.raw`\%_.*+?^$(){}[]|-&#`,
  ...' \n\t0',
  '***',
  '\\d',
  '(?i)',
];
const words = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 6 });
const unicode = fc.string({ unit: 'binary', maxLength: 4 }).map((text) => text.replaceAll('\0', ''));

it('finds in texts of any letters what ILIKE finds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...OPERATORS),
      fc.array(fc.oneof(words, unicode), { minLength: 1, maxLength: 4 }),
      fc.array(fc.oneof(words, unicode), { maxLength: 20 }),
      async (operator, values, more) => {
        // Texts that contain a value in another case are more likely to match.
        const near = values.flatMap((value) => [
          value,
          `x${value}`,
          `${value}\ny`,
          value.toUpperCase(),
          value.toLowerCase(),
        ]);
        for (const { t, found, expected } of await compare(onDatabase, operator, values, [...more, ...near]))
          expect({ t, found }).toEqual({ t, found: expected });
      },
    ),
    { numRuns: 150 },
  );
});

it('takes as many and as long values as a filter takes', async () => {
  const values = Array.from({ length: 16 }, (_, n) =>
    Array.from({ length: 255 }, (_each, at) => String.fromCodePoint(0x391 + ((at * 7 + n * 13) % 400))).join(''),
  );
  for (const operator of OPERATORS) {
    const texts = [values[7]!.toUpperCase(), values[7]!, values[7]!.slice(1), ''];
    const rows = await compare(onDatabase, operator, values, texts);
    expect(rows.map(({ found }) => found)).toEqual(rows.map(({ expected }) => expected));
    expect(rows[1]!.found).toBe(true);
  }
});

itOnServer('uses the rules of ICU in a database that has them', async () => {
  const name = `icu_${randomBytes(5).toString('hex')}`;
  await administer(
    `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LC_COLLATE 'C' LC_CTYPE 'C'`,
  );
  const client = new Client({ connectionString: urlOf(name) });
  await client.connect();
  const ask: Ask = async ({ text, values }) => (await client.query(text, [...values])).rows;
  try {
    for (const operator of OPERATORS)
      for (const value of ['i', 'İ', 'ας', 'ασ', 'ß', 'a.b'])
        for (const { t, found, expected } of await compare(
          ask,
          operator,
          [value, 'zz'],
          ['İ', 'i', 'ΑΣ', 'ΑΣΑ', 'ẞ', 'axb', 'A.B'],
        ))
          expect({ value, t, found }).toEqual({ value, t, found: expected });
  } finally {
    await client.end();
    await administer(`DROP DATABASE ${name}`);
  }
});
