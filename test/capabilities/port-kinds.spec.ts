import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { atOnce } from '../support/at-once.js';
import { sql, raw } from '../../src/database/sql.js';

let service: TestService;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor', ['network']);
});
afterAll(() => service.stop());

const refusal = ({ status, body }: Answer): [number, string[]] => [
  status,
  (body?.details ?? []).map((fault: { field: string }) => fault.field),
];
let devices = 0;
const device = async (): Promise<string> => (await editor.make('/api/devices', { name: `d${++devices}` })).id;
const port = (deviceId: string, body: object): Promise<{ id: string; [field: string]: unknown }> =>
  editor.make('/api/device-ports', { deviceId, ...body });

/** The fields that only ports of one kind have, with that kind. */
const declared = async (type: string): Promise<[string, string][]> => {
  const { types } = (await service.anonymous.get('/page/declarations.json')).body as {
    types: Record<string, { name: string; onlyWith?: { property: string; value: string } }[]>;
  };
  return types[type]!.flatMap(({ name, onlyWith }) => (onlyWith ? [[name, onlyWith.value] as [string, string]] : []));
};

describe('a kind of ports', () => {
  it('is declared for the page with the fields that the service refuses for the others', async () => {
    const deviceId = await device();
    const values: Record<string, unknown> = { mode: 'access', macAddress: '00:1B:44:11:3A:B7', feedLeg: 'A' };
    const fields = await declared('CreateDevicePort');
    expect(fields).toHaveLength(15);
    expect(await declared('UpdateDevicePort')).toEqual(fields);
    for (const [field, kind] of fields) {
      const value = values[field] ?? (field.endsWith('Id') ? deviceId : 1);
      const refused = await editor.post('/api/device-ports', { deviceId, kind: 'console', name: 'x', [field]: value });
      expect([field, refusal(refused), refused.body.error.includes(`kind ${kind} `)]).toEqual([
        field,
        [400, [field]],
        true,
      ]);
    }
  });

  it('has fields of its own, and no others', async () => {
    const deviceId = await device();
    const others = {
      mode: 'access',
      mtu: 1500,
      maximumDrawW: 1,
      feedLeg: 'A',
      rearPosition: 1,
      positions: 1,
    };
    const own: Record<string, string[]> = {
      network: ['mode', 'mtu'],
      console: [],
      'console-server': [],
      power: ['maximumDrawW'],
      outlet: ['feedLeg'],
      rear: ['positions'],
    };
    for (const [kind, fields] of Object.entries(own)) {
      const refused = await editor.post('/api/device-ports', { deviceId, kind, name: 'x', ...others });
      const foreign = Object.keys(others).filter((field) => !fields.includes(field));
      expect(refusal(refused)).toEqual([400, expect.arrayContaining(foreign)]);
      expect(refused.body.details).toHaveLength(foreign.length);
      const made = await port(deviceId, { kind, name: 'x' });
      for (const field of foreign) {
        const changed = await editor.patch(`/api/device-ports/${made.id}`, { [field]: others[field as never] });
        expect([field, refusal(changed)]).toEqual([field, [400, [field]]]);
        expect(changed.body.error).toMatch(/kind (?:network|power|outlet|front|rear) /);
        expect((await editor.patch(`/api/device-ports/${made.id}`, { [field]: null })).status).toBe(200);
      }
      // An update reports all faults, as a create does.
      for (const path of [`/api/device-ports/${made.id}`, `/api/devices/${deviceId}/ports/${made.id}`]) {
        const [status, named] = refusal(await editor.patch(path, { kind: 'front', ...others }));
        expect([status, named.toSorted()]).toEqual([400, [...foreign, 'kind'].toSorted()]);
      }
      expect((await editor.patch(`/api/device-ports/${made.id}`, { kind, name: 'x', mtu: null })).status).toBe(200);
    }
    const rear = await port(deviceId, { kind: 'rear', name: 'r' });
    const front = await port(deviceId, { kind: 'front', name: 'f', rearPortId: rear.id });
    const changes = { rearPortId: null, rearPosition: null, positions: 2 };
    const all = [400, expect.arrayContaining(Object.keys(changes))];
    expect(refusal(await editor.patch(`/api/device-ports/${front.id}`, changes))).toEqual(all);
    const elsewhere = await editor.patch(`/api/devices/${await device()}/ports/${front.id}`, changes);
    expect(elsewhere.status).toBe(404);
    const { body } = await editor.post('/api/device-ports/bulk', {
      operations: [
        { op: 'update', id: rear.id, data: { label: 'r' } },
        { op: 'update', id: front.id, data: { mtu: 1, mode: 'access' } },
      ],
    });
    expect(body.details.map((fault: { field: string }) => fault.field).toSorted()).toEqual([
      'operations[1].data.mode',
      'operations[1].data.mtu',
    ]);
    expect(refusal(await editor.post('/api/device-ports', { deviceId, kind: 'usb', name: 'x', mtu: 1 }))).toEqual([
      400,
      ['kind'],
    ]);
  });

  it('is fixed, as the device is', async () => {
    const [deviceId, other] = [await device(), await device()];
    const { id } = await port(deviceId, { name: 'x' });
    const path = `/api/device-ports/${id}`;
    expect(refusal(await editor.patch(path, { kind: 'console' }))).toEqual([400, ['kind']]);
    expect(refusal(await editor.patch(path, { deviceId: other }))).toEqual([400, ['deviceId']]);
    expect((await editor.patch(path, { kind: 'network', deviceId, name: 'y' })).status).toBe(200);
    const nested = await editor.patch(`/api/devices/${deviceId}/ports/${id}`, { deviceId: other, name: 'z' });
    expect([nested.status, nested.body.data.deviceId]).toEqual([200, deviceId]);
    expect(nested.headers.get('etag')).toBe((await editor.get(path)).headers.get('etag'));
  });

  it('has names of its own', async () => {
    const deviceId = await device();
    await port(deviceId, { name: '1' });
    await port(deviceId, { name: '1', kind: 'power' });
    expect(refusal(await editor.post('/api/device-ports', { deviceId, name: '1', kind: 'power' }))).toEqual([
      409,
      ['name'],
    ]);
  });

  it('is needed by an address', async () => {
    const { id: interfaceId } = await port(await device(), { name: '1', kind: 'power' });
    expect(refusal(await editor.post('/api/ip-addresses', { address: '10.0.0.1/24', interfaceId }))).toEqual([
      400,
      ['interfaceId'],
    ]);
  });
});

