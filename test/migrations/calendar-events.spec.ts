import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { fixed, sql } from '../../src/database/sql.js';

const NAME = 'CalendarEvents1795700000008';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('the events of feeds become those of their kinds, with the latest version and the highest number of each', async () => {
  const { dataSource, db } = database;
  const later = dataSource.migrations.findIndex(({ name }) => name === NAME);
  for (let n = later; n < dataSource.migrations.length; n++) await dataSource.undoLastMigration();

  const id = async (text: string, values: unknown[] = []): Promise<string> =>
    (await db.query<{ id: string }>(fixed(`${text} RETURNING id`, values)))[0]!.id;
  const profile = await id(`INSERT INTO profiles (email, role) VALUES ('ada@example.com', 'viewer')`);
  const feed = (kind: string, roster: string | null = null): Promise<string> =>
    id(`INSERT INTO calendar_feeds (name, profile_id, kind, roster, secret_hash) VALUES ('x', $1, $2, $3, $4)`, [
      profile,
      kind,
      roster,
      Buffer.from(randomUUID()),
    ]);
  const event = (of: string, uid: string, name: string, sequence: number, removed: boolean, minute: number) =>
    db.query(
      sql`INSERT INTO calendar_events (feed_id, uid, hours, content, sequence, removed, changed_at)
       VALUES (${of}, ${uid}, tstzrange(now(), now() + interval '1 hour'), jsonb_build_object('summary', ${name}::text), ${sequence}, ${removed}, ${new Date(Date.UTC(2026, 10, 23, 12, minute))})`,
    );
  const shift = await id(
    `INSERT INTO on_call_schedules (name, rotation, start_time, end_time) VALUES ('s', 'now', now(), now() + interval '1 hour')`,
  );
  const [one, two] = [await feed('maintenance'), await feed('maintenance')];
  await event(one, 'maintenance-a', 'latest', 3, false, 5);
  await event(two, 'maintenance-a', 'older', 7, false, 1);
  const [all, before] = [await feed('on-call'), await feed('on-call', 'before')];
  await event(all, `shift-${shift}`, 'latest', 2, false, 5);
  await event(before, `shift-${shift}`, 'older', 4, true, 1);

  await dataSource.runMigrations();
  const rows = await db.query(
    sql`SELECT kind, uid, roster, content->>'summary' AS summary, sequence, removed FROM calendar_events ORDER BY kind, roster`,
  );
  expect(rows).toEqual([
    { kind: 'maintenance', uid: 'maintenance-a', roster: '', summary: 'latest', sequence: 7, removed: false },
    { kind: 'on-call', uid: `shift-${shift}`, roster: 'before', summary: 'older', sequence: 4, removed: true },
    { kind: 'on-call', uid: `shift-${shift}`, roster: 'now', summary: 'latest', sequence: 2, removed: false },
  ]);
});
