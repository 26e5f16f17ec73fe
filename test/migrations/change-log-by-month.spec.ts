import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { migrate, serverPool } from '../../src/database/data-source.js';
import { ChangeLogByMonth1795370000000 } from '../../src/schema/migrations/20261122-change-log-by-month.js';
import { createDataSource } from '../../src/schema/data-source.js';
import { createTestDatabase, onServer, serverConfiguration, type TestDatabase } from '../support/database.js';

/** A log with entries gets its partitions. On a server writers go on meanwhile. */
const ENTRIES = 20_000;
const itOnServer = onServer ? it : it.skip;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await undo();
  await sql(
    `INSERT INTO change_log (created_at, action, resource, area, record_id, actor, transaction_id, new_values)
     SELECT now() - i * interval '17 minutes', 'create', 'sites', 'network', gen_random_uuid(), 'system', i, '{"name": "S"}'
     FROM generate_series(1, ${ENTRIES}) i`,
  );
});
afterAll(() => database.drop());

const sql = <R extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<R[]> =>
  database.db.query<R>(text, values);

/** The log as it was before it had partitions, and empty. */
async function undo(): Promise<void> {
  const [log] = await sql(`SELECT relkind = 'p' AS partitioned FROM pg_class WHERE oid = 'change_log'::regclass`);
  if (log!.partitioned) {
    await withRunner(async (runner) => {
      await runner.startTransaction();
      await new ChangeLogByMonth1795370000000().down(runner);
      await runner.commitTransaction();
    });
  }
  await sql('ALTER TABLE change_log DISABLE TRIGGER change_log_keep');
  await sql('TRUNCATE change_log');
  await sql('ALTER TABLE change_log ENABLE TRIGGER change_log_keep');
}

/** The embedded database has one connection, which is given back at once. */
async function withRunner(work: (runner: QueryRunner) => Promise<void>): Promise<void> {
  const runner = database.dataSource.createQueryRunner();
  try {
    await work(runner);
  } finally {
    await runner.release();
  }
}

/** @param before is called before each statement, and may throw */
const up = (before: (statement: string) => void = () => {}): Promise<void> =>
  withRunner((runner) => {
    const query = (statement: string): Promise<unknown> => {
      before(statement);
      return runner.query(statement);
    };
    return new ChangeLogByMonth1795370000000().up({ query } as unknown as QueryRunner);
  });

const digest = async (): Promise<unknown> =>
  (
    await sql(
      `SELECT count(*)::int AS entries, md5(string_agg(c::text, '' ORDER BY id)) AS digest FROM change_log c WHERE actor = 'system' AND resource = 'sites'`,
    )
  )[0];

const partitions = (): Promise<object[]> =>
  sql(`SELECT name::text, starts = '-infinity' AS first, ends > now() AS ahead, (SELECT count(*)::int FROM pg_constraint WHERE conrelid = name AND conname = 'ck_change_log_until') AS checks
       FROM change_log_partitions() WHERE name::text LIKE 'change_log_before%'`);

const totals = async (): Promise<unknown[]> =>
  (
    await sql(`SELECT (SELECT sum(delta)::int FROM record_counts WHERE table_name = 'change_log' AND hour = 'infinity') AS kept,
    (SELECT count(*)::int FROM change_log) AS counted`)
  ).flatMap(({ kept, counted }) => [kept, counted]);

const moved = [{ name: expect.any(String), first: true, ahead: true, checks: 0 }];

