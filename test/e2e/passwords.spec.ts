import { randomUUID } from 'node:crypto';
import { loadConfiguration } from '../../src/config/configuration.js';
import { administratorEmail, makeFirstAdministrator } from '../../src/app/startup/first-administrator.js';
import { Api, startService, type Answer, type TestService } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';
import { hashesOfLittleCost } from '../support/hashes.js';
import { itInFull, some } from '../support/size.js';
import { sql } from '../../src/database/sql.js';

const PASSWORD = 'correct horse battery staple';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());
// All these failed logins come from one address.
afterEach(() => service.database.db.query(sql`DELETE FROM login_throttles`));

const newEmail = (): string => `${randomUUID()}@example.com`;
const login = (email: string, password: string): Promise<Answer> =>
  service.anonymous.post('/api/auth/login', { email, password });
const canEnter = async (email: string, password: string): Promise<boolean> => {
  const { status } = await login(email, password);
  expect([200, 401]).toContain(status);
  return status === 200;
};

/** The three ways to set a password, each with its field and the email address of the profile. */
const ways: [string, string, (password: unknown, email?: string) => Promise<Answer>][] = [
  ['a new profile', 'password', (password, email = newEmail()) => admin.post('/api/profiles', { email, password })],
  [
    'an administrator',
    'password',
    async (password, email = newEmail()) => {
      const { id } = await admin.make('/api/profiles', { email, password: PASSWORD });
      return admin.patch(`/api/profiles/${id}`, { password });
    },
  ],
  [
    'the owner',
    'newPassword',
    async (newPassword, email = newEmail()) => {
      await admin.make('/api/profiles', { email, password: PASSWORD });
      const { headers } = await login(email, PASSWORD);
      const own = new Api(service.url, /^session=([^;]*)/.exec(headers.get('set-cookie')!)![1]!);
      return own.post('/api/auth/password', { currentPassword: PASSWORD, newPassword });
    },
  ],
];

describe.each(ways)('a password that is set by %s', (_, field, set) => {
  hashesOfLittleCost();

  it.each([
    ['eleven characters', 'xk7 qv2 zm9'],
    ['eleven characters with more code units', '🐎🔋🐎🔋🐎🔋🐎🔋🐎🔋🐎'],
    ['1,025 characters', 'xk7 qv2 zm9.'.repeat(86).slice(0, 1025)],
    ['a common one', 'qwerty123456'],
    ['a common password in capitals', 'QwErTy123456'],
    ['a NUL within', 'twelve\0characters'],
    ['half of a surrogate pair', `${'x'.repeat(12)}\ud83d`],
    ['twelve blanks and tabs', ' \t \t \t \t \t \t'],
    ['twelve invisible characters', '\u200b\ufeff\u00ad\u2060\u180e\u3164\u115f\u1160\uffa0\u2800\u200f\u0007'],
    ['no text', 123_456_789_012],
    ['a list', ['correct horse battery staple']],
    ['nothing', null],
  ])('cannot be %s', async (_what, password) => {
    const { status, body } = await set(password);
    expect([status, body.details?.map((fault: { field: string }) => fault.field)]).toEqual([400, [field]]);
  });

  it('cannot be the email address', async () => {
    const email = newEmail();
    for (const password of [email, email.toUpperCase(), ` ${email} `]) {
      const { status, body } = await set(password, email);
      expect([status, body.details]).toEqual([400, [{ field, message: 'must not be the email address' }]]);
      const [profile] = (await admin.get(`/api/profiles?email=${email}`)).body.data;
      if (profile) await admin.delete(`/api/profiles/${profile.id}`);
    }
  });

  it.each([
    ['twelve letters', 'mqzkvhwtbxrp'],
    ['twelve digits', '739104628517'],
    ['twelve characters of two code units', '🐎🔋🪝🐴🔌📎🐎🔋🪝🐴🔌📎'],
    ['blanks at both ends', '  correct horse battery  '],
    ['line breaks and controls', 'correct\r\nhorse\u001b[31m\u0085battery'],
    ['text that looks like markup, SQL or a format', `<b>' OR 1=1 -- %s %00 \${x} {{y}}`],
    ['combining characters', 'e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301'],
    ['characters from every plane of Unicode', 'aé漢𝕏\u{2ffff}\u{10fffd}עبไ한ﷺ\u200d'],
    ['1,024 characters', `${'漢'.repeat(1023)}!`],
  ])('can be %s, and is kept exactly', async (_what, password) => {
    const email = newEmail();
    expect((await set(password, email)).status).toBeLessThan(300);
    expect(await canEnter(email, password)).toBe(true);
    const others = [
      [...password].slice(0, -1).join(''),
      `x${password}`,
      password.trim(),
      password.normalize('NFC'),
      `${password} `,
    ];
    for (const other of new Set(others)) {
      if (other !== password && [...other].length <= 1024)
        expect([other, await canEnter(email, other)]).toEqual([other, false]);
    }
  });
});

