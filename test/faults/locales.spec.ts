import { randomBytes } from 'node:crypto';
import { openDatabase, type OpenDatabase } from '../../src/schema/open-database.js';
import { startServiceOn, type TestService } from '../support/app.js';
import { administer, onServer, serverConfiguration, urlOf } from '../support/database.js';

if (!onServer) console.warn('Locales of a database: skipped, as they need a server (TEST_DATABASE_URL)');

const PASSWORD = 'correct horse battery staple';

/** Locales, and whether search finds a text in the other case there. */
const LOCALES: Record<string, { options: string; said?: string; finds: Record<string, boolean> }> = {
  'C.UTF-8': { options: `LOCALE 'C.UTF-8'`, finds: { москва: true, iris: true } },
  C: {
    options: `LOCALE 'C'`,
    said: 'In searches and filters only letters of ASCII are found in upper and lower case, because of the locale of the database',
    finds: { москва: false, iris: true },
  },
  'tr-TR': {
    options: `LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR'`,
    said: 'In searches and filters I and i are different letters, because of the locale of the database',
    finds: { москва: true, iris: false },
  },
};

(onServer ? describe : describe.skip).each(Object.entries(LOCALES))(
  'a database with %s',
  (locale, { options, said, finds }) => {
    const name = `${process.env.TEST_DATABASE_TEMPLATE}_${locale.toLowerCase().replaceAll(/\W/g, '')}_${randomBytes(3).toString('hex')}`;
    const messages: string[] = [];
    const named: unknown[] = [];
    const log = {
      error: () => {},
      info: (about: object, message: string) => {
        messages.push(message);
        if ('locale' in about) named.push(about.locale);
      },
    };
    let opened: OpenDatabase;
    let service: TestService;

    beforeAll(async () => {
      await administer(`CREATE DATABASE ${name} ENCODING 'UTF8' ${options} TEMPLATE template0`);
      opened = await openDatabase(serverConfiguration(urlOf(name)), log);
      service = await startServiceOn({ db: opened.db, dataSource: opened.dataSource, drop: () => opened.close() });
    }, 120_000);
    afterAll(async () => {
      await service?.stop();
      await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    });

    it('compares email addresses in upper and lower case', async () => {
      const admin = await service.as('admin');
      await admin.make('/api/profiles', { email: 'irma0@example.com', password: PASSWORD, role: 'viewer' });
      const again = { email: 'IRMA0@EXAMPLE.COM', password: PASSWORD, role: 'viewer' };
      expect((await admin.post('/api/profiles', again)).status).toBe(409);
      const login = await service.anonymous.post('/api/auth/login', { email: 'IRMA0@EXAMPLE.COM', password: PASSWORD });
      expect(login.status).toBe(200);
      const person = await admin.make('/api/people', { fullName: 'Irma', email: 'irma0@example.com' });
      const taken = await admin.post('/api/people', { fullName: 'Irma', email: 'IRMA0@example.com' });
      expect([taken.status, taken.body.details[0].message]).toEqual([409, expect.stringContaining(person.id)]);
      const imported = await admin.post(
        '/api/people/import?mode=upsert&key=email',
        'email,fullName\nIRMA0@EXAMPLE.COM,Irma the second\n',
        { 'Content-Type': 'text/csv' },
      );
      expect([imported.status, imported.body.data]).toEqual([200, expect.objectContaining({ created: 0, updated: 1 })]);
      for (const filter of ['email__ie=Irma0@Example.com', 'email__ie=x@example.com&email__ie=IRMA0@example.com'])
        expect((await admin.get(`/api/people?${filter}`)).body.total).toBe(1);
      expect(named).toEqual(said ? [locale] : []);
    });

    it('finds the manufacturer of a file of the library in upper and lower case', async () => {
      const admin = await service.as('admin');
      const send = (manufacturer: string) =>
        admin.post('/api/device-types/import', `manufacturer: ${manufacturer}\nmodel: M1\nslug: m1\n`, {
          'Content-Type': 'application/yaml',
        });
      expect((await send('INITECH')).status).toBe(200);
      expect((await send('initech')).status).toBe(200);
      expect(
        (await admin.get('/api/manufacturers?search=nitech')).body.total +
          (await admin.get('/api/manufacturers?name=initech')).body.total,
      ).toBeLessThan(2);
    });

    it('finds texts in the other case as the documentation says, and says so once', async () => {
      const admin = await service.as('admin');
      await admin.make('/api/sites', { name: 'МОСКВА-1' });
      await admin.make('/api/sites', { name: 'IRIS' });
      const found: Record<string, boolean> = {};
      for (const text of Object.keys(finds)) {
        found[text] = (await admin.get(`/api/sites?search=${encodeURIComponent(text)}`)).body.total === 1;
      }
      expect(found).toEqual(finds);
      expect(messages.filter((message) => message.includes('locale'))).toEqual(said === undefined ? [] : [said]);
    });
  },
);
