import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { loadConfiguration } from '../../src/config/configuration.js';
import { createLogger } from '../../src/http/server/logger.js';
import { banner } from '../../src/app/startup/banner.js';
import { makeFirstAdministrator } from '../../src/app/startup/first-administrator.js';
import { Api, startService, type Answer, type HeaderMap, type TestService } from '../support/app.js';
import { onServer } from '../support/database.js';
import { itInFull } from '../support/size.js';
import { raw, sql } from '../../src/database/sql.js';

const LICENCE = 'CANARY-LICENCE-9f3a';
const PASSWORD = 'CANARY-PASSWORD-77c1';
const NEXT_PASSWORD = 'CANARY-PASSWORD-b2e8';
const ADMIN_PASSWORD = 'CANARY-ADMIN-PASSWORD-51d0';

const email = 'canary@example.com';
const tokenOf = ({ headers }: Answer): string => /session=([^;]+)/.exec(headers.get('set-cookie')!)![1]!;

/** The forms in which a leaked secret could appear: unchanged, or encoded as a whole. */
const formsOf = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  encodeURIComponent(secret),
];

/** Uses secrets as intended, and also sends them in wrong places. */
async function live(url: string, adminPassword: string): Promise<{ secrets: string[]; answers: Answer[] }> {
  const answers: Answer[] = [];
  const client = (cookie?: string) => {
    const api = new Api(url, cookie);
    return async (method: string, path: string, body?: unknown, headers?: HeaderMap): Promise<Answer> => {
      const answer = await api.request(method, path, body, headers);
      answers.push(answer);
      return answer;
    };
  };
  const anonymous = client();
  const login = (password: string, as = email): Promise<Answer> =>
    anonymous('POST', '/api/auth/login', { email: as, password });
  const adminToken = tokenOf(await login(adminPassword, 'admin@example.com'));
  const admin = client(adminToken);
  const profile = await admin('POST', '/api/profiles', { email, password: PASSWORD, role: 'manager' });
  const profilePath = `/api/profiles/${profile.body.data.id}`;
  const tokens = [adminToken];
  const enter = async (password: string) => {
    const token = tokenOf(await login(password));
    tokens.push(token);
    return client(token);
  };

  // Licence keys.
  let manager = await enter(PASSWORD);
  const licences = '/api/software-licences';
  const made = await manager('POST', licences, { name: 'l', licenceKey: LICENCE }, { 'idempotency-key': 'k' });
  expect(made.body.data.licenceKey).toBe(LICENCE);
  const path = `${licences}/${made.body.data.id}`;
  await manager('POST', licences, { name: 'l', licenceKey: LICENCE }, { 'idempotency-key': 'k' });
  await manager('POST', licences, { name: 'm', licenceKey: LICENCE }, { 'idempotency-key': 'k' });
  await manager('PATCH', path, { licenceKey: `${LICENCE}-2` });
  for (const fault of [
    { licenceKey: LICENCE, seats: -1 },
    { licenceKey: LICENCE, vendorId: made.body.data.id },
    { licenceKey: LICENCE.repeat(500) },
    { licenceKey: [LICENCE] },
    { licenceKey: `${LICENCE}\0` },
    { seats: LICENCE, vendorId: LICENCE, cost: LICENCE, expiryDate: LICENCE, status: LICENCE },
  ]) {
    expect((await manager('PATCH', path, fault)).status).toBe(400);
  }
  await manager('POST', licences, `{"licenceKey":"${LICENCE}",`);
  await manager('POST', licences, `{"name":"${LICENCE}`);
  for (const query of [`licenceKey=${LICENCE}`, `licenceKey__ic=${LICENCE}`, `licenceKey__empty=${LICENCE}`]) {
    expect((await manager('GET', `${licences}?${query}`)).status).toBe(400);
  }
  await manager('GET', `${licences}?sort=licenceKey`);
  await manager('GET', `${path}/changes`);
  await manager('GET', `${path}?asOf=${new Date(Date.now() + 1000).toISOString()}`);
  await manager('GET', '/api/change-log?resource=software-licences');

  // Passwords.
  await login(`${PASSWORD}-wrong`);
  await login(PASSWORD, PASSWORD);
  await anonymous('POST', '/api/auth/login', `{"password":"${PASSWORD}"`);
  await anonymous('POST', '/api/auth/login', { email: 5, password: PASSWORD });
  await anonymous('POST', '/api/auth/login', { email, password: PASSWORD, more: PASSWORD });
  await anonymous('POST', '/api/auth/login', { email, password: [PASSWORD] });
  await anonymous('POST', `/api/auth/login?email=${email}&password=${PASSWORD}`);
  const next = (body: object): Promise<Answer> => manager('POST', '/api/auth/password', body);
  await next({ currentPassword: NEXT_PASSWORD, newPassword: PASSWORD });
  await next({ currentPassword: PASSWORD, newPassword: `${NEXT_PASSWORD}\0` });
  await next({ currentPassword: PASSWORD, newPassword: NEXT_PASSWORD.repeat(100) });
  expect((await next({ currentPassword: PASSWORD, newPassword: NEXT_PASSWORD })).status).toBe(204);
  await admin('POST', '/api/profiles', { email, password: PASSWORD });
  await admin('POST', '/api/profiles', { email: PASSWORD, password: PASSWORD, role: PASSWORD });
  expect((await admin('PATCH', profilePath, { password: PASSWORD })).status).toBe(200);
  expect((await admin('PATCH', profilePath, { password: PASSWORD, role: 'root' })).status).toBe(400);
  await admin('GET', `${profilePath}/changes`);
  await admin('GET', `/api/profiles?password=${PASSWORD}`);

  // Cookies.
  manager = await enter(PASSWORD);
  for (const token of tokens) {
    expect((await manager('GET', `/api/sites?session=${token}`)).status).toBe(400);
    await anonymous('GET', '/api/sites', undefined, { cookie: `session=${token}; session=x`, 'x-session': token });
  }
  // Addresses of calendars.
  const feed = await manager('POST', '/api/calendar-feeds', { name: 'f', kind: 'changes' });
  const address: string = feed.body.data.url;
  const calendar = address.slice('/calendar/'.length, -'.ics'.length);
  // Only this response may show the address.
  answers.splice(answers.indexOf(feed), 1);
  await anonymous('GET', address);
  await manager('GET', `/api/calendar-feeds/${feed.body.data.id}`);
  await admin('GET', `/api/calendar-feeds/${feed.body.data.id}/changes`);
  await manager('POST', '/api/calendar-feeds', { name: 'f', kind: calendar });
  await admin('GET', `${profilePath}/sessions`);
  await admin('GET', `/api/change-log?actor=${email}`);
  await anonymous('GET', '/openapi.json');
  await manager('POST', '/api/auth/logout');
  return { secrets: [LICENCE, PASSWORD, NEXT_PASSWORD, adminPassword, calendar, ...tokens], answers };
}

