import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { inFull } from '../support/size.js';

let service: TestService;
let admin: Api;
let buyer: Api;
let viewer: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  buyer = await service.as('editor', ['procurement']);
  viewer = await service.as('viewer');
});
afterAll(() => service.stop());

jest.setTimeout(120_000);

// oxlint-disable-next-line typescript/no-explicit-any -- entries have any shape
type Json = any;

/** A record of each kind that can be covered, with its name. */
const KINDS: Record<string, [body: object, name: string]> = {
  sites: [{ name: 'S' }, 'S'],
  racks: [{ name: 'R' }, 'R'],
  devices: [{ name: 'D' }, 'D'],
  clusters: [{ name: 'C' }, 'C'],
  'virtual-machines': [{ name: 'V' }, 'V'],
  circuits: [{ circuitNumber: 'N' }, 'N'],
  assets: [{ name: 'A' }, 'A'],
  'software-licences': [{ name: 'W' }, 'W'],
};

const TODAY = new Date().toISOString().slice(0, 10);
/** The date in some days. */
const inDays = (days: number): string => new Date(Date.parse(TODAY) + days * 86_400_000).toISOString().slice(0, 10);

const refused = ({ status, body }: Answer): [number, unknown] => [
  status,
  body.details?.map(({ field, message }: { field: string; message: string }) => `${field} ${message}`),
];

const device = async (more: object = {}): Promise<string> =>
  (await admin.make('/api/devices', { name: 'D', ...more })).id as string;

const agreement = async (owner: string, more: object = {}): Promise<{ id: string; path: string }> => {
  const { id } = await admin.make(`/api/${owner}`, { name: 'O', ...more });
  return { id, path: `/api/${owner}/${id}/coverage` };
};

const coverageOf = async (resource: string, id: string, query = ''): Promise<Json[]> => {
  const answer = await viewer.get(`/api/${resource}/${id}/coverage${query}`);
  expect(answer.status).toBe(200);
  return answer.body.data as Json[];
};

