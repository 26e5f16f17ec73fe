import { Api, startService, type TestService } from '../support/app.js';
import { itInFull } from '../support/size.js';
import type { Json } from '../support/document.js';
import { raw, sql } from '../../src/database/sql.js';

let service: TestService;
let admin: Api;
/** This role only reads, and has no area. */
let reader: Api;
beforeEach(async () => {
  service ??= await startService();
  admin ??= await service.as('admin');
  reader ??= await service.as('viewer', []);
  const { db } = service.database;
  for (const table of ['ip_addresses', 'devices', 'virtual_machines', 'clusters', 'vrfs', 'sites'])
    await db.query(sql`DELETE FROM ${raw(table)}`);
});
afterAll(() => service.stop());

const PROMETHEUS = '/api/outputs/prometheus';
const ANSIBLE = '/api/outputs/ansible';
const DNS = '/api/outputs/dns';

const read = async (path: string): Promise<Json> => {
  const { status, body } = await reader.get(path);
  expect([path, status, body.error]).toEqual([path, 200, undefined]);
  return body;
};
const targetsOf = async (query: string): Promise<string[]> =>
  (await read(`${PROMETHEUS}?${query}`)).flatMap(({ targets }: Json) => targets);
const device = async (name: string, ...addresses: (string | object)[]): Promise<string> => {
  const { id } = await admin.make('/api/devices', { name });
  for (const given of addresses) {
    const values = typeof given === 'string' ? { address: given } : given;
    await admin.make('/api/ip-addresses', { ...values, deviceId: id });
  }
  return id;
};
const problemsOf = async (path: string): Promise<[name: string, problem: string][]> =>
  (await read(path)).data.map(({ name, problem }: Json) => [name, problem]);

describe('the address of a device', () => {
  it('is by role, then by family, then in network order', async () => {
    await device(
      'a',
      '10.0.0.9/24',
      '10.0.0.10/24',
      { address: '10.9.0.1/32', role: 'loopback' },
      { address: '10.8.0.2/32', role: 'mgmt' },
      { address: '2001:db8::8/128', role: 'mgmt' },
      { address: '10.8.0.1/32', role: 'mgmt', status: 'deprecated' },
    );
    for (const [query, address] of [
      ['', '10.8.0.2'],
      ['family=4', '10.8.0.2'],
      ['family=6', '[2001:db8::8]'],
      ['addressRole=loopback', '10.9.0.1'],
      ['addressRole=loopback&addressRole=mgmt', '10.9.0.1'],
      // `any` matches all addresses that no other value names, with or without a role.
      ['addressRole=any&addressRole=mgmt&addressRole=loopback', '10.0.0.9'],
      ['addressRole=any', '10.0.0.9'],
      ['addressRole=vip&addressRole=any&family=6', '[2001:db8::8]'],
    ]) {
      expect([query, await targetsOf(query)]).toEqual([query, [`${address}:9100`]]);
    }
    expect((await reader.get(`${PROMETHEUS}?addressRole=vip`)).status).toBe(503);
  });

  it.each(['127.0.0.1/8', '127.9.9.9/32', '0.0.0.0/32', '::1/128', '::/128', '::ffff:127.0.0.1/128'])(
    'is never one of the own machine: %s',
    async (own) => {
      await device('only', { address: own, role: 'mgmt' });
      await device('too', { address: own, role: 'mgmt' }, '10.0.0.1/24');
      expect(await targetsOf('')).toEqual(['10.0.0.1:9100']);
      expect((await read(ANSIBLE))._meta.hostvars).toEqual({
        too: expect.objectContaining({ ansible_host: '10.0.0.1' }),
      });
      for (const path of [PROMETHEUS, ANSIBLE]) {
        expect(await problemsOf(`${path}?problems=true`)).toEqual([['only', 'has no address']]);
      }
    },
  );

  it('is compared as a network, not as text, and never deprecated or link-local', async () => {
    await device('a', '10.0.0.10/24', '10.0.0.9/24');
    await device('b', '169.254.1.1/8', 'fe80::1/64', { address: '10.0.1.1/24', status: 'deprecated' });
    expect(await targetsOf('')).toEqual(['10.0.0.9:9100']);
    expect(await problemsOf(`${PROMETHEUS}?problems=true`)).toEqual([['b', 'has no address']]);
  });
});

