import { startService, type Answer, type Api, type TestService } from '../support/app.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

let count = 0;
const make = async (path: string, body: object): Promise<string> => (await admin.make(`/api/${path}`, body)).id;
const join = (aId: string, bId: string, bResource = 'device-ports'): Promise<string> =>
  make('cables', { aId, bId, bResource });
const supply = (deviceId: string, more: object = {}): Promise<string> =>
  make('device-ports', { deviceId, kind: 'power', name: `in${++count}`, ...more });
const outlet = (deviceId: string, more: object = {}): Promise<string> =>
  make('device-ports', { deviceId, kind: 'outlet', name: `out${++count}`, ...more });

/** The affected records, each as `resource name effect via`. */
async function impactOf(resource: string, id: string): Promise<string[]> {
  const { status, text, body } = await admin.get(`/api/${resource}/${id}/impact`);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return body.data.records
    .filter((record: { resource: string }) => record.resource !== 'device-ports')
    .map(
      (record: { resource: string; name: string; effect: string; via: { name: string } }) =>
        `${record.resource} ${record.name} ${record.effect} via ${record.via.name}`,
    );
}

describe('the impact of a feed', () => {
  it('is what hangs on nothing else', async () => {
    const [a, b] = [await make('power-feeds', { name: 'A' }), await make('power-feeds', { name: 'B' })];
    const cluster = await make('clusters', { name: 'cl' });
    const [single, double, none] = [
      await make('devices', { name: 'single', clusterId: cluster }),
      await make('devices', { name: 'double' }),
      await make('devices', { name: 'none' }),
    ];
    // A power port without a cable does not count.
    await supply(single);
    await supply(none);
    // Between the feeds and the device are two devices with one outlet each.
    for (const [name, feed] of [
      ['pdu-a', a],
      ['pdu-b', b],
    ] as const) {
      const pdu = await make('devices', { name });
      await join(await supply(pdu), feed, 'power-feeds');
      await join(await outlet(pdu), await supply(double));
      if (name === 'pdu-a') await join(await outlet(pdu), await supply(single));
    }
    await make('virtual-machines', { name: 'vm', clusterId: cluster });
    expect(await impactOf('power-feeds', a)).toEqual([
      'devices double degraded via pdu-a',
      'devices pdu-a down via A',
      'devices single down via pdu-a',
      'clusters cl down via single',
      'virtual-machines vm down via cl',
    ]);
    const site = await make('sites', { name: 'S' });
    for (const id of [a, b]) await admin.patch(`/api/power-feeds/${id}`, { siteId: site });
    expect(await impactOf('sites', site)).toEqual([
      'power-feeds A down via S',
      'power-feeds B down via S',
      'devices double down via pdu-a',
      'devices pdu-a down via A',
      'devices pdu-b down via B',
      'devices single down via pdu-a',
      'clusters cl down via single',
      'virtual-machines vm down via cl',
    ]);
  });

  it('passes on what outlets lose, though their device is only degraded', async () => {
    const [a, b] = [await make('power-feeds', { name: 'A' }), await make('power-feeds', { name: 'B' })];
    const pdu = await make('devices', { name: 'pdu' });
    const [one, two, free] = [await supply(pdu), await supply(pdu), await supply(pdu)];
    await join(one, a, 'power-feeds');
    await join(two, b, 'power-feeds');
    const fed: [string, string | null][] = [
      ['of-one', one],
      ['of-two', two],
      ['of-all', null],
      ['of-free', free],
    ];
    for (const [name, powerPortId] of fed) {
      const device = await make('devices', { name });
      await join(await outlet(pdu, { powerPortId }), await supply(device));
    }
    expect(await impactOf('power-feeds', a)).toEqual(['devices of-one down via pdu', 'devices pdu degraded via A']);
    expect(await impactOf('devices', pdu)).toEqual(
      ['of-all', 'of-free', 'of-one', 'of-two'].map((name) => `devices ${name} down via pdu`),
    );
  });
});

