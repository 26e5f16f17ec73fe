import { randomUUID } from 'node:crypto';
import { atOnce } from '../support/at-once.js';
import { onServer } from '../support/database.js';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { fewestRoundTrips, startProxied } from '../support/proxied-service.js';
import { itOnServer } from '../support/server.js';
import { sql } from '../../src/database/sql.js';

/** The rules of the contract beyond storing a row, through the API. */
let service: TestService;
let editor: Api;
let manager: Api;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  [editor, manager, admin] = await Promise.all([service.as('editor'), service.as('manager'), service.as('admin')]);
});
afterAll(() => service.stop());

const onServerOnly = onServer ? describe : describe.skip;
const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const tally = (answers: readonly Answer[]): Record<number, number> =>
  answers.reduce<Record<number, number>>((sum, { status }) => ({ ...sum, [status]: (sum[status] ?? 0) + 1 }), {});

describe('references to nothing', () => {
  const none = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
  const dangling = (answer: Answer): unknown => [
    answer.status,
    answer.body.details.map(({ field }: { field: string }) => field).toSorted(),
  ];

  it('are all named, not only the first that the database finds', async () => {
    const [deviceTypeId, siteId, platformId] = none(3);
    const body = { name: 'sw1', deviceTypeId, siteId, platformId };
    const expected = [400, ['deviceTypeId', 'platformId', 'siteId']];
    expect(dangling(await editor.post('/api/devices', body))).toEqual(expected);
    expect(dangling(await editor.post('/api/devices', body, { 'idempotency-key': randomUUID() }))).toEqual(expected);
    const { id } = await editor.make('/api/devices', { name: 'sw1' });
    expect(dangling(await editor.patch(`/api/devices/${id}`, body))).toEqual(expected);
    expect((await editor.get(`/api/devices?deviceTypeId=${deviceTypeId}`)).body.total).toBe(0);
  });

  it('are named in the items of an order too', async () => {
    const [vendorId, categoryId, manufacturerId] = none(3);
    const items = [
      { name: 'a', quantity: 1, categoryId },
      { name: 'b', quantity: 1, manufacturerId },
    ];
    expect(dangling(await editor.post('/api/purchase-orders', { orderNumber: randomUUID(), vendorId, items }))).toEqual(
      [400, ['items[0].categoryId', 'items[1].manufacturerId', 'vendorId']],
    );
  });

  it('leave a repeated request as it was', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const [first, again] = [
      await editor.post('/api/sites', { name: 'once' }, key),
      await editor.post('/api/sites', { name: 'once' }, key),
    ];
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
  });
});

describe('conditional requests', () => {
  it('tell a client that its copy is current', async () => {
    const made = await editor.post('/api/runbooks', { name: 'a' });
    const [path, etag] = [made.headers.get('location')!, made.headers.get('etag')!];
    const same = await editor.get(path, { 'if-none-match': etag });
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await editor.get(path, { 'if-none-match': `W/${etag}, "x"` })).status).toBe(304);
    const changed = await editor.patch(path, { category: 'b' });
    expect(changed.headers.get('etag')).not.toBe(etag);
    expect((await editor.get(path, { 'if-none-match': etag })).status).toBe(200);
  });

  it('refuse to change or delete a record that was changed meanwhile', async () => {
    const made = await editor.post('/api/runbooks', { name: 'a' });
    const [path, etag] = [made.headers.get('location')!, made.headers.get('etag')!];
    const changed = await editor.patch(path, { category: 'b' }, { 'if-match': etag });
    expect(changed.status).toBe(200);
    for (const stale of [etag, '"nonsense"', `W/${changed.headers.get('etag')}`]) {
      expect((await editor.patch(path, { category: 'c' }, { 'if-match': stale })).status).toBe(412);
      expect((await editor.delete(path, { 'if-match': stale })).status).toBe(412);
    }
    expect((await editor.get(path)).text).toBe(changed.text);
    expect((await editor.patch(path, { category: 'd' }, { 'if-match': '*' })).status).toBe(200);
    expect((await editor.delete(`/api/runbooks/${randomUUID()}`, { 'if-match': '*' })).status).toBe(404);
  });

  it('have tags that change with data from other records', async () => {
    const site = await editor.make('/api/sites', { name: 'Before' });
    const person = await editor.post('/api/people', { fullName: 'P', siteId: site.id });
    await editor.patch(`/api/sites/${site.id}`, { name: 'After' });
    const read = await editor.get(person.headers.get('location')!);
    expect(read.body.data.siteName).toBe('After');
    expect(read.headers.get('etag')).not.toBe(person.headers.get('etag'));
  });

  onServerOnly('many writers', () => {
    it('keep fifty concurrent PATCHes of different fields', async () => {
      const fields = ['accountManager', 'email', 'phone', 'website', 'status', 'description', 'slug', 'name'];
      const fresh = await times(7, () => editor.make('/api/vendors', { name: 'v' }));
      // Each request changes another field. A writer that stored its whole copy would revert the change of another.
      const answers = await times(50, (i) =>
        editor.patch(`/api/vendors/${fresh[Math.floor(i / 8)].id}`, { [fields[i % 8]!]: `set by ${i}` }),
      );
      expect(tally(answers)).toEqual({ 200: 50 });
      for (let i = 0; i < 50; i++) {
        const { data } = (await editor.get(`/api/vendors/${fresh[Math.floor(i / 8)].id}`)).body;
        expect(data[fields[i % 8]!]).toBe(`set by ${i}`);
      }
    });

    it('let one of twenty writers with the same tag through', async () => {
      const made = await editor.post('/api/vendors', { name: 'v' });
      const tag = { 'if-match': made.headers.get('etag')! };
      const answers = await atOnce(service, () =>
        times(20, (i) => editor.patch(made.headers.get('location')!, { phone: String(i) }, tag)),
      );
      expect(tally(answers)).toEqual({ 200: 1, 412: 19 });
    });
  });
});