describe('the targets of Prometheus', () => {
  it('have what is known of the device as labels, and leave out the rest', async () => {
    const make = async (path: string, body: object): Promise<string> => (await admin.make(path, body)).id;
    const siteId = await make('/api/sites', { name: 'Amsterdam "DC1"' });
    const locationId = await make('/api/locations', { name: 'Room 1', siteId });
    const rackId = await make('/api/racks', { name: 'A1', siteId, locationId });
    const manufacturerId = await make('/api/manufacturers', { name: 'Maker of outputs' });
    const deviceTypeId = await make('/api/device-types', { model: 'M1', manufacturerId });
    const deviceRoleId = await make('/api/device-roles', { name: 'Role of outputs' });
    const platformId = await make('/api/platforms', { name: 'Platform of outputs' });
    const clusterId = await make('/api/clusters', { name: 'C1' });
    const values = { siteId, locationId, rackId, deviceTypeId, deviceRoleId, platformId, clusterId, status: 'staged' };
    const full = await admin.make('/api/devices', { name: 'Full, with a space', ...values });
    await admin.make('/api/ip-addresses', { address: '192.0.2.7/24', deviceId: full.id });
    const bare = await device('bare', '2001:db8::7/64');
    const { headers, body } = await reader.get(`${PROMETHEUS}?port=161`);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual([
      {
        targets: ['192.0.2.7:161'],
        labels: {
          __meta_inventory_id: full.id,
          __meta_inventory_name: 'Full, with a space',
          __meta_inventory_kind: 'device',
          __meta_inventory_site: 'Amsterdam "DC1"',
          __meta_inventory_location: 'Room 1',
          __meta_inventory_rack: 'A1',
          __meta_inventory_role: 'Role of outputs',
          __meta_inventory_type: 'M1',
          __meta_inventory_manufacturer: 'Maker of outputs',
          __meta_inventory_platform: 'Platform of outputs',
          __meta_inventory_cluster: 'C1',
          __meta_inventory_status: 'staged',
        },
      },
      {
        targets: ['[2001:db8::7]:161'],
        labels: {
          __meta_inventory_id: bare,
          __meta_inventory_name: 'bare',
          __meta_inventory_kind: 'device',
          __meta_inventory_status: 'active',
        },
      },
    ]);
  });

  it('are narrowed, searched and sorted like the list of devices', async () => {
    for (const [place, name] of ['b', 'c', 'a'].entries()) await device(name, `10.0.0.${place + 1}/24`);
    expect(await targetsOf('')).toEqual(['10.0.0.1:9100', '10.0.0.2:9100', '10.0.0.3:9100']);
    expect(await targetsOf('sort=name')).toEqual(['10.0.0.3:9100', '10.0.0.1:9100', '10.0.0.2:9100']);
    expect(await targetsOf('sort=name&order=desc&name__n=b')).toEqual(['10.0.0.2:9100', '10.0.0.3:9100']);
    expect(await targetsOf('search=C')).toEqual(['10.0.0.2:9100']);
  });

  it('are never too few without saying so', async () => {
    const none = await reader.get(PROMETHEUS);
    expect([none.status, none.body]).toEqual([503, { error: 'Only 0 targets were found, fewer than minTargets (1)' }]);
    expect(none.headers.get('retry-after')).toBe('2');
    expect(await read(`${PROMETHEUS}?minTargets=0`)).toEqual([]);
    await device('a', '10.0.0.1/24');
    const { headers } = await reader.get(PROMETHEUS);
    const known = { 'if-none-match': headers.get('etag')! };
    expect((await reader.get(`${PROMETHEUS}?minTargets=1`, known)).status).toBe(304);
    expect((await reader.get(`${PROMETHEUS}?minTargets=2`, { 'if-none-match': '*' })).status).toBe(503);
    expect((await read(`${PROMETHEUS}?minTargets=2&problems=true`)).data).toEqual([]);
  });
});

