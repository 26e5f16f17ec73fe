import { startService, type Api, type TestService } from '../support/app.js';
import { raw, sql } from '../../src/database/sql.js';
import { itInFull } from '../support/size.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());
// TRUNCATE would create new files for all tables that refer to one of these. That takes longer than the tests.
afterEach(async () => {
  for (const table of ['software_licences', 'contracts', 'renewals', 'assets', 'purchase_orders', 'vendors']) {
    await service.database.db.query(raw(`DELETE FROM ${table}`));
  }
});

/** The date in some days, in UTC. */
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

interface Entry {
  kind: string;
  name: string;
  date: string;
  daysLeft: number;
  state: string;
  amount: string | null;
}
const expirations = async (query = ''): Promise<Entry[]> => {
  const { status, body } = await admin.get(`/api/expirations${query}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
};
const namesOf = (entries: readonly Entry[]): string[] => entries.map(({ kind, name }) => `${kind} ${name}`);

const licence = (name: string, days: number, more: object = {}) =>
  admin.make('/api/software-licences', { name, expiryDate: day(days), ...more });
const order = (orderNumber: string, days: number, more: object = {}) =>
  admin.make('/api/purchase-orders', {
    orderNumber,
    expectedDate: day(days),
    items: [
      { name: 'A', quantity: 3, unitPrice: '0.10' },
      { name: 'B', quantity: 1, unitPrice: '0.20' },
    ],
    ...more,
  });

/** Creates one record of each resource that expires; `days` of -2 means overdue by two days. */
async function oneOfEach(days: number, vendorId: string): Promise<Record<string, string>> {
  const made = {
    licence: await licence('Licence', days, { vendorId, cost: '1200' }),
    contract: await admin.make('/api/contracts', {
      name: 'Contract',
      endDate: day(days + 1),
      noticeDate: day(days),
      vendorId,
      cost: '99999999999999999999.0000000001',
      currency: 'EUR',
    }),
    renewal: await admin.make('/api/renewals', { name: 'Renewal', renewalDate: day(days), vendorId, amount: '7.50' }),
    delivery: await order('PO-1', days, { vendorId, currency: 'CHF' }),
  };
  const asset = await admin.make('/api/assets', {
    name: 'Asset',
    warrantyUntil: `${day(days)}T23:59:59.999Z`,
    purchasePrice: '4250.5',
    purchaseOrderId: made.delivery.id,
  });
  return Object.fromEntries(Object.entries({ ...made, asset }).map(([key, { id }]) => [key, id]));
}

describe('what expires', () => {
  it('is one list of every kind, soonest first, with exact amounts', async () => {
    const vendor = await admin.make('/api/vendors', { name: '=Vendor' });
    const ids = await oneOfEach(-2, vendor.id);
    const { body } = await admin.get('/api/expirations');
    const past = { date: day(-2), daysLeft: -2, state: 'overdue', vendorId: vendor.id };
    expect(body).toEqual({
      data: [
        {
          kind: 'delivery',
          resource: 'purchase-orders',
          id: ids.delivery,
          name: 'PO-1',
          ...past,
          amount: '0.50',
          currency: 'CHF',
        },
        {
          kind: 'licence',
          resource: 'software-licences',
          id: ids.licence,
          name: 'Licence',
          ...past,
          amount: '1200',
          currency: null,
        },
        {
          kind: 'notice',
          resource: 'contracts',
          id: ids.contract,
          name: 'Contract',
          ...past,
          amount: '99999999999999999999.0000000001',
          currency: 'EUR',
        },
        {
          kind: 'renewal',
          resource: 'renewals',
          id: ids.renewal,
          name: 'Renewal',
          ...past,
          amount: '7.50',
          currency: null,
        },
        {
          kind: 'warranty',
          resource: 'assets',
          id: ids.asset,
          name: 'Asset',
          ...past,
          amount: '4250.50',
          currency: 'CHF',
        },
        {
          kind: 'contract',
          resource: 'contracts',
          id: ids.contract,
          name: 'Contract',
          ...past,
          date: day(-1),
          daysLeft: -1,
          amount: '99999999999999999999.0000000001',
          currency: 'EUR',
        },
      ],
      total: 6,
      page: 1,
      pageSize: 10_000,
      hasMore: false,
    });
    const page = (await admin.get('/api/expirations?page=2&pageSize=4')).body;
    expect([namesOf(page.data), page.total, page.hasMore]).toEqual([['warranty Asset', 'contract Contract'], 6, false]);
  });

  it('is a file like every other list', async () => {
    const vendor = await admin.make('/api/vendors', { name: '=Vendor' });
    const { id } = await licence('+Licence', -1, { vendorId: vendor.id, cost: '-5.10' });
    await admin.make('/api/renewals', { name: 'Renewal, "late"', renewalDate: day(0) });
    const { text, headers } = await admin.get('/api/expirations', { accept: 'text/csv' });
    expect(headers.get('content-disposition')).toBe('attachment; filename="expirations.csv"');
    const [head, first, second] = text.split('\r\n');
    expect(head).toBe('kind,resource,id,name,date,daysLeft,state,vendorId,vendor.name,amount,currency');
    expect(first).toBe(`licence,software-licences,${id},'+Licence,${day(-1)},-1,overdue,${vendor.id},'=Vendor,-5.10,`);
    expect(second).toMatch(/^renewal,renewals,.{36},"Renewal, ""late""",.{10},0,due,,,,$/);
    const lines = (await admin.get('/api/expirations?format=ndjson&raw=true')).text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual((await admin.get('/api/expirations')).body.data);
  });

  it('is due within 30 days, upcoming after that, and shown within 90', async () => {
    for (const days of [-1, 0, 30, 31, 90, 91]) await licence(`in ${days}`, days);
    expect((await expirations()).map(({ name, state, daysLeft }) => [name, state, daysLeft])).toEqual([
      ['in -1', 'overdue', -1],
      ['in 0', 'due', 0],
      ['in 30', 'due', 30],
      ['in 31', 'upcoming', 31],
      ['in 90', 'upcoming', 90],
    ]);
    expect(namesOf(await expirations('?within=91'))).toHaveLength(6);
    expect(namesOf(await expirations('?within=0'))).toEqual(['licence in -1', 'licence in 0']);
  });

  it('stays overdue for 365 days', async () => {
    await licence('day 365', -365);
    await licence('day 366', -366);
    for (const days of [365, 366]) {
      await admin.make('/api/assets', { name: `day ${days}`, warrantyUntil: `${day(-days)}T12:00:00Z` });
    }
    expect(namesOf(await expirations())).toEqual(['licence day 365', 'warranty day 365']);
  });

  it('leaves out what is settled, future dates too', async () => {
    const settled = ['retired', 'expired', 'renewed', 'cancelled', 'lapsed', 'terminated', 'closed', 'disposed'];
    for (const [index, status] of [...settled, 'active'].entries()) {
      const days = index % 2 === 0 ? 5 : -5;
      await licence(status, days, { status });
      await admin.make('/api/contracts', { name: status, endDate: day(days), noticeDate: day(days), status });
      await admin.make('/api/renewals', { name: status, renewalDate: day(days), status });
      await admin.make('/api/assets', { name: status, warrantyUntil: day(days), status });
    }
    await licence('without a status', 5);
    expect(namesOf(await expirations())).toEqual([
      'contract active',
      'licence active',
      'licence without a status',
      'notice active',
      'renewal active',
      'warranty active',
    ]);
  });

  it('has the deliveries of orders that are not received in full', async () => {
    for (const status of ['draft', 'ordered', 'cancelled', 'closed']) await order(status, 3, { status });
    const [partial, complete] = [await order('partial', 3), await order('complete', 3)];
    const receive = (from: typeof partial, quantities: number[]) =>
      admin.post(`/api/purchase-orders/${from.id}/receive`, {
        items: quantities.map((quantity, index) => ({
          itemId: from.items[index].id,
          quantity,
          assets: Array.from({ length: quantity }, () => ({})),
        })),
      });
    expect((await receive(partial, [2])).status).toBe(200);
    expect((await receive(complete, [3, 1])).status).toBe(200);
    expect(namesOf(await expirations('?kind=delivery'))).toEqual(['delivery ordered', 'delivery partial']);
  });

  it('is narrowed by kind, vendor and whether it is overdue', async () => {
    const [one, other] = [
      await admin.make('/api/vendors', { name: 'One' }),
      await admin.make('/api/vendors', { name: 'Other' }),
    ];
    await oneOfEach(-2, one.id);
    await licence('Later', 10, { vendorId: other.id });
    await licence('Without vendor', 11);
    expect(namesOf(await expirations('?kind=renewal&kind=licence'))).toEqual([
      'licence Licence',
      'renewal Renewal',
      'licence Later',
      'licence Without vendor',
    ]);
    expect(namesOf(await expirations('?overdue=false'))).toEqual(['licence Later', 'licence Without vendor']);
    expect(await expirations('?overdue=true')).toHaveLength(6);
    expect(await expirations(`?vendorId=${one.id.toUpperCase()}`)).toHaveLength(6);
    expect(await expirations(`?vendorId=${one.id}&vendorId=${other.id}&overdue=false`)).toHaveLength(1);
  });

  it('names every parameter that is wrong', async () => {
    const query = '?within=-1&kind=lease&overdue=maybe&vendorId=x&format=pdf&nonsense=1';
    const { status, body } = await admin.get(`/api/expirations${query}`);
    expect(status).toBe(400);
    expect(body.details.map(({ field }: { field: string }) => field)).toEqual([
      'within',
      'kind',
      'overdue',
      'vendorId',
      'format',
      'nonsense',
    ]);
  });
});

itInFull('a page longer than one text has all of its entries, as shorter pages have', async () => {
  await service.database.db.query(
    sql`INSERT INTO software_licences (name, expiry_date) SELECT 'Licence ' || i, ${day(1)}::date + i / 100 FROM generate_series(1, 4000) i`,
  );
  const { body } = await admin.get('/api/expirations');
  expect([body.data.length, body.total, body.hasMore]).toEqual([4000, 4000, false]);
  const short = [];
  for (let page = 1; page <= 4; page++) short.push(...(await expirations(`?pageSize=1000&page=${page}`)));
  expect(short).toEqual(body.data);
});

describe('the picture of a year', () => {
  const drawn = async (query = '?format=svg'): Promise<string> => {
    const { status, headers, text } = await admin.get(`/api/expirations${query}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline';.*sandbox$/);
    return text;
  };
  /** The texts of a picture, in order. */
  const textsOf = (svg: string): string[] => [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text!);

  const monthsOf = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => {
      const [year, month] = day(0).split('-').map(Number);
      const first = new Date(Date.UTC(year!, month! - 1 + index, 1));
      return `${first.toLocaleString('en', { month: 'long', timeZone: 'UTC' })} ${first.getUTCFullYear()}`;
    });

  it('has twelve months and what is overdue before them', async () => {
    await licence('Late <b>', -40);
    for (let n = 0; n < 8; n++) await licence(`Today ${n}`, 0);
    await licence('Too far', 500);
    const svg = await drawn();
    const texts = textsOf(svg);
    const months = monthsOf(12);
    const rows = texts.filter((text) => text === 'Overdue' || months.includes(text));
    expect(rows).toEqual(['Overdue', ...months]);
    const short = new Date(day(-40)).toLocaleString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
    expect(texts).toEqual(expect.arrayContaining(['Licences: 9', 'Late &#60;b&#62;', short]));
    expect(svg).toContain(`<title>Late &#60;b&#62;, licence, ${day(-40)}</title>`);
    expect(texts.filter((text) => text.startsWith('Today'))).toEqual([0, 1, 2, 3, 4].map((n) => `Today ${n}`));
    expect(texts).toContain('and 3 more');
    expect(texts).not.toContain('Too far');
    // There is no column for a kind without entries.
    expect(texts.filter((text) => /^(Contracts|Notices|Renewals|Warranties|Deliveries)/.test(text))).toEqual([]);
  });

  it('alarms only where something is overdue', async () => {
    expect(textsOf(await drawn())).toEqual([
      expect.stringContaining('Expirations, '),
      expect.stringMatching(/^Nothing as of/),
    ]);
    await licence('Soon', 1);
    const calm = await drawn();
    expect([calm.includes('class="band"'), calm.includes('class="late"')]).toEqual([false, false]);
    expect(textsOf(calm)).toContain('Overdue');
    await licence('Late', -1);
    const late = await drawn();
    expect([late.includes('class="band"'), late.includes('class="late"')]).toEqual([true, true]);
    expect(textsOf(await drawn('?format=svg&overdue=false'))).not.toContain('Overdue');
    const onlyLate = textsOf(await drawn('?format=svg&overdue=true'));
    expect(onlyLate).toEqual(expect.arrayContaining(['Expirations, overdue', 'Overdue', 'Late']));
    expect(onlyLate.filter((text) => monthsOf(12).includes(text))).toEqual([]);
  });

  it('has amounts, and their total by month and currency, each record once', async () => {
    await licence('Plain', 0, { cost: '1200.5' });
    await licence('More', 0, { cost: '99999999999999999999.0000000001' });
    await admin.make('/api/contracts', {
      name: 'C',
      endDate: day(0),
      noticeDate: day(0),
      cost: '1000',
      currency: 'EUR',
    });
    await admin.make('/api/contracts', { name: 'D', endDate: day(0), cost: '0.10', currency: 'EUR' });
    for (let n = 0; n < 9; n++) await order(`PO-${n}`, 0, { currency: 'CHF' });
    const texts = textsOf(await drawn());
    expect(texts.filter((text) => text === '1,000 EUR')).toHaveLength(2);
    expect(texts.filter((text) => text === '0.50 CHF')).toHaveLength(5);
    expect(texts).toEqual(
      expect.arrayContaining([
        '1,200.5',
        '4.50 CHF',
        '1,000.10 EUR',
        '100,000,000,000,000,001,199.5000000001',
        'Total',
      ]),
    );
  });

  it('is asked for by Accept too, takes the same filters and has no pages', async () => {
    await licence('One', 10);
    await admin.make('/api/contracts', { name: 'Two', endDate: day(20) });
    const { text, headers } = await admin.get('/api/expirations?kind=contract', {
      accept: 'image/avif,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
    });
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect([text.includes('One'), text.includes('Two'), text.includes('Licences')]).toEqual([false, true, false]);
    const within = textsOf(await drawn('?format=svg&within=15'));
    expect(within).toContain('Licences: 1');
    expect(within).not.toContain('Contracts: 1');
    // Months outside of the window are left out, because an empty month would mean that nothing expires.
    const last = new Date(`${day(15)}T00:00:00Z`).getUTCMonth() - new Date().getUTCMonth();
    const months = monthsOf(12);
    expect(within.filter((one) => months.includes(one))).toEqual(months.slice(0, ((last + 12) % 12) + 1));
    expect((await admin.get('/api/expirations', { accept: '*/*' })).body.total).toBe(2);
    expect((await admin.get('/api/expirations', { accept: 'image/png' })).status).toBe(406);
    const { status, body } = await admin.get('/api/expirations?format=svg&page=1&pageSize=5');
    expect([status, body.details.length]).toEqual([400, 2]);
  });
});