describe.each(['contracts', 'slas'])('coverage by %s', (owner) => {
  it('is of eight kinds of records, each with its name, and of nothing else', async () => {
    const { id, path } = await agreement(owner);
    for (const [resource, [body, name]] of Object.entries(KINDS)) {
      const { id: recordId } = await admin.make(`/api/${resource}`, body);
      const made = await buyer.make(path, { resource, recordId });
      expect(made).toEqual({
        id: expect.any(String),
        resource,
        recordId,
        name,
        startDate: null,
        endDate: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
      expect(await coverageOf(resource, recordId)).toEqual([
        {
          kind: owner.slice(0, -1),
          source: { resource: owner, id, name: 'O' },
          vendor: null,
          from: null,
          until: null,
          isActive: true,
          via: null,
        },
      ]);
    }
    for (const resource of ['locations', 'people', 'ip-addresses']) {
      expect((await buyer.post(path, { resource, recordId: randomUUID() })).status).toBe(400);
    }
    const dangling = await buyer.post(path, { resource: 'devices', recordId: randomUUID() });
    expect(refused(dangling)).toEqual([400, ['recordId does not refer to an existing record']]);
  });

  it('of a record has no day twice, and the answer names the other', async () => {
    const { path } = await agreement(owner);
    const recordId = await device({ name: 'sw-1' });
    const entry = { resource: 'devices', recordId };
    const first = await buyer.make(path, { ...entry, startDate: '2026-01-01', endDate: '2026-06-30' });
    const later = await buyer.make(path, { ...entry, startDate: '2026-07-01', endDate: '2026-12-31' });
    const taken = (id: string, by: string): unknown => [
      409,
      [`recordId is covered by the ${by} already on some of these days: 'sw-1' (${owner.slice(0, -1)}-coverage ${id})`],
    ];
    const by = owner === 'slas' ? 'SLA' : 'contract';
    const both = { startDate: '2026-06-30', endDate: '2026-06-30' };
    expect(refused(await buyer.post(path, { ...entry, ...both }))).toEqual(taken(first.id, by));
    expect(refused(await buyer.post(path, { ...entry, startDate: '2026-12-31' }))).toEqual(taken(later.id, by));
    expect(refused(await buyer.post(path, entry))[0]).toBe(409);
    expect(refused(await buyer.patch(`${path}/${first.id}`, { endDate: '2026-07-01' }))).toEqual(taken(later.id, by));
    // The days before and after are free. So are other records and other agreements.
    await buyer.make(path, { ...entry, endDate: '2025-12-31' });
    await buyer.make(path, { ...entry, startDate: '2027-01-01' });
    await buyer.make(path, { resource: 'devices', recordId: await device() });
    await buyer.make((await agreement(owner)).path, entry);
  });

  it('does not end before it begins', async () => {
    const { path } = await agreement(owner);
    const entry = { resource: 'devices', recordId: await device() };
    const answer = await buyer.post(path, { ...entry, startDate: '2026-03-02', endDate: '2026-03-01' });
    expect(refused(answer)).toEqual([400, ['endDate must not be before startDate']]);
  });

  it('goes with its record and comes back with it, and each is logged', async () => {
    const { path } = await agreement(owner);
    const recordId = await device();
    const made = await buyer.make(path, { resource: 'devices', recordId, startDate: '2026-03-01' });
    const name = `${owner.slice(0, -1)}-coverage`;
    expect((await admin.get(`/api/devices/${recordId}/references`)).body.data).toEqual([
      { resource: name, field: 'recordId', count: 1, effect: 'deleted' },
    ]);
    await admin.delete(`/api/devices/${recordId}`);
    expect((await buyer.get(path)).body.data).toEqual([]);
    expect((await admin.post(`/api/devices/${recordId}/restore?relink=true`)).status).toBe(200);
    expect((await buyer.get(path)).body.data).toEqual([{ ...made, updatedAt: expect.any(String) }]);
    const { body } = await buyer.get(`/api/change-log?resource=${name}&recordId=${made.id}`);
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual(['create', 'delete', 'create']);
  });

  it('can be of another record', async () => {
    const { path } = await agreement(owner);
    const [recordId, site] = [await device(), await admin.make('/api/sites', { name: 'New' })];
    const made = await buyer.make(path, { resource: 'devices', recordId });
    const moved = await buyer.patch(`${path}/${made.id}`, { resource: 'sites', recordId: site.id });
    expect([moved.status, moved.body.data.name]).toEqual([200, 'New']);
    expect((await admin.delete(`/api/devices/${recordId}`)).status).toBe(204);
    expect((await buyer.get(path)).body.total).toBe(1);
    expect((await coverageOf('sites', site.id as string)).length).toBe(1);
  });

  it('is written by who may change its owner, and read by all', async () => {
    const { path } = await agreement(owner);
    const entry = { resource: 'devices', recordId: await device() };
    const network = await service.as('editor', ['network']);
    expect((await network.post(path, entry)).status).toBe(403);
    const made = await buyer.make(path, entry);
    expect((await network.delete(`${path}/${made.id}`)).status).toBe(403);
    expect((await viewer.get(path)).body.total).toBe(1);
    expect((await viewer.get(`${path.replace(/[^/]+\/coverage$/, randomUUID())}/coverage`)).status).toBe(404);
  });
});

describe('the days of a contract', () => {
  it('hold those of its coverage', async () => {
    const { path } = await agreement('contracts', { startDate: '2026-03-01', endDate: '2026-03-31' });
    const entry = { resource: 'devices', recordId: await device() };
    for (const [days, field] of [
      [{ startDate: '2026-02-28' }, 'startDate'],
      [{ startDate: '2026-04-01' }, 'startDate'],
      [{ endDate: '2026-04-01' }, 'endDate'],
      [{ endDate: '2026-02-28' }, 'endDate'],
    ] as const) {
      const answer = await buyer.post(path, { ...entry, ...days });
      expect(refused(answer)).toEqual([400, [`${field} must be one of the days of the contract`]]);
    }
    const made = await buyer.make(path, { ...entry, startDate: '2026-03-01', endDate: '2026-03-31' });
    const changed = await buyer.patch(`${path}/${made.id}`, { endDate: '2026-04-01' });
    expect(refused(changed)).toEqual([400, ['endDate must be one of the days of the contract']]);
  });

  it('cannot leave out what it covers', async () => {
    const { id, path } = await agreement('contracts');
    const recordId = await device({ name: 'sw-2' });
    const made = await buyer.make(path, {
      resource: 'devices',
      recordId,
      startDate: '2026-03-01',
      endDate: '2026-03-31',
    });
    const would = 'would leave coverage outside the days of the contract';
    const named = `'sw-2' (contract-coverage ${made.id})`;
    expect(refused(await buyer.patch(`/api/contracts/${id}`, { startDate: '2026-03-02' }))).toEqual([
      409,
      [`startDate ${would}: ${named}`],
    ]);
    expect(refused(await buyer.patch(`/api/contracts/${id}`, { endDate: '2026-03-30' }))).toEqual([
      409,
      [`endDate ${would}: ${named}`],
    ]);
    const fitting = { startDate: '2026-03-01', endDate: '2026-03-31' };
    expect((await buyer.patch(`/api/contracts/${id}`, fitting)).status).toBe(200);
    // The message names a day of the contract, not of the coverage.
    expect(refused(await buyer.patch(`/api/contracts/${id}`, { startDate: null, endDate: '2026-02-15' }))).toEqual([
      409,
      [`endDate ${would}: ${named}`],
    ]);
    expect(refused(await buyer.patch(`/api/contracts/${id}`, { startDate: '2026-04-15', endDate: null }))).toEqual([
      409,
      [`startDate ${would}: ${named}`],
    ]);
  });

  it('are those of coverage without its own', async () => {
    const { id, path } = await agreement('contracts', { startDate: '2026-03-01', endDate: '2026-03-31' });
    const recordId = await device();
    await buyer.make(path, { resource: 'devices', recordId });
    expect(await coverageOf('devices', recordId)).toMatchObject([{ from: '2026-03-01', until: '2026-03-31' }]);
    await buyer.patch(`/api/contracts/${id}`, { endDate: null });
    expect(await coverageOf('devices', recordId)).toMatchObject([{ from: '2026-03-01', until: null }]);
  });

  it('that have changed since do not have coverage back', async () => {
    const { id, path } = await agreement('contracts');
    const recordId = await device();
    for (const startDate of ['2026-03-01', '2026-05-01']) {
      await buyer.make(path, { resource: 'devices', recordId, startDate, endDate: startDate });
    }
    await admin.delete(`/api/devices/${recordId}`);
    await buyer.patch(`/api/contracts/${id}`, { startDate: '2026-04-01' });
    expect((await admin.post(`/api/devices/${recordId}/restore?relink=true`)).status).toBe(200);
    expect((await buyer.get(path)).body.data).toMatchObject([{ startDate: '2026-05-01' }]);
  });
});

describe('what covers a record', () => {
  it('is active on its days, while the status of the contract lets it', async () => {
    const { id, path } = await agreement('contracts', { startDate: '2026-03-01', endDate: '2026-03-31' });
    const recordId = await device();
    await buyer.make(path, { resource: 'devices', recordId });
    const isActive = async (on: string): Promise<boolean> =>
      (await coverageOf('devices', recordId, `?on=${on}`))[0].isActive;
    const days = ['2026-02-28', '2026-03-01', '2026-03-31', '2026-04-01'];
    expect(await Promise.all(days.map(isActive))).toEqual([false, true, true, false]);
    for (const [status, expected] of Object.entries({
      draft: false,
      expired: false,
      terminated: false,
      signed: true,
    })) {
      await buyer.patch(`/api/contracts/${id}`, { status });
      expect([status, await isActive('2026-03-15')]).toEqual([status, expected]);
    }
    for (const on of ['soon', '2026-02-30', '']) {
      expect((await viewer.get(`/api/devices/${recordId}/coverage?on=${on}`)).status).toBe(400);
    }
    expect((await viewer.get(`/api/devices/${randomUUID()}/coverage`)).status).toBe(404);
  });

  it('is listed by its last day, the latest first, and what does not end before all', async () => {
    const recordId = await device();
    for (const [owner, name, endDate] of [
      ['contracts', 'past', inDays(-1)],
      ['slas', 'open', null],
      ['contracts', 'next', inDays(1)],
      ['slas', 'today', TODAY],
    ] as const) {
      const { path } = await agreement(owner, { name });
      await buyer.make(path, { resource: 'devices', recordId, endDate });
    }
    const listed = (await coverageOf('devices', recordId)).map(({ source, until, isActive }) => [
      source.name,
      until,
      isActive,
    ]);
    expect(listed).toEqual([
      ['open', null, true],
      ['next', inDays(1), true],
      ['today', TODAY, true],
      ['past', inDays(-1), false],
    ]);
    const { body } = await viewer.get(`/api/devices/${recordId}/coverage?page=2&pageSize=1`);
    expect([body.total, body.hasMore, body.data[0].source.name]).toEqual([4, true, 'next']);
    const csv = await viewer.get(`/api/devices/${recordId}/coverage?format=csv`);
    expect(csv.text.split('\r\n')[0]).toBe(
      'kind,source.resource,source.id,source.name,vendor.id,vendor.name,from,until,isActive,via.resource,via.id,via.name',
    );
  });

  it('is that of a device and of its asset, whose warranty counts in days of UTC', async () => {
    const vendor = await admin.make('/api/vendors', { name: 'Arrow' });
    const order = await admin.make('/api/purchase-orders', {
      orderNumber: randomUUID(),
      vendorId: vendor.id,
      items: [{ name: 'Catalyst', quantity: 1 }],
    });
    const asset = await admin.make('/api/assets', {
      name: 'Catalyst',
      purchaseOrderId: order.id,
      purchasedAt: '2026-03-01T23:30:00-05:00',
      warrantyUntil: '2029-03-01T00:30:00+02:00',
    });
    const assetId = asset.id as string;
    const deviceId = await device({ name: 'sw-3', assetId });
    const { id: slaId, path } = await agreement('slas', { name: 'Gold', vendorId: vendor.id });
    await buyer.make(path, { resource: 'devices', recordId: deviceId, endDate: '2028-01-01' });
    const warranty = {
      kind: 'warranty',
      source: { resource: 'assets', id: assetId, name: 'Catalyst' },
      vendor: { id: vendor.id, name: 'Arrow' },
      from: '2026-03-02',
      until: '2029-02-28',
      isActive: true,
    };
    const sla = {
      kind: 'sla',
      source: { resource: 'slas', id: slaId, name: 'Gold' },
      vendor: { id: vendor.id, name: 'Arrow' },
      from: null,
      until: '2028-01-01',
      isActive: true,
    };
    const on = '?on=2027-01-01';
    expect(await coverageOf('devices', deviceId, on)).toEqual([
      { ...warranty, via: { resource: 'assets', id: assetId, name: 'Catalyst' } },
      { ...sla, via: null },
    ]);
    expect(await coverageOf('assets', assetId, on)).toEqual([
      { ...warranty, via: null },
      { ...sla, via: { resource: 'devices', id: deviceId, name: 'sw-3' } },
    ]);
    // Without a purchase date, a warranty has no start. Without an end, there is no warranty.
    await admin.patch(`/api/assets/${assetId}`, { purchasedAt: null, purchaseOrderId: null });
    expect((await coverageOf('assets', assetId, on))[0]).toMatchObject({ from: null, vendor: null });
    await admin.patch(`/api/assets/${assetId}`, { warrantyUntil: null });
    expect((await coverageOf('assets', assetId, on)).map(({ kind }) => kind)).toEqual(['sla']);
  });

  it('is what arithmetic on sets of days says, whatever the days are', async () => {
    const LENGTH = 12;
    const DAYS = Array.from({ length: LENGTH }, (_, day) => day);
    const dayOf = (day: number | null): string | null =>
      day === null ? null : `2026-03-${String(day + 1).padStart(2, '0')}`;
    const bound = fc.option(fc.nat({ max: LENGTH - 1 }), { freq: 3 });
    const span = fc
      .tuple(bound, bound)
      .map(([a, b]) => (a !== null && b !== null && a > b ? { from: b, to: a } : { from: a, to: b }));
    const daysOf = ({ from, to }: { from: number | null; to: number | null }): Set<number> =>
      new Set(DAYS.filter((day) => (from === null || day >= from) && (to === null || day <= to)));
    await fc.assert(
      fc.asyncProperty(
        span,
        fc.array(span, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('active', 'expired', 'draft'),
        async (contract, spans, status) => {
          const { path } = await agreement('contracts', {
            startDate: dayOf(contract.from),
            endDate: dayOf(contract.to),
            status,
          });
          const recordId = await device();
          const term = daysOf(contract);
          const taken = new Set<number>();
          for (const entry of spans) {
            const within = [entry.from, entry.to].every((day) => day === null || term.has(day));
            const days = new Set([...daysOf(entry)].filter((day) => term.has(day)));
            const isFree = [...days].every((day) => !taken.has(day));
            const answer = await buyer.post(path, {
              resource: 'devices',
              recordId,
              startDate: dayOf(entry.from),
              endDate: dayOf(entry.to),
            });
            expect([answer.status, entry]).toEqual([within ? (isFree ? 201 : 409) : 400, entry]);
            if (within && isFree) for (const day of days) taken.add(day);
          }
          for (const day of DAYS) {
            const covering = await coverageOf('devices', recordId, `?on=${dayOf(day)}`);
            const isCovered = covering.some(({ isActive }) => isActive);
            expect([day, isCovered]).toEqual([day, status === 'active' && taken.has(day)]);
          }
        },
      ),
      { numRuns: inFull ? 25 : 5 },
    );
  });
});