describe('every output', () => {
  it.each([PROMETHEUS, ANSIBLE])('has an entity tag of its bytes: %s', async (path) => {
    const id = await device('a', '10.0.0.1/24');
    const first = await reader.get(path);
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"/);
    expect((await reader.get(path)).text).toBe(first.text);
    const unchanged = await reader.get(path, { 'if-none-match': etag });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    await admin.patch(`/api/devices/${id}`, { status: 'failed' });
    expect((await reader.get(path, { 'if-none-match': etag })).status).toBe(200);
  });

  it.each([PROMETHEUS, ANSIBLE, `${DNS}?zone=example.net`])(
    'is not made again for whoever has it: %s',
    async (path) => {
      for (let n = 1; n <= 3; n++) await device(`d${n}`, { address: `10.0.0.${n}/24`, dnsName: `d${n}.example.net` });
      const { headers } = await reader.get(path);
      const etag = headers.get('etag')!;
      const stream = jest.spyOn(service.database.db, 'stream');
      const query = jest.spyOn(service.database.db, 'query');
      try {
        for (const known of [etag, `W/${etag}, "other"`]) {
          expect((await reader.get(path, { 'if-none-match': known })).status).toBe(304);
        }
        const digests = query.mock.calls.filter(([statement]) => !statement.isPrepared);
        expect([stream.mock.calls.length, digests.length]).toEqual([0, 2]);
        // Another request has another tag, even if its rows are the same.
        const other = `${path}${path.includes('?') ? '&' : '?'}${path.startsWith(DNS) ? 'ttl=60' : 'problems=true'}`;
        expect((await reader.get(other, { 'if-none-match': etag })).status).toBe(200);
        expect((await reader.get(path, { 'if-none-match': '*' })).status).toBe(304);
        expect(stream).toHaveBeenCalledTimes(2);
      } finally {
        stream.mockRestore();
        query.mockRestore();
      }
    },
  );

  itInFull('can be long, and is whole', async () => {
    const { db } = service.database;
    await db.query(sql`INSERT INTO devices (name) SELECT 'long-' || n FROM generate_series(1, 3000) n`);
    await db.query(
      sql`INSERT INTO ip_addresses (address, family, device_id, dns_name)
       SELECT ('10.1.' || n / 250 || '.' || n % 250 || '/8')::inet, 4, id, name || '.example.net'
       FROM (SELECT *, row_number() OVER (ORDER BY name)::int AS n FROM devices) d`,
    );
    expect(await targetsOf('')).toHaveLength(3000);
    expect(Object.keys((await read(ANSIBLE))._meta.hostvars)).toHaveLength(3000);
    expect(await read(`${DNS}?zone=example.net&format=json`)).toHaveLength(3000);
    const { text } = await reader.get(`${DNS}?zone=10.in-addr.arpa`);
    expect(text.split('\n')).toHaveLength(3001);
    expect((await reader.get(`${PROMETHEUS}?minTargets=3001`)).status).toBe(503);
    // The service refuses the request after it has computed most of the response.
    await db.query(sql`UPDATE devices SET name = 'LONG-1' WHERE name = 'long-2'`);
    expect((await reader.get(ANSIBLE)).status).toBe(409);
  });

  it.each([PROMETHEUS, ANSIBLE])('refuses what would change its form: %s', async (path) => {
    const query = 'page=1&pageSize=1&expand=site&asOf=2999-01-01&format=csv&raw=true&family=5&problems=yes&nam=a';
    const { status, body } = await reader.get(`${path}?${query}`);
    expect([status, body.details.map(({ field }: Json) => field)]).toEqual([
      400,
      query.split('&').map((pair) => pair.split('=')[0]),
    ]);
  });

  it.each([PROMETHEUS, ANSIBLE])('needs a session or a token, and no area: %s', async (path) => {
    expect((await service.anonymous.get(path)).status).toBe(401);
    const { token } = await admin.make('/api/tokens', { name: path, role: 'viewer', areas: [], readOnly: true });
    await device('a', '10.0.0.1/24');
    expect((await new Api(service.url, undefined, token).get(path)).status).toBe(200);
  });

  itInFull.each([PROMETHEUS, ANSIBLE])('lists its problems in one page: %s', async (path) => {
    await service.database.db.query(sql`INSERT INTO devices (name) SELECT 'd' || n FROM generate_series(1, 10001) n`);
    const { data, ...rest } = await read(`${path}?problems=true`);
    expect(rest).toEqual({ total: 10_001, page: 1, pageSize: 10_001, hasMore: false });
    expect(data).toHaveLength(10_001);
    expect(data[0]).toEqual({
      resource: 'devices',
      id: expect.any(String),
      name: expect.any(String),
      problem: 'has no address',
    });
  });
});

