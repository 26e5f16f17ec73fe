import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api, startService, type TestService } from '../support/app.js';
import type { Json } from '../support/document.js';
import { describeWith, freePort, run, Running } from '../support/tools.js';

/* The tools for which the outputs are made read them, with the configuration of docs/outputs.md. */
jest.setTimeout(120_000);

let service: TestService;
let admin: Api;
let token: string;
let folder: string;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  const monitoring = { name: 'Monitoring', role: 'viewer', areas: [], readOnly: true };
  ({ token } = await admin.make('/api/tokens', monitoring));
  folder = mkdtempSync(join(tmpdir(), 'inventory-outputs-'));
  const siteId = (await admin.make('/api/sites', { name: 'Amsterdam "DC1" {{ 7*7 }}' })).id;
  for (const [name, address, dnsName] of [
    ['ns1', '192.0.2.1/24', 'ns1.example.net'],
    ['ams-core-sw-01', '192.0.2.7/24', 'AMS-core-sw-01.example.net.'],
    ['ams-core-sw-02', '2001:db8::7/64', 'ams-core-sw-02.example.net'],
    ["{{ lookup('pipe', 'id') }}", '192.0.2.9/24', 'a $INCLUDE /etc/passwd .example.net'],
  ]) {
    const { id } = await admin.make('/api/devices', { name, siteId });
    await admin.make('/api/ip-addresses', { address, dnsName, deviceId: id });
  }
  const { id: clusterId } = await admin.make('/api/clusters', { name: 'C 1', siteId });
  for (const [name, address] of [
    ['web-01', '198.51.100.1/24'],
    ["{{ lookup('pipe', 'id') }}", '198.51.100.2/24'],
    ['localhost.localdomain', '198.51.100.3/24'],
  ]) {
    const { id } = await admin.make('/api/virtual-machines', { name, clusterId, status: 'active' });
    const { id: ipAddressId } = await admin.make('/api/ip-addresses', { address });
    await admin.make(`/api/virtual-machines/${id}/addresses`, { ipAddressId });
  }
});

const BOTH = 'resource=devices&resource=virtual-machines';
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Creates a file with this content. */
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