it('keeps every entry, its counts and its guards', async () => {
  const before = await digest();
  await up();
  expect(await digest()).toEqual(before);
  expect(before).toEqual({ entries: ENTRIES, digest: expect.any(String) });
  expect(await partitions()).toEqual(moved);
  const [kept, counted] = await totals();
  expect(kept).toBe(counted);
  await expect(sql('DELETE FROM change_log')).rejects.toMatchObject({ code: '42501' });
  const [{ name }] = (await partitions()) as [{ name: string }];
  await expect(sql(`DELETE FROM ${name}`)).rejects.toMatchObject({ code: '42501' });
  // Where the retention ends within it, its entries go in steps.
  for (let pruned = 1; pruned > 0;)
    [{ pruned }] = (await sql(`SELECT prune_change_log(now() - interval '60 days', 5000)::int AS pruned`)) as [
      { pruned: number },
    ];
  const [left] = await sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM change_log WHERE created_at < date_trunc('month', now() - interval '60 days', 'UTC')`,
  );
  expect(left).toEqual({ n: 0 });
  const [keptNow, countedNow] = await totals();
  expect(keptNow).toBe(countedNow);
  expect(countedNow).toBeLessThan(counted as number);
  expect(countedNow).toBeGreaterThan(0);
});

it('goes on after it was interrupted at any step', async () => {
  const before = await digest();
  let steps = 0;
  const stopAt = (at: number) => (statement: string) => {
    if (!/^(?:RE)?SET /.test(statement) && steps++ === at) throw new Error('interrupted');
  };
  for (let at = 0; ; at++) {
    steps = 0;
    const done = await up(stopAt(at)).then(
      () => true,
      (error: Error) => {
        expect(error.message).toBe('interrupted');
        return false;
      },
    );
    // No step leaves a log that cannot be written, now or once the month of the boundary begins.
    expect(
      await sql(
        `SELECT conname FROM pg_constraint WHERE conrelid = 'change_log'::regclass AND conname LIKE 'ck%until'`,
      ),
    ).toEqual([]);
    await sql(`INSERT INTO vrfs (name) VALUES ('between')`);
    if (done) break;
  }
  expect(steps).toBeGreaterThan(10);
  expect(await digest()).toEqual(before);
  expect(await partitions()).toEqual(moved);
});

itOnServer('loses no entry of those who write meanwhile, and fails none of them', async () => {
  const before = await digest();
  const migration = { runs: true };
  const writers = Array.from({ length: 4 }, async () => {
    const written: string[] = [];
    while (migration.runs) {
      const [{ id }] = (await sql('INSERT INTO vrfs (name) VALUES ($1) RETURNING id', [randomUUID()])) as [
        { id: string },
      ];
      await sql(`UPDATE vrfs SET description = 'changed' WHERE id = $1`, [id]);
      written.push(id);
    }
    return written;
  });
  await up();
  migration.runs = false;
  const ids = (await Promise.all(writers)).flat();
  expect(ids.length).toBeGreaterThan(0);
  const entries = await sql(
    'SELECT record_id, count(*)::int AS n FROM change_log WHERE record_id = ANY($1) GROUP BY 1',
    [ids],
  );
  expect(entries).toHaveLength(ids.length);
  expect(new Set(entries.map(({ n }) => n))).toEqual(new Set([2]));
  expect(await digest()).toEqual(before);
  const [kept, counted] = await totals();
  expect(kept).toBe(counted);
});

itOnServer('makes way for writers while somebody keeps the log in use', async () => {
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT count(*) FROM change_log');
  let done = false;
  const migration = up().then(() => (done = true));
  try {
    const waits = async (): Promise<boolean> =>
      (
        await sql(
          `SELECT FROM pg_locks WHERE relation = 'change_log'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted`,
        )
      ).length > 0;
    while (!(await waits())) await turn();
    // They wait behind the migration, which gives up.
    for (let n = 0; n < 3; n++) await sql(`INSERT INTO vrfs (name) VALUES ('meanwhile')`);
    expect(done).toBe(false);
  } finally {
    await holder.query('COMMIT');
    await holder.end();
  }
  await migration;
  expect(await partitions()).toEqual(moved);
});

itOnServer('is made once by replicas that start at the same time', async () => {
  const { dataSource } = database;
  const [last] = await sql<{ name: string }>('SELECT name FROM migrations ORDER BY timestamp DESC LIMIT 1');
  const name = 'ChangeLogByMonth1795370000000';
  await sql('DELETE FROM migrations WHERE name = $1', [name]);
  const pool = serverPool(serverConfiguration(database.url!));
  const replicas = await Promise.all(Array.from({ length: 3 }, () => createDataSource(pool).initialize()));
  await Promise.all(replicas.map((replica) => migrate(replica, pool, true)));
  for (const replica of replicas) await replica.destroy();
  expect(await sql('SELECT name FROM migrations WHERE name = $1', [name])).toHaveLength(1);
  expect(await partitions()).toEqual(moved);
  expect(last).toBeDefined();
  expect(await dataSource.showMigrations()).toBe(false);
});