describe('virtual machines', () => {
  const machine = async (name: string, given: object, ...addresses: object[]): Promise<string> => {
    const { id } = await admin.make('/api/virtual-machines', { name, ...given });
    for (const values of addresses) {
      const { id: ipAddressId } = await admin.make('/api/ip-addresses', values);
      await admin.make(`/api/virtual-machines/${id}/addresses`, { ipAddressId });
    }
    return id;
  };
  const BOTH = 'resource=virtual-machines&resource=devices';
  const MACHINES = 'resource=virtual-machines';

  it('have an address as devices have, and labels of their own', async () => {
    const { id: siteId } = await admin.make('/api/sites', { name: 'S1' });
    const { id: clusterId } = await admin.make('/api/clusters', { name: 'C1', siteId });
    const { id: platformId } = await admin.make('/api/platforms', { name: 'Platform of machines' });
    const own = { clusterId, platformId, status: 'staged' };
    const id = await machine(
      'web-01',
      own,
      { address: '10.0.0.10/24', dnsName: 'web.example.net' },
      { address: '10.0.0.9/24' },
      { address: '10.0.0.8/24', status: 'deprecated' },
      { address: '127.0.0.1/32', role: 'mgmt' },
      { address: '169.254.0.1/16', role: 'mgmt' },
    );
    expect(await targetsOf(`${MACHINES}&addressRole=mgmt&addressRole=any`)).toEqual(['10.0.0.9:9100']);
    expect((await reader.get(PROMETHEUS)).status).toBe(503);
    expect(await read(`${PROMETHEUS}?${MACHINES}`)).toEqual([
      {
        targets: ['10.0.0.9:9100'],
        labels: {
          __meta_inventory_id: id,
          __meta_inventory_name: 'web-01',
          __meta_inventory_kind: 'virtual-machine',
          __meta_inventory_site: 'S1',
          __meta_inventory_platform: 'Platform of machines',
          __meta_inventory_cluster: 'C1',
          __meta_inventory_status: 'staged',
        },
      },
    ]);
    const { _meta, ...groups } = await read(`${ANSIBLE}?${MACHINES}&groupBy=site,role,platform,cluster,status`);
    expect(groups).toEqual({
      all: { children: ['cluster_c1', 'platform_platform_of_machines', 'site_s1', 'status_staged'] },
      cluster_c1: { hosts: ['web-01'] },
      platform_platform_of_machines: { hosts: ['web-01'] },
      site_s1: { hosts: ['web-01'] },
      status_staged: { hosts: ['web-01'] },
    });
    expect(_meta.hostvars).toEqual({
      'web-01': {
        ansible_host: '10.0.0.9',
        inventory_id: id,
        inventory_name: 'web-01',
        inventory_kind: 'virtual-machine',
        inventory_site: 'S1',
        inventory_platform: 'Platform of machines',
        inventory_cluster: 'C1',
        inventory_status: 'staged',
      },
    });
  });

  it('come after devices, each in the order of its list', async () => {
    await machine('b', {}, { address: '10.0.1.2/24' });
    await machine('a', {}, { address: '10.0.1.1/24' });
    await device('d', '10.0.0.4/24');
    await device('c', '10.0.0.3/24');
    expect(await targetsOf(BOTH)).toEqual(['10.0.0.4', '10.0.0.3', '10.0.1.2', '10.0.1.1'].map((one) => `${one}:9100`));
    expect(await targetsOf(`${BOTH}&sort=name`)).toEqual(
      ['10.0.0.3', '10.0.0.4', '10.0.1.1', '10.0.1.2'].map((one) => `${one}:9100`),
    );
    expect(await targetsOf(`${MACHINES}&vcpus__empty=true&sort=name&order=desc`)).toEqual([
      '10.0.1.2:9100',
      '10.0.1.1:9100',
    ]);
    expect(await targetsOf(`${BOTH}&name=a&name=c`)).toEqual(['10.0.0.3:9100', '10.0.1.1:9100']);
    const { headers } = await reader.get(`${ANSIBLE}?${BOTH}`);
    const known = { 'if-none-match': headers.get('etag')! };
    expect((await reader.get(`${ANSIBLE}?${BOTH}`, known)).status).toBe(304);
    expect((await reader.get(`${ANSIBLE}?${MACHINES}`, known)).status).toBe(200);
  });

  it.each([
    [`${BOTH}&siteId=00000000-0000-4000-8000-000000000000&vcpus=1&nonsense=1`, ['siteId', 'nonsense', 'vcpus']],
    [`${BOTH}&sort=vcpus`, ['sort']],
    [`${MACHINES}&siteId=00000000-0000-4000-8000-000000000000`, ['siteId']],
    ['vcpus=1', ['vcpus']],
    ['resource=clusters', ['resource']],
    ['resource=devices,virtual-machines', ['resource']],
    ['resource=', ['resource']],
  ])('are narrowed by what the lists that are asked for have: %s', async (query, fields) => {
    for (const path of [PROMETHEUS, ANSIBLE]) {
      const { status, body } = await reader.get(`${path}?${query}`);
      expect([status, body.details.map(({ field }: Json) => field).toSorted()]).toEqual([400, fields.toSorted()]);
    }
  });

  it('and devices have host names of their own', async () => {
    const ofDevice = await device('web-01', '10.0.0.1/24');
    const ofMachine = await machine('WEB-01', {}, { address: '10.0.0.2/24' });
    expect((await reader.get(ANSIBLE)).status).toBe(200);
    expect((await reader.get(`${ANSIBLE}?${MACHINES}`)).status).toBe(200);
    const { status, body } = await reader.get(`${ANSIBLE}?${BOTH}`);
    expect([status, body.details]).toEqual([
      409,
      [
        {
          field: 'name',
          message: `must be unique: web-01 is the host name of web-01 (${ofDevice}), WEB-01 (${ofMachine})`,
        },
      ],
    ]);
    await machine('localhost', {}, { address: '10.0.0.3/24' });
    await machine('no host', {}, { address: '10.0.0.4/24' });
    await machine('bare', {});
    const problems = (await read(`${ANSIBLE}?${BOTH}&problems=true`)).data;
    expect(problems.map(({ resource, name, problem }: Json) => [resource, name, problem])).toEqual([
      ['virtual-machines', 'localhost', 'has a host name with another meaning to Ansible'],
      ['virtual-machines', 'no host', 'has no valid host name'],
      ['virtual-machines', 'bare', 'has no address'],
      ['devices', 'web-01', 'has a host name that another host has too'],
      ['virtual-machines', 'WEB-01', 'has a host name that another host has too'],
    ]);
    expect((await read(`${PROMETHEUS}?${BOTH}&problems=true`)).data).toEqual([
      { resource: 'virtual-machines', id: expect.any(String), name: 'bare', problem: 'has no address' },
    ]);
  });
});

