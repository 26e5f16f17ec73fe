import {
  array,
  assert as assertProperty,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  record,
  stringMatching,
} from 'fast-check';
import { startService, type Api, type TestService } from '../support/app.js';
import { inFull } from '../support/size.js';
import type { Json } from '../support/document.js';
import { raw, sql } from '../../src/database/sql.js';

/* Every device, virtual machine, or address of a zone appears in an output or in its problems, whatever its names. */

let service: TestService;
let reader: Api;
beforeAll(async () => {
  service = await startService();
  reader = await service.as('viewer', []);
});
afterAll(() => service.stop());

const names = oneof(
  constantFrom(
    'sw-01',
    'SW-01.',
    'all',
    '7',
    '__proto__',
    'status_active',
    '"',
    'a\n$INCLUDE /etc/passwd',
    "{{ lookup('pipe', 'id') }}",
    '..',
    'x'.repeat(243),
    '😀',
  ),
  stringMatching(/^[a-c]{1,2}$/),
);
const dnsNames = oneof(
  constant(null),
  names.map((name) => `${name}.example.net`),
  constantFrom('example.net', 'EXAMPLE.NET.', 'other.org', 'a\n.example.net'),
);
const addresses = record({
  address: oneof(
    integer({ min: 1, max: 9 }).map((n) => `192.0.2.${n}/24`),
    integer({ min: 1, max: 9 }).map((n) => `2001:db8::${n}/64`),
    constantFrom('169.254.0.1/16', 'fe80::1/64'),
  ),
  status: constantFrom('active', 'deprecated'),
  role: constantFrom(null, 'mgmt', 'loopback', 'vip'),
  dnsName: dnsNames,
  isOfHost: boolean(),
});
const estates = array(record({ isMachine: boolean(), name: names, addresses: array(addresses, { maxLength: 3 }) }), {
  maxLength: 8,
});

const get = async (path: string): Promise<Json> => {
  const { status, body } = await reader.get(`/api/outputs/${path}`);
  expect([path, status]).toEqual([path, 200]);
  return body;
};
const problemsOf = async (path: string): Promise<string[]> =>
  (await get(`${path}problems=true`)).data.map(({ id }: Json) => id);

async function store(estate: Json[]): Promise<void> {
  const { db } = service.database;
  await db.query(sql`DELETE FROM ip_addresses`);
  await db.query(sql`DELETE FROM devices`);
  await db.query(sql`DELETE FROM virtual_machines`);
  for (const { isMachine, name, addresses: given } of estate) {
    const [host] = await db.query<{ id: string }>(
      sql`INSERT INTO ${raw(isMachine ? 'virtual_machines (name, status)' : 'devices (name, status)')} VALUES (${name}, 'active') RETURNING id`,
    );
    for (const { address, status, role, dnsName, isOfHost } of given) {
      const [stored] = await db.query<{ id: string }>(
        sql`INSERT INTO ip_addresses (address, family, status, role, dns_name, device_id)
          VALUES (${address}::inet, family(${address}::inet), ${status}, ${role}, ${dnsName}, ${isOfHost && !isMachine ? host!.id : null})
          RETURNING id`,
      );
      if (isOfHost && isMachine) {
        await db.query(
          sql`INSERT INTO virtual_machine_addresses (virtual_machine_id, ip_address_id) VALUES (${host!.id}, ${stored!.id})`,
        );
      }
    }
  }
}

const idsIn = async (text: string): Promise<string[]> =>
  (await service.database.db.query<{ id: string }>(raw(text))).map(({ id }) => id).toSorted();

it('has everything either in an output or among its problems', async () => {
  await assertProperty(
    asyncProperty(estates, async (estate) => {
      await store(estate);
      const hosts = await idsIn('SELECT id FROM devices UNION ALL SELECT id FROM virtual_machines');
      const both = 'resource=devices&resource=virtual-machines';
      const targets = (await get(`prometheus?${both}&minTargets=0`)).map(
        ({ labels }: Json) => labels.__meta_inventory_id,
      );
      expect([...targets, ...(await problemsOf(`prometheus?${both}&`))].toSorted()).toEqual(hosts);

      const left = await problemsOf(`ansible?${both}&groupBy=status&`);
      const { status, body } = await reader.get(`/api/outputs/ansible?${both}&groupBy=status`);
      if (status === 200) {
        const named = Object.entries<Json>(body._meta.hostvars);
        expect([...named.map(([, { inventory_id: id }]) => id), ...left].toSorted()).toEqual(hosts);
        const grouped = Object.entries<Json>(body).flatMap(([group, { hosts: own }]) =>
          group === '_meta' || group === 'all' ? [] : own,
        );
        expect(grouped.toSorted()).toEqual(named.map(([name]) => name).toSorted());
        expect(named.filter(([name]) => !/^[\w.-]{1,253}$/.test(name))).toEqual([]);
      } else expect([status, body.details.length > 0]).toEqual([409, true]);

      for (const zone of ['2.0.192.in-addr.arpa', '8.b.d.0.1.0.0.2.ip6.arpa', 'example.net']) {
        const { text } = await reader.get(`/api/outputs/dns?zone=${zone}`);
        const lines = text.split('\n').slice(0, -1);
        expect(lines.filter((line) => !/^[a-z\d.-]+\. 3600 IN (?:A|AAAA|PTR) [a-z\d.:-]+$/.test(line))).toEqual([]);
        expect((await reader.get(`/api/outputs/dns?zone=${zone}`)).text).toBe(text);
      }
      // The reverse zones have all records of the forward zone.
      const pairs = async (zone: string): Promise<number> => {
        const { text } = await reader.get(`/api/outputs/dns?zone=${zone}`);
        return text.split('\n').filter((line) => zone === 'example.net' || line.endsWith('example.net.')).length;
      };
      const forward = await reader.get('/api/outputs/dns?zone=example.net');
      const near = forward.text.split('\n').filter((line) => / (?:192\.0\.2|2001:db8::)/.test(line));
      const reverse = (await pairs('2.0.192.in-addr.arpa')) + (await pairs('8.b.d.0.1.0.0.2.ip6.arpa'));
      expect(reverse).toBe(near.length);
    }),
    { numRuns: inFull ? 25 : 8 },
  );
});