/** Only one secret may be shown: a licence key, to a manager who reads or writes the record. No error may show a secret. */
function expectNoSecrets(answers: Answer[], secrets: string[]): void {
  for (const { status, text, headers } of answers) {
    const isLicence = status < 300 && /^\{"data":\{[^[]*"licenceKey":"CANARY-LICENCE/.test(text);
    for (const secret of secrets) {
      if (!(isLicence && secret === LICENCE))
        expect([status, text]).toEqual([status, expect.not.stringContaining(secret)]);
      if (headers.get('set-cookie') === null) expect(JSON.stringify([...headers])).not.toContain(secret);
    }
  }
}

describe('canaries in password, cookie, licence key and ADMIN_PASSWORD', () => {
  let service: TestService;
  let log = '';
  let secrets: string[];
  let answers: Answer[];

  beforeAll(async () => {
    const to = new Writable({
      write(chunk, _encoding, done) {
        log += String(chunk);
        done();
      },
    });
    service = await startService({ ADMIN_PASSWORD }, [], createLogger('trace', to));
    const configuration = loadConfiguration({ ADMIN_PASSWORD });
    const made = await makeFirstAdministrator(service.database.db, configuration);
    log += banner(service.url, configuration, configuration.adminEmail, made);
    ({ secrets, answers } = await live(service.url, ADMIN_PASSWORD));
    await failing();
  });
  afterAll(() => service.stop());

  /** Writes that fail with unexpected database errors. */
  async function failing(): Promise<void> {
    const { db } = service.database;
    const admin = await service.as('admin');
    await db.query(sql`ALTER TABLE software_licences RENAME COLUMN notes TO notes_`);
    const licence = await admin.post('/api/software-licences', { name: 'l', licenceKey: LICENCE });
    await db.query(sql`ALTER TABLE software_licences RENAME COLUMN notes_ TO notes`);
    await db.query(
      sql`ALTER TABLE profiles ADD CONSTRAINT unforeseen CHECK (email <> 'unforeseen@example.com') NOT VALID`,
    );
    const profile = await admin.post('/api/profiles', { email: 'unforeseen@example.com', password: PASSWORD });
    expect([licence.status, profile.status]).toEqual([500, 400]);
    answers.push(licence, profile);
  }

  /** Every row of every table, as text. */
  async function dump(): Promise<string> {
    const { db } = service.database;
    const tables = await db.query<{ name: string }>(
      sql`SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    const contents: string[] = [];
    for (const { name } of tables)
      contents.push(JSON.stringify(await db.query(sql`SELECT t::text, to_json(t)::text FROM ${raw(name)} t`)));
    return contents.join('\n');
  }

  it.each<[string, () => string | Promise<string>, string]>([
    ['the log at its most verbose level', () => log, '"url":"/api/software-licences'],
    ['the database', dump, email],
    [
      'the change records',
      async () => JSON.stringify(await service.database.db.query(sql`SELECT * FROM change_log`)),
      '"licence_key":"(withheld)"',
    ],
    ['the OpenAPI document', async () => (await service.anonymous.get('/openapi.json')).text, '/api/software-licences'],
  ])('are not in %s', async (_, read, witness) => {
    const text = await read();
    // The witness shows that the log contains these requests.
    expect(text).toContain(witness);
    for (const form of secrets.flatMap(formsOf)) expect(text.includes(form) ? form : undefined).toBeUndefined();
    expect(text.replaceAll(/"password_?[hH]ash":"[^"]*"/g, '')).not.toMatch(/CANARY/);
  });

  it('are in no response, except the licence key where it is requested', () => {
    expect(answers.filter(({ status }) => status >= 400).length).toBeGreaterThan(25);
    expectNoSecrets(answers, secrets);
  });

  it('do not appear as hashes in the log either', () => expect(log).not.toContain('$argon2'));
});

// On a server, the server owns the files. The dump has the same contents.
(onServer ? describe.skip : describe)('canaries in a process and its data directory', () => {
  const root = join(__dirname, '../..');
  let directory: string;
  beforeAll(() => void (directory = mkdtempSync(join(tmpdir(), 'secrets-'))));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  function* files(path: string): Generator<string> {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const full = join(path, entry.name);
      if (entry.isDirectory()) yield* files(full);
      else if (entry.isFile()) yield full;
    }
  }

  itInFull(
    'are neither in its output nor in a file, and its files are not accessible to others',
    async () => {
      const SECRET_KEY = 'CANARY-SECRET-KEY-0c6f-and-32-characters';
      const dataDir = join(directory, 'data');
      const child = spawn(process.execPath, ['scripts/run.mjs', 'main'], {
        cwd: root,
        env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'trace', ADMIN_PASSWORD, SECRET_KEY },
      });
      let output = '';
      const listening = new Promise<string>((resolve, reject) => {
        const read = (chunk: unknown): void => {
          output += String(chunk);
          const url = /listening on (\S+)/.exec(output)?.[1];
          if (url) resolve(url);
        };
        child.stdout.on('data', read);
        child.stderr.on('data', read);
        child.on('exit', () => reject(new Error(output)));
      });
      const gone = once(child, 'close');
      let secrets: string[];
      try {
        const url = await listening;
        let answers: Answer[];
        ({ secrets, answers } = await live(url, ADMIN_PASSWORD));
        expectNoSecrets(answers, secrets);
      } finally {
        child.kill('SIGTERM');
        await gone;
      }
      secrets.push(SECRET_KEY);
      expect(output).toContain('"url":"/api/software-licences');
      const forms = secrets.flatMap(formsOf);
      for (const form of forms) expect(output.includes(form) ? form : undefined).toBeUndefined();
      let witnesses = 0;
      for (const file of files(dataDir)) {
        const bytes = readFileSync(file);
        if (bytes.includes(email)) witnesses++;
        for (const form of forms) expect([file, bytes.includes(form) ? form : undefined]).toEqual([file, undefined]);
      }
      expect(witnesses).toBeGreaterThan(0);
      expect((statSync(dataDir).mode & 0o077).toString(8)).toBe('0');
    },
    180_000,
  );
});