describe('the inventory of Ansible', () => {
  it('has groups of hosts, and their variables', async () => {
    const { id: siteId } = await admin.make('/api/sites', { name: 'AMS-1 Zürich 😀' });
    const { id: deviceRoleId } = await admin.make('/api/device-roles', { name: 'Edge/Core' });
    for (const [place, name] of ['sw-01', 'SW-02.example.net.', '7'].entries()) {
      const { id } = await admin.make('/api/devices', { name, ...(place < 2 && { siteId, deviceRoleId }) });
      await admin.make('/api/ip-addresses', { address: `10.0.0.${place}/24`, deviceId: id });
    }
    const body = await read(ANSIBLE);
    expect(body).toEqual({
      _meta: { hostvars: expect.anything() },
      all: { children: ['role_edge_core', 'site_ams_1_z_rich__', 'ungrouped'] },
      role_edge_core: { hosts: ['sw-01', 'SW-02.example.net'] },
      site_ams_1_z_rich__: { hosts: ['sw-01', 'SW-02.example.net'] },
      ungrouped: { hosts: ['7'] },
    });
    expect(Object.keys(body._meta.hostvars).toSorted()).toEqual(['7', 'SW-02.example.net', 'sw-01']);
    expect(body._meta.hostvars['sw-01']).toEqual({
      ansible_host: '10.0.0.0',
      inventory_id: expect.any(String),
      inventory_name: 'sw-01',
      inventory_kind: 'device',
      inventory_site: 'AMS-1 Zürich 😀',
      inventory_role: 'Edge/Core',
      inventory_status: 'active',
    });
    expect((await read(`${ANSIBLE}?groupBy=status&sort=createdAt&order=desc`)).status_active.hosts).toEqual([
      '7',
      'SW-02.example.net',
      'sw-01',
    ]);
  });

  it('groups by the group of tenants, and joins groups whose names meet', async () => {
    const groups = [];
    for (const name of ['Team A', 'team_a']) groups.push((await admin.make('/api/tenant-groups', { name })).id);
    for (const [place, tenantGroupId] of groups.entries()) {
      const { id } = await admin.make('/api/devices', { name: `t${place}`, tenantGroupId });
      await admin.make('/api/ip-addresses', { address: `10.0.0.${place}/24`, deviceId: id });
    }
    const { _meta, ...body } = await read(`${ANSIBLE}?groupBy=tenantGroup&groupBy=location,cluster`);
    expect(body).toEqual({ all: { children: ['tenantgroup_team_a'] }, tenantgroup_team_a: { hosts: ['t0', 't1'] } });
  });

  it('can take the name in the DNS', async () => {
    await device('has spaces', { address: '10.0.0.1/24', dnsName: 'one.example.net.' });
    await device('two', '10.0.0.2/24');
    expect(Object.keys((await read(`${ANSIBLE}?hostName=dnsName`))._meta.hostvars)).toEqual(['one.example.net']);
    expect(await problemsOf(`${ANSIBLE}?hostName=dnsName&problems=true`)).toEqual([
      ['two', 'has an address without a DNS name'],
    ]);
    expect(await problemsOf(`${ANSIBLE}?problems=true`)).toEqual([['has spaces', 'has no valid host name']]);
  });

  it('refuses two hosts of one name, in upper or lower case, and lists them', async () => {
    const ids = [await device('sw-01', '10.0.0.1/24'), await device('SW-01.', '10.0.0.2/24')];
    await device('sw-01');
    const { status, body } = await reader.get(ANSIBLE, { 'if-none-match': '*' });
    expect(status).toBe(409);
    expect(body.details).toEqual([
      { field: 'name', message: `must be unique: sw-01 is the host name of sw-01 (${ids[0]}), SW-01. (${ids[1]})` },
    ]);
    expect(await problemsOf(`${ANSIBLE}?problems=true`)).toEqual([
      ['sw-01', 'has no address'],
      ['sw-01', 'has a host name that another host has too'],
      ['SW-01.', 'has a host name that another host has too'],
    ]);
    expect((await read(`${ANSIBLE}?name=sw-01`)).ungrouped.hosts).toEqual(['sw-01']);
  });

  it('has no host with a name that means something else', async () => {
    const { id: siteId } = await admin.make('/api/sites', { name: 'x' });
    const names = ['ALL', 'ungrouped', 'localhost', 'Site_X', 'under_score', 'ok'];
    for (const [place, name] of names.entries()) {
      const { id } = await admin.make('/api/devices', { name, siteId });
      await admin.make('/api/ip-addresses', { address: `10.0.0.${place}/24`, deviceId: id });
    }
    expect((await read(ANSIBLE)).site_x.hosts).toEqual(['under_score', 'ok']);
    expect((await problemsOf(`${ANSIBLE}?problems=true`)).map(([name]) => name)).toEqual([
      'ALL',
      'ungrouped',
      'localhost',
      'Site_X',
    ]);
  });

  const OF_THE_CONTROLLER = [
    'All',
    'UNGROUPED.',
    '_meta',
    'localhost.',
    'LocalHost.LocalDomain',
    'localhost6.localdomain6',
    'ip6-localhost',
    'ip6-loopback.',
    'sw-01.localhost.',
    '127.0.0.1',
    '127.1.',
    '0x7F000001',
    '0.0.0.0',
  ];

  it.each(['name', 'dnsName'])('has no host whose name Ansible takes for itself: %s', async (hostName) => {
    for (const [place, name] of OF_THE_CONTROLLER.entries()) {
      await device(hostName === 'name' ? name : `d${place}`, { address: `10.0.0.${place}/24`, dnsName: name });
    }
    await device('ok', { address: '10.0.1.1/24', dnsName: 'ok' });
    expect(Object.keys((await read(`${ANSIBLE}?hostName=${hostName}`))._meta.hostvars)).toEqual(['ok']);
    expect(await problemsOf(`${ANSIBLE}?hostName=${hostName}&problems=true`)).toEqual(
      OF_THE_CONTROLLER.map((name, place) => [
        hostName === 'name' ? name : `d${place}`,
        'has a host name with another meaning to Ansible',
      ]),
    );
  });

  it('runs no template that stands in a name', async () => {
    for (const [place, name] of ["{{ lookup('pipe', 'id') }}", '{% raw %}', '{# no #}', '{ ordinary }'].entries()) {
      const { id: siteId } = await admin.make('/api/sites', { name });
      const { id } = await admin.make('/api/devices', { name: `h${place}`, siteId });
      await admin.make('/api/ip-addresses', { address: `10.0.0.${place}/24`, deviceId: id });
    }
    const { hostvars } = (await read(ANSIBLE))._meta;
    expect(Object.values<Json>(hostvars).map(({ inventory_site: site }) => site)).toEqual([
      { __ansible_unsafe: "{{ lookup('pipe', 'id') }}" },
      { __ansible_unsafe: '{% raw %}' },
      { __ansible_unsafe: '{# no #}' },
      '{ ordinary }',
    ]);
  });

  it.each(['groupBy=', 'groupBy=site,,role', 'groupBy=sites', 'groupBy=name', 'hostName=fqdn'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await reader.get(`${ANSIBLE}?${query}`);
      expect([status, body.details[0].field]).toEqual([400, query.split('=')[0]]);
    },
  );
});