describe('Idempotency-Key', () => {
  const keyed = (api: Api, path: string, body: unknown, key: string): Promise<Answer> =>
    api.post(path, body, { 'idempotency-key': key });

  it('repeats the first response, to the same caller on the same path', async () => {
    const first = await keyed(editor, '/api/vrfs', { name: 'once' }, 'k1');
    const again = await keyed(editor, '/api/vrfs', { name: 'once' }, 'k1');
    expect([again.status, again.text]).toEqual([201, first.text]);
    for (const header of ['location', 'etag']) expect(again.headers.get(header)).toBe(first.headers.get(header));
    expect((await editor.get('/api/vrfs?name=once')).body.total).toBe(1);
    expect((await keyed(editor, '/api/vrfs', { name: 'other' }, 'k1')).status).toBe(422);
    expect((await keyed(manager, '/api/vrfs', { name: 'mine' }, 'k1')).status).toBe(201);
    expect((await keyed(editor, '/api/cluster-types', { name: 'once' }, 'k1')).status).toBe(201);
  });

  it('stores no refusal, and expires after a day', async () => {
    expect((await keyed(editor, '/api/vrfs', { name: '' }, 'k2')).status).toBe(400);
    const made = await keyed(editor, '/api/vrfs', { name: 'right' }, 'k2');
    expect(made.status).toBe(201);
    await service.database.db.query(sql`UPDATE idempotency_keys SET created_at = now() - interval '25 hours'`);
    const later = await keyed(editor, '/api/vrfs', { name: 'right' }, 'k2');
    expect([later.status, later.body.data.id === made.body.data.id]).toEqual([201, false]);
  });

  it('checks the permissions of the caller again, and stores no secret', async () => {
    const licence = await keyed(manager, '/api/software-licences', { name: 'l', licenceKey: 'CANARY-KEY' }, 'k3');
    expect(licence.body.data.licenceKey).toBe('CANARY-KEY');
    expect((await keyed(manager, '/api/software-licences', { name: 'l', licenceKey: 'CANARY-KEY' }, 'k3')).text).toBe(
      licence.text,
    );
    const { profileId } = await whoIs(manager);
    await service.database.db.query(sql`UPDATE profiles SET role = 'editor' WHERE id = ${profileId}`);
    const demoted = await keyed(manager, '/api/software-licences', { name: 'l', licenceKey: 'CANARY-KEY' }, 'k3');
    expect([demoted.status, demoted.body.data.licenceKey]).toEqual([201, null]);
    await service.database.db.query(sql`UPDATE profiles SET role = 'viewer' WHERE id = ${profileId}`);
    expect((await keyed(manager, '/api/software-licences', { name: 'l', licenceKey: 'CANARY-KEY' }, 'k3')).status).toBe(
      403,
    );
    await service.database.db.query(sql`UPDATE profiles SET role = 'manager' WHERE id = ${profileId}`);
    const dump = JSON.stringify(
      await service.database.db.query(sql`SELECT * FROM idempotency_keys, software_licences`),
    );
    expect(dump).toContain(licence.body.data.id);
    expect(dump).not.toContain('CANARY-KEY');
  });

  it('runs once, however many concurrent requests there are', async () => {
    const answers = await times(20, () => keyed(editor, '/api/vrfs', { name: 'flood' }, 'k4'));
    const { 201: made = 0, 409: running = 0, ...rest } = tally(answers);
    expect([made > 0, made + running, rest]).toEqual([true, 20, {}]);
    expect((await editor.get('/api/vrfs?name=flood')).body.total).toBe(1);
  });

  it('is refused if it is malformed', async () => {
    expect((await keyed(editor, '/api/vrfs', { name: 'a' }, 'x'.repeat(256))).status).toBe(400);
  });
});