it.each([1, 55, 72, 73, 128, 129, 255, 256, 257, 512, 1000])(
  'two passwords differ if they differ after %d bytes only',
  async (same) => {
    const email = newEmail();
    const [one, other] = ['A', 'B'].map((end) => `${'xk7.'.repeat(250).slice(0, same)}${end}, and what follows`);
    await admin.make('/api/profiles', { email, password: one });
    expect(await canEnter(email, other!)).toBe(false);
    expect(await canEnter(email, one!)).toBe(true);
  },
);

it('is hashed with argon2id as OWASP recommends, with a salt of its own', async () => {
  const emails = [newEmail(), newEmail()];
  for (const email of emails) await admin.make('/api/profiles', { email, password: PASSWORD });
  const rows = await service.database.db.query<{ hash: string }>(
    sql`SELECT password_hash AS hash FROM profiles WHERE email = ANY(${emails})`,
  );
  expect(rows).toHaveLength(2);
  for (const { hash } of rows) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(rows[0]!.hash).not.toBe(rows[1]!.hash);
});

describe('the first administrator', () => {
  const make = async (environment: Record<string, string>) => {
    const database = await createTestDatabase();
    try {
      const configuration = loadConfiguration(environment);
      const made = await makeFirstAdministrator(database.db, configuration);
      return {
        made: made!,
        rows: await database.db.query<{ row: string }>(sql`SELECT p::text AS row FROM profiles p`),
      };
    } finally {
      await database.drop();
    }
  };

  it('gets a password of 120 random bits if none is configured', async () => {
    const [one, other] = [await make({}), await make({})];
    expect(one.made.password).toMatch(/^[\w-]{20}$/);
    expect(one.made.password).not.toBe(other.made.password);
    expect(one.rows[0]!.row).not.toContain(one.made.password);
  });

  itInFull('gets the configured password, with the blanks at its ends', async () => {
    const other = await startService();
    try {
      const { db } = other.database;
      await makeFirstAdministrator(db, loadConfiguration({ ADMIN_PASSWORD: ' correct horse battery ' }));
      const enter = async (password: string): Promise<number> =>
        (await other.anonymous.post('/api/auth/login', { email: 'admin@example.com', password })).status;
      expect(await enter('correct horse battery')).toBe(401);
      expect(await enter(' correct horse battery ')).toBe(200);
    } finally {
      await other.stop();
    }
  });

  itInFull('of a database with a formerly valid address can still log in, and is reported at the start', async () => {
    const other = await startService();
    try {
      const { db } = other.database;
      const { adminEmail } = loadConfiguration({});
      expect(await administratorEmail(db, adminEmail)).toBe('admin@example.com');
      await makeFirstAdministrator(db, { adminEmail: 'admin@localhost', adminPassword: PASSWORD });
      // Uses `fetch`, because the document does not allow such an address.
      const { status } = await fetch(`${other.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'admin@localhost', password: PASSWORD }),
      });
      expect(status).toBe(200);
      expect(await makeFirstAdministrator(db, loadConfiguration({}))).toBeUndefined();
      expect(await administratorEmail(db, adminEmail)).toBe('admin@localhost');
      await other.as('admin');
      expect(await administratorEmail(db, adminEmail)).toBe('admin@localhost');
      await db.query(sql`UPDATE profiles SET is_active = false WHERE email = ${'admin@localhost'}`);
      expect(await administratorEmail(db, adminEmail)).toMatch(/^admin-.*@example\.com$/);
    } finally {
      await other.stop();
    }
  });

  const given: [string, string | undefined][] = [
    ['admin', 'must be at least 12 characters long'],
    ['qwerty123456', 'is on the list of common passwords, which are tried first'],
    [PASSWORD, undefined],
  ];
  it.each(some(1, given))('is warned about %s', async (password, fault) => {
    const { made } = await make({ ADMIN_PASSWORD: password });
    expect(made).toEqual({ email: 'admin@example.com', ...(fault && { weakness: fault }) });
  });
});