describe('the records of the DNS', () => {
  const recordsOf = async (query: string): Promise<string[]> => {
    const { status, text, headers } = await reader.get(`${DNS}?${query}`);
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/dns/)]);
    expect(text === '' || text.endsWith('\n')).toBe(true);
    return text.split('\n').slice(0, -1);
  };
  const address = (given: string, dnsName: string | null, more: object = {}): Promise<Json> =>
    admin.make('/api/ip-addresses', { address: given, dnsName, ...more });

  it('are sorted in canonical order, and their data in network order', async () => {
    await address('10.0.0.10/24', 'b.example.net');
    await address('2001:db8::1/64', 'B.example.NET.');
    await address('10.0.0.9/24', 'b.example.net');
    await address('10.0.0.1/24', 'z.a.example.net');
    await address('10.0.0.2/24', 'example.net');
    await address('10.0.0.3/24', 'a-1.example.net');
    await address('10.0.0.4/24', 'a.example.net');
    for (const name of ['other.org', 'notexample.net', 'example.net.org']) await address('10.0.1.1/24', name);
    await address('10.0.0.5/24', 'gone.example.net', { status: 'deprecated' });
    await address('10.0.0.6/24', null);
    expect(await recordsOf('zone=Example.Net.')).toEqual([
      'example.net. 3600 IN A 10.0.0.2',
      'a.example.net. 3600 IN A 10.0.0.4',
      'z.a.example.net. 3600 IN A 10.0.0.1',
      'a-1.example.net. 3600 IN A 10.0.0.3',
      'b.example.net. 3600 IN A 10.0.0.9',
      'b.example.net. 3600 IN A 10.0.0.10',
      'b.example.net. 3600 IN AAAA 2001:db8::1',
    ]);
    expect(await read(`${DNS}?zone=example.net&format=json&ttl=0`)).toContainEqual({
      name: 'b.example.net.',
      type: 'A',
      ttl: 0,
      records: ['10.0.0.9', '10.0.0.10'],
    });
    expect(await recordsOf('zone=a.example.net&ttl=60')).toEqual([
      'a.example.net. 60 IN A 10.0.0.4',
      'z.a.example.net. 60 IN A 10.0.0.1',
    ]);
    expect(await recordsOf('zone=nowhere.net')).toEqual([]);
  });

  it('of a reverse zone are those of the same addresses', async () => {
    await address('192.0.2.7/25', 'b.Example.net.');
    await address('192.0.2.7/32', 'a.example.net');
    await address('192.0.2.10/8', 'c.example.org');
    await address('192.0.3.1/24', 'd.example.net');
    await address('2001:db8::7/64', 'b.example.net');
    const nameless = await address('192.0.2.11/24', null);
    expect(await recordsOf('zone=2.0.192.in-addr.arpa')).toEqual([
      '10.2.0.192.in-addr.arpa. 3600 IN PTR c.example.org.',
      '7.2.0.192.in-addr.arpa. 3600 IN PTR a.example.net.',
      '7.2.0.192.in-addr.arpa. 3600 IN PTR b.example.net.',
    ]);
    const owner = '7.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa.';
    expect(await recordsOf('zone=8.b.d.0.1.0.0.2.IP6.ARPA')).toEqual([`${owner} 3600 IN PTR b.example.net.`]);
    expect((await read(`${DNS}?zone=2.0.192.in-addr.arpa&problems=true`)).data).toEqual([
      { resource: 'ip-addresses', id: nameless.id, name: '192.0.2.11/24', problem: 'has no DNS name' },
    ]);
  });

  it('are narrowed by VRF, and by filters of devices', async () => {
    const { id: vrfId } = await admin.make('/api/vrfs', { name: 'blue' });
    await address('10.0.0.1/24', 'shared.example.net', { vrfId });
    await address('10.0.0.1/24', 'shared.example.net');
    await device('a', { address: '10.0.0.2/24', dnsName: 'a.example.net' });
    await device('b', { address: '10.0.0.3/24', dnsName: 'b.example.net' });
    const shared = 'shared.example.net. 3600 IN A 10.0.0.1';
    const [a, b] = ['a.example.net. 3600 IN A 10.0.0.2', 'b.example.net. 3600 IN A 10.0.0.3'];
    expect(await recordsOf('zone=example.net')).toEqual([a, b, shared]);
    expect(await recordsOf(`zone=example.net&vrfId=${vrfId}`)).toEqual([shared]);
    expect(await recordsOf('zone=example.net&status=active')).toEqual([a, b]);
    expect(await recordsOf('zone=example.net&search=B')).toEqual([b]);
  });

  it('have nothing of a hostile name', async () => {
    const hostile = [
      'a.example.net\n$INCLUDE /etc/passwd\nx.example.net',
      '"a".example.net',
      'a b.example.net',
      '*.example.net',
      '{{ a }}.example.net',
      '😀.example.net',
      '.example.net',
      'a..example.net',
      `${'a'.repeat(64)}.example.net`,
      `${'a.'.repeat(122)}example.net`,
      '@.example.net',
      ';.example.net',
      'a_b.example.net',
    ];
    for (const [place, name] of hostile.entries()) {
      await service.database.db.query(
        sql`INSERT INTO ip_addresses (address, dns_name, family) VALUES (${`10.0.0.${place}/24`}, ${name}, 4)`,
      );
    }
    expect(await recordsOf('zone=example.net')).toEqual([]);
    expect(await recordsOf('zone=0.0.10.in-addr.arpa')).toEqual([]);
    for (const zone of ['example.net', '0.0.10.in-addr.arpa']) {
      expect(await problemsOf(`${DNS}?zone=${zone}&problems=true`)).toEqual(
        hostile.map((_, place) => [`10.0.0.${place}/24`, 'has a DNS name that is not a valid host name']),
      );
    }
  });

  it('have no names and addresses of the local machine', async () => {
    await address('10.0.0.1/24', 'localhost.example.net');
    await address('10.0.0.2/24', 'IP6-Localhost.example.net.');
    await address('127.0.0.1/8', 'a.example.net');
    await address('::1/128', 'a.example.net');
    await address('0.0.0.0/8', 'b.example.net');
    await address('10.0.0.3/24', 'localhost-1.example.net');
    await address('10.0.0.4/24', 'a.localhost');
    expect(await recordsOf('zone=example.net')).toEqual(['localhost-1.example.net. 3600 IN A 10.0.0.3']);
    const [name, itself] = ['has a DNS name', 'is an address'].map((text) => `${text} of the local machine`);
    expect(await problemsOf(`${DNS}?zone=example.net&problems=true`)).toEqual([
      ['0.0.0.0/8', itself],
      ['10.0.0.1/24', name],
      ['10.0.0.2/24', name],
      ['127.0.0.1/8', itself],
      ['::1/128', itself],
    ]);
    expect(await recordsOf('zone=localhost')).toEqual([]);
    expect(await recordsOf('zone=0.0.10.in-addr.arpa')).toEqual([
      '3.0.0.10.in-addr.arpa. 3600 IN PTR localhost-1.example.net.',
    ]);
    expect(await recordsOf('zone=127.in-addr.arpa')).toEqual([]);
  });

  it('leave out the name servers of the zone that are named', async () => {
    await address('10.0.0.1/24', 'NS1.example.net.');
    await address('10.0.0.2/24', 'a.example.net');
    const servers = 'nameServer=ns1.Example.net.&nameServer=ns2.example.net';
    expect(await recordsOf(`zone=example.net&${servers}`)).toEqual(['a.example.net. 3600 IN A 10.0.0.2']);
    expect(await problemsOf(`${DNS}?zone=example.net&${servers}&problems=true`)).toEqual([
      ['10.0.0.1/24', 'has the name of a name server of the zone'],
    ]);
    expect(await recordsOf('zone=example.net')).toHaveLength(2);
  });

  it.each([
    'nameServer=*.example.net&zone=a',
    'zone=',
    'zone=0-63.2.0.192.in-addr.arpa',
    'zone=a&zone=b',
    'ttl=-1&zone=a',
    'ttl=2147483648&zone=a',
    'sort=name&zone=a',
    'hostName=name&zone=a',
    'page=1&zone=a',
    'format=csv&zone=a',
    'vrfId=x&zone=a',
  ])('refuse %s', async (query) => {
    const { status, body } = await reader.get(`${DNS}?${query}`);
    expect([status, body.details.map(({ field }: Json) => field)]).toEqual([400, [query.split('=')[0]]]);
  });

  it('need a zone', async () => {
    const { status, body } = await reader.get(DNS);
    expect([status, body.details]).toEqual([400, [{ field: 'zone', message: 'must be given' }]]);
  });

  it('have an entity tag', async () => {
    await address('10.0.0.1/24', 'a.example.net');
    const { headers } = await reader.get(`${DNS}?zone=example.net`);
    const known = { 'if-none-match': headers.get('etag')! };
    expect((await reader.get(`${DNS}?zone=example.net`, known)).status).toBe(304);
    expect((await reader.get(`${DNS}?zone=example.net&ttl=1`, known)).status).toBe(200);
  });
});