async function whoIs(api: Api): Promise<{ profileId: string }> {
  return { profileId: (await api.get('/api/auth/session')).body.data.id as string };
}

describe('licence keys', () => {
  it('are read by managers, set by editors, and removed only by callers who can read them', async () => {
    const made = await editor.make('/api/software-licences', { name: 'l', licenceKey: 'KEY-1' });
    const path = `/api/software-licences/${made.id}`;
    expect(made.licenceKey).toBeNull();
    expect((await manager.get(path)).body.data.licenceKey).toBe('KEY-1');
    expect((await editor.patch(path, { ...made, notes: 'n' })).status).toBe(200);
    expect((await manager.get(path)).body.data.licenceKey).toBe('KEY-1');
    await editor.patch(path, { licenceKey: 'KEY-2' });
    expect((await manager.get(path)).body.data.licenceKey).toBe('KEY-2');
    expect((await manager.patch(path, { licenceKey: null })).body.data.licenceKey).toBeNull();
  });

  it('cannot be searched, sorted or filtered by, and are encrypted in the database', async () => {
    const made = await manager.make('/api/software-licences', { name: 'l2', licenceKey: 'CANARY-LICENCE' });
    for (const query of ['licenceKey=CANARY-LICENCE', 'licenceKey__empty=true', 'sort=licenceKey']) {
      expect((await manager.get(`/api/software-licences?${query}`)).status).toBe(400);
    }
    expect((await manager.get('/api/software-licences?search=CANARY-LICENCE')).body.total).toBe(0);
    const [row] = await service.database.db.query<{ licence_key: string }>(
      sql`SELECT licence_key FROM software_licences WHERE id = ${made.id}`,
    );
    expect(row!.licence_key).toMatch(/^v1:/);
    expect(Buffer.from(row!.licence_key.slice(3), 'base64url').toString('latin1')).not.toContain('CANARY');
  });
});

