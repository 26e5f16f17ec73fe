import { startService, type Api, type TestService } from '../support/app.js';
import { itInFull } from '../support/size.js';
import { itOnServer } from '../support/server.js';
import { RecordCounts } from '../../src/lists/record-counts.js';
import { raw, sql, type Sql } from '../../src/database/sql.js';

let service: TestService;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor');
});
afterAll(() => service.stop());

const run = (statement: Sql): Promise<Record<string, unknown>[]> => service.database.db.query(statement);

/** The total that the list shows. Expects that it is the number of rows. */
async function totalOf(table = 'sites', path = '/api/sites'): Promise<number> {
  const { body } = await editor.get(`${path}?pageSize=1`);
  const [counted] = await run(sql`SELECT count(*)::int AS n FROM ${raw(table)}`);
  expect(body.total).toBe(counted!.n);
  return body.total;
}

describe('the kept total of a list', () => {
  it('follows the writes of the service', async () => {
    const before = await totalOf();
    const { id } = await editor.make('/api/sites', { name: 'Kept' });
    expect(await totalOf()).toBe(before + 1);
    await editor.patch(`/api/sites/${id}`, { name: 'Changed' });
    expect(await totalOf()).toBe(before + 1);
    await editor.delete(`/api/sites/${id}`);
    expect(await totalOf()).toBe(before);
  });

  it('follows manual SQL: many rows, none, a changed creation time, everything at once', async () => {
    await run(
      sql`INSERT INTO sites (name, created_at) SELECT 'S' || i, now() - i * interval '7 minutes' FROM generate_series(1, 500) i`,
    );
    const before = await totalOf();
    await run(sql`DELETE FROM sites WHERE name = 'no such site'`);
    await run(sql`DELETE FROM sites WHERE name LIKE 'S1%'`);
    expect(await totalOf()).toBe(before - 111);
    await run(sql`UPDATE sites SET created_at = created_at - interval '3 days' WHERE name LIKE 'S2%'`);
    expect(await totalOf()).toBe(before - 111);
    await run(sql`TRUNCATE sites CASCADE`);
    expect(await totalOf()).toBe(0);
  });

  it('is rolled back with a failed transaction', async () => {
    const before = await totalOf();
    await expect(
      service.database.db.transaction(async (tx) => {
        await tx.query(sql`INSERT INTO sites (name) VALUES ('gone')`);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await totalOf()).toBe(before);
  });

  it('is unchanged after its parts were folded', async () => {
    for (let i = 0; i < 80; i++) await run(sql`INSERT INTO sites (name) VALUES ('F' || ${i}::int)`);
    const before = await totalOf();
    const counts = new RecordCounts(service.database.db);
    const partsOf = async (): Promise<number> => {
      const [parts] = await run(sql`SELECT count(*)::int AS n FROM record_counts WHERE table_name = 'sites'`);
      return Number(parts!.n);
    };
    // The list request may have started a fold. Then this fold does nothing.
    do await counts.fold();
    while ((await partsOf()) > 1);
    expect(await totalOf()).toBe(before);
  });
});

describe('a far page', () => {
  const ids = async (query: string): Promise<string[]> => {
    const { body } = await editor.get(`/api/vrfs?${query}`);
    return body.data.map(({ id }: { id: string }) => id);
  };

  itInFull('has the records that a walk through the whole list finds there, in both directions', async () => {
    // Hours with many and with few rows, empty hours between them, and rows with equal times.
    await run(sql`
      INSERT INTO vrfs (name, created_at)
      SELECT 'V' || i, timestamptz '2026-03-01 00:30Z' + (i / 7) * interval '1 minute' + (i / 900) * interval '5 hours'
      FROM generate_series(1, 3000) i`);
    await run(sql`DELETE FROM vrfs WHERE name LIKE 'V5%'`);
    for (const order of ['asc', 'desc']) {
      const all = await ids(`order=${order}`);
      expect(all).toHaveLength((await editor.get('/api/vrfs?pageSize=1')).body.total);
      for (const pageSize of [1, 7, 50, 999]) {
        for (
          let page = Math.ceil(1000 / pageSize);
          page <= Math.ceil(all.length / pageSize) + 1;
          page += pageSize === 1 ? 211 : pageSize === 7 ? 31 : 1
        ) {
          const expected = all.slice((page - 1) * pageSize, page * pageSize);
          expect({ order, page, ids: await ids(`order=${order}&pageSize=${pageSize}&page=${page}`) }).toEqual({
            order,
            page,
            ids: expected,
          });
        }
      }
    }
  });

  it('is empty beyond the end, however far', async () => {
    for (const page of ['3000', '2147483647']) {
      const { status, body } = await editor.get(`/api/vrfs?pageSize=10000&page=${page}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ data: [], hasMore: false });
    }
  });
});

describe('a filtered page', () => {
  beforeAll(() =>
    run(sql`
      INSERT INTO racks (name, status, created_at)
      SELECT 'R' || i * 7919 % 6007, CASE WHEN i % 3 = 0 THEN 'planned' ELSE 'active' END,
        timestamptz '2026-03-01 00:30Z' + (i / 5) * interval '1 minute'
      FROM generate_series(1, 6003) i`),
  );

  // 2,001, 4,002 and 667 records: more and fewer than one fetch.
  itInFull.each(['status=planned', 'status__n=planned', 'name__isw=R12&status=active&status=planned', 'search=r5'])(
    'of %s has the records that a walk through the filtered list finds there',
    async (filter) => {
      for (const sort of ['', '&sort=name', '&sort=name&order=desc', '&sort=createdAt&order=desc', '&sort=id']) {
        const { body: whole } = await editor.get(`/api/racks?${filter}${sort}`);
        expect(whole.total).toBe(whole.data.length);
        for (const [page, pageSize] of [
          [1, 50],
          [2, 50],
          [14, 50],
          [41, 50],
          [1, 2000],
          [2, 2000],
          [1, 2001],
          [2, 2001],
          [90, 50],
        ] as const) {
          const { body } = await editor.get(`/api/racks?${filter}${sort}&page=${page}&pageSize=${pageSize}`);
          expect(body.data).toEqual(whole.data.slice((page - 1) * pageSize, page * pageSize));
          expect(body).toMatchObject({ total: whole.total, hasMore: page * pageSize < whole.total });
        }
      }
    },
  );
});

describe('the kept total of a list filtered by a status', () => {
  /** Compares the totals by status, and the length of the whole list, with the rows. */
  async function expectStatusesToBeRight(): Promise<void> {
    const counted = await run(
      sql`SELECT status AS value, count(*)::int AS n FROM software_licences WHERE status IS NOT NULL GROUP BY status ORDER BY status COLLATE "C"`,
    );
    const kept = await run(
      sql`SELECT value, sum(delta)::int AS n FROM value_counts WHERE table_name = 'software_licences' AND column_name = 'status'
       GROUP BY 1 HAVING sum(delta) <> 0 ORDER BY 1`,
    );
    expect(kept).toEqual(counted);
    for (const { value, n } of [...counted, { value: 'none has it', n: 0 }]) {
      const { body } = await editor.get(
        `/api/software-licences?status=${encodeURIComponent(String(value))}&pageSize=2`,
      );
      expect({ value, total: body.total, length: body.data.length }).toEqual({
        value,
        total: n,
        length: Math.min(2, Number(n)),
      });
    }
  }

  it('follows the writes of the service, null and any text included', async () => {
    const made: string[] = [];
    for (const status of ['active', 'active', null, 'Überfällig', 'active ']) {
      const { id } = await editor.make('/api/software-licences', { name: 'L', status });
      made.push(id);
    }
    await expectStatusesToBeRight();
    await editor.patch(`/api/software-licences/${made[0]}`, { status: 'expired' });
    await editor.patch(`/api/software-licences/${made[1]}`, { status: null });
    await editor.patch(`/api/software-licences/${made[2]}`, { status: 'active' });
    await editor.patch(`/api/software-licences/${made[3]}`, { seats: 3 });
    await expectStatusesToBeRight();
    await editor.delete(`/api/software-licences/${made[4]}`);
    await expectStatusesToBeRight();
    const several = await editor.get('/api/software-licences?status=active&status=expired&status=active&pageSize=1');
    expect(several.body.total).toBe(2);
  });

  it('follows manual SQL, folds, and what was there before the counts were kept', async () => {
    await run(
      sql`INSERT INTO software_licences (name, status) SELECT 'M' || i, (ARRAY['active', 'retired', NULL])[1 + i % 3] FROM generate_series(1, 90) i`,
    );
    await run(sql`UPDATE software_licences SET status = 'suspended' WHERE name LIKE 'M1%'`);
    await run(sql`DELETE FROM software_licences WHERE name LIKE 'M2%'`);
    await expectStatusesToBeRight();
    await new RecordCounts(service.database.db).fold();
    await expectStatusesToBeRight();
    // The table starts to count values while it is in use.
    const logRecords = (counted: string): Sql =>
      sql`SELECT log_records('software_licences', 'procurement', 'name', '{licence_key}', ${counted}, true)`;
    await run(logRecords('{}'));
    expect(await run(sql`SELECT FROM value_counts WHERE table_name = 'software_licences'`)).toEqual([]);
    await run(logRecords('{status}'));
    await expectStatusesToBeRight();
    await run(sql`TRUNCATE software_licences CASCADE`);
    await expectStatusesToBeRight();
    expect(await run(sql`SELECT FROM value_counts WHERE table_name = 'software_licences'`)).toEqual([]);
  });

  it('is that of the other records where values are excluded', async () => {
    // The status of a rack is never null, so the stored counts cover all records.
    await run(sql`INSERT INTO racks (name, status) SELECT 'N' || i, 'retired' FROM generate_series(1, 7) i`);
    const expectTotals = async (more = 0): Promise<void> => {
      for (const values of [['active'], ['active', 'planned'], ['none has it'], ['active', 'planned', 'retired']]) {
        const [row] = await run(sql`SELECT count(*)::int AS n FROM racks WHERE status <> ALL(${values})`);
        const query = values.map((value) => `status__n=${encodeURIComponent(value)}`).join('&');
        const { body } = await editor.get(`/api/racks?${query}&pageSize=5`);
        const kept = values.includes('retired') ? 0 : more;
        expect({ query, total: body.total }).toEqual({ query, total: Number(row!.n) + kept });
        for (const { status } of body.data) expect(values).not.toContain(status);
      }
    };
    await expectTotals();
    // The total is a sum of stored counts, as this change of a count shows.
    await run(sql`INSERT INTO value_counts VALUES ('racks', 'status', 'retired', 1000)`);
    await expectTotals(1000);
    await run(sql`INSERT INTO value_counts VALUES ('racks', 'status', 'retired', -1000)`);
    // If a column may be null, a null differs from all values.
    await editor.make('/api/software-licences', { name: 'Null', status: null });
    const [row] = await run(
      sql`SELECT count(*)::int AS n FROM software_licences WHERE status IS NULL OR status <> 'active'`,
    );
    const { body } = await editor.get('/api/software-licences?status__n=active&pageSize=5');
    expect(body.total).toBe(row!.n);
    await run(sql`DELETE FROM software_licences WHERE name = 'Null'`);
  });

  it('is folded where a value has many parts, however many values there are', async () => {
    await run(sql`INSERT INTO racks (name, status) SELECT 'V' || i, 'value ' || i FROM generate_series(1, 70) i`);
    await new RecordCounts(service.database.db).fold();
    const fold = jest.spyOn(RecordCounts.prototype, 'fold');
    try {
      expect((await editor.get('/api/racks?status__n=active&pageSize=5')).status).toBe(200);
      expect(fold).not.toHaveBeenCalled();
      await run(
        sql`INSERT INTO value_counts SELECT 'racks', 'status', 'value 1', CASE i % 2 WHEN 0 THEN 1 ELSE -1 END FROM generate_series(1, 70) i`,
      );
      expect((await editor.get('/api/racks?status__n=active&pageSize=5')).status).toBe(200);
      expect(fold).toHaveBeenCalledTimes(1);
    } finally {
      fold.mockRestore();
      await run(sql`DELETE FROM racks WHERE name LIKE 'V%'`);
    }
  });

  it('is counted where there are other filters', async () => {
    await editor.make('/api/software-licences', { name: 'One', status: 'active' });
    await editor.make('/api/software-licences', { name: 'Two', status: 'active' });
    for (const [query, total] of [
      ['status=active', 2],
      ['status=active&name=One', 1],
      ['status=active&search=two', 1],
      ['status=active&createdAt__lt=2020-01-01', 0],
      ['status=active&createdAt__gte=2020-01-01', 2],
      ['status=active&status__n=active', 0],
    ] as const) {
      const { body } = await editor.get(`/api/software-licences?${query}&pageSize=10`);
      expect({ query, total: body.total, length: body.data.length }).toEqual({ query, total, length: total });
    }
  });
});

itInFull('the total of a list filtered by the time of creation is that of the records, at every limit', async () => {
  // Records at the full hour, a millisecond before and after it, and between the hours.
  await run(sql`
    INSERT INTO tenant_groups (name, created_at)
    SELECT 'T', timestamptz '2026-03-01 00:00Z' + h * interval '1 hour' + shift
    FROM generate_series(0, 30) h, unnest(ARRAY[interval '0', '0', '-1 millisecond', '1 millisecond', '23 minutes']) shift`);
  const times = [
    '2026-03-01T05:00:00Z',
    '2026-03-01T05:00:00.001Z',
    '2026-03-01T05:23:00Z',
    '2026-03-01T06:59:59.999Z',
    '2026-03-01T07:00:00Z',
    '2026-03-02T06:00:00Z',
    '2025-01-01',
    '2027-01-01',
  ];
  let looked = 0;
  for (const lower of ['gte', 'gt', ''])
    for (const upper of ['lte', 'lt', ''])
      for (const from of lower === '' ? [''] : times)
        for (const until of upper === '' ? [''] : times) {
          const given = [
            ...(lower === '' ? [] : [`createdAt__${lower}=${from}`]),
            ...(upper === '' ? [] : [`createdAt__${upper}=${until}`]),
          ];
          const signs = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as Record<string, string>;
          const [counted] = await run(
            sql`SELECT count(*)::int AS n FROM tenant_groups WHERE true ${raw(lower && `AND created_at ${signs[lower]} '${from}'`)} ${raw(upper && `AND created_at ${signs[upper]} '${until}'`)}`,
          );
          const { body } = await editor.get(`/api/tenant-groups?${[...given, 'pageSize=3'].join('&')}`);
          expect({ given, total: body.total }).toEqual({ given, total: counted!.n });
          looked++;
        }
  expect(looked).toBe(289);
  const { body } = await editor.get(
    '/api/tenant-groups?createdAt__gte=2026-03-01T02:30:00Z&createdAt__gt=2026-03-01T03:30:00Z&createdAt__lt=2026-03-01T05:30:00Z&pageSize=3',
  );
  expect(body.total).toBe(10);
});

itOnServer('the total is exact in every snapshot during concurrent writes and folds', async () => {
  const { db } = service.database;
  const counts = new RecordCounts(db);
  const writers = { writing: true };
  const wrong: unknown[] = [];
  let looks = 0;
  const watch = async (): Promise<void> => {
    while (writers.writing) {
      const [seen] = await db.query<Record<'kept' | 'counted' | 'keptActive' | 'countedActive', number>>(
        sql`SELECT (SELECT coalesce(sum(delta), 0)::int FROM record_counts WHERE table_name = 'vendors') AS kept,
                (SELECT count(*)::int FROM vendors) AS counted,
                (SELECT coalesce(sum(delta), 0)::int FROM value_counts WHERE table_name = 'vendors' AND value = 'active') AS "keptActive",
                (SELECT count(*)::int FROM vendors WHERE status = 'active') AS "countedActive"`,
      );
      if (seen!.kept !== seen!.counted || seen!.keptActive !== seen!.countedActive) wrong.push(seen);
      looks++;
      await counts.fold();
    }
  };
  const write = async (writer: number): Promise<void> => {
    for (let i = 0; i < 60; i++) {
      await db.query(
        sql`INSERT INTO vendors (name, status) SELECT ${`W${writer}`}, 'active' FROM generate_series(1, ${i % 4})`,
      );
      if (i % 3 === 0)
        await db.query(
          sql`DELETE FROM vendors WHERE id = (SELECT id FROM vendors WHERE name = ${`W${writer}`} LIMIT 1)`,
        );
      if (i % 4 === 0)
        await db.query(
          sql`UPDATE vendors SET status = CASE status WHEN 'active' THEN 'inactive' ELSE 'active' END WHERE name = ${`W${writer}`}`,
        );
      if (i % 5 === 0) {
        await db
          .transaction(async (tx) => {
            await tx.query(sql`INSERT INTO vendors (name, status) VALUES ('never', 'active')`);
            throw new Error('no');
          })
          .catch(() => {});
      }
    }
  };
  const watchers = [watch(), watch()];
  await Promise.all(Array.from({ length: 6 }, (_, writer) => write(writer)));
  writers.writing = false;
  await Promise.all(watchers);
  expect(wrong).toEqual([]);
  // Both readers ran while the others wrote.
  expect(looks).toBeGreaterThan(10);
  await totalOf('vendors', '/api/vendors');
});