describe('the licence position', () => {
  const position = async (query = '') => (await admin.get(`/api/software-licences/position${query}`)).body;

  it('adds up seats and costs by product', async () => {
    const own = (name: string, more: object) => admin.make('/api/software-licences', { name, ...more });
    await own('a', { product: 'Editor', seats: 10, assignedSeats: 14, cost: '0.1', expiryDate: day(90) });
    await own('b', { product: 'Editor', seats: 2, cost: '0.2', status: 'active', expiryDate: day(91) });
    await own('c', { product: 'Editor', seats: 100, assignedSeats: 100, cost: '50', status: 'retired' });
    await own('d', { product: 'Editor', seats: 100, status: 'expired' });
    await own('e', { product: 'Monitor', assignedSeats: 7, cost: '12345678901234567890.0000000001' });
    await own('f', { product: 'Monitor', seats: 5, assignedSeats: 1, cost: '1', expiryDate: day(-10) });
    await own('g', { seats: 1 });
    expect(await position()).toEqual({
      data: [
        {
          product: 'Editor',
          licences: 2,
          seats: 12,
          assignedSeats: 14,
          freeSeats: -2,
          expiringSeats: 10,
          cost: '0.3',
          unlimited: false,
        },
        {
          product: 'Monitor',
          licences: 2,
          seats: 5,
          assignedSeats: 8,
          freeSeats: null,
          expiringSeats: 5,
          cost: '12345678901234567891.0000000001',
          unlimited: true,
        },
        {
          product: null,
          licences: 1,
          seats: 1,
          assignedSeats: 0,
          freeSeats: 1,
          expiringSeats: 0,
          cost: '0',
          unlimited: false,
        },
      ],
      total: 3,
      page: 1,
      pageSize: 10_000,
      hasMore: false,
    });
    expect((await position('?pageSize=1&page=3')).data).toMatchObject([{ product: null }]);
  });

  it('adds them up by vendor, and as a file', async () => {
    const vendor = await admin.make('/api/vendors', { name: 'Vendor' });
    await licence('a', 1, { vendorId: vendor.id, seats: 3 });
    await licence('b', 1, { seats: null });
    expect((await position('?groupBy=vendorId')).data).toMatchObject([
      { vendorId: vendor.id, seats: 3, unlimited: false },
      { vendorId: null, seats: 0, unlimited: true, freeSeats: null },
    ]);
    const { text } = await admin.get('/api/software-licences/position?groupBy=vendorId&format=csv');
    expect(text).toBe(
      `vendorId,vendor.name,licences,seats,assignedSeats,freeSeats,expiringSeats,cost,unlimited\r\n${vendor.id},Vendor,1,3,0,3,3,0,false\r\n,,1,0,0,,0,0,true\r\n`,
    );
    expect((await admin.get('/api/software-licences/position?groupBy=name')).body.error).toMatch(
      /^groupBy must be one of/,
    );
  });
});