describe('addresses', () => {
  let device: { id: string };
  let other: { id: string };
  let port: { id: string };
  beforeEach(async () => {
    device = await editor.make('/api/devices', { name: 'sw' });
    other = await editor.make('/api/devices', { name: 'other' });
    port = await editor.make(`/api/devices/${device.id}/ports`, { name: 'eth0' });
  });

  it.each([
    '10.0.0.1',
    '10.0.0.1/33',
    '010.0.0.1/8',
    '10.0.0/8',
    'fe80::1%eth0/64',
    '::1/129',
    '10.0.0.1/-1',
    '10.0.0.1/08',
    '',
  ])('refuses %p', async (address) => {
    const answer = await editor.post('/api/ip-addresses', { address });
    expect([answer.status, answer.body.details[0].field]).toEqual([400, 'address']);
  });

  it('derive the family, and refuse a contradicting one', async () => {
    const four = await editor.make('/api/ip-addresses', { address: '10.0.0.1/24' });
    const six = await editor.make('/api/ip-addresses', { address: '2001:db8::1/64', family: 6 });
    expect([four.family, six.family]).toEqual([4, 6]);
    const path = `/api/ip-addresses/${four.id}`;
    for (const answer of [
      await editor.patch(path, { family: 6 }),
      await editor.patch(path, { family: 6, address: '10.0.0.2/24' }),
      await editor.post('/api/ip-addresses', { address: '10.0.0.3/24', family: 6 }),
    ]) {
      expect([answer.status, answer.body.details?.[0].field]).toEqual([400, 'family']);
    }
    expect((await editor.patch(path, { address: '2001:db8::2/64' })).body.data.family).toBe(6);
  });

  it('belong to the device of their port', async () => {
    const bound = await editor.make('/api/ip-addresses', {
      address: '10.0.0.2/24',
      interfaceId: port.id,
      deviceId: other.id,
    });
    expect(bound.deviceId).toBe(device.id);
    const path = `/api/ip-addresses/${bound.id}`;
    for (const deviceId of [other.id, null]) {
      const contradiction = await editor.patch(path, { deviceId });
      expect([contradiction.status, contradiction.body.details[0].field]).toEqual([400, 'deviceId']);
    }
    const free = await editor.make('/api/ip-addresses', { address: '10.0.0.3/24', deviceId: other.id });
    expect((await editor.patch(`/api/ip-addresses/${free.id}`, { interfaceId: port.id })).body.data.deviceId).toBe(
      device.id,
    );
    expect((await editor.patch(path, { interfaceId: port.id, deviceId: other.id })).body.data.deviceId).toBe(device.id);
    expect((await editor.patch(path, { interfaceId: null, deviceId: other.id })).body.data.deviceId).toBe(other.id);
    const nowhere = await editor.post('/api/ip-addresses', { address: '10.0.0.4/24', interfaceId: randomUUID() });
    expect([nowhere.status, nowhere.body.details[0].field]).toEqual([400, 'interfaceId']);
  });

  it('lose their port and keep their device; lose both with the device', async () => {
    const bound = await editor.make('/api/ip-addresses', { address: '10.0.0.5/24', interfaceId: port.id });
    const path = `/api/ip-addresses/${bound.id}`;
    await editor.delete(`/api/devices/${device.id}/ports/${port.id}`);
    expect((await editor.get(path)).body.data).toMatchObject({ interfaceId: null, deviceId: device.id });
    const again = await editor.make(`/api/devices/${device.id}/ports`, { name: 'eth1' });
    await editor.patch(path, { interfaceId: again.id });
    expect((await editor.delete(`/api/devices/${device.id}`)).status).toBe(204);
    expect((await editor.get(path)).body.data).toMatchObject({ interfaceId: null, deviceId: null });
  });

  it('lie within a network by their hosts, whatever their own length is', async () => {
    for (const address of ['10.8.4.5/16', '10.8.4.6/32', '10.8.4.77/24', '2001:db8:8::5/32']) {
      await editor.make('/api/ip-addresses', { address });
    }
    const within = async (...networks: string[]): Promise<string[]> =>
      (
        await editor.get(`/api/ip-addresses?sort=address&${networks.map((network) => `within=${network}`).join('&')}`)
      ).body.data.map(({ address }: { address: string }) => address);
    expect(await within('10.8.4.0/26')).toEqual(['10.8.4.5/16', '10.8.4.6/32']);
    expect(await within('10.8.4.4/31')).toEqual(['10.8.4.5/16']);
    expect(await within('10.8.4.64/26', '2001:db8:8::/64')).toEqual(['10.8.4.77/24', '2001:db8:8::5/32']);
  });

  it('are listed with their device, under the name of their port, and by network and number', async () => {
    for (const address of ['10.9.0.10/24', '10.9.0.2/24', '10.9.1.1/16', '2001:db8::9/64']) {
      await editor.make('/api/ip-addresses', { address, interfaceId: port.id });
    }
    await editor.make('/api/ip-addresses', { address: '10.9.0.1/24', deviceId: device.id });
    const list = await editor.get(`/api/devices/${device.id}/ips?sort=address`);
    expect(
      list.body.data.map((ip: { address: string; interfaceName: string | null }) => [ip.address, ip.interfaceName]),
    ).toEqual([
      ['10.9.0.1/24', null],
      ['10.9.0.2/24', 'eth0'],
      ['10.9.0.10/24', 'eth0'],
      ['10.9.1.1/16', 'eth0'],
      ['2001:db8::9/64', 'eth0'],
    ]);
    expect(list.body).toMatchObject({ total: 5, page: 1, hasMore: false });
    expect((await editor.get(`/api/devices/${device.id}/ips?within=10.9.0.0/24&family=4`)).body.total).toBe(3);
    expect(
      (await editor.get(`/api/ip-addresses?within=10.9.0.0/24&within=2001:db8::/32&deviceId=${device.id}`)).body.total,
    ).toBe(4);
    expect((await editor.get('/api/ip-addresses?within=10.9.0.0')).status).toBe(400);
    expect((await editor.get(`/api/devices/${randomUUID()}/ips`)).status).toBe(404);
    expect((await editor.get('/api/ip-addresses?pageSize=1')).body.data[0]).not.toHaveProperty('interfaceName');
  });

  it('can be sent back, and imported, as the list of their device shows them', async () => {
    const { id } = await editor.make('/api/ip-addresses', { address: '10.9.9.1/24', interfaceId: port.id });
    const ips = `/api/devices/${device.id}/ips?id=${id}`;
    const [shown] = (await editor.get(ips)).body.data;
    const sent = await editor.patch(`/api/ip-addresses/${id}`, shown);
    expect([sent.status, sent.body.data.updatedAt]).toEqual([200, shown.updatedAt]);
    for (const type of ['text/csv', 'application/x-ndjson']) {
      const { text } = await editor.get(ips, { accept: type });
      const path = '/api/ip-addresses/import?mode=update';
      const imported = await editor.post(path, text, { 'content-type': type });
      expect(imported.body).toMatchObject({ data: { rows: 1, unchanged: 1 } });
    }
  });

  onServerOnly('races', () => {
    it('always agree with their port, whatever is bound, moved and deleted concurrently', async () => {
      const ports = await times(6, (i) =>
        editor.make(`/api/devices/${i % 2 ? device.id : other.id}/ports`, { name: `p${i}` }),
      );
      const addresses = await times(6, (i) => editor.make('/api/ip-addresses', { address: `10.8.0.${i}/24` }));
      const answers = await times(120, (i) => {
        const path = `/api/ip-addresses/${addresses[i % 6]!.id}`;
        if (i % 10 === 9) return editor.delete(`/api/devices/${ports[i % 6]!.deviceId}/ports/${ports[i % 6]!.id}`);
        return editor.patch(
          path,
          i % 3 === 0 ? { deviceId: i % 2 ? device.id : other.id } : { interfaceId: ports[(i * 7) % 6]!.id },
        );
      });
      expect(Object.keys(tally(answers)).filter((status) => Number(status) >= 500)).toEqual([]);
      const strays = await service.database.db.query(
        sql`SELECT 1 FROM ip_addresses a JOIN device_ports p ON p.id = a.interface_id WHERE a.device_id IS DISTINCT FROM p.device_id`,
      );
      expect(strays).toEqual([]);
    });
  });
});

