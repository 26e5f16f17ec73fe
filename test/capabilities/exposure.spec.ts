import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { startService, type Api, type TestService } from '../support/app.js';
import { itInFull } from '../support/size.js';

// The list and the summary are compared with a model that checks each device and each agreement separately.

let service: TestService;
let admin: Api;
let viewer: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  viewer = await service.as('viewer');
});
afterAll(() => service.stop());

jest.setTimeout(300_000);

// oxlint-disable-next-line typescript/no-explicit-any -- entries have any shape
type Json = any;

const ON = '2031-05-15';
const dayOf = (day: number | null): string | null =>
  day === null ? null : new Date(Date.parse(ON) + day * 86_400_000).toISOString().slice(0, 10);

const exposure = async (query: string, path = '/api/exposure'): Promise<Json[]> => {
  const answer = await viewer.get(`${path}?${query}`);
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
  expect(answer.body.total).toBe(answer.body.data.length);
  return answer.body.data as Json[];
};

interface Span {
  kind: string;
  source: { resource: string; id: string; name: string };
  vendorId: string | null;
  from: string | null;
  until: string | null;
  isLive: boolean;
  isDraft: boolean;
}

interface ModelDevice {
  id: string;
  name: string;
  status: string;
  siteId: string | null;
  typeId: string | null;
  asset: {
    id: string;
    name: string;
    price: string | null;
    boughtOn: string | null;
    orderId: string | null;
    at: number;
  } | null;
  spans: Span[];
}

const day = fc.option(fc.integer({ min: -40, max: 40 }), { freq: 4 });
const term = fc
  .tuple(day, day)
  .map(([a, b]) => (a !== null && b !== null && a > b ? { from: b, until: a } : { from: a, until: b }));

