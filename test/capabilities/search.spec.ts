import { NO_FIELDS } from '../../src/fields/custom/defined-fields.js';
import { Profile } from '../../src/auth/profile/profile.entity.js';
import { declaredSqlOf } from '../../src/lists/record-sql.js';
import { SearchService } from '../../src/search/search.service.js';
import { startService, startServiceOn, type Api, type TestService } from '../support/app.js';
import { administer, connectTo, onServer } from '../support/database.js';
import { reportCounts } from '../support/scans.js';
import { pathOf, resources } from '../support/resources.js';
import { rows } from '../resources/rows.js';
import { Maker } from '../resources/make.js';
import { raw, sql } from '../../src/database/sql.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

interface Match {
  resource: string;
  id: string;
  path: string;
  beside: string | null;
  name: string;
  field: string;
  match: string;
}
const find = async (q: string, more = '', api = admin): Promise<Match[]> => {
  const { status, body } = await api.get(`/api/search?q=${encodeURIComponent(q)}${more}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
};

describe('the search of everything', () => {
  it('has one entry for a record, exact matches first, then prefixes', async () => {
    const exact = await admin.make('/api/assets', {
      name: 'Switch sn-4711',
      serialNumber: 'SN-4711',
      notes: 'sn-4711',
    });
    const prefix = await admin.make('/api/sites', { name: 'sn-4711 hall' });
    const inside = await admin.make('/api/vendors', { name: 'Vendor', description: 'sells SN-4711 and more' });
    const { body } = await admin.get('/api/search?q=sn-4711');
    expect(body).toEqual({
      data: [
        {
          resource: 'assets',
          id: exact.id,
          path: `/api/assets/${exact.id}`,
          name: 'Switch sn-4711',
          field: 'serialNumber',
          match: 'exact',
          beside: null,
        },
        {
          resource: 'sites',
          id: prefix.id,
          path: `/api/sites/${prefix.id}`,
          name: 'sn-4711 hall',
          field: 'name',
          match: 'prefix',
          beside: null,
        },
        {
          resource: 'vendors',
          id: inside.id,
          path: `/api/vendors/${inside.id}`,
          name: 'Vendor',
          field: 'description',
          match: 'contains',
          beside: null,
        },
      ],
      total: 3,
      page: 1,
      pageSize: 10_000,
      hasMore: false,
    });
    expect((await admin.get('/api/search?q=sn-4711&pageSize=1&page=2')).body).toMatchObject({
      data: [{ resource: 'sites' }],
      total: 3,
      hasMore: true,
    });
    expect(await find('sn-4711', '&resource=vendors&resource=sites')).toHaveLength(2);
    const { text } = await admin.get('/api/search?q=sn-4711&resource=sites', { accept: 'text/csv' });
    expect(text).toBe(
      `resource,id,path,name,field,match,beside\r\nsites,${prefix.id},/api/sites/${prefix.id},"sn-4711 hall",name,prefix,\r\n`,
    );
    expect((await admin.get('/api/search?q=sn-4711&format=ndjson')).text.trimEnd().split('\n')).toHaveLength(3);
  });

  it('tells records of one name from each other', async () => {
    const places: string[] = [];
    for (const name of ['Lisbon', 'Oslo']) places.push((await admin.make('/api/sites', { name })).id);
    const room = await admin.make('/api/locations', { name: 'Room 1', siteId: places[0] });
    await admin.make('/api/racks', { name: 'twin-rack', siteId: places[0], locationId: room.id });
    await admin.make('/api/racks', { name: 'twin-rack', siteId: places[1] });
    await admin.make('/api/racks', { name: 'twin-rack' });
    await admin.make('/api/assets', { name: 'twin-rack', assetTag: 'AT-77' });
    await admin.make('/api/vlans', { name: 'twin-rack', vid: 77, siteId: places[1] });
    const found = (await admin.get('/api/search?q=twin-rack')).body.data;
    expect(found.map(({ resource, beside }: Match) => `${resource}: ${beside}`).toSorted()).toEqual([
      'assets: AT-77',
      'racks: Oslo',
      'racks: Room 1 · Lisbon',
      'racks: null',
      'vlans: 77 · Oslo',
    ]);
  });

  it('has what is called so before what mentions it', async () => {
    const made = async (path: string, body: object) => (await admin.make(path, body)).id as string;
    // The order of creation differs from the order of the results.
    const mentioned = await made('/api/asset-categories', { name: 'Switches', description: 'zeb-leaf-07 and others' });
    const incident = await made('/api/incidents', { name: 'zeb-leaf-07 restarts by itself' });
    const part = await made('/api/clusters', { name: 'zeb-leafs' });
    const device = await made('/api/devices', { name: 'zeb-leaf-07' });
    expect((await find('zeb-leaf')).map(({ id }) => id)).toEqual([device, incident, mentioned, part]);
    expect((await find('leaf-07')).map(({ id }) => id)).toEqual([device, incident, mentioned]);
  });

  it('has whole words before parts of words within each kind of match, and what was shipped last', async () => {
    const made = async (path: string, name: string) => (await admin.make(path, { name })).id as string;
    // The order of creation differs from the order of the results.
    const inside = await made('/api/sites', 'The qovarium');
    const word = await made('/api/vendors', 'Old [qova+] house');
    const part = await made('/api/assets', 'Qovadapter');
    const first = await made('/api/vendors', 'Qova Lovelace');
    const exact = await made('/api/vendors', 'QOVA');
    const shipped = [await made('/api/platforms', 'qovaos'), await made('/api/platforms', 'Qova Linux')];
    await service.database.db.query(sql`UPDATE platforms SET source = 'vendor' WHERE id = ANY(${shipped})`);
    // A manufacturer has no source.
    shipped.push(await made('/api/manufacturers', 'Qova Manufacturing'));
    const renamed = await made('/api/manufacturers', 'Qova Once Shipped');
    await service.database.db.query(
      sql`INSERT INTO catalogue_entries (kind, slug) SELECT 'manufacturers', slug FROM manufacturers WHERE id = ANY(${[shipped[2], renamed]})`,
    );
    await admin.patch(`/api/manufacturers/${renamed}`, { name: 'Qovaworks' });
    const found = await find('qova');
    expect(found.map(({ id, match }) => [id, match])).toEqual([
      [exact, 'exact'],
      [first, 'prefix'],
      [part, 'prefix'],
      [renamed, 'prefix'],
      [shipped[1], 'prefix'],
      [shipped[2], 'prefix'],
      [shipped[0], 'prefix'],
      [word, 'contains'],
      [inside, 'contains'],
    ]);
    // Special characters of patterns are ordinary characters.
    expect(await find('[qova+]')).toMatchObject([{ id: word, match: 'contains' }]);
    expect(await find('qova+ADAP')).toEqual([]);
  });

  it('finds addresses, and parts with the path that they are read at', async () => {
    const device = await admin.make('/api/devices', { name: 'search-01' });
    const port = await admin.make(`/api/devices/${device.id}/ports`, { name: 'eth0', macAddress: '00:1B:44:11:3A:B7' });
    await admin.make('/api/ip-addresses', { address: '10.77.0.1/24' });
    expect(await find('10.77.')).toMatchObject([{ name: '10.77.0.1/24', field: 'address', match: 'prefix' }]);
    const [found] = await find('3a:b7');
    expect(found).toMatchObject({
      resource: 'device-ports',
      id: port.id,
      name: 'eth0',
      field: 'macAddress',
      match: 'contains',
    });
    expect((await admin.get(found!.path)).body.data.id).toBe(port.id);
  });

  it('finds records of every resource that has searched fields', async () => {
    const maker = new Maker(admin, 'search');
    for (const row of rows) {
      const { path, id } = await maker.record(row.path);
      const { data } = (await admin.get(path)).body;
      const { record } = resources.find((resource) => pathOf(resource) === row.path) ?? { record: Profile };
      // Parts of all owners appear below their owners.
      if (resources.some((resource) => resource.flat && pathOf(resource) === row.path)) continue;
      const [field] = declaredSqlOf(record as never).searched;
      // Records that only link others have no text. The texts of the linked records find them.
      if (!field) {
        expect(row.path).toMatch(
          /\/(?:targets|addresses|tagged-vlans|device-port-vlans|responsibilities|coverage|seats)$/,
        );
        continue;
      }
      const text = data[field.property] ?? `search of ${row.path}`;
      if (data[field.property] === null) await admin.patch(path, { [field.property]: text });
      const matches = await find(text);
      expect([row.path, matches.find((match) => match.id === id)]).toEqual([
        row.path,
        expect.objectContaining({ id, path, name: expect.any(String), field: field.property, match: 'exact' }),
      ]);
    }
  });

  it('leaves out what the caller may not read', async () => {
    await admin.make('/api/runbooks', { name: 'search rights' });
    await admin.make('/api/sites', { name: 'search rights' });
    await admin.make('/api/profiles', { email: 'search.rights@example.com', password: 'a passphrase of the search 1' });
    const namesOf = async (api: Api, q = 'search rights'): Promise<string[]> =>
      (await find(q, '', api)).map(({ resource }) => resource);
    const outsider = await service.as('viewer', []);
    expect(await namesOf(admin)).toEqual(expect.arrayContaining(['runbooks', 'sites']));
    expect(await namesOf(outsider)).toEqual(['sites']);
    expect(await namesOf(admin, 'search.rights@')).toEqual(['profiles']);
    expect(await namesOf(await service.as('manager'), 'search.rights@')).toEqual([]);
    expect(await find('search rights', '&resource=runbooks', outsider)).toEqual([]);
    await admin.make('/api/tokens', { name: 'search of tokens' });
    expect(await namesOf(admin, 'search of tokens')).toEqual(['tokens']);
    expect(await namesOf(outsider, 'search of tokens')).toEqual([]);
    const own = await outsider.make('/api/tokens', { name: 'search of tokens' });
    expect((await find('search of tokens', '', outsider)).map(({ id }) => id)).toEqual([own.id]);
    expect((await service.anonymous.get('/api/search?q=xx')).status).toBe(401);
  });

  it('never reads secrets', async () => {
    await admin.make('/api/software-licences', { name: 'licence', licenceKey: 'FINDME-123' });
    expect(await find('FINDME-123')).toEqual([]);
  });

  it.each([
    ['', 'q must be given'],
    ['q=', 'q must have at least 2 characters'],
    ['q=x', 'q must have at least 2 characters'],
    ['q=%F0%9D%92%B3', 'q must have at least 2 characters'],
    ['q=a%00b', 'q must not contain NUL characters or lone surrogates'],
    ['q=xx&q=yy', 'q must be given once'],
    ['q=xx&resource=device', "resource must be the name of a resource. Did you mean 'devices'?"],
    ['q=xx&search=xx', "Unknown parameter 'search'. Did you mean 'q'?"],
    ['q=xx&sort=name', "Unknown parameter 'sort'."],
    ['q=xx&pageSize=0', 'pageSize must be an integer between 1 and 10000'],
  ])('refuses %p', async (query, error) => {
    const answer = await admin.get(`/api/search?${query}`);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });

  it('takes wildcards as they are', async () => {
    await admin.make('/api/sites', { name: '100% _sure_ \\o/' });
    for (const q of ['100%', '_sure_', '\\o/']) expect(await find(q)).toHaveLength(1);
    expect(await find('%%')).toEqual([]);
    expect(await find('__')).toEqual([]);
  });
});

describe('the statement of the search of everything', () => {
  const isUnprepared = async (query: string): Promise<boolean> => {
    const spy = jest.spyOn(service.database.db, 'query');
    await admin.get(`/api/search?${query}`);
    const unprepared = spy.mock.calls.filter(([statement]) => !statement.isPrepared);
    spy.mockRestore();
    return unprepared.length > 0;
  };

  it('has one plan for all texts that have a trigram', async () => {
    expect(await isUnprepared('q=kelvin')).toBe(false);
    expect(await isUnprepared('q=celsius-grade')).toBe(false);
  });

  it.each(['q=ke', 'q=a-b.c', 'q=kelvin&resource=assets'])('is planned for its values: %p', async (query) => {
    expect(await isUnprepared(query)).toBe(true);
  });
});

(onServer ? describe : describe.skip)('on a server', () => {
  it('every branch can use its trigram index', async () => {
    const { db, url } = service.database;
    const searched = service.app.get(SearchService).names({ fields: NO_FIELDS });
    expect(searched.length).toBeGreaterThan(30);
    const tables = searched.map((name) => name.replaceAll('-', '_'));
    // On an empty table, a sequential scan or another index has the same cost. This file has its own database.
    const others = await db.query<{ name: string }>(
      sql`SELECT indexname AS name FROM pg_indexes WHERE indexname LIKE 'ix\\_%\\_order'`,
    );
    await db.query(sql`DROP INDEX ${raw(others.map(({ name }) => name).join(', '))}`);
    const ofThisFile = new URL(url!).pathname.slice(1);
    await db.query(sql`ALTER DATABASE ${raw(ofThisFile)} SET seq_page_cost = 1000000`);
    // A connection reports its statistics when it ends, at the latest.
    await administer(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${ofThisFile}'`);
    const database = await connectTo(url!);
    const own = await startServiceOn(database);
    try {
      const api = await own.as('admin');
      const scans = async (): Promise<{ name: string; index: number; table: number }[]> => {
        await reportCounts(database);
        return database.db.query(
          sql`SELECT relname AS name, i.idx_scan::int AS index, t.seq_scan::int AS table
           FROM pg_stat_user_tables t JOIN pg_stat_user_indexes i USING (relid, relname)
           WHERE relname = ANY (${tables}) AND indexrelname = 'ix_' || relname || '_search' ORDER BY relname`,
        );
      };
      /** Tables that were read without their trigram index, or not once for each search. */
      const astray = async (
        times: number,
        found: readonly string[],
        search: () => Promise<void>,
      ): Promise<string[]> => {
        const before = await scans();
        await search();
        const after = await scans();
        expect(after.length).toBe(tables.length);
        return after.flatMap(({ name, index, table }, i) => {
          const as = before[i]!;
          const isSearched = found.includes(name) ? index - as.index >= times : index === as.index;
          // The service also reads all definitions of custom fields.
          const isWhole = table !== as.table && name !== 'custom_fields';
          return isSearched && !isWhole ? [] : [`${name}: ${index - as.index} and ${table - as.table}`];
        });
      };
      const q = `q=${encodeURIComponent('kelvin 4711')}`;
      for (const [i, resource] of searched.entries()) {
        expect(
          await astray(1, [tables[i]!], async () =>
            expect((await api.get(`/api/search?${q}&resource=${resource}`)).status).toBe(200),
          ),
        ).toEqual([]);
      }
      // The last executions use a generic plan, which was made without the text.
      expect(
        await astray(10, tables, async () => {
          for (let n = 0; n < 10; n++) expect((await api.get(`/api/search?${q}`)).status).toBe(200);
        }),
      ).toEqual([]);
    } finally {
      await own.stop();
    }
  });
});
