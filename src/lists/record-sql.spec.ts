import { JoinedField, NameField, ReferenceField, TimestampField } from '../fields/fields.js';
import { RecordEntity } from '../fields/record-entity.js';
import { StoredRecord } from '../fields/record.js';
import { recordSqlOf } from './record-sql.js';

@RecordEntity('parents', { area: null })
class Parent extends StoredRecord {
  @NameField('Name') name!: string;
  @TimestampField('Time') bornAt!: string | null;
}

@RecordEntity('children', { area: null, label: 'XY child' })
class Child extends StoredRecord {
  @ReferenceField(() => Parent, 'Parent') parentId!: string | null;
  @JoinedField('parentId', 'name', 'Name of the parent') parentName!: string | null;
  @JoinedField('parentId', 'bornAt', 'Time of the parent') parentBornAt!: string | null;
}

@RecordEntity('strays', { area: null })
class Stray extends StoredRecord {
  @NameField('Name') name!: string;
  @ReferenceField(() => Parent, 'Parent') parentId!: string | null;
  @JoinedField('parentId', 'height', 'No such field') parentHeight!: string | null;
}

@RecordEntity('orphans', { area: null })
class Orphan extends StoredRecord {
  @NameField('Name') name!: string;
  @JoinedField('name', 'name', 'Not a reference') parentName!: string | null;
}

it('answers a joined field as the joined record does', () => {
  const sql = recordSqlOf(Child).selectJson('children');
  expect(sql).toContain('parent.name AS "parentName"');
  expect(sql).toContain(
    `to_char(parent.born_at AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "parentBornAt"`,
  );
  expect(sql.match(/LEFT JOIN/g)).toEqual(['LEFT JOIN']);
  expect(sql).toContain('LEFT JOIN parents parent ON parent.id = t.parent_id');
});

it('takes only stored fields for columns', () =>
  expect(recordSqlOf(Child).stored.map(({ columnName }) => columnName)).toEqual([
    'id',
    'parent_id',
    'created_at',
    'updated_at',
  ]));

it.each([
  [Stray, 'Parent has no stored field height'],
  [Orphan, 'Orphan.name does not refer to a record'],
])('names what a joined field of %p lacks', (record, message) =>
  expect(() => recordSqlOf<StoredRecord>(record).selectJson('t')).toThrow(message),
);

it('is called as its record says', () =>
  expect([recordSqlOf(Child).label, recordSqlOf(Stray).label]).toEqual(['XY child', 'Stray']));