describe('a reference to another port', () => {
  it.each([
    ['parentId', 'network', { kind: 'network' }, [{ kind: 'power' }]],
    ['lagId', 'network', { kind: 'network', type: 'lag' }, [{ kind: 'network' }, { kind: 'console' }]],
    ['powerPortId', 'outlet', { kind: 'power' }, [{ kind: 'network' }]],
    ['rearPortId', 'front', { kind: 'rear' }, [{ kind: 'network' }]],
  ])('%s is to the right port of the same device', async (field, kind, right, wrong) => {
    const [deviceId, other] = [await device(), await device()];
    const good = await port(deviceId, { ...right, name: 'good' });
    for (const [at, more] of [[other, right] as const, ...wrong.map((one) => [deviceId, one] as const)]) {
      const bad = await port(at, { ...more, name: 'bad' });
      const refused = await editor.post('/api/device-ports', { deviceId, kind, name: 'x', [field]: bad.id });
      expect(refusal(refused)).toEqual([400, [field]]);
      await editor.delete(`/api/device-ports/${bad.id}`);
    }
    const made = await port(deviceId, { kind, name: 'x', [field]: good.id });
    const missing = await editor.patch(`/api/device-ports/${made.id}`, { [field]: made.id });
    expect(refusal(missing)).toEqual([400, [field]]);
    await editor.delete(`/api/device-ports/${good.id}`);
    const { status, body } = await editor.get(`/api/device-ports/${made.id}`);
    expect([status, body.data?.[field]]).toEqual(kind === 'front' ? [404, undefined] : [200, null]);
  });

  it('closes no circle of sub-interfaces, whoever is first', async () => {
    const deviceId = await device();
    const [one, two] = [await port(deviceId, { name: '1' }), await port(deviceId, { name: '2' })];
    const answers = await Promise.all(
      [
        [one, two],
        [two, one],
      ].map(([child, parent]) => editor.patch(`/api/device-ports/${child!.id}`, { parentId: parent!.id })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  it('keeps the type of a link aggregation', async () => {
    const deviceId = await device();
    const lag = await port(deviceId, { name: 'po1', type: 'lag' });
    const member = await port(deviceId, { name: '1', lagId: lag.id });
    expect(refusal(await editor.patch(`/api/device-ports/${lag.id}`, { type: 'virtual' }))).toEqual([409, ['type']]);
    await editor.patch(`/api/device-ports/${member.id}`, { lagId: null });
    expect((await editor.patch(`/api/device-ports/${lag.id}`, { type: null })).status).toBe(200);
  });
});

describe('positions of a rear port', () => {
  it('are each of one front port', async () => {
    const deviceId = await device();
    const rear = await port(deviceId, { kind: 'rear', name: 'R' });
    expect(rear).toMatchObject({ positions: 1, rearPosition: null });
    const front = { kind: 'front', rearPortId: rear.id };
    expect(refusal(await editor.post('/api/device-ports', { deviceId, kind: 'front', name: 'F' }))).toEqual([
      400,
      ['rearPortId'],
    ]);
    const first = await port(deviceId, { ...front, name: 'F1' });
    expect(first).toMatchObject({ rearPosition: 1, positions: null });
    const body = { deviceId, ...front, name: 'F2' };
    expect(refusal(await editor.post('/api/device-ports', body))).toEqual([409, ['rearPosition']]);
    expect(refusal(await editor.post('/api/device-ports', { ...body, rearPosition: 2 }))).toEqual([
      400,
      ['rearPosition'],
    ]);
    expect(refusal(await editor.patch(`/api/device-ports/${first.id}`, { rearPortId: null }))).toEqual([
      400,
      ['rearPortId'],
    ]);
    await editor.patch(`/api/device-ports/${rear.id}`, { positions: 2 });
    const second = await port(deviceId, { ...body, rearPosition: 2 });
    expect(refusal(await editor.patch(`/api/device-ports/${rear.id}`, { positions: 1 }))).toEqual([409, ['positions']]);
    expect(refusal(await editor.patch(`/api/device-ports/${rear.id}`, { positions: 1025 }))).toEqual([
      400,
      ['positions'],
    ]);
    await editor.delete(`/api/device-ports/${second.id}`);
    expect((await editor.patch(`/api/device-ports/${rear.id}`, { positions: 1 })).status).toBe(200);
  });

  it('are never fewer than those in use, whoever is first', async () => {
    const deviceId = await device();
    for (let round = 0; round < 8; round++) {
      const rear = await port(deviceId, { kind: 'rear', name: `R${round}`, positions: 2 });
      await Promise.all([
        editor.patch(`/api/device-ports/${rear.id}`, { positions: 1 }),
        editor.post('/api/device-ports', {
          ...{ deviceId, kind: 'front', name: `F${round}`, rearPortId: rear.id, rearPosition: 2 },
        }),
      ]);
      const { positions } = (await editor.get(`/api/device-ports/${rear.id}`)).body.data;
      const { total } = (await editor.get(`/api/device-ports?rearPortId=${rear.id}`)).body;
      expect(positions === 2 || total === 0).toBe(true);
    }
  });
});

describe('tagged VLANs', () => {
  it('are those of a port in the mode tagged', async () => {
    const deviceId = await device();
    const { id } = await port(deviceId, { name: '1', mode: 'access' });
    const [one, two] = [
      await editor.make('/api/vlans', { vid: 10, name: 'a' }),
      await editor.make('/api/vlans', { vid: 11, name: 'b' }),
    ];
    const path = `/api/device-ports/${id}/tagged-vlans`;
    expect(refusal(await editor.post(path, { vlanId: one.id }))).toEqual([400, ['vlanId']]);
    await editor.patch(`/api/device-ports/${id}`, { mode: 'tagged', untaggedVlanId: two.id });
    const tagged = await editor.make(path, { vlanId: one.id });
    expect(refusal(await editor.post('/api/device-port-vlans', { portId: id, vlanId: one.id }))).toEqual([
      409,
      ['vlanId'],
    ]);
    for (const vlan of [one, two]) {
      expect((await editor.get(`/api/device-ports?vlanId=${vlan.id}`)).body.total).toBe(1);
    }
    expect((await editor.get(`/api/device-port-vlans?portId=${id}`)).body.data).toEqual([tagged]);
    expect(refusal(await editor.patch(`/api/device-ports/${id}`, { mode: 'tagged-all' }))).toEqual([409, ['mode']]);
    await editor.delete(`${path}/${tagged.id}`);
    expect((await editor.patch(`/api/device-ports/${id}`, { mode: null })).status).toBe(200);
  });

  it('come back with their VLAN, but for ports that have left the mode', async () => {
    const admin = await service.as('admin');
    const deviceId = await device();
    const [left, kept] = [
      await port(deviceId, { name: '1', mode: 'tagged' }),
      await port(deviceId, { name: '2', mode: 'tagged' }),
    ];
    const { id: vlanId } = await editor.make('/api/vlans', { vid: 12, name: 'c' });
    for (const { id: portId } of [left, kept]) await editor.make('/api/device-port-vlans', { portId, vlanId });
    await editor.delete(`/api/vlans/${vlanId}`);
    expect((await editor.patch(`/api/device-ports/${left.id}`, { mode: 'access' })).status).toBe(200);
    expect((await admin.post(`/api/vlans/${vlanId}/restore`)).status).toBe(200);
    expect((await editor.get(`/api/device-port-vlans?vlanId=${vlanId}`)).body.data).toMatchObject([
      { portId: kept.id },
    ]);
  });
});

describe('the ports of all devices', () => {
  it('are found by what their device is, and sorted in natural order', async () => {
    const [site, type, role] = [
      await editor.make('/api/sites', { name: 'S' }),
      await editor.make('/api/device-types', { model: `T${Date.now()}` }),
      await editor.make('/api/device-roles', { name: `R${Date.now()}` }),
    ];
    const rack = await editor.make('/api/racks', { name: 'A1', siteId: site.id });
    const location = await editor.make('/api/locations', { name: 'L', siteId: site.id });
    const { id: deviceId } = await editor.make('/api/devices', {
      ...{ name: 'sw', rackId: rack.id, locationId: location.id, deviceTypeId: type.id, deviceRoleId: role.id },
    });
    const names = ['Ethernet1/10', 'Ethernet1/2', 'Ethernet1/1', 'Ethernet10/1', 'Ethernet2', 'Management'];
    for (const name of names) await port(deviceId, { name });
    const sorted = ['Ethernet1/1', 'Ethernet1/2', 'Ethernet1/10', 'Ethernet2', 'Ethernet10/1', 'Management'];
    const filters = {
      siteId: site.id,
      locationId: location.id,
      rackId: rack.id,
      deviceRoleId: role.id,
      deviceTypeId: type.id,
    };
    for (const [field, id] of Object.entries(filters)) {
      const { data } = (await editor.get(`/api/device-ports?${field}=${id}&sort=name`)).body;
      expect([field, data.map(({ name }: { name: string }) => name)]).toEqual([field, sorted]);
    }
    const { data } = (await editor.get(`/api/devices/${deviceId}/ports?sort=name&order=desc`)).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(sorted.toReversed());
  });

  it('come from one file, in which ports refer to each other by name', async () => {
    const names = [`file-a${devices}`, `file-b${devices}`];
    for (const name of names) await editor.make('/api/devices', { name });
    const rows = names.flatMap((name) => [
      `${name},front,F1,R1,1,,,`,
      `${name},rear,R1,,,,,12`,
      `${name},front,F2,R1,2,,,`,
      `${name},power,PSU1,,,,,`,
      `${name},outlet,O1,,,PSU1,,`,
      `${name},network,eth0,,,,,`,
      `${name},network,eth0.1,,,,eth0,`,
    ]);
    const file = [
      'device.name,kind,name,rearPort.name,rearPosition,powerPort.name,parent.name,positions',
      ...rows,
    ].join('\n');
    const type = { 'content-type': 'text/csv' };
    const imported = await editor.request('POST', '/api/device-ports/import', file, type);
    expect([imported.status, imported.body.data]).toEqual([200, expect.objectContaining({ created: 14 })]);
    const again = await editor.request(
      'POST',
      '/api/device-ports/import?mode=upsert&key=device.name,kind,name',
      file,
      type,
    );
    expect([again.status, again.body.data]).toEqual([200, expect.objectContaining({ unchanged: 14 })]);
    for (const name of names) {
      const { id } = (await editor.get(`/api/devices?name=${name}`)).body.data[0];
      const { data } = (await editor.get(`/api/devices/${id}/ports?expand=rearPort&expand=powerPort&expand=parent`))
        .body;
      const by = new Map(data.map((one: { name: string }) => [one.name, one]));
      expect([by.get('F2'), by.get('O1'), by.get('eth0.1')]).toMatchObject([
        { rearPort: { name: 'R1' } },
        { powerPort: { name: 'PSU1' } },
        { parent: { name: 'eth0' } },
      ]);
      const nested = await editor.request(
        'POST',
        `/api/devices/${id}/ports/import`,
        'kind,name,rearPort.name,rearPosition\nfront,F3,R1,3\nfront,F4,R9,4\n',
        type,
      );
      expect(nested.body.details).toMatchObject([{ row: 2, field: 'rows[2].rearPort.name' }]);
    }
  });
});

it('rows that name no device refer to ports of the device of the record that they change', async () => {
  const [deviceId, other] = [await device(), await device()];
  const names = ['po1', 'eth0', 'eth0.1'];
  const made: { id: string }[] = [];
  for (const name of names) made.push(await port(deviceId, { name, ...(name === 'po1' && { type: 'lag' }) }));
  await port(other, { name: 'po1', type: 'lag' });
  const [lag, eth, sub] = made as [{ id: string }, { id: string }, { id: string }];
  const upload = (rows: string, parameters: string): Promise<Answer> =>
    editor.request('POST', `/api/device-ports/import?${parameters}`, rows, { 'content-type': 'text/csv' });
  const file = `id,lag.name,parent.name\n${eth.id},po1,\n${sub.id},,eth0\n`;
  for (const counts of [{ updated: 2 }, { unchanged: 2 }]) {
    expect((await upload(file, 'mode=update')).body.data).toMatchObject(counts);
  }
  expect((await editor.get(`/api/device-ports/${eth.id}`)).body.data.lagId).toBe(lag.id);
  expect((await editor.get(`/api/device-ports/${sub.id}`)).body.data.parentId).toBe(eth.id);
  const wrong = await upload(`id,lag.name\n${eth.id},po1\n${sub.id},po9\n`, 'mode=update');
  expect([wrong.status, wrong.body.details]).toMatchObject([400, [{ row: 2, field: 'rows[2].lag.name' }]]);
});

it('an operation on a port that went with an earlier one finds nothing', async () => {
  const deviceId = await device();
  const rear = await port(deviceId, { kind: 'rear', name: 'R' });
  const front = await port(deviceId, { kind: 'front', name: 'F', rearPortId: rear.id });
  const apart = { op: 'update', id: (await port(deviceId, { name: '1' })).id, data: { label: 'x' } };
  for (const last of [
    { op: 'update', id: front.id, data: { label: 'x' } },
    { op: 'delete', id: front.id },
  ]) {
    const operations = [{ op: 'delete', id: rear.id }, apart, last];
    const refused = await editor.post('/api/device-ports/bulk', { operations });
    expect(refusal(refused)).toEqual([404, ['operations[2].id']]);
  }
  const operations = [rear, front].map(({ id }) => ({ op: 'delete', id }));
  expect((await editor.post('/api/device-ports/bulk', { operations })).body.data).toMatchObject({ deleted: 2 });
});

it('a device gets ports of every kind from its type, and has them back when it is restored', async () => {
  const { id: deviceTypeId } = await editor.make('/api/device-types', { model: `All ${Date.now()}` });
  const make = (body: object): Promise<{ id: string }> =>
    editor.make('/api/device-type-ports', { deviceTypeId, ...body });
  const rear = await make({ kind: 'rear', name: 'R1', positions: 2 });
  await make({ kind: 'front', name: 'F1', rearPortId: rear.id, rearPosition: 2 });
  const supply = await make({ kind: 'power', name: 'PSU1', maximumDrawW: 300, allocatedDrawW: 200 });
  await make({ kind: 'outlet', name: 'O1', powerPortId: supply.id, feedLeg: 'B' });
  await make({ kind: 'network', name: 'eth0', speedMbps: 1000 });
  await make({ kind: 'console', name: 'con' });
  const made = await editor.make('/api/devices?withPorts=true', { name: 'all', deviceTypeId });
  const ports = async (): Promise<object[]> =>
    (await editor.get(`/api/devices/${made.id}/ports?expand=rearPort&expand=powerPort&sort=name`)).body.data;
  const before = await ports();
  expect(before).toMatchObject([
    { kind: 'front', name: 'F1', rearPort: { name: 'R1' }, rearPosition: 2 },
    { kind: 'outlet', name: 'O1', powerPort: { name: 'PSU1' }, feedLeg: 'B' },
    { kind: 'power', name: 'PSU1', maximumDrawW: 300, allocatedDrawW: 200 },
    { kind: 'rear', name: 'R1', positions: 2 },
    { kind: 'console', name: 'con' },
    { kind: 'network', name: 'eth0', speedMbps: 1000 },
  ]);
  const one = before[0] as { id: string };
  await editor.delete(`/api/device-ports/${one.id}`);
  const synced = await editor.post(`/api/devices/${made.id}/ports/sync`);
  expect(synced.body.data).toMatchObject({ created: [{ name: 'F1', rearPosition: 2 }], existing: 5 });
  const network = (before[5] as { id: string }).id;
  await editor.patch(`/api/device-ports/${network}`, { mode: 'tagged' });
  const vlan = await editor.make('/api/vlans', { vid: 5, name: 'v' });
  await editor.make(`/api/device-ports/${network}/tagged-vlans`, { vlanId: vlan.id });
  const kept = await ports();
  const admin = await service.as('admin');
  await editor.delete(`/api/devices/${made.id}`);
  expect((await admin.post(`/api/devices/${made.id}/restore`)).status).toBe(200);
  const times = { updatedAt: expect.any(String) };
  expect(await ports()).toEqual(kept.map((record) => ({ ...record, ...times })));
  expect((await editor.get(`/api/device-ports/${network}/tagged-vlans`)).body.total).toBe(1);
});

it('ports without a cable are found whatever happens to ports and cables', async () => {
  const expectFree = async (): Promise<void> => {
    const { db } = service.database;
    const found = await db.query(sql`SELECT port_id, device_id FROM free_ports ORDER BY 1`);
    const free = `SELECT p.id AS port_id, p.device_id FROM device_ports p
      WHERE NOT EXISTS (SELECT FROM cable_ends e WHERE e.end_id = p.id) ORDER BY 1`;
    expect(found).toEqual(await db.query(raw(free)));
  };
  const [one, other] = [
    (await editor.make('/api/devices', { name: 'free-one' })).id,
    (await editor.make('/api/devices', { name: 'free-other' })).id,
  ];
  const make = async (deviceId: string, name: string): Promise<string> =>
    (await editor.make('/api/device-ports', { deviceId, name })).id;
  const [a, b, c] = [await make(one, 'a'), await make(other, 'b'), await make(one, 'c')];
  const idsOf = async (query: string): Promise<string[]> =>
    (await editor.get(`/api/device-ports?deviceId=${one}&deviceId=${other}&${query}`)).body.data
      .map(({ id }: { id: string }) => id)
      .toSorted();
  expect(await idsOf('isConnected=false')).toEqual([a, b, c].toSorted());
  const { id } = await editor.make('/api/cables', { aId: a, bId: b });
  await expectFree();
  expect(await idsOf('isConnected=false')).toEqual([c]);
  expect(await idsOf('isConnected=true')).toEqual([a, b].toSorted());
  expect(await idsOf('isConnected=true&isConnected=false')).toEqual([a, b, c].toSorted());
  await editor.delete(`/api/cables/${id}`);
  await expectFree();
  await editor.make('/api/cables', { aId: a, bId: b });
  await editor.delete(`/api/devices/${other}`);
  await expectFree();
  expect(await idsOf('isConnected=false')).toEqual([a, c].toSorted());
  expect((await (await service.as('admin')).post(`/api/devices/${other}/restore`)).status).toBe(200);
  await expectFree();
});

it('many writers give a position to one front port', async () => {
  const deviceId = await device();
  const rear = await port(deviceId, { kind: 'rear', name: 'R' });
  const front = (at: number): Promise<Answer> =>
    editor.post('/api/device-ports', { deviceId, kind: 'front', name: `F${at}`, rearPortId: rear.id });
  const answers = await atOnce(service, () => Promise.all(Array.from({ length: 16 }, (_, at) => front(at))));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
});
