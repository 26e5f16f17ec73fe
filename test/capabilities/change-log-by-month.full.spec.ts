import { identifier, raw, sql, where, type Sql } from '../../src/database/sql.js';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { ChangeLogRetention } from '../../src/change-log/change-log-retention.js';
import { ChangeLogEntry } from '../../src/change-log/change-log-entry.entity.js';
import { declaredSqlOf } from '../../src/lists/record-sql.js';
import { requestConditions } from '../../src/lists/request-sql.js';
import { changesList } from '../../src/change-log/record-history.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';

let service: TestService;
let admin: Api;
let retention: ChangeLogRetention;
const itOnServer = onServer ? it : it.skip;

beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  retention = service.app.get(ChangeLogRetention);
});
afterAll(() => service.stop());

const run = <R extends object>(statement: Sql): Promise<R[]> => service.database.db.query<R>(statement);

/** The first day of an earlier or later month. */
function month(offset: number): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset));
}
const nameOf = (offset: number): string => `change_log_${month(offset).toISOString().slice(0, 7).replace('-', '_')}`;

/** Creates the partition of a month for which the service creates none. */
async function makeMonth(offset: number): Promise<string> {
  const name = nameOf(offset);
  await run(sql`CREATE TABLE ${raw(name)} (LIKE change_log INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
  await run(
    sql`ALTER TABLE change_log ATTACH PARTITION ${raw(name)} FOR VALUES FROM ('${raw(month(offset).toISOString())}') TO ('${raw(month(offset + 1).toISOString())}')`,
  );
  return name;
}

/** Writes entries in an earlier or later month. */
const write = (offset: number, count: number, recordId: string = randomUUID()): Promise<object[]> =>
  run(
    sql`INSERT INTO change_log (id, created_at, action, resource, area, record_id, actor, transaction_id)
     SELECT change_log_id(at), at, 'update', 'vrfs', 'network', ${recordId}, 'system', 1
     FROM (SELECT ${month(offset)}::timestamptz + interval '3 days' + i * interval '1 minute' AS at FROM generate_series(1, ${count}) i) made`,
  );

const partitions = async (): Promise<string[]> =>
  (await run<{ name: string }>(sql`SELECT name::text FROM change_log_partitions() ORDER BY 1`)).map(({ name }) => name);

const total = async (): Promise<number> => (await admin.get('/api/change-log?pageSize=1')).body.total;

/** The stored number of entries, if it differs from the real one. */
const wrongCounts = (): Promise<object[]> =>
  run(sql`SELECT kept, counted FROM (SELECT sum(delta)::int AS kept FROM record_counts WHERE table_name = 'change_log') k,
    (SELECT count(*)::int AS counted FROM change_log) c WHERE kept <> counted`);

it('has partitions for this month and the next three, and one for every other time', async () => {
  expect(await partitions()).toEqual(['change_log_default', ...[0, 1, 2, 3].map(nameOf)].toSorted());
  const { id } = await admin.make('/api/vrfs', { name: 'V' });
  const [entry] = await run(sql`SELECT tableoid::regclass::text AS part FROM change_log WHERE record_id = ${id}`);
  expect(entry).toEqual({ part: nameOf(0) });
});

it('has every index and the guard in every partition', async () => {
  const found = await run<{ name: string; indexes: number; guards: number }>(
    sql`SELECT p.name::text, (SELECT count(*)::int FROM pg_index WHERE indrelid = p.name AND indisvalid AND indisready) AS indexes,
       (SELECT count(*)::int FROM pg_trigger WHERE tgrelid = p.name AND tgfoid = 'keep_change_log_partition'::regproc AND tgenabled = 'O') AS guards
     FROM change_log_partitions() p`,
  );
  const [log] = await run<{ indexes: number }>(
    sql`SELECT count(*)::int AS indexes FROM pg_index WHERE indrelid = 'change_log'::regclass AND indisvalid`,
  );
  expect(log!.indexes).toBeGreaterThan(4);
  for (const { indexes, guards } of found) expect([indexes, guards]).toEqual([log!.indexes, 1]);
});

it.each(['recordId', 'actorId', 'tokenId', 'requestId'])('finds the entries of a %s by an index', async (property) => {
  const conditions = requestConditions(
    changesList.parse({ [property]: randomUUID() }, { resource: declaredSqlOf }),
    declaredSqlOf(ChangeLogEntry),
  );
  const plan = await service.database.db.transaction(async (tx) => {
    await tx.query(sql`SET LOCAL enable_seqscan = off`);
    return tx.query<{ 'QUERY PLAN': string }>(sql`EXPLAIN SELECT FROM ${identifier(nameOf(0))} t ${where(conditions)}`);
  });
  expect(plan.map((row) => row['QUERY PLAN']).join(' ')).toContain('Index Cond');
});

describe.each(['change_log_default', nameOf(0)])('the partition %s', (partition) => {
  it.each([
    [
      'writing',
      `INSERT INTO part (action, resource, record_id, actor, transaction_id) VALUES ('create', 'sites', gen_random_uuid(), 'ada', 1)`,
    ],
    ['changing', `UPDATE part SET actor = 'ada'`],
    ['deleting', 'DELETE FROM part'],
    ['emptying', 'TRUNCATE part'],
    [
      'deleting as pruning does',
      `DO $$ BEGIN PERFORM set_config('inventory.pruning', 'on', true); DELETE FROM part; END $$`,
    ],
  ])('refuses %s, also to the owner', async (_, statement) => {
    await expect(run(raw(statement.replace(/\bpart\b/, partition)))).rejects.toMatchObject({ code: '42501' });
  });
});

it('finds the entries of all partitions by every list, in their order, each once', async () => {
  await makeMonth(-2);
  const recordId = randomUUID();
  await write(-30, 7, recordId);
  await write(-2, 7, recordId);
  await write(0, 7, recordId);
  await write(40, 7, recordId);
  for (const order of ['asc', 'desc'])
    for (const filter of [`recordId=${recordId}`, '', 'actor=system', 'createdAt__gt=2000-01-01', 'action=update']) {
      const all = (await admin.get(`/api/change-log?order=${order}&${filter}`)).body;
      const pages = [];
      for (let page = 1; page <= Math.ceil(all.total / 5); page++)
        pages.push(...(await admin.get(`/api/change-log?order=${order}&${filter}&pageSize=5&page=${page}`)).body.data);
      expect(pages).toEqual(all.data);
      const ids = new Set(pages.map(({ id }: { id: string }) => id));
      expect([ids.size, pages.length]).toEqual([all.total, all.total]);
      const times = pages.map(({ createdAt }: { createdAt: string }) => createdAt);
      expect(order === 'asc' ? times : times.toReversed()).toEqual(times.toSorted());
    }
  expect((await admin.get(`/api/change-log?recordId=${recordId}`)).body.total).toBe(28);
  const [entry] = (await admin.get(`/api/change-log?recordId=${recordId}`)).body.data;
  expect((await admin.get(`/api/change-log/${entry.id}`)).body.data).toEqual(entry);
  expect(await wrongCounts()).toEqual([]);
});

it('keeps the counts where SQL by hand moves entries to another month', async () => {
  const recordId = randomUUID();
  await write(0, 5, recordId);
  await run(sql`ALTER TABLE change_log DISABLE TRIGGER change_log_keep`);
  await run(sql`UPDATE change_log SET created_at = created_at - interval '1 month' WHERE record_id = ${recordId}`);
  await run(sql`ALTER TABLE change_log ENABLE TRIGGER change_log_keep`);
  expect(await wrongCounts()).toEqual([]);
});

it('skips a month whose entries are in the default partition, and makes the others', async () => {
  for (const offset of [2, 3]) await run(sql`DROP TABLE ${raw(nameOf(offset))}`);
  await write(2, 3);
  await retention.extend();
  expect(await partitions()).toContain(nameOf(3));
  expect(await partitions()).not.toContain(nameOf(2));
  await write(2, 3);
  expect(await wrongCounts()).toEqual([]);
});

it('makes a missing month once, whoever asks for it at the same time', async () => {
  await run(sql`DROP TABLE ${raw(nameOf(3))}`);
  await Promise.all(Array.from({ length: 5 }, () => retention.extend()));
  await retention.extend();
  expect((await partitions()).filter((name) => name === nameOf(3))).toHaveLength(1);
});

itOnServer('gives way to whoever uses the log, and drops the month afterwards', async () => {
  const name = await makeMonth(-9);
  await write(-9, 4);
  const reader = new Client({ connectionString: service.database.url });
  await reader.connect();
  await reader.query('BEGIN');
  await reader.query('SELECT count(*) FROM change_log');
  await retention.prune(240);
  expect(await partitions()).toContain(name);
  await reader.query('COMMIT');
  await reader.end();
  await Promise.all([retention.prune(240), retention.prune(240), retention.prune(240)]);
  await retention.prune(240);
  expect(await partitions()).not.toContain(name);
  expect(await wrongCounts()).toEqual([]);
});

it('drops the months beyond the retention, and keeps the month that the retention ends in', async () => {
  await retention.prune(240);
  const before = await total();
  await makeMonth(-7);
  await makeMonth(-6);
  const { id } = await admin.make('/api/vrfs', { name: 'Kept' });
  const path = `/api/vrfs/${id}`;
  await write(-7, 30);
  await write(-6, 20, id);
  expect(await total()).toBe(before + 51);
  // The retention ends in the sixth month before this one.
  const days = Math.ceil((Date.now() - month(-6).getTime()) / 86_400_000) - 10;
  await retention.prune(days);
  expect(await partitions()).toEqual(expect.not.arrayContaining([nameOf(-7)]));
  expect(await partitions()).toContain(nameOf(-6));
  expect(await total()).toBe(before + 21);
  expect(await wrongCounts()).toEqual([]);
  expect((await admin.get(`${path}/changes`)).body.total).toBe(21);
  const first = (await admin.get('/api/change-log?pageSize=1')).body.data[0].createdAt;
  const gone = await admin.get(`${path}?asOf=${month(-7).toISOString()}`);
  expect([gone.status, gone.body.error]).toEqual([410, expect.stringContaining(`must be ${first} or later`)]);
  await admin.delete(path);
  expect((await admin.post(`${path}/restore`)).status).toBe(200);
});

// This test is the last one, because it makes all earlier entries older than the retention.
it('does not show a state from between entries that are gone, although an older one remains', async () => {
  await run(
    sql`INSERT INTO change_log_pruned (until) VALUES (${month(-1)}) ON CONFLICT (single) DO UPDATE SET until = excluded.until`,
  );
  const { id } = await admin.make('/api/vrfs', { name: 'V' });
  const { status, body } = await admin.get(`/api/vrfs/${id}?asOf=${month(-3).toISOString()}`);
  expect([status, body.error]).toEqual([410, expect.stringContaining(`must be ${month(-1).toISOString()} or later`)]);
});