const estate = fc.record({
  devices: fc.array(
    fc.record({
      status: fc.constantFrom('active', 'active', 'active', 'planned'),
      site: fc.option(fc.nat({ max: 1 })),
      type: fc.option(fc.nat({ max: 1 })),
      asset: fc.option(
        fc.record({
          price: fc.option(fc.integer({ min: 1, max: 99_999 })),
          bought: fc.option(fc.integer({ min: -400, max: -300 })),
          order: fc.option(fc.nat({ max: 1 })),
          warranty: fc.option(fc.integer({ min: -60, max: 60 })),
        }),
      ),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  agreements: fc.array(
    fc.record({
      term,
      isSla: fc.boolean(),
      status: fc.constantFrom('active', 'active', 'draft', 'expired', 'signed'),
      vendor: fc.option(fc.nat({ max: 1 })),
      covered: fc.uniqueArray(fc.record({ device: fc.nat({ max: 5 }), ofAsset: fc.boolean() }), {
        maxLength: 6,
        selector: ({ device, ofAsset }) => `${device} ${ofAsset}`,
      }),
    }),
    { maxLength: 5 },
  ),
});
type Estate = typeof estate extends fc.Arbitrary<infer E> ? E : never;

interface Model {
  devices: ModelDevice[];
  sites: Json[];
  types: Json[];
  vendors: Json[];
  currencies: Map<string, string>;
}

/** Creates an estate and its model. */
async function make({ devices, agreements }: Estate): Promise<Model> {
  for (const resource of ['contracts', 'slas', 'devices', 'assets', 'purchase-orders']) {
    for (const { id } of (await admin.get(`/api/${resource}`)).body.data) await admin.delete(`/api/${resource}/${id}`);
  }
  const some = (path: string, body: (name: string) => object): Promise<Json[]> =>
    Promise.all(['One', 'Two'].map((name) => admin.make(path, body(name))));
  const vendors = await some('/api/vendors', (name) => ({ name }));
  const sites = await some('/api/sites', (name) => ({ name }));
  const types = await some('/api/device-types', (model) => ({ model }));
  const orders: Json[] = [];
  for (const [at, currency] of ['EUR', 'USD'].entries()) {
    const items = [{ name: 'Unit', quantity: 1 }];
    orders.push(
      await admin.make('/api/purchase-orders', {
        orderNumber: randomUUID(),
        vendorId: vendors[at].id,
        currency,
        items,
      }),
    );
  }
  const model: ModelDevice[] = [];
  for (const [at, { status, site, type, asset }] of devices.entries()) {
    const spans: Span[] = [];
    const made =
      asset &&
      (await admin.make('/api/assets', {
        name: `asset-${at}`,
        purchasePrice: asset.price === null ? null : (asset.price / 100).toFixed(2),
        purchasedAt: dayOf(asset.bought),
        purchaseOrderId: asset.order === null ? null : orders[asset.order].id,
        warrantyUntil: dayOf(asset.warranty),
      }));
    if (made && asset.warranty !== null) {
      spans.push({
        kind: 'warranty',
        source: { resource: 'assets', id: made.id, name: made.name },
        vendorId: asset.order === null ? null : vendors[asset.order].id,
        from: dayOf(asset.bought),
        until: dayOf(asset.warranty),
        isLive: true,
        isDraft: false,
      });
    }
    const name = `device-${at}`;
    const [siteId, typeId] = [site === null ? null : sites[site].id, type === null ? null : types[type].id];
    const { id } = await admin.make('/api/devices', { name, status, siteId, deviceTypeId: typeId, assetId: made?.id });
    model.push({
      id,
      name,
      status,
      siteId,
      typeId,
      asset: made && {
        id: made.id,
        name: made.name,
        price: made.purchasePrice,
        boughtOn: dayOf(asset.bought),
        orderId: made.purchaseOrderId,
        at,
      },
      spans,
    });
  }
  for (const [at, { term: days, isSla, status, vendor, covered }] of agreements.entries()) {
    const owner = isSla ? 'slas' : 'contracts';
    const vendorId = vendor === null ? null : vendors[vendor].id;
    const [from, until] = [dayOf(days.from), dayOf(days.until)];
    const name = `${owner}-${at}`;
    const { id } = await admin.make(
      `/api/${owner}`,
      isSla ? { name, vendorId } : { name, vendorId, status, startDate: from, endDate: until },
    );
    for (const { device, ofAsset } of covered) {
      const of = model[device];
      const recordId = ofAsset ? of?.asset?.id : of?.id;
      if (!of || !recordId) continue;
      await admin.make(`/api/${owner}/${id}/coverage`, {
        resource: ofAsset ? 'assets' : 'devices',
        recordId,
        ...(isSla && { startDate: from, endDate: until }),
      });
      of.spans.push({
        kind: owner.slice(0, -1),
        source: { resource: owner, id, name },
        vendorId,
        from,
        until,
        isLive: isSla || !['draft', 'expired', 'terminated'].includes(status),
        isDraft: !isSla && status === 'draft',
      });
    }
  }
  return {
    devices: model,
    sites,
    types,
    vendors,
    currencies: new Map(orders.map(({ id, currency }) => [id, currency])),
  };
}

const isActive = (span: Span, on: string): boolean =>
  span.isLive && (span.from ?? on) <= on && on <= (span.until ?? on);

/** The span with the latest end. */
const latest = (spans: readonly Span[]): Span | undefined => {
  const rank = ({ until, kind, source }: Span): string[] => [until ?? '9', kind, source.name, source.id];
  return spans.toSorted((a, b) => {
    const [[x, ...r], [y, ...s]] = [rank(a), rank(b)];
    return x! > y! ? -1 : x! < y! ? 1 : String(r) < String(s) ? -1 : 1;
  })[0];
};

/** The cost of replacing a device. */
function priceOf(
  device: ModelDevice,
  { devices, currencies }: Model,
): { currency: string | null; amount: string } | null {
  const alike = devices.filter(({ typeId, asset }) => typeId !== null && typeId === device.typeId && asset?.price);
  const [last] = alike
    .map(({ asset }) => asset!)
    .toSorted((a, b) => (b.boughtOn ?? '').localeCompare(a.boughtOn ?? '') || b.at - a.at);
  const asset = last ?? (device.asset?.price ? device.asset : undefined);
  return asset ? { currency: currencies.get(asset.orderId ?? '') ?? null, amount: asset.price! } : null;
}

/** The expected list, sorted by name. */
function exposed(model: Model, within?: number): Json[] {
  return model.devices
    .filter(({ status, spans }) => {
      const isCovered = (on: string): boolean => spans.some((span) => isActive(span, on));
      if (status !== 'active') return false;
      return within === undefined ? !isCovered(ON) : isCovered(ON) && !isCovered(dayOf(within)!);
    })
    .map((device) => {
      const { spans, asset, siteId, typeId } = device;
      const last = latest(
        within === undefined
          ? spans.filter(({ isDraft, from, until }) => !isDraft && until !== null && until < ON && (from ?? ON) <= ON)
          : spans.filter((span) => isActive(span, ON)),
      );
      return {
        device: { id: device.id, name: device.name },
        asset: asset && { id: asset.id, name: asset.name },
        site: siteId && { id: siteId, name: model.sites.find(({ id }) => id === siteId).name },
        deviceType: typeId && { id: typeId, name: model.types.find(({ id }) => id === typeId).model },
        serialNumber: null,
        lastCoveredOn: within === undefined ? (last?.until ?? null) : null,
        lastCoveredBy: last?.source ?? null,
        ...(within !== undefined && { endsOn: last!.until }),
        replacement: priceOf(device, model),
        responsible: null,
        vendorId: last?.vendorId ?? null,
      };
    });
}

const shown = (entries: readonly Json[]): Json[] => entries.map((entry) => ({ ...entry, vendorId: undefined }));

const quarterOf = (on: string | null): string | null =>
  on && `${on.slice(0, 4)}-Q${Math.ceil(Number(on.slice(5, 7)) / 3)}`;

itInFull('is what a model finds that looks at each device and each agreement, whatever they are', async () => {
  await fc.assert(
    fc.asyncProperty(estate, fc.integer({ min: 0, max: 45 }), async (made, within) => {
      const model = await make(made);
      const now = exposed(model);
      expect(await exposure(`on=${ON}`)).toEqual(shown(now));
      expect(await exposure(`on=${ON}&within=${within}`)).toEqual(shown(exposed(model, within)));
      for (const { id } of model.vendors) {
        expect(await exposure(`on=${ON}&vendorId=${id}`)).toEqual(shown(now.filter(({ vendorId }) => vendorId === id)));
      }
      const { id: siteId } = model.sites[0];
      expect(await exposure(`on=${ON}&siteId=${siteId}`)).toEqual(shown(now.filter(({ site }) => site?.id === siteId)));
      // The same entries in other orders. Nulls are last in ascending order, and first in descending order.
      const by = (key: (entry: Json) => number | undefined): Json[] =>
        now.toSorted((a, b) => (key(a) ?? Infinity) - (key(b) ?? Infinity) || (a.device.name < b.device.name ? -1 : 1));
      const days = by(({ lastCoveredOn }) => (lastCoveredOn === null ? undefined : Date.parse(lastCoveredOn)));
      expect(await exposure(`on=${ON}&sort=lastCoveredOn`)).toEqual(shown(days));
      const soon = exposed(model, within);
      const ends = soon.toSorted((a, b) => (a.endsOn < b.endsOn ? -1 : Number(a.endsOn > b.endsOn)));
      expect(await exposure(`on=${ON}&within=${within}&sort=lastCoveredOn`)).toEqual(shown(ends));
      const amounts = by(({ replacement }) => replacement && Number(replacement.amount));
      const named = (entries: Json[]): unknown[] => entries.map(({ replacement }) => replacement?.amount);
      expect(named(await exposure(`on=${ON}&sort=amount&order=desc`))).toEqual(named(amounts.toReversed()));
      // The totals of the refresh plan equal the list, exactly and by currency.
      const groups = new Map<string, { count: number; cents: bigint | null }>();
      for (const { lastCoveredOn, site, replacement } of now) {
        const key = JSON.stringify([quarterOf(lastCoveredOn), site?.id ?? null, replacement?.currency ?? null]);
        const group = groups.get(key) ?? { count: 0, cents: null };
        const cents = replacement && BigInt(replacement.amount.replace('.', ''));
        groups.set(key, { count: group.count + 1, cents: cents === null ? group.cents : (group.cents ?? 0n) + cents });
      }
      const plan = await exposure(`on=${ON}&groupBy=lastCoveredOn:quarter,siteId&sum=amount`, '/api/exposure/summary');
      const found = plan.map((group) => [
        JSON.stringify([group['lastCoveredOn:quarter'], group.siteId, group.currency]),
        { count: group.count, cents: group.sum.amount === null ? null : BigInt(group.sum.amount.replace('.', '')) },
      ]);
      expect(new Map(found as [string, object][])).toEqual(groups);
      expect(plan.length).toBe(groups.size);
    }),
    { numRuns: 30 },
  );
});

describe('a list of what is exposed', () => {
  it('names the nearest that operates the device, which is not who owns it', async () => {
    const site = await admin.make('/api/sites', { name: 'Far' });
    const rack = await admin.make('/api/racks', { name: 'Near', siteId: site.id });
    const { id: deviceTypeId } = await admin.make('/api/device-types', { model: 'Operated' });
    const { id } = await admin.make('/api/devices', { name: 'operated', rackId: rack.id, deviceTypeId });
    const responsible = async (): Promise<string> => (await exposure(`deviceTypeId=${deviceTypeId}`))[0].responsible;
    expect(await responsible()).toBeNull();
    await admin.make(`/api/sites/${site.id}/responsibilities`, { roster: 'Site' });
    expect(await responsible()).toBe('Site');
    const person = await admin.make('/api/people', { fullName: 'Ada Lovelace' });
    await admin.make(`/api/racks/${rack.id}/responsibilities`, { personId: person.id });
    await admin.make(`/api/devices/${id}/responsibilities`, { roster: 'Owners', kind: 'owns' });
    expect(await responsible()).toBe('Ada Lovelace');
  });

  it('has a column in a CSV for each member of what it names', async () => {
    const { id: manufacturerId } = await admin.make('/api/manufacturers', { name: 'Maker' });
    const { id: deviceTypeId } = await admin.make('/api/device-types', { model: '=1', manufacturerId });
    const { id } = await admin.make('/api/devices', { name: 'csv', deviceTypeId });
    const { text } = await viewer.get(`/api/exposure?manufacturerId=${manufacturerId}&format=csv`);
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      'device.id,device.name,asset.id,asset.name,site.id,site.name,deviceType.id,deviceType.name,serialNumber,lastCoveredOn,lastCoveredBy.resource,lastCoveredBy.id,lastCoveredBy.name,replacement.currency,replacement.amount,responsible',
      `${id},csv,,,,,${deviceTypeId},'=1,,,,,,,,`,
    ]);
    const summary = await viewer.get(
      `/api/exposure/summary?manufacturerId=${manufacturerId}&groupBy=deviceTypeId&sum=amount&format=csv`,
    );
    expect(summary.text).toBe(`deviceTypeId,deviceType.name,currency,count,sum.amount\r\n${deviceTypeId},'=1,,1,\r\n`);
    const [group] = await exposure(`manufacturerId=${manufacturerId}&groupBy=manufacturerId`, '/api/exposure/summary');
    expect(group).toEqual({ manufacturerId, manufacturer: { id: manufacturerId, name: 'Maker' }, count: 1 });
  });

  it('is drawn by group, and never adds amounts of several currencies', async () => {
    const { id: deviceTypeId } = await admin.make('/api/device-types', { model: 'Drawn' });
    for (const [name, currency] of [
      ['first', 'EUR'],
      ['second', 'JPY'],
    ]) {
      const items = [{ name: 'Unit', quantity: 1 }];
      const order = await admin.make('/api/purchase-orders', { orderNumber: randomUUID(), currency, items });
      const { id: assetId } = await admin.make('/api/assets', {
        name,
        purchaseOrderId: order.id,
        purchasePrice: '1234.50',
      });
      await admin.make('/api/devices', { name, assetId, serialNumber: 'drawn' });
      await admin.make('/api/devices', { name, deviceTypeId });
    }
    const drawn = async (query: string): Promise<string> => {
      const answer = await viewer.get(`/api/exposure/summary?format=svg&groupBy=${query}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('svg')]);
      return answer.text;
    };
    const amounts = await drawn('lastCoveredOn:quarter&sum=amount');
    expect(amounts).toContain('JPY: 1234.50');
    expect(amounts).toContain('in several currencies');
    expect(amounts).not.toContain('2,469');
    expect(await drawn(`deviceTypeId&deviceTypeId=${deviceTypeId}`)).toContain('Drawn: 2');
    expect((await viewer.get('/api/exposure/summary?format=svg&groupBy=siteId&page=2')).status).toBe(400);
  });

  it('is paged', async () => {
    const { id: deviceTypeId } = await admin.make('/api/device-types', { model: 'Paged' });
    for (const name of ['b', 'c', 'a']) await admin.make('/api/devices', { name, deviceTypeId });
    const { body } = await viewer.get(`/api/exposure?deviceTypeId=${deviceTypeId}&pageSize=2&page=2`);
    expect([body.total, body.hasMore, body.data[0].device.name]).toEqual([3, false, 'c']);
  });

  it.each(['on=soon', 'within=-1', 'within=many', 'sort=price', 'order=up', 'siteId=x', 'unknown=1', 'groupBy=siteId'])(
    'refuses %s',
    async (query) => {
      expect((await viewer.get(`/api/exposure?${query}`)).status).toBe(400);
    },
  );

  it.each([
    '',
    'groupBy=lastCoveredOn',
    'groupBy=name',
    'groupBy=siteId,deviceTypeId,manufacturerId,currency',
    'groupBy=siteId&sum=count',
    'groupBy=siteId&sort=name',
  ])('refuses a summary with %s', async (query) => {
    expect((await viewer.get(`/api/exposure/summary?${query}`)).status).toBe(400);
  });
});
