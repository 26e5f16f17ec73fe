import { Api, startService, type TestService } from '../support/app.js';
import { parseCsv } from '../support/csv.js';
import { document, resolveRef, type Json } from '../support/document.js';
import { Maker } from '../resources/make.js';
import { rows } from '../resources/rows.js';
import { raw, sql } from '../../src/database/sql.js';
import { itInFull, some } from '../support/size.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const read = async (path: string, by: Api = admin): Promise<Json> => {
  const { status, body } = await by.get(path);
  expect([path, status, body.error]).toEqual([path, 200, undefined]);
  return body;
};
const faultsOf = async (path: string): Promise<Record<string, string>> => {
  const { status, body } = await admin.get(path);
  expect([path, status]).toEqual([path, 400]);
  return Object.fromEntries(body.details.map(({ field, message }: Json) => [field, message]));
};
const clear = async (): Promise<void> => {
  for (const table of ['assets', 'contracts', 'people', 'sites'])
    await service.database.db.query(sql`DELETE FROM ${raw(table)}`);
};

/** Possible values of a parameter of an operation. */
const wordsOf = (path: string, name: string): string[] => {
  const parameters = document.paths[path].get.parameters.map(resolveRef);
  const schema = parameters.find((one: Json) => one.name === name)?.schema.items;
  return schema ? resolveRef(schema).enum : [];
};

const LENGTHS: Record<string, number> = { day: 10, month: 7, year: 4 };
/** The value by which a record is grouped. */
const valueOf = (record: Json, grouping: string): unknown => {
  const [property, unit] = grouping.split(':') as [string, string?];
  const value = record[property];
  return unit && value ? value.slice(0, LENGTHS[unit]) : value;
};

