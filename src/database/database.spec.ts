import { AttributedDatabase, type Database } from './database.js';
import { raw } from './sql.js';

const ran: unknown[] = [];
const run = (statement: unknown): Promise<[]> => {
  ran.push(statement);
  return Promise.resolve([]);
};
const turns: string[] = [];
const inTurn = (reader: string, read: () => Promise<unknown>): Promise<unknown> => {
  turns.push(reader);
  return read();
};
const snapshot = (work: () => unknown): unknown => work();
const database = { query: run, snapshot, inTurn } as unknown as Database;
const db = new AttributedDatabase(database, { profileId: 'somebody' });

it.each([
  'UPDATE sites SET name = $1 RETURNING id',
  'UPDATE ONLY sites AS s SET name = $1',
  'INSERT INTO sites (name) VALUES ($1)',
  'WITH gone AS (DELETE FROM sites RETURNING id) SELECT id FROM gone',
  'MERGE INTO sites USING racks ON true',
])('a method that reads refuses %s', (text) => {
  expect(() => db.query(raw(text))).toThrow('A method that reads was given a statement that writes');
  expect(ran).toEqual([]);
});

it.each(['SELECT id FROM sites FOR NO KEY UPDATE', `SELECT 'update' AS operation`])(
  'a method that reads takes %s',
  async (text) => {
    const statement = raw(text);
    await db.query(statement);
    expect(ran.splice(0)).toEqual([statement]);
  },
);

it('reads when it is the turn of its profile, and the service itself at once', async () => {
  turns.length = 0;
  for (const executor of [db, new AttributedDatabase(database, {})]) {
    await executor.query(raw('SELECT 1'));
    await executor.snapshot(() => Promise.resolve());
  }
  expect(turns).toEqual(['somebody', 'somebody']);
});
