import { startService, type Api, type TestService } from '../support/app.js';
import { itOnServer } from '../support/server.js';
import { RecordCounts } from '../../src/lists/record-counts.js';

let service: TestService;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor');
});
afterAll(() => service.stop());

const sql = (text: string, values?: unknown[]): Promise<Record<string, unknown>[]> =>
  service.database.db.query(text, values);

/** The total that lists show, after a comparison with the number of rows. */
async function totalOf(table = 'sites', path = '/api/sites'): Promise<number> {
  const { body } = await editor.get(`${path}?pageSize=1`);
  const [counted] = await sql(`SELECT count(*)::int AS n FROM ${table}`);
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
    await sql(
      `INSERT INTO sites (name, created_at) SELECT 'S' || i, now() - i * interval '7 minutes' FROM generate_series(1, 500) i`,
    );
    const before = await totalOf();
    await sql(`DELETE FROM sites WHERE name = 'no such site'`);
    await sql(`DELETE FROM sites WHERE name LIKE 'S1%'`);
    expect(await totalOf()).toBe(before - 111);
    await sql(`UPDATE sites SET created_at = created_at - interval '3 days' WHERE name LIKE 'S2%'`);
    expect(await totalOf()).toBe(before - 111);
    await expectHoursToBeRight();
    await sql('TRUNCATE sites CASCADE');
    expect(await totalOf()).toBe(0);
    await expectHoursToBeRight();
  });

  it('is rolled back with a failed transaction', async () => {
    const before = await totalOf();
    await expect(
      service.database.db.transaction(async (tx) => {
        await tx.query(`INSERT INTO sites (name) VALUES ('gone')`);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await totalOf()).toBe(before);
  });

  it('is unchanged after its parts were folded', async () => {
    for (let i = 0; i < 80; i++) await sql(`INSERT INTO sites (name) VALUES ('F' || $1::int)`, [i]);
    const before = await totalOf();
    const counts = new RecordCounts(service.database.db);
    const partsOf = async (): Promise<number> => {
      const [parts] = await sql(
        `SELECT count(*)::int AS n FROM record_counts WHERE table_name = 'sites' AND hour = 'infinity'`,
      );
      return Number(parts!.n);
    };
    // The service, which was asked for the total, may be folding: then this fold leaves it to the other.
    do await counts.fold();
    while ((await partsOf()) > 1);
    expect(await totalOf()).toBe(before);
    await expectHoursToBeRight();
  });
});

/** Compares the kept counts of each hour with the rows. */
async function expectHoursToBeRight(): Promise<void> {
  const kept = await sql(
    `SELECT hour, sum(delta)::int AS n FROM record_counts WHERE table_name = 'sites' AND hour < 'infinity'
     GROUP BY hour HAVING sum(delta) <> 0 ORDER BY hour`,
  );
  const counted = await sql(
    `SELECT date_trunc('hour', created_at, 'UTC') AS hour, count(*)::int AS n FROM sites GROUP BY 1 ORDER BY 1`,
  );
  expect(kept).toEqual(counted);
}

describe('a far page', () => {
  const ids = async (query: string): Promise<string[]> => {
    const { body } = await editor.get(`/api/vrfs?${query}`);
    return body.data.map(({ id }: { id: string }) => id);
  };

  it('has the records that a walk through the whole list finds there, in both directions', async () => {
    // Hours with many and with few rows, empty hours between them, and rows of the same time.
    await sql(`
      INSERT INTO vrfs (name, created_at)
      SELECT 'V' || i, timestamptz '2026-03-01 00:30Z' + (i / 7) * interval '1 minute' + (i / 900) * interval '5 hours'
      FROM generate_series(1, 3000) i`);
    await sql(`DELETE FROM vrfs WHERE name LIKE 'V5%'`);
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
    sql(`
      INSERT INTO racks (name, status, created_at)
      SELECT 'R' || i * 7919 % 6007, CASE WHEN i % 3 = 0 THEN 'planned' ELSE 'active' END,
        timestamptz '2026-03-01 00:30Z' + (i / 5) * interval '1 minute'
      FROM generate_series(1, 6003) i`),
  );

  // 2,001, 4,002 and 667 records: more and fewer than are fetched at once.
  it.each(['status=planned', 'status__n=planned', 'name__isw=R12&status=active&status=planned', 'search=r5'])(
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

itOnServer('the total is exact in every snapshot during concurrent writes and folds', async () => {
  const { db } = service.database;
  const counts = new RecordCounts(db);
  const writers = { writing: true };
  const wrong: unknown[] = [];
  let looks = 0;
  const watch = async (): Promise<void> => {
    while (writers.writing) {
      const [seen] = await db.query<{ kept: number; counted: number }>(
        `SELECT (SELECT sum(delta)::int FROM record_counts WHERE table_name = 'platforms' AND hour = 'infinity') AS kept,
                (SELECT count(*)::int FROM platforms) AS counted`,
      );
      if ((seen!.kept ?? 0) !== seen!.counted) wrong.push(seen);
      looks++;
      await counts.fold();
    }
  };
  const write = async (writer: number): Promise<void> => {
    for (let i = 0; i < 60; i++) {
      await db.query(`INSERT INTO platforms (name) SELECT $1 FROM generate_series(1, $2)`, [`W${writer}`, i % 4]);
      if (i % 3 === 0)
        await db.query(`DELETE FROM platforms WHERE id = (SELECT id FROM platforms WHERE name = $1 LIMIT 1)`, [
          `W${writer}`,
        ]);
      if (i % 5 === 0) {
        await db
          .transaction(async (tx) => {
            await tx.query(`INSERT INTO platforms (name) VALUES ('never')`);
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
  await totalOf('platforms', '/api/platforms');
});