describeWith('prometheus', 'promtool')('Prometheus', () => {
  let config: string;
  beforeAll(() => {
    config = file(
      'prometheus.yml',
      `scrape_configs:
  - job_name: devices
    scrape_interval: 1h
    http_sd_configs:
      - url: ${service.url}/api/outputs/prometheus?port=9100&status=active
        refresh_interval: 1s
        authorization:
          type: Bearer
          credentials_file: ${file('token', token)}
    relabel_configs:
      - source_labels: [__meta_inventory_name]
        target_label: device
      - source_labels: [__meta_inventory_site]
        target_label: site
`,
    );
  });

  it('accepts the targets', async () => {
    await run('promtool', ['check', 'config', config]);
    const found = JSON.parse(
      await run('promtool', ['check', 'service-discovery', '--timeout=3s', config, 'devices']),
    ) as Json[];
    expect(
      found.map(({ labels }) => [labels.instance ?? labels.__address__, labels.device, labels.site]).toSorted(),
    ).toEqual([
      ['192.0.2.1:9100', 'ns1', 'Amsterdam "DC1" {{ 7*7 }}'],
      ['192.0.2.7:9100', 'ams-core-sw-01', 'Amsterdam "DC1" {{ 7*7 }}'],
      ['192.0.2.9:9100', "{{ lookup('pipe', 'id') }}", 'Amsterdam "DC1" {{ 7*7 }}'],
      ['[2001:db8::7]:9100', 'ams-core-sw-02', 'Amsterdam "DC1" {{ 7*7 }}'],
    ]);
  });

  it('accepts virtual machines among the targets', async () => {
    const both = file(
      'both.yml',
      readFileSync(config, 'utf8').replace('port=9100', `port=9100&${BOTH}`) +
        `      - source_labels: [__meta_inventory_kind]
        target_label: kind
      - source_labels: [__meta_inventory_cluster]
        target_label: cluster
`,
    );
    const found = JSON.parse(
      await run('promtool', ['check', 'service-discovery', '--timeout=3s', both, 'devices']),
    ) as Json[];
    const targets = found.map(({ labels }) => [labels.instance ?? labels.__address__, labels.kind, labels.cluster]);
    expect(targets).toHaveLength(7);
    expect(targets.filter(([, kind]) => kind === 'virtual-machine').toSorted()).toEqual([
      ['198.51.100.1:9100', 'virtual-machine', 'C 1'],
      ['198.51.100.2:9100', 'virtual-machine', 'C 1'],
      ['198.51.100.3:9100', 'virtual-machine', 'C 1'],
    ]);
  });

  it('monitors a new device after its next refresh', async () => {
    const port = await freePort();
    const prometheus = new Running('prometheus', [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
    try {
      const targets = (count: number): Promise<string[]> =>
        prometheus.until(async () => {
          const response = await fetch(`http://127.0.0.1:${port}/api/v1/targets?state=active`);
          const { data } = (await response.json()) as Json;
          const names = data.activeTargets.map(({ labels }: Json) => labels.device);
          return names.length === count ? names : undefined;
        });
      expect(await targets(4)).toContain('ams-core-sw-01');
      const { id } = await admin.make('/api/devices', { name: 'new' });
      await admin.make('/api/ip-addresses', { address: '192.0.2.200/24', deviceId: id });
      expect(await targets(5)).toContain('new');
      await admin.delete(`/api/devices/${id}`);
    } finally {
      await prometheus.stop();
    }
  });
});

describeWith('ansible-inventory', 'python3')('Ansible', () => {
  const inventory = join(__dirname, '../../integrations/ansible/inventory.py');
  const ansible = (query: string, ...args: string[]): Promise<string> =>
    run('ansible-inventory', ['-i', inventory, ...args], {
      HOME: folder,
      INVENTORY_URL: service.url,
      INVENTORY_TOKEN: token,
      INVENTORY_QUERY: query,
      // Otherwise Ansible would treat a failed inventory as an empty one.
      ANSIBLE_INVENTORY_UNPARSED_FAILED: 'true',
      ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: 'true',
    });

  it('reads hosts, their variables and their groups', async () => {
    const listed = JSON.parse(await ansible('groupBy=site,status', '--list')) as Json;
    expect(Object.keys(listed._meta.hostvars).toSorted()).toEqual(['ams-core-sw-01', 'ams-core-sw-02', 'ns1']);
    expect(listed._meta.hostvars['ams-core-sw-02']).toMatchObject({
      ansible_host: '2001:db8::7',
      inventory_name: 'ams-core-sw-02',
    });
    expect(listed.status_active.hosts.toSorted()).toEqual(['ams-core-sw-01', 'ams-core-sw-02', 'ns1']);
    const graph = await ansible('groupBy=site,status', '--graph');
    expect(graph).toContain('  |--@site_amsterdam__dc1_____7_7___:\n');
    expect(graph.match(/--ns1$/gm)).toHaveLength(2);
    const filtered = await ansible('name=ns1', '--graph');
    expect(filtered).not.toContain('ams-core-sw-01');
  });

  it('reads virtual machines beside devices', async () => {
    const listed = JSON.parse(await ansible(`${BOTH}&groupBy=site,cluster`, '--list')) as Json;
    expect(Object.keys(listed._meta.hostvars).toSorted()).toEqual([
      'ams-core-sw-01',
      'ams-core-sw-02',
      'ns1',
      'web-01',
    ]);
    expect(listed._meta.hostvars['web-01']).toMatchObject({
      ansible_host: '198.51.100.1',
      inventory_kind: 'virtual-machine',
      inventory_cluster: 'C 1',
    });
    expect(listed.cluster_c_1.hosts).toEqual(['web-01']);
    const { data } = (await admin.get(`/api/outputs/ansible?${BOTH}&problems=true`)).body;
    expect(data.map(({ resource, name }: Json) => [resource, name])).toEqual([
      ['devices', "{{ lookup('pipe', 'id') }}"],
      ['virtual-machines', "{{ lookup('pipe', 'id') }}"],
      ['virtual-machines', 'localhost.localdomain'],
    ]);
  });

  it('says why there is no inventory', async () => {
    const { id } = await admin.make('/api/devices', { name: 'NS1' });
    await admin.make('/api/ip-addresses', { address: '192.0.2.201/24', deviceId: id });
    await expect(ansible('', '--list')).rejects.toThrow(/must be\s+unique:\s+ns1\s+is\s+the\s+host\s+name\s+of/);
    await admin.delete(`/api/devices/${id}`);
    await expect(ansible('nonsense=1', '--list')).rejects.toThrow(/Unknown filter\s+'nonsense'/);
  });
});

describeWith(
  'named',
  'named-checkzone',
  'dig',
)('BIND', () => {
  const ZONES = ['example.net', '2.0.192.in-addr.arpa', '8.b.d.0.1.0.0.2.ip6.arpa'];
  const bearer = (): Api => new Api(service.url, undefined, token);

  /** A zone file, with the fragment of the zone at its end. */
  async function zoneFile(zone: string): Promise<string> {
    const { status, text } = await bearer().get(`/api/outputs/dns?zone=${zone}`);
    expect([zone, status]).toEqual([zone, 200]);
    const fragment = file(`${zone}.records`, text);
    return file(
      zone,
      `$TTL 3600
@ IN SOA ns1.example.net. hostmaster.example.net. 2026112301 3600 600 604800 300
@ IN NS ns1.example.net.
$INCLUDE "${fragment}"
`,
    );
  }

  it.each(ZONES)('accepts the zone %s', async (zone) => {
    expect(await run('named-checkzone', [zone, await zoneFile(zone)])).toMatch(/\nOK\n$/);
  });

  it('resolves every name', async () => {
    const port = await freePort();
    const zones = await Promise.all(
      ZONES.map(async (zone) => `zone "${zone}" { type master; file "${await zoneFile(zone)}"; };`),
    );
    const config = file(
      'named.conf',
      `options {
  directory "${folder}"; pid-file none; session-keyfile "${join(folder, 'session.key')}";
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; recursion no; dnssec-validation no;
};
controls { };
${zones.join('\n')}
`,
    );
    const named = new Running('named', ['-g', '-c', config, '-n', '1']);
    try {
      const dig = async (name: string, type: string): Promise<string> =>
        (await run('dig', ['@127.0.0.1', '-p', String(port), '+short', '+time=10', '+tries=3', name, type])).trim();
      await named.until(async () => ((await dig('example.net', 'SOA')) ? true : undefined));
      let answered = 0;
      for (const zone of ZONES) {
        const { body } = await bearer().get(`/api/outputs/dns?zone=${zone}&format=json`);
        for (const { name, type, records } of body as Json[]) {
          expect([name, type, (await dig(name, type)).split('\n').toSorted()]).toEqual([
            name,
            type,
            records.toSorted(),
          ]);
          answered++;
        }
      }
      // Two IPv4 names and one IPv6 name, forward and reverse.
      expect(answered).toBe(6);
      expect(await dig('ams-core-sw-01.example.net', 'A')).toBe('192.0.2.7');
    } finally {
      await named.stop();
    }
  });
});