it('the impact of a circuit is the devices at its ends, and that of a region its sites', async () => {
  const circuit = await make('circuits', { circuitNumber: 'C-1' });
  const router = await make('devices', { name: 'router' });
  const end = await make('circuit-terminations', { circuitId: circuit, side: 'A' });
  const port = await make('device-ports', { deviceId: router, name: 'e1' });
  await make('cables', { aId: end, aResource: 'circuit-terminations', bId: port });
  expect(await impactOf('circuits', circuit)).toEqual(['devices router degraded via C-1']);
  const region = await make('regions', { name: 'NL' });
  const city = await make('regions', { name: 'AMS', parentId: region });
  const site = await make('sites', { name: 'AM3', regionId: city });
  await make('devices', { name: 'inside', siteId: site });
  expect(await impactOf('regions', region)).toEqual([
    'regions AMS down via NL',
    'sites AM3 down via AMS',
    'devices inside down via AM3',
  ]);
  const window = await make('maintenance-windows', {
    name: 'W',
    startTime: '2099-01-01T00:00:00.000Z',
    endTime: '2099-01-02T00:00:00.000Z',
  });
  const feed = await make('power-feeds', { name: 'F', siteId: site });
  for (const [resource, recordId] of [
    ['regions', region],
    ['circuits', circuit],
    ['power-feeds', feed],
  ]) {
    const target = await admin.make(`/api/maintenance-windows/${window}/targets`, { resource, recordId });
    expect(target.name).toEqual(expect.any(String));
  }
  const conflicts = await admin.post('/api/conflicts', {
    startTime: '2099-01-01T00:00:00.000Z',
    endTime: '2099-01-01T01:00:00.000Z',
    targets: [
      { resource: 'sites', recordId: site },
      { resource: 'circuits', recordId: circuit },
    ],
  });
  expect(conflicts.status).toBe(200);
  expect(conflicts.body.data.map(({ kind, via }: { kind: string; via: { name: string } }) => [kind, via.name])).toEqual(
    expect.arrayContaining([
      ['same_target', 'C-1'],
      ['inside_target', 'F'],
    ]),
  );
});

/** The status of a response and its faults, as sentences. */
const refusal = ({ status, body }: Answer): [number, string[]] => [
  status,
  (body.details ?? []).map(({ field, message }: { field: string; message: string }) => `${field} ${message}`),
];

it('a power port stays while an outlet would feed itself without it', async () => {
  const [ups, pdu] = [await make('devices', { name: 'ups' }), await make('devices', { name: 'pdu' })];
  const [own, other] = [await supply(ups), await supply(ups)];
  const out = await make('device-ports', { deviceId: ups, kind: 'outlet', name: 'Out 1', powerPortId: own });
  await join(out, await supply(pdu));
  await join(await outlet(pdu), other);
  const message = 'devicePort cannot be deleted: without it, power of the outlet Out 1 would feed itself';
  expect(refusal(await admin.delete(`/api/device-ports/${own}`))).toEqual([409, [message]]);
  const operations = [{ op: 'delete', id: own }];
  expect((await admin.post(`/api/devices/${ups}/ports/bulk`, { operations })).status).toBe(409);
  // It can be deleted with its outlet or with the whole device.
  const both = [
    { op: 'delete', id: out },
    { op: 'delete', id: own },
  ];
  expect((await admin.post(`/api/devices/${ups}/ports/bulk?dryRun=true`, { operations: both })).status).toBe(200);
  expect((await admin.delete(`/api/devices/${ups}`)).status).toBe(204);
});

it('a way of power passes 64 outlets at most', async () => {
  const devices = await Promise.all(
    Array.from({ length: 67 }, async (_, at) => {
      const id = await make('devices', { name: `tower-${at}` });
      return { id, supply: await supply(id), outlet: await outlet(id) };
    }),
  );
  const cable = (from: number): Promise<Answer> =>
    admin.post('/api/cables', { aId: devices[from]!.outlet, bId: devices[from + 1]!.supply });
  // Cabling starts at both ends, so the last cable must count the outlets above and below it.
  for (let at = 0; at < 65; at++) if (at !== 30) expect((await cable(at)).status).toBe(201);
  const message = 'bId would make a way of power that passes more than 64 outlets';
  expect(refusal(await cable(30))).toEqual([409, [message]]);
  expect((await cable(65)).status).toBe(201);
  const top = (await admin.get(`/api/device-ports/${devices[0]!.outlet}`)).body.data.cableId;
  await admin.delete(`/api/cables/${top}`);
  expect(refusal(await cable(30))).toEqual([409, [message]]);
  const bottom = (await admin.get(`/api/device-ports/${devices[65]!.outlet}`)).body.data.cableId;
  await admin.delete(`/api/cables/${bottom}`);
  expect((await cable(30)).status).toBe(201);
  // An outlet that changes its power port counts too.
  const { id, supply: own } = devices[1]!;
  const second = await supply(id);
  await admin.patch(`/api/device-ports/${devices[1]!.outlet}`, { powerPortId: second });
  expect((await cable(0)).status).toBe(201);
  const changed = await admin.patch(`/api/device-ports/${devices[1]!.outlet}`, { powerPortId: own });
  expect(refusal(changed)).toEqual([409, ['powerPortId would make a way of power that passes more than 64 outlets']]);
});

