import { JoinedField, NameField, ReferenceField, TextField, TimestampField } from '../fields/fields.js';
import { RecordEntity } from '../fields/record-entity.js';
import { StoredRecord } from '../fields/record.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { raw, sql, write } from '../database/sql.js';
import { declaredSqlOf } from './record-sql.js';

const ID = '2ddb5741-86c5-41c0-bb95-b0c1fd274331';

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

describe('a joined field', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase()));
  afterAll(() => database.drop());

  it('is shown as the joined record shows it, and null without one', async () => {
    const { db } = database;
    await db.transaction(async (tx) => {
      await tx.write(
        write`CREATE TEMP TABLE parents (id uuid, name text, born_at timestamptz, created_at timestamptz, updated_at timestamptz)`,
      );
      await tx.write(
        write`CREATE TEMP TABLE children (id uuid, parent_id uuid, created_at timestamptz, updated_at timestamptz)`,
      );
      await tx.write(
        write`INSERT INTO parents (id, name, born_at) VALUES ('${raw(ID)}', 'Ada', '1815-12-10T01:00:00+01:00')`,
      );
      await tx.write(write`INSERT INTO children (parent_id) VALUES ('${raw(ID)}'), (NULL)`);
      const rows = await tx.query<{ json: string }>(
        declaredSqlOf(Child).selectJson('children', 'ORDER BY t.parent_id'),
      );
      expect(rows.map(({ json }) => JSON.parse(json))).toMatchObject([
        { parentId: ID, parentName: 'Ada', parentBornAt: '1815-12-10T00:00:00.000Z' },
        { parentId: null, parentName: null, parentBornAt: null },
      ]);
    });
  });
});

it('takes only stored fields for columns', () =>
  expect(declaredSqlOf(Child).stored.map(({ columnName }) => columnName)).toEqual([
    'id',
    'parent_id',
    'created_at',
    'updated_at',
  ]));

it.each([
  [Stray, 'Parent has no stored field height'],
  [Orphan, 'Orphan.name does not refer to a record'],
])('names what a joined field of %p lacks', (record, message) =>
  expect(() => declaredSqlOf<StoredRecord>(record).selectJson('t')).toThrow(message),
);

it('is called as its record says', () =>
  expect([declaredSqlOf(Child).label, declaredSqlOf(Stray).label]).toEqual(['XY child', 'Stray']));

describe('a page of long records', () => {
  let database: TestDatabase;
  @RecordEntity('long_ones', { area: null })
  class Long extends StoredRecord {
    @NameField('Name') name!: string;
    @TextField('Text') text!: string | null;
  }
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.db.write(
      write`CREATE TABLE long_ones (id uuid DEFAULT gen_random_uuid(), created_at timestamptz DEFAULT now(), updated_at timestamptz DEFAULT now(), name text, text text)`,
    );
  });
  afterAll(() => database.drop());

  /** Reads a page of records whose texts have these numbers of kilobytes. */
  async function pageOf(...kilobytes: number[]): Promise<{ names: string[]; cut: boolean }> {
    await database.db.write(write`DELETE FROM long_ones`);
    await database.db.write(
      write`INSERT INTO long_ones (name, text) SELECT n, repeat('x', k * 1024) FROM unnest(${kilobytes}::int[]) WITH ORDINALITY r (k, n)`,
    );
    const [page] = await database.db.query<{ rows: string; cut: boolean }>(
      declaredSqlOf(Long).selectPage(raw('SELECT id FROM long_ones ORDER BY name::int')),
    );
    return { names: (JSON.parse(`[${page!.rows}]`) as Long[]).map(({ name }) => name), cut: page!.cut };
  }

  it.each([
    [[1, 1, 1], ['1', '2', '3'], false],
    [[200, 200, 100], ['1', '2', '3'], false],
    [[200, 200, 200, 1], ['1', '2'], true],
    [[600, 1, 1], ['1'], true],
    [[600], ['1'], false],
    [[1, 600, 600, 600], ['1'], true],
    [[511, 10], ['1'], true],
  ])('of %j kB has as many as fit into a text', async (kilobytes, names, cut) => {
    expect(await pageOf(...kilobytes)).toEqual({ names, cut });
  });

  it('makes the text of no record that certainly does not fit', async () => {
    await pageOf(...Array.from({ length: 20 }, () => 600));
    const plan = await database.db.query<{ 'QUERY PLAN': string }>(
      sql`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ${declaredSqlOf(Long).selectPage(raw('SELECT id FROM long_ones'))}`,
    );
    const scan = plan.map((row) => row['QUERY PLAN']).find((line) => line.includes('Subquery Scan on r'));
    expect(scan).toMatch(/rows=2(?:\.00)? /);
  });
});
