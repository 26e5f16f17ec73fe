import fs from 'node:fs/promises';
import { Api, startService, type Answer, type TestService } from '../support/app.js';
import { raw, sql } from '../../src/database/sql.js';

const PASSWORD = 'correct horse battery staple';
const SENTENCE = 'The database cannot write, because its disk is full or faulty. Reading still works';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const csv = { 'content-type': 'text/csv' };

describe.each(['53100', '58030'])('a disk of the database that gives %s', (code) => {
  let id: string;
  let email: string;
  let token: string;

  beforeAll(async () => {
    const { db } = service.database;
    email = `writer-${code}@example.com`;
    await admin.make('/api/profiles', { email, password: PASSWORD });
    ({ token } = await admin.make('/api/tokens', { name: code }));
    ({ id } = await admin.make('/api/sites', { name: 'Berlin' }));
    await db.query(sql`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '${raw(code)}'; END $$`);
    for (const table of ['sites', 'sessions', 'tokens']) {
      await db.query(
        sql`CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE OR DELETE ON ${raw(table)} EXECUTE FUNCTION full_disk()`,
      );
    }
  });
  afterAll(() => service.database.db.query(sql`DROP FUNCTION full_disk() CASCADE`));

  it.each<[string, () => Promise<Answer>]>([
    ['a create', () => admin.post('/api/sites', { name: 'Paris' })],
    ['a change', () => admin.patch(`/api/sites/${id}`, { name: 'Paris' })],
    ['a delete', () => admin.delete(`/api/sites/${id}`)],
    ['a bulk', () => admin.post('/api/sites/bulk', { operations: [{ op: 'create', data: { name: 'Paris' } }] })],
    ['an import', () => admin.post('/api/sites/import', 'name\nParis\n', csv)],
    ['a login', () => service.anonymous.post('/api/auth/login', { email, password: PASSWORD })],
  ])('refuses %s with 503 and a sentence of its own', async (_, write) => {
    const { status, body, headers } = await write();
    expect([status, body.error, headers.get('retry-after')]).toEqual([503, SENTENCE, '30']);
  });

  it('lets everything be read, also where the time of a last use should be written', async () => {
    for (let round = 0; round < 2; round++) {
      for (const api of [admin, new Api(service.url, undefined, token)]) {
        expect((await api.get(`/api/sites/${id}`)).body.data.name).toBe('Berlin');
        expect((await api.get('/api/sites')).status).toBe(200);
      }
      service.clock.advance(2);
    }
  });
});

it('a full folder for temporary files is no fault of the request', async () => {
  const open = jest.spyOn(fs, 'open').mockRejectedValueOnce(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  const atOnce = await admin.post('/api/sites/import', 'name\nParis\n', csv);
  open.mockRestore();
  const original = fs.open;
  const later = jest.spyOn(fs, 'open').mockImplementationOnce(async (...given) => {
    const file = await original(...given);
    file.write = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    return file;
  });
  const meanwhile = await admin.post('/api/sites/import', `name\n${'Paris\n'.repeat(100_000)}`, csv);
  later.mockRestore();
  for (const { status, body, headers } of [atOnce, meanwhile]) {
    expect([status, body.error, headers.get('retry-after')]).toEqual([
      503,
      'The service cannot store the file at the moment, because its folder for temporary files is full',
      '30',
    ]);
  }
  expect((await admin.post('/api/sites/import', 'name\nParis\n', csv)).status).toBe(200);
});
