import { HealthController } from '../../src/health/health.controller.js';
import type { TextRow } from '../../src/database/row-stream.js';
import { createTestDatabase, onServer, type TestDatabase } from '../support/database.js';
import { raw, sql, write } from '../../src/database/sql.js';

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

const SITES = 3_000;

it('runs the statements of others between the batches of a long list, which is one snapshot', async () => {
  const { db } = database;
  await db.write(
    write`INSERT INTO sites (name) SELECT 'Site ' || n FROM generate_series(1, ${raw(SITES)}) n RETURNING id`,
  );
  const rows: TextRow[] = [];
  const list = db.stream(sql`SELECT name FROM sites WHERE name LIKE ${'Site %'} ORDER BY name`);
  for (let next = await list.next(); !next.done; next = await list.next()) {
    rows.push(...next.value);
    await db.write(write`UPDATE sites SET name = 'Renamed' WHERE name = 'Site 9' RETURNING id`);
    await db.transaction(async (tx) => {
      await tx.query(sql`INSERT INTO sites (name) VALUES ('Site of others')`);
    });
  }
  expect(rows).toHaveLength(SITES);
  expect(rows.map(([name]) => name)).toContain('Site 9');
  expect(rows.map(([name]) => name)).not.toContain('Site of others');
});

it('keeps nothing of a list that fails or is not read to its end', async () => {
  const { db } = database;
  for await (const _rows of db.stream(sql`SELECT name FROM sites`)) break;
  await expect(db.stream(sql`SELECT 1 / 0 FROM sites`).next()).rejects.toThrow('division by zero');
  await expect(db.stream(sql`SELECT name FROM sites WHERE 1 / (length(name) - 7) > 5`).next()).rejects.toThrow(
    'division',
  );
  if (onServer) return;
  expect(await db.query(sql`SELECT name FROM pg_cursors WHERE is_holdable`)).toEqual([]);
});

/** The clocks that fake timers do not replace. */
const OTHER_CLOCKS: FakeableAPI[] = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
];

// A server has a connection for each caller.
(onServer ? describe.skip : describe)('the only session', () => {
  afterEach(() => jest.useRealTimers());

  it('leaves it to short requests after a long read', async () => {
    // With fake timers, the test decides when the session's pause for other requests ends.
    jest.useFakeTimers({ doNotFake: OTHER_CLOCKS });
    const { db } = database;
    const order: string[] = [];
    let begin!: () => void;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const read = (name: string): Promise<unknown> =>
      db.inTurn('attacker', async () => {
        const slept = db.query(sql`SELECT pg_sleep(0.2)`);
        begin();
        await slept;
        order.push(name);
      });
    const long = [read('long'), read('long')];
    await begun;
    await db.query(sql`SELECT 1`);
    order.push('session');
    await db.query(sql`SELECT 2`);
    order.push('record');
    jest.advanceTimersByTime(50);
    await Promise.all(long);
    // The pause after the second read, which would otherwise never end.
    jest.advanceTimersByTime(50);
    expect(order).toEqual(['long', 'session', 'record', 'long']);
  });

  it('is ready while a long transaction has the only connection, and not once that has failed', async () => {
    const { db } = database;
    const health = new HealthController(db);
    await db.transaction(async () => {
      expect(await health.ready()).toEqual({ status: 'ok' });
      db.outage.failed(new Error('The engine is broken'));
      await expect(health.ready()).rejects.toMatchObject({ code: 'unavailable' });
    });
    expect(await health.ready()).toEqual({ status: 'ok' });
  });
});
