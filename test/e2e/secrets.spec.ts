import { Writable } from 'node:stream';
import { pino } from 'pino';
import { Api, startService, type TestService } from '../support/app.js';

const LICENCE = 'CANARY-LICENCE-9f3a';
const PASSWORD = 'CANARY-PASSWORD-77c1';

let service: TestService;
let log = '';
beforeAll(async () => {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk);
      done();
    },
  });
  service = await startService({}, [], pino({ level: 'trace' }, stream));
});
afterAll(() => service.stop());

/** Every row of every table as text. */
async function dump(): Promise<string> {
  const { db } = service.database;
  const tables = await db.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => db.query(`SELECT row_to_json(t)::text AS row FROM ${name} t`)),
  );
  return JSON.stringify(rows);
}

it('keeps licence keys, passwords and session tokens out of the database and the log', async () => {
  const admin = await service.as('admin');
  const email = 'canary@example.com';
  await admin.make('/api/profiles', { email, password: PASSWORD, role: 'manager' });
  const login = await service.anonymous.post('/api/auth/login', { email, password: PASSWORD });
  const token = /session=([^;]+)/.exec(login.headers.get('set-cookie')!)![1]!;
  const manager = new Api(service.url, token);
  const licence = await manager.post(
    '/api/software-licences',
    { name: 'l', licenceKey: LICENCE },
    { 'idempotency-key': 'k' },
  );
  expect(licence.body.data.licenceKey).toBe(LICENCE);
  const path = licence.headers.get('location')!;
  await manager.patch(path, { licenceKey: LICENCE, seats: -1 });
  await manager.patch(path, { licenceKey: LICENCE, vendorId: path.split('/').pop() });
  await manager.post('/api/software-licences', `{"licenceKey":"${LICENCE}",`);
  await service.anonymous.post('/api/auth/login', { email, password: `${PASSWORD}-wrong` });
  await service.anonymous.post('/api/auth/login', `{"password":"${PASSWORD}"`);

  const database = await dump();
  // The dump and the log are those of these requests.
  expect(database).toContain(email);
  expect(log).toContain(path);
  for (const secret of [LICENCE, PASSWORD, token]) {
    expect(database).not.toContain(secret);
    expect(log).not.toContain(secret);
  }
});