describe('locations', () => {
  it('cannot be their own ancestors', async () => {
    const a = await editor.make('/api/locations', { name: 'a' });
    const b = await editor.make('/api/locations', { name: 'b', parentId: a.id });
    const c = await editor.make('/api/locations', { name: 'c', parentId: b.id });
    for (const parentId of [a.id, b.id, c.id]) {
      const answer = await editor.patch(`/api/locations/${a.id}`, { parentId });
      expect([answer.status, answer.body.details[0].field]).toEqual([400, 'parentId']);
    }
  });

  onServerOnly('races', () => {
    it('do not form a cycle when each becomes the parent of the other concurrently', async () => {
      for (let round = 0; round < 5; round++) {
        const [a, b] = await times(2, (i) => editor.make('/api/locations', { name: String(i) }));
        const answers = await Promise.all([
          editor.patch(`/api/locations/${a.id}`, { parentId: b.id }),
          editor.patch(`/api/locations/${b.id}`, { parentId: a.id }),
        ]);
        expect(tally(answers)).toEqual({ 200: 1, 400: 1 });
      }
    });
  });
});

describe('asset assignments', () => {
  it('are opened once, and closed once', async () => {
    const profile = await whoIs(editor);
    const person = await editor.make('/api/people', {
      fullName: 'Ada',
      email: `${randomUUID()}@example.com`,
      profileId: profile.profileId,
    });
    const asset = await editor.make('/api/assets', { name: 'laptop' });
    const path = `/api/assets/${asset.id}`;
    expect((await editor.post(`${path}/return`)).status).toBe(409);
    const out = await editor.post(`${path}/assign`, { personId: person.id });
    expect(out.status).toBe(200);
    expect(out.body.data.currentAssignee).toEqual({
      id: expect.any(String),
      fullName: 'Ada',
      email: person.email,
      personId: person.id,
      userId: profile.profileId,
    });
    expect((await editor.post(`${path}/assign`, { personId: person.id })).status).toBe(409);
    expect((await editor.get(`/api/people?id=${person.id}`)).body.data[0].assetCount).toBe(1);
    const back = await editor.post(`${path}/return`);
    expect([back.status, back.body.data.currentAssignee]).toEqual([200, null]);
    expect((await editor.get(`/api/people?id=${person.id}`)).body.data[0].assetCount).toBe(0);
    const past = (await editor.get(`${path}/assignments`)).body;
    expect([past.total, past.data[0].personId, typeof past.data[0].returnedAt]).toEqual([1, person.id, 'string']);
    expect((await editor.post(`${path}/assign`, { personId: randomUUID() })).body.details[0].field).toBe('personId');
    expect((await editor.post(`/api/assets/${randomUUID()}/assign`, { personId: person.id })).status).toBe(404);
  });

  it('show the names of related records, and refuse an empty change', async () => {
    const [site, category, maker] = [
      await editor.make('/api/sites', { name: 'Site' }),
      await editor.make('/api/asset-categories', { name: 'Phones' }),
      await editor.make('/api/manufacturers', { name: 'Maker' }),
    ];
    const asset = await editor.make('/api/assets', {
      name: 'a',
      siteId: site.id,
      categoryId: category.id,
      manufacturerId: maker.id,
    });
    expect(asset).toMatchObject({
      siteName: 'Site',
      categoryName: 'Phones',
      categorySlug: category.slug,
      manufacturerName: 'Maker',
    });
    for (const body of [{}, { id: 'x', siteName: 'y', currentAssignee: null }]) {
      const answer = await editor.patch(`/api/assets/${asset.id}`, body);
      expect([answer.status, answer.body]).toEqual([400, { error: 'No fields to update' }]);
    }
    expect((await editor.get(`/api/assets/${asset.id}`)).body.data).toEqual(asset);
  });

  onServerOnly('races', () => {
    it('go to one of twenty concurrent callers', async () => {
      const people = await times(20, (i) => editor.make('/api/people', { fullName: `P${i}` }));
      const { id } = await editor.make('/api/assets', { name: 'a' });
      const answers = await times(20, (i) => editor.post(`/api/assets/${id}/assign`, { personId: people[i]!.id }));
      expect(tally(answers)).toEqual({ 200: 1, 409: 19 });
      expect(tally(await times(20, () => editor.post(`/api/assets/${id}/return`)))).toEqual({ 200: 1, 409: 19 });
    });
  });
});

