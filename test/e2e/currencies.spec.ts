import { startService, type Api, type TestService } from '../support/app.js';
import { sql } from '../../src/database/sql.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const CONTRACTS = '/api/contracts';
const WITHDRAWN =
  'must be an ISO 4217 currency code, such as USD. HRK was withdrawn: only a record that has it may keep it';

/** A contract from the time in which its currency was one. */
async function oldContract(): Promise<string> {
  const { id } = await admin.make(CONTRACTS, { name: 'Old', currency: 'EUR' });
  await service.database.db.query(sql`UPDATE contracts SET currency = 'HRK' WHERE id = ${id}`);
  return id;
}

it('takes active currencies and funds', async () => {
  for (const currency of ['CLF', 'VED', 'UYW', 'EUR']) {
    expect((await admin.make(CONTRACTS, { name: currency, currency })).currency).toBe(currency);
  }
});

it('takes no withdrawn currency, on any way in', async () => {
  const { id } = await admin.make(CONTRACTS, { name: 'Now', currency: 'EUR' });
  const details = [{ field: 'currency', message: WITHDRAWN }];
  const created = await admin.post(CONTRACTS, { name: 'New', currency: 'HRK' });
  expect([created.status, created.body.details]).toEqual([400, details]);
  const changed = await admin.patch(`${CONTRACTS}/${id}`, { currency: 'HRK' });
  expect([changed.status, changed.body.details]).toEqual([400, details]);
  const csv = { 'Content-Type': 'text/csv' };
  const imported = await admin.post(`${CONTRACTS}/import`, 'name,currency\nA,EUR\nB,HRK\n', csv);
  expect([imported.status, imported.body.details]).toEqual([
    400,
    [{ field: 'rows[2].currency', message: WITHDRAWN, row: 2, line: 3 }],
  ]);
  const bulk = await admin.post(`${CONTRACTS}/bulk`, { operations: [{ op: 'update', id, data: { currency: 'HRK' } }] });
  expect([bulk.status, bulk.body.details?.[0].message]).toEqual([400, WITHDRAWN]);
});

it('leaves a withdrawn currency in a record that has it', async () => {
  const id = await oldContract();
  const path = `${CONTRACTS}/${id}`;
  const renamed = await admin.patch(path, { name: 'Renamed' });
  expect([renamed.status, renamed.body.data.currency]).toEqual([200, 'HRK']);
  const { body } = await admin.get(path);
  expect((await admin.patch(path, body.data)).status).toBe(200);
  const file = (await admin.get(`${CONTRACTS}?id=${id}&format=csv&raw=true`)).text;
  const again = await admin.post(`${CONTRACTS}/import?mode=upsert&key=id&raw=true`, file, {
    'Content-Type': 'text/csv',
  });
  expect([again.status, again.body.data]).toEqual([200, expect.objectContaining({ unchanged: 1, failed: 0 })]);
  expect((await admin.patch(path, { currency: 'EUR' })).status).toBe(200);
  expect((await admin.patch(path, { currency: 'HRK' })).status).toBe(400);
});
