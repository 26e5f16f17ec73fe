import { NO_FIELDS } from '../fields/custom/defined-fields.js';
import { where } from '../database/sql.js';
import type { StoredField } from '../fields/field.js';
import { EnumField, IntegerField, NameField } from '../fields/fields.js';
import { RecordEntity } from '../fields/record-entity.js';
import { StoredRecord } from '../fields/record.js';
import { integer } from '../fields/types/number.js';
import { type Knowing, listOf } from './list-query.js';
import { compile, declaredSqlOf } from './record-sql.js';
import { orderOf, planOf, requestConditions } from './request-sql.js';

@RecordEntity('boats', { area: null })
class Boat extends StoredRecord {
  @NameField('Name') name!: string;
  @EnumField('State', 'BoatState', ['afloat', 'sunk'], { counted: true, required: true }) state!: string;
  @IntegerField('Masts') masts!: number | null;
}

const boats = declaredSqlOf(Boat);
const { state, masts } = { state: boats.field('state'), masts: boats.field('masts') };
const list = listOf(Boat);
const declared = { resource: declaredSqlOf };

it('reads a query string as values, and nothing of SQL', () => {
  const request = list.parse(
    {
      state: ['afloat', 'sunk'],
      masts__gte: '2',
      search: 'Ada',
      order: 'desc',
      pageSize: '5',
    },
    declared,
  );
  expect(request).toMatchObject({
    filters: [
      { field: state, operator: 'eq', values: ['afloat', 'sunk'] },
      { field: masts, operator: 'gte', values: [2] },
    ],
    search: 'Ada',
    sort: { field: boats.field('createdAt'), direction: 'DESC' },
    page: 1,
    pageSize: 5,
    expand: [],
  });
});

it('makes the conditions of the values', () => {
  const { text, values } = where(
    requestConditions(list.parse({ masts__gte: ['2', '3'], state__n: 'sunk' }, declared), boats),
  );
  expect(text).toBe('WHERE t.masts >= ANY($1::integer[]) AND t.state COLLATE "C" <> $2::text');
  expect(values).toEqual([[2, 3], 'sunk']);
});

it.each([
  [{}, "FROM record_counts WHERE table_name = 'boats'"],
  [{ state: 'sunk' }, "FROM value_counts WHERE table_name = 'boats' AND column_name = 'state' AND value = $1::text"],
  [
    { state__n: 'sunk' },
    "FROM value_counts WHERE table_name = 'boats' AND column_name = 'state' AND value <> $1::text",
  ],
  [{ state__ic: 'sunk' }, undefined],
  [{ masts: '2' }, undefined],
  [{ state: 'sunk', masts: '2' }, undefined],
  [{ state: 'sunk', search: 'Ada' }, undefined],
])('knows of the request %j whether its total is kept', (query, kept) => {
  const found = planOf(list.parse(query, declared), boats).kept;
  expect(found && /FROM .*/s.exec(found.text)?.[0]).toBe(kept);
});

it.each([
  [{}, false],
  [{ state: 'sunk' }, false],
  [{ masts__gt: '1' }, true],
  [{ search: 'Ada' }, true],
])('knows of the request %j whether its plan depends on its values', (query, varies) => {
  expect(planOf(list.parse(query, declared), boats).variesWithValues).toBe(varies);
});

it('is one definition for each class and its own filters', () => {
  expect(listOf(Boat)).toBe(list);
  expect(listOf(Boat, [])).not.toBe(list);
});

describe('with further fields', () => {
  const crew: StoredField = {
    ...masts,
    property: 'customFields.crew',
    type: integer,
    columnName: 'custom_fields',
    sql: (t) => `(${t}.custom_fields->>'crew')::int`,
  };
  const custom = { fields: [crew], parts: new Map(), digest: '1', json: () => '' };
  const further: Knowing = { resource: (record) => compile(record, custom) };

  it('filters and sorts by them', () => {
    const request = list.parse({ 'customFields.crew__gt': '3', sort: 'customFields.crew' }, further);
    expect(requestConditions(request, boats).map((condition) => condition.toJSON())).toEqual([
      [`(t.custom_fields->>'crew')::int > $1::integer`, [3]],
    ]);
    expect(String(orderOf(request.sort).text)).toBe(`(t.custom_fields->>'crew')::int ASC, t.id ASC`);
  });

  it('leaves the list without them as it is, and makes the parameters once', () => {
    expect(() => list.parse({ 'customFields.crew': '3' }, declared)).toThrow(`Unknown filter 'customFields.crew'`);
    const resource = further.resource(Boat);
    expect(list.parametersOf(resource)).toBe(list.parametersOf(resource));
    expect(list.parameters(NO_FIELDS)).toBe(list.parametersOf(boats));
  });
});