describe('people', () => {
  it('have a unique email address, ignoring case', async () => {
    const email = `${randomUUID()}@example.com`;
    const one = await editor.make('/api/people', { fullName: 'One', email });
    const two = await editor.make('/api/people', { fullName: 'Two' });
    for (const answer of [
      await editor.post('/api/people', { fullName: 'Three', email: email.toUpperCase() }),
      await editor.patch(`/api/people/${two.id}`, { email: email.toUpperCase() }),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([
        409,
        `email is already used by another person: 'One' (people ${one.id})`,
      ]);
    }
    expect((await editor.patch(`/api/people/${one.id}`, { email: email.toUpperCase() })).status).toBe(200);
  });

  it('have a login profile of their own, and show it', async () => {
    const { profileId } = await whoIs(await service.as('viewer'));
    const one = await admin.make('/api/people', { fullName: 'One', profileId });
    expect(one.profile).toEqual({ id: profileId, email: expect.any(String), role: 'viewer', isActive: true });
    const two = await editor.make('/api/people', { fullName: 'Two' });
    for (const answer of [
      await admin.post('/api/people', { fullName: 'Three', profileId }),
      await admin.patch(`/api/people/${two.id}`, { profileId }),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([
        409,
        `profileId is already linked to another person: 'One' (people ${one.id})`,
      ]);
    }
  });

  describe('are linked to a login profile', () => {
    const refusal = 'Linking a login profile to a person needs the role admin, unless it is your own profile';
    const otherProfile = async (): Promise<string> => (await whoIs(await service.as('viewer'))).profileId;

    it.each(['editor', 'manager'] as const)('by administrators only, and by a %s to their own', async (role) => {
      const api = await service.as(role);
      const { profileId: own } = await whoIs(api);
      const linked = await admin.make('/api/people', { fullName: 'Linked', profileId: await otherProfile() });
      const free = await admin.make('/api/people', { fullName: 'Free' });
      const profileId = await otherProfile();
      for (const answer of [
        await api.post('/api/people', { fullName: 'New', profileId }),
        await api.post('/api/people', { fullName: 'New', profileId: linked.profileId }),
        // The response does not reveal whether the profile exists.
        await api.post('/api/people', { fullName: 'New', profileId: randomUUID() }),
        await api.patch(`/api/people/${free.id}`, { profileId }),
        await api.patch(`/api/people/${linked.id}`, { profileId, notes: 'changed' }),
        await api.patch(`/api/people/${linked.id}`, { profileId }, { 'if-match': '*' }),
      ]) {
        expect([answer.status, answer.body]).toEqual([403, { error: refusal }]);
      }
      expect((await admin.get(`/api/people/${linked.id}`)).body.data).toEqual(linked);
      expect((await api.patch(`/api/people/${randomUUID()}`, { profileId })).status).toBe(404);

      const mine = await api.patch(`/api/people/${free.id}`, { profileId: own });
      expect([mine.status, mine.body.data.profile.id]).toEqual([200, own]);
      expect((await api.patch(`/api/people/${free.id}`, { profileId: null })).status).toBe(200);
      await api.make('/api/people', { fullName: 'Me', profileId: own });
    });

    it('by anybody who sends the unchanged link back or clears it', async () => {
      const made = await admin.make('/api/people', { fullName: 'Linked', profileId: await otherProfile() });
      const path = `/api/people/${made.id}`;
      const back = await editor.patch(path, { ...made, notes: 'sent back' });
      expect([back.status, back.body.data]).toMatchObject([200, { notes: 'sent back', profile: made.profile }]);
      const capitals = await editor.patch(path, { profileId: made.profileId.toUpperCase() });
      expect([capitals.status, capitals.body.data.profile]).toEqual([200, made.profile]);
      const cleared = await editor.patch(path, { profileId: null });
      expect([cleared.status, cleared.body.data.profile]).toEqual([200, null]);
      expect((await editor.patch(path, { profileId: made.profileId })).status).toBe(403);
    });
  });

  it('leave only the history of their actions when deleted', async () => {
    const { id: personId } = await editor.make('/api/people', { fullName: 'Leaver' });
    const [schedule, runbook, change, incident, asset] = await Promise.all([
      editor.make('/api/on-call-schedules', { name: 'a', personId }),
      editor.make('/api/runbooks', { name: 'a', ownerId: personId }),
      editor.make('/api/change-requests', { name: 'a', requestedById: personId }),
      editor.make('/api/incidents', { name: 'a', assignedToId: personId }),
      editor.make('/api/assets', { name: 'a' }),
    ]);
    await editor.post(`/api/assets/${asset.id}/assign`, { personId });
    expect((await editor.delete(`/api/people/${personId}`)).status).toBe(204);
    for (const [path, field] of [
      [`/api/on-call-schedules/${schedule.id}`, 'personId'],
      [`/api/runbooks/${runbook.id}`, 'ownerId'],
      [`/api/change-requests/${change.id}`, 'requestedById'],
      [`/api/incidents/${incident.id}`, 'assignedToId'],
      [`/api/assets/${asset.id}`, 'currentAssignee'],
    ]) {
      expect([path, (await editor.get(path!)).body.data[field!]]).toEqual([path, null]);
    }
    const [assignment] = (await editor.get(`/api/assets/${asset.id}/assignments`)).body.data;
    expect([assignment.personId, typeof assignment.returnedAt]).toEqual([null, 'string']);
  });

  itOnServer('are listed with their assets in as many statements, however many there are', async () => {
    const proxied = await startProxied(service.database);
    try {
      const api = await proxied.as('editor');
      const one = await editor.make('/api/people', { fullName: 'Holder 0', department: 'Counted' });
      const hold = async (personId: string): Promise<void> => {
        const { id } = await editor.make('/api/assets', { name: 'Held' });
        expect((await editor.post(`/api/assets/${id}/assign`, { personId })).status).toBe(200);
      };
      await hold(one.id);
      const list = (): Promise<Answer> => api.get('/api/people?department=Counted&pageSize=50');
      const held = async (): Promise<number[]> =>
        (await list()).body.data.map(({ assetCount }: { assetCount: number }) => assetCount).toSorted();
      expect(await held()).toEqual([1]);
      const few = await fewestRoundTrips(proxied, list);
      for (let n = 1; n <= 20; n++) {
        const { id } = await editor.make('/api/people', { fullName: `Holder ${n}`, department: 'Counted' });
        for (let asset = 0; asset < 3; asset++) await hold(id);
      }
      expect(await held()).toEqual([1, ...Array<number>(20).fill(3)]);
      expect(few).toBeGreaterThan(0);
      expect(await fewestRoundTrips(proxied, list)).toBe(few);
    } finally {
      await proxied.stop();
    }
  });

  onServerOnly('races', () => {
    it('need no connection when they are refused', async () => {
      await editor.make('/api/people', { fullName: 'A', email: 'kept@example.com' });
      let lost = 0;
      service.database.db.pool.on('remove', () => lost++);
      const answers = await times(30, () => editor.post('/api/people', { fullName: 'B', email: 'kept@example.com' }));
      expect([tally(answers), lost]).toEqual([{ 409: 30 }, 0]);
    });

    it('one of twenty concurrent creates gets an email address', async () => {
      const email = `${randomUUID()}@example.com`;
      const answers = await times(20, (i) =>
        editor.post('/api/people', { fullName: 'P', email: i % 2 ? email : email.toUpperCase() }),
      );
      expect(tally(answers)).toEqual({ 201: 1, 409: 19 });
      const { profileId } = await whoIs(await service.as('viewer'));
      const linked = await times(20, () => admin.post('/api/people', { fullName: 'P', profileId }));
      expect(tally(linked)).toEqual({ 201: 1, 409: 19 });
    });
  });
});

describe('purchase orders', () => {
  const items = [
    { name: 'Switch', quantity: 3, unitPrice: '10.5' },
    { name: 'Cable', quantity: 2 },
  ];
  const order = (body: object = {}) =>
    editor.make('/api/purchase-orders', { orderNumber: randomUUID(), items, ...body });

  it('add up their items, and have a unique number', async () => {
    const made = await order();
    expect(made).toMatchObject({ status: 'ordered', orderedQuantity: 5, receivedQuantity: 0, totalPrice: '31.50' });
    expect(
      made.items.map((item: { name: string; quantityRemaining: number }) => [item.name, item.quantityRemaining]),
    ).toEqual([
      ['Switch', 3],
      ['Cable', 2],
    ]);
    const twin = await editor.post('/api/purchase-orders', { orderNumber: made.orderNumber, items });
    expect([twin.status, twin.body.details[0].field]).toEqual([409, 'orderNumber']);
    for (const none of [{}, { items: [] }]) {
      const answer = await editor.post('/api/purchase-orders', { orderNumber: randomUUID(), ...none });
      expect([answer.status, answer.body.details[0].field]).toEqual([400, 'items']);
    }
    const bad = await editor.post('/api/purchase-orders', {
      orderNumber: 'x',
      items: [{ name: 'a', quantity: 0, quantty: 1 }],
    });
    expect(bad.body.details.map(({ field }: { field: string }) => field)).toEqual([
      'items[0].quantty',
      'items[0].quantity',
    ]);
  });

  it.each([
    ['draft', 'ordered', 200],
    ['draft', 'cancelled', 200],
    ['draft', 'received', 400],
    ['ordered', 'draft', 200],
    ['ordered', 'cancelled', 200],
    ['ordered', 'ordered', 200],
    ['ordered', 'partially_received', 400],
    ['ordered', 'closed', 400],
    ['cancelled', 'ordered', 400],
  ])('that are %s become %s: %d', async (from, to, status) => {
    const { id } = await order({ status: from });
    const answer = await editor.patch(`/api/purchase-orders/${id}`, { status: to });
    expect(answer.status).toBe(status);
    expect((await editor.get(`/api/purchase-orders/${id}`)).body.data.status).toBe(status === 200 ? to : from);
  });

  it('have items that can be replaced until something was received', async () => {
    const made = await order();
    const path = `/api/purchase-orders/${made.id}`;
    const replaced = await editor.patch(path, { items: [{ name: 'Router', quantity: 2 }] });
    expect(replaced.body.data.items).toHaveLength(1);
    const [{ id: itemId }] = replaced.body.data.items;
    const received = await manager.post(`${path}/receive`, { items: [{ itemId, quantity: 1, assets: [{}] }] });
    expect(received.status).toBe(200);
    const now = (await editor.get(path)).body.data;
    expect(now).toMatchObject({ status: 'partially_received', receivedQuantity: 1, receivedDate: null });
    expect((await editor.patch(path, now)).status).toBe(200);
    const late = await editor.patch(path, { items: [{ name: 'Other', quantity: 2 }] });
    expect([late.status, late.body.details[0].field]).toEqual([400, 'items']);
    expect((await editor.patch(path, { status: 'closed' })).body.data.status).toBe('closed');
    expect((await manager.post(`${path}/receive`, { items: [{ itemId, quantity: 1, assets: [{}] }] })).status).toBe(
      400,
    );
  });
});

describe('currencies', () => {
  const CONTRACTS = '/api/contracts';
  const WITHDRAWN =
    'must be an ISO 4217 currency code, such as USD. HRK was withdrawn: only a record that has it may keep it';

  /** A contract with a currency that was withdrawn later. */
  async function oldContract(): Promise<string> {
    const { id } = await admin.make(CONTRACTS, { name: 'Old', currency: 'EUR' });
    await service.database.db.query(sql`UPDATE contracts SET currency = 'HRK' WHERE id = ${id}`);
    return id;
  }

  it('may be active ones and funds', async () => {
    for (const currency of ['CLF', 'VED', 'UYW', 'EUR']) {
      expect((await admin.make(CONTRACTS, { name: currency, currency })).currency).toBe(currency);
    }
  });

  it('are not withdrawn, on any way in', async () => {
    const { id } = await admin.make(CONTRACTS, { name: 'Now', currency: 'EUR' });
    const details = [{ field: 'currency', message: WITHDRAWN }];
    const created = await admin.post(CONTRACTS, { name: 'New', currency: 'HRK' });
    expect([created.status, created.body.details]).toEqual([400, details]);
    const changed = await admin.patch(`${CONTRACTS}/${id}`, { currency: 'HRK' });
    expect([changed.status, changed.body.details]).toEqual([400, details]);
    const csv = { 'Content-Type': 'text/csv' };
    const imported = await admin.post(`${CONTRACTS}/import`, 'name,currency\nA,EUR\nB,HRK\n', csv);
    expect([imported.status, imported.body.details]).toEqual([
      400,
      [{ field: 'rows[2].currency', message: WITHDRAWN, row: 2, line: 3 }],
    ]);
    const bulk = await admin.post(`${CONTRACTS}/bulk`, {
      operations: [{ op: 'update', id, data: { currency: 'HRK' } }],
    });
    expect([bulk.status, bulk.body.details?.[0].message]).toEqual([400, WITHDRAWN]);
  });

  it('that are withdrawn stay in a record that has them', async () => {
    const id = await oldContract();
    const path = `${CONTRACTS}/${id}`;
    const renamed = await admin.patch(path, { name: 'Renamed' });
    expect([renamed.status, renamed.body.data.currency]).toEqual([200, 'HRK']);
    const { body } = await admin.get(path);
    expect((await admin.patch(path, body.data)).status).toBe(200);
    const file = (await admin.get(`${CONTRACTS}?id=${id}&format=csv&raw=true`)).text;
    const again = await admin.post(`${CONTRACTS}/import?mode=upsert&key=id&raw=true`, file, {
      'Content-Type': 'text/csv',
    });
    expect([again.status, again.body.data]).toEqual([200, expect.objectContaining({ unchanged: 1, failed: 0 })]);
    expect((await admin.patch(path, { currency: 'EUR' })).status).toBe(200);
    expect((await admin.patch(path, { currency: 'HRK' })).status).toBe(400);
  });
});
