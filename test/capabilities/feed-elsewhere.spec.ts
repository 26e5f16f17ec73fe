import { ChangeLogRetention } from '../../src/change-log/change-log-retention.js';
import { cursorText } from '../../src/change-log/feed/feed-cursor.js';
import { continueChangeLog } from '../../src/schema/continue-change-log.js';
import { startService, type Api, type TestService } from '../support/app.js';

// Cursors remain valid when the log is moved, restored or pruned. `npm run torture -- feed-moved` tests this with real servers.

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

// oxlint-disable-next-line typescript/no-explicit-any -- entries hold values of any shape
type Page = { data: any[]; cursor: string; hasMore: boolean };

const read = async (since: string): Promise<Page> =>
  (await admin.get(`/api/changes?since=${since}&resource=sites&limit=1000`)).body;
const namesOf = ({ data }: Page): string[] => data.map(({ recordName }) => recordName);
const makeSite = (name: string): Promise<unknown> => admin.make('/api/sites', { name });

/** Waits until the feed has this many entries. Transactions of other tests on the same server delay it. */
async function until(since: string, size: number): Promise<Page> {
  for (let tries = 0; ; tries++) {
    const page = await read(since);
    if (page.data.length >= size || tries === 900) return page;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Changes the log with the rights of its owner. */
async function forge(sql: string): Promise<void> {
  const client = await service.database.db.pool.connect();
  try {
    await client.query(`BEGIN; SET LOCAL session_replication_role = replica; ${sql}; COMMIT`);
  } finally {
    client.release();
  }
}

it('a log from a server with higher numbers of transactions goes on behind its last entry', async () => {
  await makeSite('there');
  const { cursor } = await until('start', 1);
  await forge('UPDATE change_log SET transaction_id = transaction_id + 1000000000');
  const told: string[] = [];
  const log = { info: (_: object, message: string) => void told.push(message), error: () => {} };
  // The entry has a transaction number in the future, so the feed hides it, and its cursor is not valid yet.
  expect(namesOf(await read('start'))).toEqual([]);
  await Promise.all([
    continueChangeLog(service.database.dataSource, log),
    continueChangeLog(service.database.dataSource, log),
  ]);
  expect(told).toEqual(['The change log comes from another server and goes on here']);
  expect(namesOf(await read('start'))).toEqual(['there']);
  await makeSite('here');
  expect(namesOf(await until(cursor, 1))).toEqual(['here']);
  expect(namesOf(await until('start', 2))).toEqual(['there', 'here']);
  // Another start changes nothing.
  await continueChangeLog(service.database.dataSource, log);
  expect(told).toHaveLength(1);
  await makeSite('later');
  expect(namesOf(await until(cursor, 2))).toEqual(['here', 'later']);
});

it('a cursor of an entry that the database has lost is refused, and others stay valid', async () => {
  const before = await read('start');
  await makeSite('lost');
  const { cursor } = await until(before.cursor, 1);
  // This is the state of a restored backup, or of a promoted standby that lacks the entry.
  await forge(`DELETE FROM change_log WHERE record_name = 'lost'; DELETE FROM sites WHERE name = 'lost'`);
  const answer = await admin.get(`/api/changes?since=${cursor}`);
  expect([answer.status, answer.body.error]).toEqual([
    410,
    expect.stringMatching(/^since is not from this change log/),
  ]);
  await makeSite('after the backup');
  expect(namesOf(await until(before.cursor, 1))).toEqual(['after the backup']);
});

it('a cursor of an entry that was dropped with its month is refused, and one that was kept reads on', async () => {
  const [before, last] = [new Date(Date.now() - 400 * 86_400_000), await read('start')];
  const id = '00000000-0000-7000-8000-000000000001';
  await forge(
    `INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor, transaction_id)
     VALUES ('${id}', '${before.toISOString()}', now(), 'create', 'sites', 'network', gen_random_uuid(), 'old', 'system', 1)`,
  );
  const cursor = cursorText({ micros: String(before.getTime() * 1000), id });
  expect(namesOf(await read('start'))[0]).toBe('old');
  expect(namesOf(await read(cursor))).not.toContain('old');
  await new ChangeLogRetention(service.database.db, 365).prune();
  const answer = await admin.get(`/api/changes?since=${cursor}`);
  expect([answer.status, answer.body.error]).toEqual([
    410,
    'since is older than the retained change log. Read everything again, and start with a new cursor',
  ]);
  expect(namesOf(await read(last.cursor))).toEqual([]);
  expect(namesOf(await read('start'))).not.toContain('old');
});
