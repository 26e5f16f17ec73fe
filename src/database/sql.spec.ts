import { EMPTY, identifier, join, raw, sql, where, write } from './sql.js';

it('makes a parameter of each value', () => {
  const statement = sql`SELECT * FROM sites WHERE name = ${`x'; DROP TABLE sites`} AND id = ANY(${['a', 'b']}::uuid[])`;
  expect(statement.text).toBe('SELECT * FROM sites WHERE name = $1 AND id = ANY($2::uuid[])');
  expect(statement.values).toEqual([`x'; DROP TABLE sites`, ['a', 'b']]);
});

it('numbers the parameters of nested parts in the order of the text', () => {
  const condition = sql`a = ${1} OR b = ${2}`;
  const statement = sql`SELECT ${0} FROM t ${where([condition, sql`c = ${3}`])}`;
  expect(statement.text).toBe('SELECT $1 FROM t WHERE a = $2 OR b = $3 AND c = $4');
  expect(statement.values).toEqual([0, 1, 2, 3]);
});

it('a part that is used twice has its parameters once', () => {
  const span = sql`tstzrange(${'from'}, ${'to'})`;
  const statement = sql`SELECT hours * ${span} FROM shifts WHERE hours && ${span} AND id = ${'id'}`;
  expect(statement.text).toBe(
    'SELECT hours * tstzrange($1, $2) FROM shifts WHERE hours && tstzrange($1, $2) AND id = $3',
  );
  expect(statement.values).toEqual(['from', 'to', 'id']);
  // In another statement the same part has other numbers.
  expect(sql`SELECT ${1} WHERE ${span}`.text).toBe('SELECT $1 WHERE tstzrange($2, $3)');
});

it('a statement and a write say whether a connection prepares them', () => {
  const statement = sql`SELECT ${1}`;
  expect([statement.isPrepared, statement.unprepared().isPrepared, statement.unprepared().text]).toEqual([
    true,
    false,
    'SELECT $1',
  ]);
  const deletion = write`DELETE FROM sites WHERE id = ${'id'} RETURNING *`;
  const preparations = [deletion, deletion.unprepared()].flatMap((one) => [
    one,
    one.select(sql`SELECT id FROM written`),
  ]);
  expect(preparations.map(({ whole }) => whole.isPrepared)).toEqual([true, true, false, false]);
});

it('equal values are parameters of their own, so that the text does not depend on them', () => {
  expect(sql`SELECT ${1}, ${1}`.text).toBe('SELECT $1, $2');
});

it('joins parts, also none', () => {
  expect(join([raw('a'), sql`${1}`, raw('b')]).text).toBe('a, $1, b');
  expect(sql`SELECT 1 ${where([])}${EMPTY}${join([])}`.text).toBe('SELECT 1 ');
});

it('a text loses no values', () => {
  expect(`${sql`now()`}`).toBe('now()');
  expect(() => `${sql`now() > ${1}`}`).toThrow('SQL with values is nested with the tag: now() > $1');
});

it.each(['Site', 'a b', 'a"b', '1a', '', 'a;b'])('refuses %p as a name', (name) => {
  expect(() => identifier(name)).toThrow('is not a name in SQL');
});

it('a write may read what it has written', () => {
  const statement = write`UPDATE sites SET name = ${'Oslo'} WHERE id = ${'id'} RETURNING *`;
  expect(statement.whole.text).toBe('UPDATE sites SET name = $1 WHERE id = $2 RETURNING *');
  const selected = statement.select(sql`SELECT ${'x'}, id FROM written`).whole;
  expect(selected.text).toBe(
    'WITH written AS (UPDATE sites SET name = $1 WHERE id = $2 RETURNING *) SELECT $3, id FROM written',
  );
  expect(selected.values).toEqual(['Oslo', 'id', 'x']);
});

it('a value that is used twice is one parameter, also in a part of other SQL', () => {
  const [id, name] = [sql`${'id'}`, sql`${'Oslo'}`];
  const statement = write`UPDATE sites SET name = ${name}, slug = lower(${name}) WHERE id = ${id} OR id = ${id} RETURNING id`;
  expect(statement.whole.text).toBe(
    'UPDATE sites SET name = $1, slug = lower($1) WHERE id = $2 OR id = $2 RETURNING id',
  );
  const whole = sql`WITH a AS (SELECT ${'first'}), written AS (${statement.whole}) SELECT id FROM written`;
  expect(whole.text).toBe(
    'WITH a AS (SELECT $1), written AS (UPDATE sites SET name = $2, slug = lower($2) WHERE id = $3 OR id = $3 RETURNING id) SELECT id FROM written',
  );
  expect(whole.values).toEqual(['first', 'Oslo', 'id']);
});

it('a `$1` of the source is no parameter', () => {
  const { text, values } = sql`CREATE FUNCTION first(a jsonb) RETURNS jsonb LANGUAGE sql AS 'SELECT $1'`;
  expect([text, values]).toEqual([`CREATE FUNCTION first(a jsonb) RETURNS jsonb LANGUAGE sql AS 'SELECT $1'`, []]);
});
