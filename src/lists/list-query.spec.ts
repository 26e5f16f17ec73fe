/** @jest-environment node */
import { where } from '../database/sql.js';
import type { StoredField } from '../fields/field.js';
import { EnumField, IntegerField, NameField } from '../fields/fields.js';
import { RecordEntity } from '../fields/record-entity.js';
import { StoredRecord } from '../fields/record.js';
import { integer } from '../fields/types/number.js';
import { listOf } from './list-query.js';
import { recordSqlOf } from './record-sql.js';
import { keptCondition, orderOf, requestConditions, variesWithValues } from './request-sql.js';

@RecordEntity('boats', { area: null })
class Boat extends StoredRecord {
  @NameField('Name') name!: string;
  @EnumField('State', 'BoatState', ['afloat', 'sunk'], { counted: true, required: true }) state!: string;
  @IntegerField('Masts') masts!: number | null;
}

const boats = recordSqlOf(Boat);
const { state, masts } = { state: boats.field('state'), masts: boats.field('masts') };
const list = listOf(Boat);

it('reads a query string as values, and nothing of SQL', () => {
  const request = list.parse({
    state: ['afloat', 'sunk'],
    masts__gte: '2',
    search: 'Ada',
    order: 'desc',
    pageSize: '5',
  });
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
  const { text, values } = where(requestConditions(list.parse({ masts__gte: ['2', '3'], state__n: 'sunk' }), boats));
  expect(text).toBe('WHERE t.masts >= ANY($1::integer[]) AND t.state COLLATE "C" <> $2::text');
  expect(values).toEqual([[2, 3], 'sunk']);
});

it.each([
  [{ state: 'sunk' }, { column: 'state', operator: '=', values: ['$1::text', ['sunk']] }],
  [{ state__n: 'sunk' }, { column: 'state', operator: '<>', values: ['$1::text', ['sunk']] }],
  [{ state__ic: 'sunk' }, undefined],
  [{ masts: '2' }, undefined],
])('knows of the filter %j whether kept counts can answer it', (query, kept) => {
  const found = keptCondition(list.parse(query).filters[0]!);
  expect(found && { ...found, values: found.values.toJSON() }).toEqual(kept);
});

it.each([
  [{}, false],
  [{ state: 'sunk' }, false],
  [{ masts__gt: '1' }, true],
  [{ search: 'Ada' }, true],
])('knows of the request %j whether its plan depends on its values', (query, varies) => {
  expect(variesWithValues(list.parse(query))).toBe(varies);
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
  const further = [crew];

  it('filters and sorts by them', () => {
    const request = list.with(further).parse({ 'customFields.crew__gt': '3', sort: 'customFields.crew' });
    expect(requestConditions(request, boats).map((condition) => condition.toJSON())).toEqual([
      [`(t.custom_fields->>'crew')::int > $1::integer`, [3]],
    ]);
    expect(orderOf(request.sort)).toBe(`(t.custom_fields->>'crew')::int ASC, t.id ASC`);
  });

  it('leaves the list without them as it is, and makes the parameters once', () => {
    expect(() => list.parse({ 'customFields.crew': '3' })).toThrow(`Unknown filter 'customFields.crew'`);
    expect(list.with(further)).toBe(list.with(further));
    expect(list.with([])).toBe(list);
  });
});