/** The exact sum of decimals, as a number without trailing zeros. */
function exactSum(values: unknown[]): string | null {
  const given = values.filter((value) => value !== null).map(String);
  if (given.length === 0) return null;
  const sum = given.reduce((all, text) => {
    const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)!;
    return all + BigInt(`${sign}${whole}${fraction.padEnd(20, '0')}`);
  }, 0n);
  const digits = String(sum < 0n ? -sum : sum).padStart(21, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -20)}.${digits.slice(-20)}`.replace(/\.?0+$/, '');
}
const plain = (value: unknown): string | null =>
  value === null
    ? null
    : String(value)
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '');

/** Groups of records, by their values as JSON. */
function groupsOf(records: Json[], groupings: string[]): Map<string, Json[]> {
  const groups = new Map<string, Json[]>();
  for (const record of records) {
    const key = JSON.stringify(groupings.map((grouping) => valueOf(record, grouping)));
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return groups;
}

const owners = rows.filter(({ path }) => !path.includes('{'));

describe.each(some(6, owners).map(({ path }) => path))('the summary of %s', (path) => {
  it('agrees with the list in every field, and in every sum', async () => {
    const row = owners.find((one) => one.path === path)!;
    const maker = new Maker(admin, `summary${path.replaceAll(/\W/g, '')}`);
    await maker.record(path);
    const { path: one } = await maker.record(path);
    const optional = Object.fromEntries(Object.entries(row.optional).filter(([name]) => name !== 'profileId'));
    await admin.patch(one, await maker.values(optional));
    const { data: listed } = await read(path);
    const sums = wordsOf(`${path}/summary`, 'sum');
    const groupings = wordsOf(`${path}/summary`, 'groupBy');
    expect(groupings.length).toBeGreaterThan(3);
    for (const grouping of groupings) {
      const { data, total } = await read(`${path}/summary?groupBy=${grouping}${sums.length > 0 ? `&sum=${sums}` : ''}`);
      const expected = groupsOf(listed, [grouping]);
      expect([grouping, total, data.map((group: Json) => JSON.stringify([group[grouping]])).toSorted()]).toEqual([
        grouping,
        expected.size,
        [...expected.keys()].toSorted(),
      ]);
      for (const group of data) {
        const records = expected.get(JSON.stringify([group[grouping]]))!;
        expect([grouping, group.count]).toEqual([grouping, records.length]);
        for (const sum of sums) {
          expect([grouping, sum, plain(group.sum[sum])]).toEqual([
            grouping,
            sum,
            exactSum(records.map((record) => record[sum])),
          ]);
        }
      }
    }
    // A reference comes with its name, as in an expanded response.
    const names = wordsOf(path, 'expand').filter((name) => groupings.includes(`${name}Id`));
    const { data: expanded } = await read(`${path}${names.length > 0 ? `?expand=${names}` : ''}`);
    for (const name of names) {
      const { data } = await read(`${path}/summary?groupBy=${name}Id`);
      for (const group of data) {
        expect(group[name]).toEqual(expanded.find((record: Json) => record[`${name}Id`] === group[`${name}Id`])[name]);
      }
    }
  });
});

it('has every list of records that have paths of their own, and no list of parts', () => {
  // Exposure is a computed list. Its summary is the refresh plan.
  const summaries = Object.keys(document.paths).filter(
    (path) => path.endsWith('/summary') && path !== '/api/exposure/summary',
  );
  const collections = Object.keys(document.paths).filter(
    (path) => document.paths[`${path}/{id}`]?.patch && document.paths[path].get && !path.includes('{'),
  );
  expect(summaries.toSorted()).toEqual(collections.map((path) => `${path}/summary`).toSorted());
});

describe('a summary', () => {
  const ASSETS = '/api/assets/summary';
  let siteId: string;
  let other: string;
  beforeEach(async () => {
    await clear();
    siteId = (await admin.make('/api/sites', { name: 'Amsterdam' })).id;
    other = (await admin.make('/api/sites', { name: '=Berlin, "old"' })).id;
    for (const values of [
      { siteId, purchasePrice: '0.10', purchasedAt: '2026-01-31T23:59:59.999Z' },
      { siteId, purchasePrice: '0.20', purchasedAt: '2026-01-31T23:30:00-01:00' },
      { siteId, status: 'retired', purchasedAt: '2025-12-31' },
      { siteId: other, purchasePrice: '99999999.99' },
      { siteId: other, purchasePrice: '99999999.99', assetTag: 'x' },
      { purchasePrice: '1.00' },
    ]) {
      await admin.make('/api/assets', { name: 'A', ...values });
    }
  });

  it('counts and sums by several fields, in their order, with nulls last', async () => {
    const found = await read(`${ASSETS}?groupBy=status,siteId&sum=purchasePrice`);
    const [first, second] = [siteId, other].toSorted();
    const ofSite: Record<string, Json> = {
      [siteId]: { site: { id: siteId, name: 'Amsterdam' }, count: 2, sum: { purchasePrice: '0.30' } },
      [other]: { site: { id: other, name: '=Berlin, "old"' }, count: 2, sum: { purchasePrice: '199999999.98' } },
    };
    expect(found).toEqual({
      data: [
        { status: 'in_stock', siteId: first, ...ofSite[first!] },
        { status: 'in_stock', siteId: second, ...ofSite[second!] },
        { status: 'in_stock', siteId: null, site: null, count: 1, sum: { purchasePrice: '1.00' } },
        {
          status: 'retired',
          siteId,
          site: { id: siteId, name: 'Amsterdam' },
          count: 1,
          sum: { purchasePrice: null },
        },
      ],
      total: 4,
      page: 1,
      pageSize: 10_000,
      hasMore: false,
    });
    expect(Object.keys(found.data[0])).toEqual(['status', 'siteId', 'site', 'count', 'sum']);
    expect(await read(`${ASSETS}?groupBy=status&groupBy=siteId&sum=purchasePrice`)).toEqual(found);
    expect((await read(`${ASSETS}?groupBy=status,status`)).data).toEqual([
      { status: 'in_stock', count: 5 },
      { status: 'retired', count: 1 },
    ]);
  });

  it('groups times by day, month and year in UTC', async () => {
    const by = async (unit: string): Promise<unknown[]> =>
      (await read(`${ASSETS}?groupBy=purchasedAt:${unit}`)).data.map((group: Json) => Object.values(group));
    expect(await by('day')).toEqual([
      ['2025-12-31', 1],
      ['2026-01-31', 1],
      ['2026-02-01', 1],
      [null, 3],
    ]);
    expect(await by('month')).toEqual([
      ['2025-12', 1],
      ['2026-01', 1],
      ['2026-02', 1],
      [null, 3],
    ]);
    expect(await by('year')).toEqual([
      ['2025', 1],
      ['2026', 2],
      [null, 3],
    ]);
    expect(await faultsOf(`${ASSETS}?groupBy=purchasedAt`)).toEqual({
      groupBy: 'must have a unit of time: purchasedAt:day, purchasedAt:month, purchasedAt:year',
    });
  });

  it('takes the filters and the search of the list, and has its pages', async () => {
    expect((await read(`${ASSETS}?groupBy=status&siteId=${siteId}&status__n=retired`)).data).toEqual([
      { status: 'in_stock', count: 2 },
    ]);
    expect((await read(`${ASSETS}?groupBy=assetTag&search=X`)).data).toEqual([{ assetTag: 'x', count: 1 }]);
    const many = Array.from({ length: 64 }, () => `&siteId=${other}`).join('');
    expect((await read(`${ASSETS}?groupBy=siteId${many}`)).data).toHaveLength(1);
    const second = await read(`${ASSETS}?groupBy=status,siteId&pageSize=3&page=2`);
    expect(second).toMatchObject({ total: 4, page: 2, pageSize: 3, hasMore: false, data: [{ status: 'retired' }] });
    expect(await read(`${ASSETS}?groupBy=status,siteId&pageSize=3&page=9`)).toMatchObject({ total: 4, data: [] });
    await clear();
    expect(await read(`${ASSETS}?groupBy=status`)).toMatchObject({ total: 0, data: [], hasMore: false });
  });

  it('is a file too', async () => {
    const query = `${ASSETS}?groupBy=status,siteId&sum=purchasePrice`;
    const { data } = await read(query);
    const { headers, text } = await admin.get(`${query}&format=csv`);
    expect(headers.get('content-disposition')).toBe('attachment; filename="assets-summary.csv"');
    const lines = data.map(({ status, siteId: id, site, count, sum }: Json) => [
      status,
      id,
      // The value cannot start a formula.
      site?.name.replace(/^=/, "'=") ?? null,
      String(count),
      sum.purchasePrice,
    ]);
    expect(parseCsv(text)).toEqual([['status', 'siteId', 'site.name', 'count', 'sum.purchasePrice'], ...lines]);
    const asWritten = await admin.get(`${query}&raw=true`, { accept: 'text/csv' });
    expect(asWritten.text).toContain('"=Berlin, ""old"""');
    const ndjson = await admin.get(`${query}&format=ndjson`);
    expect(
      ndjson.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Json),
    ).toEqual(data);
    expect((await admin.get(`${query}&format=csv&pageSize=1&page=4`)).text).toContain('retired');
    expect(await faultsOf(`${query}&format=csv&page=2`)).toHaveProperty('page');
    expect((await admin.get(query, { accept: 'text/html' })).status).toBe(406);
    await clear();
    expect((await admin.get(`${query}&format=csv`)).text).toBe('status,siteId,site.name,count,sum.purchasePrice\r\n');
  });

  it('says what it can be grouped by', async () => {
    expect(await faultsOf(ASSETS)).toEqual({ groupBy: 'must be given' });
    for (const given of [
      '',
      'nonsense',
      'status,',
      'currentAssignee',
      'categoryName',
      'constructor',
      "'; DROP TABLE",
      'count',
    ]) {
      expect((await faultsOf(`${ASSETS}?groupBy=${encodeURIComponent(given)}`)).groupBy).toMatch(
        /^must be one or more of id, name, .*, separated by commas/,
      );
    }
    expect((await faultsOf(`${ASSETS}?groupBy=siteid`)).groupBy).toMatch(/Did you mean 'siteId'\?$/);
    expect(await faultsOf(`${ASSETS}?groupBy=name,status,siteId,id`)).toEqual({ groupBy: 'must be at most 3 fields' });
    expect(await faultsOf(`${ASSETS}?groupBy=status&sum=price`)).toEqual({
      sum: 'must be one or more of purchasePrice, separated by commas',
    });
    // The fault names the wrong word.
    expect((await faultsOf('/api/sites/summary?groupBy=status,complianceBaselines')).groupBy).toMatch(
      /, separated by commas: 'complianceBaselines' is not$/,
    );
    expect((await faultsOf(`${ASSETS}?groupBy=status,siteid`)).groupBy).toMatch(
      /: 'siteid' is not\. Did you mean 'siteId'\?$/,
    );
    expect((await faultsOf(`${ASSETS}?groupBy=status,createdAt`)).groupBy).toBe(
      'must have a unit of time: createdAt:day, createdAt:month, createdAt:year',
    );
    for (const name of ['sort=name', 'order=asc', 'expand=site', 'asOf=2026-01-01', 'nonsense=1']) {
      expect(Object.keys(await faultsOf(`${ASSETS}?groupBy=status&${name}`))).toEqual([name.split('=')[0]]);
    }
    expect(Object.keys(await faultsOf(`${ASSETS}?groupBy=x&sum=y&page=0&nonsense=1`))).toHaveLength(4);
    // Lists of texts, and secrets.
    expect((await faultsOf('/api/software-licences/summary?groupBy=licenceKey')).groupBy).not.toMatch(/\blicenceKey\b/);
    expect((await faultsOf('/api/webhooks/summary?groupBy=resources')).groupBy).toMatch(/^must be one or more of/);
  });

  itInFull('has at most 10,000 groups', async () => {
    const { db } = service.database;
    await db.query(sql`INSERT INTO sites (name) SELECT n::text FROM generate_series(1, 9998) n`);
    expect(await read('/api/sites/summary?groupBy=id&pageSize=1')).toMatchObject({ total: 10_000, hasMore: true });
    expect((await admin.get('/api/sites/summary?groupBy=id&format=ndjson')).text.split('\n')).toHaveLength(10_001);
    await admin.make('/api/sites', { name: 'one more' });
    for (const form of ['', '&pageSize=1', '&format=csv', '&format=ndjson', '&format=svg']) {
      expect(await faultsOf(`/api/sites/summary?groupBy=id${form}`)).toEqual({
        groupBy: 'must make at most 10,000 groups. Group by fewer fields, or narrow the list',
      });
    }
    expect((await read('/api/sites/summary?groupBy=id&name=one%20more')).total).toBe(1);
  });

  itInFull('sends long texts as they are read', async () => {
    const notes = (n: number): string => `${n} ${'𝒳'.repeat(60_000)}`;
    for (let n = 0; n < 8; n++) await admin.make('/api/assets', { name: 'A', notes: notes(n) });
    const { data, total } = await read(`${ASSETS}?groupBy=notes,status&notes__empty=false`);
    expect(total).toBe(8);
    expect(data.map((group: Json) => [group.notes, group.status, group.count])).toEqual(
      Array.from({ length: 8 }, (_, n) => [notes(n), 'in_stock', 1]),
    );
  });

  it('is exact, however large the amounts are', async () => {
    const cost = async (...costs: string[]): Promise<Json[]> => {
      await service.database.db.query(sql`DELETE FROM contracts`);
      for (const each of costs) await admin.make('/api/contracts', { name: 'C', cost: each });
      return (await read('/api/contracts/summary?groupBy=status&sum=cost')).data.map(({ sum }: Json) => sum.cost);
    };
    const nines = '99999999999999999999.9999999999';
    expect(await cost(nines, nines)).toEqual(['199999999999999999999.9999999998']);
    expect(await cost(nines, `-${nines}`, '0.0000000001')).toEqual(['0.0000000001']);
    await cost('1.5', '1.50', '-0.1');
    // A filter by the value finds both.
    expect((await read('/api/contracts/summary?groupBy=cost')).data).toEqual([
      { cost: '-0.1', count: 1 },
      { cost: '1.50', count: 2 },
    ]);
    for (const latitude of [0.1, 0.2, 1e-7]) await admin.make('/api/sites', { name: 'S', latitude });
    const { text } = await admin.get('/api/sites/summary?groupBy=name&sum=latitude&name=S');
    expect(text).toMatch(/"latitude" ?: ?0\.3000001\}/);
  });

  it('adds up what is worked out too, exactly', async () => {
    const order = (orderNumber: string, currency: string, ...prices: (string | null)[]): Promise<Json> =>
      admin.make('/api/purchase-orders', {
        orderNumber,
        currency,
        items: prices.map((unitPrice) => ({ name: 'n', quantity: 3, unitPrice })),
      });
    await order('SUM-1', 'EUR', '0.10', '99999999.99');
    await order('SUM-2', 'EUR', '0.20');
    await order('SUM-3', 'USD', null);
    const orders = '/api/purchase-orders/summary?orderNumber__isw=SUM-&groupBy=currency';
    expect((await read(`${orders}&sum=totalPrice,orderedQuantity`)).data).toEqual([
      { currency: 'EUR', count: 2, sum: { totalPrice: '300000000.87', orderedQuantity: 9 } },
      { currency: 'USD', count: 1, sum: { totalPrice: '0.00', orderedQuantity: 3 } },
    ]);
    const vrf = await admin.make('/api/vrfs', { name: 'summed' });
    for (const prefix of ['10.0.0.0/24', '2001:db8::/32'])
      await admin.make('/api/prefixes', { prefix, vrfId: vrf.id, role: 'loopback' });
    for (const host of [1, 2]) await admin.make('/api/ip-addresses', { address: `10.0.0.${host}/24`, vrfId: vrf.id });
    const prefixes = `/api/prefixes/summary?vrfId=${vrf.id}&groupBy=role&sum=usedAddresses,utilisation,size`;
    expect((await read(prefixes)).data).toEqual([
      {
        role: 'loopback',
        count: 2,
        sum: { usedAddresses: 2, utilisation: 0.0078125, size: `${2n ** 96n + 256n}` },
      },
    ]);
    expect((await admin.get(`${prefixes}&format=csv`)).text).toContain('sum.size');
    expect((await admin.get(`/api/prefixes/summary?groupBy=role&sum=size&format=svg`)).status).toBe(200);
    expect((await faultsOf('/api/prefixes/summary?groupBy=role&sum=parentId')).sum).toMatch(/^must be one or more of/);
  });

  it('is open to those who may read the list, and to no others', async () => {
    const reader = await service.as('viewer', []);
    expect((await reader.get(`${ASSETS}?groupBy=status`)).status).toBe(200);
    for (const path of ['incidents', 'on-call-schedules', 'runbooks', 'profiles', 'webhooks']) {
      expect([path, (await reader.get(`/api/${path}/summary?groupBy=id`)).status]).toEqual([path, 403]);
    }
    expect((await service.anonymous.get(`${ASSETS}?groupBy=status`)).status).toBe(401);
    // Every caller has different tokens.
    await admin.make('/api/tokens', { name: 'of the administrator' });
    const own = await service.as('viewer', []);
    await own.make('/api/tokens', { name: 'own' });
    expect((await read('/api/tokens/summary?groupBy=name', own)).data).toEqual([{ name: 'own', count: 1 }]);
    expect((await read('/api/tokens/summary?groupBy=name')).total).toBe(2);
  });

  it('leaves the paths of records as they are', async () => {
    expect((await admin.get('/api/assets/summaries')).status).toBe(400);
    expect((await admin.patch('/api/assets/summary', {})).status).toBe(400);
    const { path } = await new Maker(admin, 'parts').record('/api/devices');
    expect((await admin.get(`${path}/ports/summary?groupBy=name`)).status).toBe(400);
  });
});

describe('the picture of a summary', () => {
  const draw = async (query: string): Promise<string> => {
    const { status, headers, text } = await admin.get(`/api/assets/summary?${query}&format=svg`);
    expect([query, status, headers.get('content-type')]).toEqual([query, 200, 'image/svg+xml']);
    return text;
  };
  const titlesOf = (svg: string): string[] => [...svg.matchAll(/<g><title>(.*?)<\/title>/g)].map(([, title]) => title!);
  beforeEach(clear);

  it('has a bar for each group, and says how many there are', async () => {
    for (const status of ['retired', 'in_use', 'in_use']) {
      await admin.make('/api/assets', { name: 'A', status, purchasePrice: status === 'retired' ? null : '1234.50' });
    }
    const counts = await draw('groupBy=status,siteId');
    expect(titlesOf(counts)).toEqual(['in_use, none: 2', 'retired, none: 1']);
    expect(counts).toContain('>Number of assets: 3, in 2 groups<');
    const sums = await draw('groupBy=status&sum=purchasePrice');
    expect(titlesOf(sums)).toEqual(['in_use: 2469.00', 'retired: none']);
    expect(sums).toContain('Sum of purchase price: 2,469.00, in 2 groups');
    expect((await admin.get('/api/assets/summary?groupBy=status', { accept: 'image/svg+xml' })).text).toContain('<svg');
    expect(await draw('groupBy=status&status=none')).toContain('There are no assets');
  });

  it('tells racks of one name apart', async () => {
    for (const name of ['Amsterdam', 'Berlin']) {
      const site = await admin.make('/api/sites', { name });
      const rack = await admin.make('/api/racks', { name: 'A1', siteId: site.id });
      await admin.make('/api/devices', { name: `in ${name}`, rackId: rack.id });
    }
    const { text } = await admin.get('/api/devices/summary?groupBy=rackId&name__isw=in&format=svg');
    expect(titlesOf(text).toSorted()).toEqual(['A1 · Amsterdam: 1', 'A1 · Berlin: 1']);
  });

  it('shows the largest groups in their order, and counts the others', async () => {
    await service.database.db.query(
      sql`INSERT INTO assets (name) SELECT 'n' || lpad(least(n, 100)::text, 3, '0') FROM generate_series(1, 150) n`,
    );
    const svg = await draw('groupBy=name');
    const titles = titlesOf(svg);
    expect([titles.length, titles[0], titles.at(-1)]).toEqual([60, 'n001: 1', 'n100: 51']);
    expect(svg).toContain('and 40 other groups: 40');
  });

  it('shows texts as texts', async () => {
    const names = [
      '</text><script>alert(1)</script>',
      '\u0007 "quoted" & {{ 7*7 }}',
      '𝒳'.repeat(255),
      '漢字'.repeat(60),
    ];
    for (const name of names) await admin.make('/api/assets', { name });
    const svg = await draw('groupBy=name');
    expect(svg).not.toContain('<script');
    expect(svg).not.toContain('\u0007');
    expect(titlesOf(svg)).toHaveLength(4);
  });

  it('has neither pages nor several sums', async () => {
    expect(await faultsOf('/api/assets/summary?groupBy=status&format=svg&page=1&pageSize=5')).toEqual({
      page: 'must not be given for a picture',
      pageSize: 'must not be given for a picture',
    });
    expect(await faultsOf('/api/sites/summary?groupBy=name&sum=latitude,longitude&format=svg')).toEqual({
      sum: 'must be one field for a picture',
    });
  });
});
