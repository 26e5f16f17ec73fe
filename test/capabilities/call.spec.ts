import { randomUUID } from 'node:crypto';
import { startService, type Api, type TestService } from '../support/app.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

type Made = { id: string; name: string };
const make = (resource: string, body: object): Promise<Made> => admin.make(`/api/${resource}`, body) as Promise<Made>;

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

interface Step {
  step: string;
  roster?: string;
  name?: string;
  kind?: string;
  person?: { fullName: string } | null;
  via?: { name: string };
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of any shape
async function call(resource: string, { id }: Made, query = ''): Promise<any> {
  const answer = await admin.get(`/api/${resource}/${id}/call${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data;
}

/** The steps, each as `step what via`. */
const lines = ({ steps }: { steps: Step[] }): string[] =>
  steps.map(
    ({ step, roster, name, kind, person, via }) =>
      `${step} ${roster ?? name ?? `${kind} ${person!.fullName}`}${via ? ` via ${via.name}` : ''}`,
  );

async function estate() {
  const region = await make('regions', { name: 'Europe' });
  const site = await make('sites', { name: 'Amsterdam', regionId: region.id });
  const rack = await make('racks', { name: 'A1', siteId: site.id });
  const manufacturer = await make('manufacturers', { name: `Maker ${randomUUID()}` });
  const type = await make('device-types', { model: 'C9300', manufacturerId: manufacturer.id });
  const role = await make('device-roles', { name: `Core ${randomUUID()}` });
  const platform = await make('platforms', { name: `IOS ${randomUUID()}` });
  const device = await make('devices', {
    name: 'core',
    rackId: rack.id,
    deviceTypeId: type.id,
    deviceRoleId: role.id,
    platformId: platform.id,
  });
  return { region, site, rack, manufacturer, type, role, platform, device };
}

const runbook = async (name: string, ...targets: [string, Made][]): Promise<Made> => {
  const made = await make('runbooks', { name, category: 'network' });
  for (const [resource, { id }] of targets) await make(`runbooks/${made.id}/targets`, { resource, recordId: id });
  return made;
};

describe('whom to call', () => {
  it('is the rosters first, each once, then the people by kind', async () => {
    const { region, site, rack, device } = await estate();
    const [ada, bob] = [await make('people', { fullName: 'Ada' }), await make('people', { fullName: 'Bob' })];
    const says = (resource: string, { id }: Made, body: object): Promise<Made> =>
      make(`${resource}/${id}/responsibilities`, body);
    await says('sites', site, { roster: 'Facilities' });
    await says('racks', rack, { roster: 'Network' });
    await says('sites', site, { roster: 'Network' });
    await says('regions', region, { roster: 'Auditors', kind: 'owns' });
    await says('sites', site, { personId: ada.id, kind: 'watches' });
    await says('sites', site, { personId: ada.id, kind: 'approves' });
    await says('sites', site, { personId: bob.id, kind: 'owns' });
    await says('devices', device, { personId: ada.id, kind: 'owns' });
    await says('sites', site, { personId: ada.id });
    expect(lines(await call('devices', device))).toEqual([
      'on_call Network via A1',
      'on_call Facilities via Amsterdam',
      'person operates Ada via Amsterdam',
      'person owns Ada via core',
      'person owns Bob via Amsterdam',
      'person approves Ada via Amsterdam',
      'person watches Ada via Amsterdam',
    ]);
  });

  it('says who is on call, until when, and who is next', async () => {
    const { rack, device } = await estate();
    const roster = `Net ${randomUUID()}`;
    const person = await make('people', {
      fullName: 'Ada',
      phone: '+31 20 1234567',
      email: `${randomUUID()}@x.example`,
    });
    const times = { startTime: inHours(-1), endTime: inHours(1) };
    await make('on-call-schedules', { name: 'now', rotation: roster, personId: person.id, ...times });
    await make('on-call-schedules', { name: 'next', rotation: roster, startTime: inHours(1), endTime: inHours(2) });
    await make(`racks/${rack.id}/responsibilities`, { roster });
    const at = inHours(0);
    const answer = await call('devices', device, `?at=${at}`);
    const [said] = (await admin.get(`/api/on-call?roster=${encodeURIComponent(roster)}&at=${at}`)).body.data;
    expect(answer).toEqual({
      record: { resource: 'devices', id: device.id, name: 'core' },
      at,
      steps: [
        {
          step: 'on_call',
          roster,
          via: { resource: 'racks', id: rack.id, name: 'A1' },
          person: said.person,
          ...times,
          next: said.next,
          reason: null,
        },
      ],
    });
    const reasonAt = async (hours: number): Promise<unknown> =>
      (await call('devices', device, `?at=${inHours(hours)}`)).steps[0];
    const nobody = { person: null, startTime: null, endTime: null };
    expect(await reasonAt(-2)).toMatchObject({ ...nobody, reason: 'no_shift', next: { person: said.person } });
    expect(await reasonAt(1.5)).toMatchObject({ ...nobody, reason: 'nobody_assigned', next: null });
    expect(await reasonAt(24 * 100)).toMatchObject({ ...nobody, reason: 'no_roster', next: null });
  });

  it('names the runbooks and the known issues of the record, its kind and what contains it', async () => {
    const { site, rack, manufacturer, type, role, platform, device } = await estate();
    await runbook('of the site', ['sites', site]);
    await runbook('of the rack', ['racks', rack]);
    await runbook('of the manufacturer', ['manufacturers', manufacturer]);
    await runbook('of the platform', ['platforms', platform]);
    await runbook('of the role', ['device-roles', role], ['sites', site]);
    await runbook('of the type', ['device-types', type]);
    const own = await runbook('b of the device', ['devices', device], ['racks', rack]);
    await runbook('a of the device', ['devices', device]);
    await runbook('of nothing');
    const issue = async (name: string, status: string, [resource, { id }]: [string, Made]): Promise<Made> => {
      const made = await make('known-issues', { name, status, severity: 'high', workaround: 'Reload' });
      return make(`known-issues/${made.id}/targets`, { resource, recordId: id });
    };
    await issue('far', 'open', ['sites', site]);
    await issue('near', 'wont_fix', ['device-types', type]);
    await issue('resolved', 'resolved', ['devices', device]);
    await issue('closed', 'closed', ['devices', device]);
    const answer = await call('devices', device);
    expect(lines(answer)).toEqual([
      'runbook a of the device via core',
      'runbook b of the device via core',
      'runbook of the type via C9300',
      `runbook of the role via ${role.name}`,
      `runbook of the platform via ${platform.name}`,
      `runbook of the manufacturer via ${manufacturer.name}`,
      'runbook of the rack via A1',
      'runbook of the site via Amsterdam',
      'known_issue near',
      'known_issue far',
    ]);
    expect(answer.steps[1]).toEqual({
      step: 'runbook',
      id: own.id,
      name: own.name,
      category: 'network',
      via: { resource: 'devices', id: device.id, name: 'core' },
    });
    expect(answer.steps[8]).toEqual({
      step: 'known_issue',
      id: expect.any(String),
      name: 'near',
      severity: 'high',
      workaround: 'Reload',
    });
  });

  it('names the vendors whose coverage is active on the day, contracts first', async () => {
    const { device, rack } = await estate();
    const reach = { phone: '+31 20 555 0100', email: 'help@carrier.example', website: 'https://carrier.example' };
    const vendor = await make('vendors', { name: `Support ${randomUUID()}`, ...reach });
    const order = await make('purchase-orders', {
      orderNumber: randomUUID(),
      vendorId: vendor.id,
      items: [{ name: 'Switch', quantity: 1, unitPrice: '1.00' }],
    });
    const asset = await make('assets', {
      name: 'Chassis',
      serialNumber: 'S-ASSET',
      purchaseOrderId: order.id,
      purchasedAt: '2030-01-01',
      warrantyUntil: '2032-12-31',
    });
    await admin.patch(`/api/devices/${device.id}`, { assetId: asset.id });
    const contract = async (name: string, values: object, days: object = {}): Promise<Made> => {
      const made = await make('contracts', { name, vendorId: vendor.id, contractNumber: `N ${name}`, ...values });
      await make(`contracts/${made.id}/coverage`, { resource: 'devices', recordId: device.id, ...days });
      return made;
    };
    const days = { startDate: '2031-01-01', endDate: '2031-12-31' };
    const long = await contract('long', days);
    await contract('short', days, { endDate: '2031-06-30' });
    await contract('draft', { ...days, status: 'draft' });
    await contract('of nobody', { ...days, vendorId: null }, { startDate: '2031-07-01' });
    const sla = await make('slas', { name: 'Gold', vendorId: vendor.id, responseTime: '4 hours' });
    await make(`slas/${sla.id}/coverage`, { resource: 'assets', recordId: asset.id });
    const vendors = async (resource: string, record: Made, at: string): Promise<Record<string, never>[]> =>
      (await call(resource, record, `?at=${at}`)).steps.filter(({ step }: Step) => step === 'vendor');
    const summary = (steps: Record<string, { name?: string }>[]): unknown[] =>
      steps.map(({ contract: by, sla: agreed, until }) => [by?.name ?? agreed?.name ?? 'warranty', until]);
    const open = [
      ['Gold', null],
      ['warranty', '2032-12-31'],
    ];
    expect(summary(await vendors('devices', device, '2031-06-30T23:59:59Z'))).toEqual([
      ['long', '2031-12-31'],
      ['short', '2031-06-30'],
      ...open,
    ]);
    expect(summary(await vendors('devices', device, '2031-06-30T23:00:00-02:00'))).toEqual([
      ['long', '2031-12-31'],
      ['of nobody', '2031-12-31'],
      ...open,
    ]);
    const [first, , third, last] = await vendors('devices', device, '2031-06-01');
    const { id, name } = vendor;
    const via = { resource: 'assets', id: asset.id, name: 'Chassis' };
    expect(first).toEqual({
      step: 'vendor',
      vendor: { id, name, ...reach },
      contract: { id: long.id, name: 'long', contractNumber: 'N long' },
      sla: null,
      serialNumber: null,
      until: '2031-12-31',
      via: null,
    });
    expect(third).toMatchObject({
      contract: null,
      sla: { id: sla.id, name: 'Gold', responseTime: '4 hours' },
      serialNumber: 'S-ASSET',
      until: null,
      via,
    });
    expect(last).toMatchObject({ vendor: { id }, contract: null, sla: null, serialNumber: 'S-ASSET', via });
    expect((await vendors('devices', device, '2031-08-01'))[1]).toMatchObject({ vendor: null });
    await admin.patch(`/api/devices/${device.id}`, { serialNumber: 'S-DEVICE' });
    expect((await vendors('devices', device, '2031-06-01')).map(({ serialNumber }) => serialNumber)).toEqual(
      Array.from({ length: 4 }, () => 'S-DEVICE'),
    );
    const ofAsset = await vendors('assets', asset, '2031-06-01');
    expect(ofAsset.map(({ via: by }) => by)).toEqual([
      { resource: 'devices', id: device.id, name: 'core' },
      { resource: 'devices', id: device.id, name: 'core' },
      null,
      null,
    ]);
    expect(await vendors('racks', rack, '2031-06-01')).toEqual([]);
  });

  it('counts the platform of a machine and the manufacturer of an asset', async () => {
    const { manufacturer, platform } = await estate();
    await runbook('of the platform', ['platforms', platform]);
    await runbook('of the manufacturer', ['manufacturers', manufacturer]);
    const machine = await make('virtual-machines', { name: 'web', platformId: platform.id });
    const asset = await make('assets', { name: 'spare', manufacturerId: manufacturer.id });
    expect(lines(await call('virtual-machines', machine))).toEqual([`runbook of the platform via ${platform.name}`]);
    expect(lines(await call('assets', asset))).toEqual([`runbook of the manufacturer via ${manufacturer.name}`]);
  });

  it('counts what the device made of an asset is, after what the asset is', async () => {
    const { rack, manufacturer, type, role, platform, device } = await estate();
    const maker = await make('manufacturers', { name: `Maker ${randomUUID()}` });
    const asset = await make('assets', { name: 'chassis', manufacturerId: maker.id });
    await admin.patch(`/api/devices/${device.id}`, { assetId: asset.id });
    await runbook('of the rack', ['racks', rack]);
    await runbook('of its manufacturer', ['manufacturers', manufacturer]);
    await runbook('of the platform', ['platforms', platform]);
    await runbook('of the role', ['device-roles', role]);
    await runbook('of the type', ['device-types', type]);
    await runbook('of the maker', ['manufacturers', maker]);
    const issue = await make('known-issues', { name: 'of the type', severity: 'high' });
    await make(`known-issues/${issue.id}/targets`, { resource: 'device-types', recordId: type.id });
    expect(lines(await call('assets', asset))).toEqual([
      `runbook of the maker via ${maker.name}`,
      'runbook of the type via C9300',
      `runbook of the role via ${role.name}`,
      `runbook of the platform via ${platform.name}`,
      `runbook of its manufacturer via ${manufacturer.name}`,
      'runbook of the rack via A1',
      'known_issue of the type',
    ]);
  });

  it('is for those with the area of operations, administrators too', async () => {
    const { device } = await estate();
    const path = `/api/devices/${device.id}/call`;
    for (const [role, area, status] of [
      ['admin', 'network', 403],
      ['viewer', 'network', 403],
      ['viewer', 'operations', 200],
    ] as const) {
      expect((await (await service.as(role, [area])).get(path)).status).toBe(status);
    }
    expect((await admin.get(`/api/devices/${randomUUID()}/call`)).status).toBe(404);
    expect((await admin.get(`${path}?at=soon`)).status).toBe(400);
    expect((await admin.get(`${path}?on=2026-01-01`)).status).toBe(400);
  });

  it('is empty where nobody has said anything', async () => {
    for (const resource of ['regions', 'sites', 'locations', 'racks', 'clusters']) {
      const record = await make(resource, { name: 'Alone' });
      expect((await call(resource, record)).steps).toEqual([]);
    }
  });
});