it('a machine contains its interfaces and addresses', async () => {
  const vm = await make('virtual-machines', { name: 'vm' });
  const interfaceId = await make(`virtual-machines/${vm}/interfaces`, { name: 'eth0' });
  const ipAddressId = await make('ip-addresses', { address: '10.3.0.1/24' });
  await make(`virtual-machines/${vm}/addresses`, { ipAddressId, interfaceId });
  expect((await impactOf('virtual-machines', vm)).toSorted()).toEqual([
    'ip-addresses 10.3.0.1/24 down via vm',
    'virtual-machine-interfaces eth0 down via vm',
  ]);
});

it('what a degraded machine contains is degraded, too', async () => {
  const clusterId = await make('clusters', { name: 'half' });
  const host = await make('devices', { name: 'host', clusterId });
  const other = await make('devices', { name: 'other', clusterId });
  const vm = await make('virtual-machines', { name: 'vm', clusterId });
  const interfaceId = await make(`virtual-machines/${vm}/interfaces`, { name: 'eth0' });
  const ipAddressId = await make('ip-addresses', { address: '10.3.1.1/24' });
  await make(`virtual-machines/${vm}/addresses`, { ipAddressId, interfaceId });
  await make('ip-addresses', { address: '10.3.1.2/24', deviceId: host });
  const reached = (effect: string): string[] => [
    `ip-addresses 10.3.1.1/24 ${effect} via vm`,
    'ip-addresses 10.3.1.2/24 down via host',
    `clusters half ${effect} via host`,
    `virtual-machines vm ${effect} via half`,
    `virtual-machine-interfaces eth0 ${effect} via vm`,
  ];
  expect(await impactOf('devices', host)).toEqual(reached('degraded'));
  await admin.delete(`/api/devices/${other}`);
  expect(await impactOf('devices', host)).toEqual(reached('down'));
});

it('the power of a rack adds up', async () => {
  const rackId = await make('racks', { name: 'A1' });
  const [a, b] = [
    await make('power-feeds', { name: 'A', rackId, voltageV: 230, amperageA: 10, maximumUtilisation: 100 }),
    await make('power-feeds', { name: 'B', rackId, type: 'redundant' }),
  ];
  const [server, dark, pdu] = [
    await make('devices', { name: 'server', rackId }),
    await make('devices', { name: 'dark', rackId }),
    await make('devices', { name: 'pdu', rackId }),
  ];
  await supply(dark, { maximumDrawW: 100 });
  await join(await supply(pdu, { maximumDrawW: 9999 }), a, 'power-feeds');
  await join(await outlet(pdu), await supply(server, { allocatedDrawW: 200, maximumDrawW: 500 }));
  await join(await supply(server, { maximumDrawW: 260 }), b, 'power-feeds');
  const direct = await make('devices', { name: 'direct', rackId });
  await join(await supply(direct, { maximumDrawW: 30 }), await outlet(pdu));
  const { status, body } = await admin.get(`/api/racks/${rackId}/power`);
  expect([status, body.data]).toEqual([
    200,
    {
      feeds: [
        { id: a, name: 'A', type: 'primary', availableW: 2300, allocatedW: 230, utilisation: 0.1 },
        { id: b, name: 'B', type: 'redundant', availableW: null, allocatedW: 260, utilisation: null },
      ],
      unfed: [{ id: dark, name: 'dark' }],
    },
  ]);
  expect((await admin.get(`/api/racks/${a}/power`)).status).toBe(404);
});
