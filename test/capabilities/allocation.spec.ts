import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { atOnce } from '../support/at-once.js';
import { onServer } from '../support/database.js';
import type { Json } from '../support/document.js';
import { itOnServer } from '../support/server.js';
import { describeInFull } from '../support/size.js';
import { raw, sql, type Sql } from '../../src/database/sql.js';

let service: TestService;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor', ['network']);
});
afterAll(() => service.stop());
jest.setTimeout(180_000);

const newVrf = async (body: object = {}): Promise<string> =>
  (await editor.make('/api/vrfs', { name: 'v', ...body })).id;

/** Creates a prefix. Returns its path. */
async function newPrefix(prefix: string, vrfId: string, more: object = {}): Promise<string> {
  return `/api/prefixes/${(await editor.make('/api/prefixes', { prefix, vrfId, ...more })).id}`;
}
const addressesOf = ({ body }: Answer): string[] => body.data.map(({ address }: Json) => address);
const networksOf = ({ body }: Answer): string[] => body.data.map(({ prefix }: Json) => prefix);
const available = async (path: string, query = ''): Promise<string[]> =>
  addressesOf(await editor.get(`${path}/available-ips${query}`));

describe('the available addresses of a prefix', () => {
  it.each([
    ['10.0.0.0/30', false, ['10.0.0.1/30', '10.0.0.2/30']],
    ['10.0.0.0/30', true, ['10.0.0.0/30', '10.0.0.1/30', '10.0.0.2/30', '10.0.0.3/30']],
    ['10.0.0.0/31', false, ['10.0.0.0/31', '10.0.0.1/31']],
    ['10.0.0.9/32', false, ['10.0.0.9/32']],
    [
      '255.255.255.252/30',
      true,
      ['255.255.255.252/30', '255.255.255.253/30', '255.255.255.254/30', '255.255.255.255/30'],
    ],
    ['2001:db8::/126', false, ['2001:db8::1/126', '2001:db8::2/126', '2001:db8::3/126']],
    ['2001:db8::/126', true, ['2001:db8::/126', '2001:db8::1/126', '2001:db8::2/126', '2001:db8::3/126']],
    ['2001:db8::/127', false, ['2001:db8::/127', '2001:db8::1/127']],
    ['2001:db8::9/128', false, ['2001:db8::9/128']],
    [
      'ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe/127',
      false,
      ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe/127', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/127'],
    ],
  ])('%s (pool: %p) are %j, and all can be allocated', async (prefix, isPool, addresses) => {
    const vrfId = await newVrf();
    const path = await newPrefix(prefix, vrfId, { isPool });
    const { body } = await editor.get(`${path}/available-ips`);
    const family = prefix.includes(':') ? 6 : 4;
    expect(body).toEqual({ data: addresses.map((address) => ({ address, family, vrfId })) });
    const made = await editor.post(`${path}/available-ips`, { count: addresses.length });
    expect([made.status, addressesOf(made)]).toEqual([201, addresses]);
    expect(await available(path)).toEqual([]);
    const none = await editor.post(`${path}/available-ips`, {});
    expect([none.status, none.body.error]).toEqual([
      409,
      'count must not exceed what is available: 1 address wanted, 0 available',
    ]);
    const { data } = (await editor.get(path)).body;
    expect([data.usedAddresses, String(data.size)]).toEqual([addresses.length, expect.any(String)]);
  });

  it('are created one at a time by a request without properties, or without a body', async () => {
    const path = await newPrefix('10.0.0.0/29', await newVrf());
    expect(addressesOf(await editor.post(`${path}/available-ips`, {}))).toEqual(['10.0.0.1/29']);
    expect(addressesOf(await editor.post(`${path}/available-ips`))).toEqual(['10.0.0.2/29']);
  });

  it('are the hosts that no address of the VRF has, over gaps and blocks', async () => {
    const vrfId = await newVrf();
    const path = await newPrefix('10.0.0.0/16', vrfId);
    await service.database.db.query(
      sql`INSERT INTO ip_addresses (address, family, vrf_id)
        SELECT set_masklen('10.0.0.0'::inet + i, 16 + (i % 17)), 4, ${vrfId} FROM generate_series(0, 1000) i
        WHERE i NOT IN (300, 301, 999)`,
    );
    await editor.make('/api/ip-addresses', { address: '10.0.3.240/16' });
    await editor.make('/api/ip-addresses', { address: '10.0.10.1/16', vrfId });
    expect(await available(path, '?pageSize=5')).toEqual(
      ['10.0.1.44', '10.0.1.45', '10.0.3.231', '10.0.3.233', '10.0.3.234'].map((host) => `${host}/16`),
    );
    const all = await available(path, '?pageSize=10000');
    expect([all.length, new Set(all).size]).toEqual([10_000, 10_000]);
    expect(all).not.toContain('10.0.10.1/16');
    expect(all).toContain('10.0.10.0/16');
    const rest = (await editor.get(`${await newPrefix('10.0.255.0/24', vrfId)}/available-ips?pageSize=10000`)).body
      .data;
    expect([rest.length, rest[0].address, rest.at(-1).address]).toEqual([254, '10.0.255.1/24', '10.0.255.254/24']);
  });

  it('include the space of child prefixes', async () => {
    const vrfId = await newVrf();
    const path = await newPrefix('10.0.0.0/24', vrfId);
    await newPrefix('10.0.0.0/28', vrfId);
    expect(await available(path, '?pageSize=1')).toEqual(['10.0.0.1/24']);
  });

  it('become addresses with what the entries say', async () => {
    const vrfId = await newVrf();
    const path = await newPrefix('10.0.0.0/24', vrfId);
    const device = await editor.make('/api/devices', { name: 'd' });
    const port = await editor.make(`/api/devices/${device.id}/ports`, { name: 'eth0' });
    const made = await editor.post(`${path}/available-ips`, {
      addresses: [
        { dnsName: 'a.example.com', status: 'reserved', role: 'mgmt', description: 'First' },
        { interfaceId: port.id },
        { deviceId: device.id },
      ],
    });
    expect([made.status, made.body.data]).toEqual([
      201,
      [
        expect.objectContaining({
          address: '10.0.0.1/24',
          family: 4,
          vrfId,
          dnsName: 'a.example.com',
          status: 'reserved',
          role: 'mgmt',
          description: 'First',
          deviceId: null,
        }),
        expect.objectContaining({
          address: '10.0.0.2/24',
          interfaceId: port.id,
          deviceId: device.id,
          status: 'active',
        }),
        expect.objectContaining({ address: '10.0.0.3/24', interfaceId: null, deviceId: device.id }),
      ],
    ]);
    for (const record of made.body.data) {
      expect((await editor.get(`/api/ip-addresses/${record.id}`)).body.data).toEqual(record);
    }
    const [{ id }] = made.body.data;
    const changes = await editor.get(`/api/ip-addresses/${id}/changes`);
    expect(changes.body.data.map(({ action }: Json) => action)).toEqual(['create']);
  });

  it('are allocated together or not at all', async () => {
    const path = await newPrefix('10.0.0.0/29', await newVrf());
    const refused = await editor.post(`${path}/available-ips`, { addresses: Array.from({ length: 7 }, () => ({})) });
    expect([refused.status, refused.body.details[0].field]).toEqual([409, 'addresses']);
    expect((await available(path)).length).toBe(6);
    const unknown = await editor.post(`${path}/available-ips`, { addresses: [{}, { deviceId: randomUUID() }] });
    expect([unknown.status, unknown.body.details[0].field]).toEqual([400, 'addresses[1].deviceId']);
    expect((await available(path)).length).toBe(6);
  });

  it('are allocated once for one Idempotency-Key', async () => {
    const path = await newPrefix('10.0.0.0/29', await newVrf());
    const headers = { 'idempotency-key': randomUUID() };
    const first = await editor.post(`${path}/available-ips`, {}, headers);
    const again = await editor.post(`${path}/available-ips`, {}, headers);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect((await available(path)).length).toBe(5);
  });

  it.each([
    [{ count: 0 }, 'count'],
    [{ count: 257 }, 'count'],
    [{ count: null }, 'count'],
    [{ count: 1, addresses: [{}] }, 'count'],
    [{ addresses: [] }, 'addresses'],
    [{ addresses: Array.from({ length: 257 }, () => ({})) }, 'addresses'],
    [{ addresses: [{ status: null }] }, 'addresses[0].status'],
    [{ addresses: [{ address: '10.0.0.1/24' }] }, 'addresses[0].address'],
    [{ dnsName: 'a' }, 'dnsName'],
  ])('are not allocated for %j', async (body, field) => {
    const path = await newPrefix('10.0.0.0/24', await newVrf());
    const refused = await editor.post(`${path}/available-ips`, body);
    expect([refused.status, refused.body.details[0].field]).toEqual([400, field]);
  });

  it('are of existing prefixes, and allocated by editors of the network', async () => {
    const path = await newPrefix('10.0.0.0/24', await newVrf());
    const viewer = await service.as('viewer');
    for (const [what, body] of [
      ['available-ips', {}],
      ['available-prefixes', { prefixLength: 26 }],
    ] as const) {
      expect((await editor.get(`/api/prefixes/${randomUUID()}/${what}`)).status).toBe(404);
      expect((await editor.post(`/api/prefixes/${randomUUID()}/${what}`, body)).status).toBe(404);
      expect((await viewer.get(`${path}/${what}`)).status).toBe(200);
      expect((await viewer.post(`${path}/${what}`, body)).status).toBe(403);
      expect((await editor.get(`${path}/${what}?page=1`)).status).toBe(400);
    }
  });
});

describeInFull('requests of one caller for addresses of one prefix at the same moment', () => {
  const MANY = 40;
  const many = <T>(work: (i: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: MANY }, (_, i) => work(i)));
  const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);
  const requestOf = ({ headers }: Answer): string | null => headers.get('x-request-id');
  const recordsOf = (answers: readonly Answer[]): Json[] =>
    answers.flatMap(({ status, body }) => (status === 201 ? body.data : []));
  const run = (statement: Sql): Promise<Json[]> => service.database.db.query<Json>(statement);

  /** Each response has its own records. Each record has one entry in the change log, with the id of its request. */
  async function expectOwn(answers: readonly Answer[], vrfId: string): Promise<void> {
    const records = recordsOf(answers);
    const hosts = await run(sql`SELECT host(address) AS host FROM ip_addresses WHERE vrf_id = ${vrfId}`);
    expect([hosts.length, new Set(hosts.map(({ host }) => host)).size]).toEqual([records.length, records.length]);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    for (const answer of answers) {
      const entries = await run(
        sql`SELECT record_id AS id, action FROM change_log WHERE request_id = ${requestOf(answer)} ORDER BY id`,
      );
      const ids = recordsOf([answer]).map(({ id }) => id);
      expect(new Set(entries.map(({ id }) => id))).toEqual(new Set(ids));
      expect(entries.map(({ action }) => action)).toEqual(ids.map(() => 'create'));
    }
  }

  it('have addresses, entries and request ids of their own', async () => {
    const vrfId = await newVrf();
    const path = await newPrefix('10.0.0.0/24', vrfId);
    const bodies = (i: number): Json[] =>
      Array.from({ length: 1 + (i % 3) }, (_, at) => ({ dnsName: `h-${i}-${at}.example.com` }));
    const answers = await atOnce(service, () =>
      many((i) => editor.post(`${path}/available-ips`, { addresses: bodies(i) })),
    );
    for (const [i, answer] of answers.entries()) {
      expect([answer.status, answer.body.data]).toEqual([
        201,
        bodies(i).map((body) => expect.objectContaining({ ...body, vrfId, status: 'active' })),
      ]);
      const [{ id }] = answer.body.data;
      expect((await editor.get(`/api/ip-addresses/${id}`)).body.data).toEqual(answer.body.data[0]);
    }
    await expectOwn(answers, vrfId);
    // The addresses are the lowest ones, without a gap.
    const made = new Set(recordsOf(answers).map(({ address }) => address));
    expect(made).toEqual(new Set(Array.from({ length: made.size }, (_, i) => `10.0.0.${i + 1}/24`)));
  });

  it('are refused for themselves: references to nothing, prefixes that do not exist, and faults of the database', async () => {
    const vrfId = await newVrf();
    const path = await newPrefix('10.0.0.0/24', vrfId);
    await run(sql`CREATE FUNCTION refuse_fault() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.description = 'fault' THEN RAISE foreign_key_violation USING CONSTRAINT = 'fk_ip_addresses_device_id'; END IF;
        RETURN NEW;
      END $$`);
    await run(sql`CREATE TRIGGER a_fault BEFORE INSERT ON ip_addresses FOR EACH ROW EXECUTE FUNCTION refuse_fault()`);
    try {
      const answers = await atOnce(service, () =>
        many((i) => {
          if (i % 10 === 4) return editor.post(`${path}/available-ips`, { addresses: [{ deviceId: randomUUID() }] });
          if (i % 10 === 6) return editor.post(`/api/prefixes/${randomUUID()}/available-ips`, {});
          const description = i % 10 === 8 ? 'fault' : 'good';
          return editor.post(`${path}/available-ips`, { addresses: [{}, { description }] });
        }),
      );
      const expected: Record<number, number> = { 4: 400, 6: 404, 8: 400 };
      expect(statuses(answers)).toEqual(answers.map((_, i) => expected[i % 10] ?? 201));
      for (const [i, { body }] of answers.entries()) {
        if (i % 10 === 4) expect(body.details[0].field).toBe('addresses[0].deviceId');
      }
      await expectOwn(answers, vrfId);
    } finally {
      await run(sql`DROP TRIGGER a_fault ON ip_addresses`);
      await run(sql`DROP FUNCTION refuse_fault()`);
    }
  });

  it('get what there is, if there are too few for all of them', async () => {
    const vrfId = await newVrf();
    const path = await newPrefix('10.0.0.0/27', vrfId);
    const answers = await atOnce(service, () => many(() => editor.post(`${path}/available-ips`)));
    expect(statuses(answers).toSorted()).toEqual([...Array(30).fill(201), ...Array(10).fill(409)]);
    for (const { status, body } of answers) {
      if (status === 409) expect(body.details[0].message).toMatch(/1 address wanted, 0 available/);
    }
    await expectOwn(answers, vrfId);
  });

  it('of different prefixes get addresses of their own prefix', async () => {
    const vrfId = await newVrf();
    const paths = [await newPrefix('10.0.0.0/16', vrfId), await newPrefix('10.0.8.0/24', vrfId)];
    const answers = await atOnce(service, () => many((i) => editor.post(`${paths[i % 2]}/available-ips`)));
    for (const [i, { body }] of answers.entries()) {
      expect(body.data[0].address).toMatch(i % 2 ? /^10\.0\.8\.\d+\/24$/ : /^10\.0\.0\.\d+\/16$/);
    }
    await expectOwn(answers, vrfId);
  });

  it('stay the authors of their own addresses, if they are of several callers', async () => {
    const vrfId = await newVrf();
    const path = await newPrefix('10.0.0.0/24', vrfId);
    const callers = [editor, await service.as('admin')];
    const emails = await Promise.all(callers.map(async (api) => (await api.get('/api/auth/session')).body.data.email));
    const answers = await atOnce(service, () => many((i) => callers[i % 2]!.post(`${path}/available-ips`)));
    for (const [i, { body }] of answers.entries()) {
      const entries = await run(sql`SELECT actor FROM change_log WHERE record_id = ${body.data[0].id}`);
      expect(entries).toEqual([{ actor: emails[i % 2] }]);
    }
    await expectOwn(answers, vrfId);
  });

  itOnServer('are not held up by one whose device is being deleted, which is refused', async () => {
    const vrfId = await newVrf();
    const path = await newPrefix('10.0.0.0/24', vrfId);
    const devices = await Promise.all(['kept', 'going'].map((name) => editor.make('/api/devices', { name })));
    const [kept, going] = devices.map(({ id }) => id);
    const answered: Answer[] = [];
    let waiting: Promise<Answer[]>;
    await service.database.db.transaction(async (tx) => {
      await tx.query(sql`DELETE FROM devices WHERE id = ${going}`);
      waiting = many(async (i) => {
        const deviceId = i % 20 === 10 ? going : kept;
        const answer = await editor.post(`${path}/available-ips`, { addresses: [{ deviceId }] });
        answered.push(answer);
        return answer;
      });
      while (answered.length < MANY - 2) await sleep(20);
      expect(new Set(statuses(answered))).toEqual(new Set([201]));
    });
    const answers = await waiting!;
    expect(statuses(answers)).toEqual(answers.map((_, i) => (i % 20 === 10 ? 400 : 201)));
    await expectOwn(answers, vrfId);
  });
});

describe('the available prefixes of a prefix', () => {
  it.each([
    ['10.0.0.0/24', [], ['10.0.0.0/24']],
    ['10.0.0.0/24', ['10.0.0.64/26'], ['10.0.0.0/26', '10.0.0.128/25']],
    ['10.0.0.0/24', ['10.0.0.0/25', '10.0.0.0/26', '10.0.0.128/25'], []],
    ['10.0.0.0/29', ['10.0.0.3/32'], ['10.0.0.0/31', '10.0.0.2/32', '10.0.0.4/30']],
    ['0.0.0.0/0', ['128.0.0.0/1'], ['0.0.0.0/1']],
    ['0.0.0.0/0', ['0.0.0.0/1', '255.255.255.255/32'], Array.from({ length: 31 }, () => expect.any(String))],
    ['2001:db8::/32', ['2001:db8::/33'], ['2001:db8:8000::/33']],
    ['::/0', ['::/1'], ['8000::/1']],
  ])('%s with the children %j are %j', async (prefix, children, free) => {
    const vrfId = await newVrf();
    const path = await newPrefix(prefix, vrfId);
    for (const child of children) await newPrefix(child, vrfId);
    expect(networksOf(await editor.get(`${path}/available-prefixes`))).toEqual(free);
    expect(networksOf(await editor.get(`${path}/available-prefixes?pageSize=1`))).toEqual(free.slice(0, 1));
  });

  it('become prefixes of one length: the lowest that fit', async () => {
    const vrfId = await newVrf();
    const path = await newPrefix('10.0.0.0/24', vrfId);
    await newPrefix('10.0.0.4/30', vrfId);
    await newPrefix('10.0.0.64/26', vrfId);
    const made = await editor.post(`${path}/available-prefixes`, { prefixLength: 27, count: 3 });
    expect([made.status, networksOf(made)]).toEqual([201, ['10.0.0.32/27', '10.0.0.128/27', '10.0.0.160/27']]);
    expect(made.body.data[0]).toMatchObject({ vrfId, status: 'active', size: '32' });
    const small = await editor.post(`${path}/available-prefixes`, { prefixLength: 30 });
    expect(networksOf(small)).toEqual(['10.0.0.0/30']);
    const refused = await editor.post(`${path}/available-prefixes`, { prefixLength: 27, count: 3 });
    expect([refused.status, refused.body.error]).toEqual([
      409,
      'count must not exceed what is available: 3 prefixes of length 27 wanted, 2 available',
    ]);
  });

  it.each([
    [{}, 'prefixLength'],
    [{ prefixLength: 24 }, 'prefixLength'],
    [{ prefixLength: 33 }, 'prefixLength'],
    [{ prefixLength: 129 }, 'prefixLength'],
    [{ prefixLength: 26, count: 0 }, 'count'],
  ])('are not allocated for %j', async (body, field) => {
    const path = await newPrefix('10.0.0.0/24', await newVrf());
    const refused = await editor.post(`${path}/available-prefixes`, body);
    expect([refused.status, refused.body.details[0].field]).toEqual([400, field]);
  });

  it('never overlap, whoever allocates or creates at the same time', async () => {
    const vrfId = await newVrf();
    const path = await newPrefix('10.0.0.0/20', vrfId);
    const answers = await Promise.all([
      ...Array.from({ length: 40 }, (_, index) =>
        editor.post(`${path}/available-prefixes`, { prefixLength: 26 + (index % 3) }),
      ),
      ...Array.from({ length: 20 }, (_, index) =>
        editor.post('/api/prefixes', { prefix: `10.0.${index % 4}.${(index >> 2) * 32}/27`, vrfId }),
      ),
    ]);
    const allocated = answers.slice(0, 40).map((answer) => {
      expect(answer.status).toBe(201);
      return answer.body.data[0].id as string;
    });
    const overlaps = await service.database.db.query(
      sql`SELECT a.prefix, b.prefix FROM prefixes a JOIN prefixes b ON a.prefix >>= b.prefix AND a.id <> b.id
        WHERE a.vrf_id = ${vrfId} AND b.vrf_id = a.vrf_id AND a.id = ANY(${allocated}) AND b.id = ANY(${allocated})`,
    );
    expect(overlaps).toEqual([]);
  });
});

describe('a VRF that enforces unique addresses', () => {
  const taken = 'address is already recorded in the VRF, which enforces unique addresses';

  it('refuses a second address of a host, on create and on change', async () => {
    const [vrfId, open] = [await newVrf({ enforceUnique: true }), await newVrf()];
    const first = await editor.make('/api/ip-addresses', { address: '10.0.0.1/24', vrfId });
    await editor.make('/api/ip-addresses', { address: '10.0.0.1/24', vrfId, role: 'vip' });
    const second = await editor.make('/api/ip-addresses', { address: '10.0.0.2/24', vrfId });
    const other = await editor.make('/api/ip-addresses', { address: '10.0.0.1/24', vrfId: open });
    for (const answer of [
      await editor.post('/api/ip-addresses', { address: '10.0.0.1/32', vrfId }),
      await editor.patch(`/api/ip-addresses/${second.id}`, { address: '10.0.0.1/24' }),
      await editor.patch(`/api/ip-addresses/${other.id}`, { vrfId }),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([409, `${taken}: '10.0.0.1/24' (ip-addresses ${first.id})`]);
    }
    await editor.make('/api/ip-addresses', { address: '10.0.0.1/24' });
    await editor.make('/api/ip-addresses', { address: '10.0.0.1/24' });
    expect((await editor.patch(`/api/ip-addresses/${first.id}`, { address: '10.0.0.1/25' })).status).toBe(200);
  });

  it.each(['anycast', 'vip', 'vrrp', 'hsrp', 'glbp', 'carp'])('exempts the role %s', async (role) => {
    const vrfId = await newVrf({ enforceUnique: true });
    const alone = await editor.make('/api/ip-addresses', { address: '10.0.0.1/24', vrfId });
    const shared = await editor.make('/api/ip-addresses', { address: '10.0.0.1/24', vrfId, role });
    await editor.make('/api/ip-addresses', { address: '10.0.0.1/24', vrfId, role });
    for (const change of [{ role: null }, { role: 'loopback' }]) {
      const { status, body } = await editor.patch(`/api/ip-addresses/${shared.id}`, change);
      expect([status, body.error]).toEqual([409, `${taken}: '10.0.0.1/24' (ip-addresses ${alone.id})`]);
    }
  });

  it('is not switched on while hosts are repeated, which are listed', async () => {
    const vrfId = await newVrf();
    const make = (address: string, role?: string) => editor.make('/api/ip-addresses', { address, vrfId, role });
    for (const address of ['10.0.0.2/24', '10.0.0.1/24', '10.0.0.1/32', '10.0.0.1/25']) await make(address);
    const last = await make('10.0.0.2/24');
    await make('10.0.0.3/24', 'vip');
    await make('10.0.0.3/24');
    const refused = await editor.patch(`/api/vrfs/${vrfId}`, { enforceUnique: true });
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        error:
          'enforceUnique must not be true while 10.0.0.1 is recorded 3 times in the VRF; enforceUnique must not be true while 10.0.0.2 is recorded 2 times in the VRF',
        details: [
          { field: 'enforceUnique', message: 'must not be true while 10.0.0.1 is recorded 3 times in the VRF' },
          { field: 'enforceUnique', message: 'must not be true while 10.0.0.2 is recorded 2 times in the VRF' },
        ],
      },
    ]);
    await service.database.db.query(sql`DELETE FROM ip_addresses WHERE host(address) = '10.0.0.1'`);
    await editor.delete(`/api/ip-addresses/${last.id}`);
    expect((await editor.patch(`/api/vrfs/${vrfId}`, { enforceUnique: true })).body.data.enforceUnique).toBe(true);
  });

  it('is held by the database, for many rows and for SQL by hand', async () => {
    const { db } = service.database;
    const vrfId = await newVrf({ enforceUnique: true });
    const insert = (hosts: string) =>
      db.query(
        sql`INSERT INTO ip_addresses (address, family, vrf_id) SELECT unnest('${raw(hosts)}'::inet[]), 4, '${raw(vrfId)}'::uuid`,
      );
    await expect(insert('{10.0.0.1/24,10.0.0.1/25}')).rejects.toMatchObject({ code: '23505' });
    await insert('{10.0.0.1/24,10.0.0.2/24}');
    await expect(insert('{10.0.0.2/32}')).rejects.toMatchObject({ code: '23505' });
    await expect(
      db.query(sql`UPDATE ip_addresses SET address = '10.0.0.9/24' WHERE vrf_id = '${raw(vrfId)}'`),
    ).rejects.toMatchObject({ code: '23505' });
    // Addresses may swap hosts.
    await db.query(sql`UPDATE ip_addresses SET address = CASE host(address) WHEN '10.0.0.1' THEN '10.0.0.2/24'::inet
      ELSE '10.0.0.1/24' END WHERE vrf_id = '${raw(vrfId)}'`);
    const open = await newVrf();
    await db.query(
      sql`INSERT INTO ip_addresses (address, family, vrf_id) VALUES ('10.0.0.1/24', 4, ${open}), ('10.0.0.1/24', 4, ${open})`,
    );
    await expect(db.query(sql`UPDATE vrfs SET enforce_unique = true WHERE id = ${open}`)).rejects.toMatchObject({
      code: '23505',
    });
  });

  it('judges the operations of a bulk request in their order', async () => {
    const vrfId = await newVrf({ enforceUnique: true });
    const { id } = await editor.make('/api/ip-addresses', { address: '10.0.0.1/24', vrfId });
    const other = await editor.make('/api/ip-addresses', { address: '10.0.0.2/24', vrfId });
    const create = (address: string) => ({ op: 'create', data: { address, vrfId } });
    const update = (of: string, address: string) => ({ op: 'update', id: of, data: { address } });
    const named = `: '10.0.0.2/24' (ip-addresses ${other.id})`;
    for (const [operations, field, which] of [
      [[create('10.0.0.3/24'), create('10.0.0.4/24'), create('10.0.0.3/32')], 'operations[2].data.address', ''],
      [[create('10.0.0.3/24'), create('10.0.0.4/24'), create('10.0.0.2/32')], 'operations[2].data.address', named],
      [[update(id, '10.0.0.2/24'), update(other.id, '10.0.0.1/24')], 'operations[0].data.address', named],
    ] as const) {
      const { status, body } = await editor.post('/api/ip-addresses/bulk', { operations });
      expect([status, body.details]).toEqual([
        409,
        [{ field, message: `is already recorded in the VRF, which enforces unique addresses${which}` }],
      ]);
    }
    expect((await editor.get(`/api/ip-addresses?vrfId=${vrfId}`)).body.total).toBe(2);
    const moved = await editor.post('/api/ip-addresses/bulk', {
      operations: [update(id, '10.0.0.3/24'), update(other.id, '10.0.0.1/24'), create('10.0.0.2/24')],
    });
    expect(moved.status).toBe(200);
  });

  it('says in an import which addresses have the hosts of its rows', async () => {
    const vrfId = await newVrf({ enforceUnique: true });
    const rows = ['10.0.0.1/24', '10.0.0.3/24', '10.0.0.2/24', '10.0.0.3/24'].map((address) => ({ address, vrfId }));
    const one = await editor.make('/api/ip-addresses', rows[0]);
    const two = await editor.make('/api/ip-addresses', rows[2]);
    const message = 'is already recorded in the VRF, which enforces unique addresses';
    const file = rows.map((row) => JSON.stringify(row)).join('\n');
    const send = (query: string, headers: Record<string, string> = {}) =>
      editor.post(`/api/ip-addresses/import?${query}`, file, { 'content-type': 'application/x-ndjson', ...headers });
    const faultsOf = (third: string) => [
      { row: 1, line: 1, field: 'rows[1].address', message: `${message}: '10.0.0.1/24' (ip-addresses ${one.id})` },
      { row: 3, line: 3, field: 'rows[3].address', message: `${message}: '10.0.0.2/24' (ip-addresses ${two.id})` },
      { row: 4, line: 4, field: 'rows[4].address', message: `${message}${third}` },
    ];
    // Row 4 has the host of row 2, but row 2 is not stored.
    for (const [query, headers] of [
      ['mode=create', {}],
      ['mode=create&dryRun=true', {}],
      ['mode=create', { 'idempotency-key': randomUUID() }],
    ] as const) {
      const { status, body } = await send(query, headers);
      expect([status, body.details]).toEqual([400, faultsOf('')]);
    }
    const { status, body } = await send('mode=create&onError=skip');
    const [made] = await service.database.db.query<{ id: string }>(
      sql`SELECT id FROM ip_addresses WHERE vrf_id = ${vrfId} AND host(address) = '10.0.0.3'`,
    );
    const faults = faultsOf(`: '10.0.0.3/24' (ip-addresses ${made!.id})`);
    expect([status, (body.data as { faults: object[] }).faults]).toEqual([
      200,
      faults.map((fault) => ({ ...fault, field: 'address', code: 'conflict_unique' })),
    ]);
  });

  it('refuses to restore an address whose host is taken meanwhile', async () => {
    const admin = await service.as('admin');
    const vrfId = await newVrf({ enforceUnique: true });
    const { id } = await editor.make('/api/ip-addresses', { address: '10.0.0.1/24', vrfId });
    await editor.delete(`/api/ip-addresses/${id}`);
    const now = await editor.make('/api/ip-addresses', { address: '10.0.0.1/24', vrfId });
    expect((await admin.post(`/api/ip-addresses/${id}/restore`)).status).toBe(409);
    await editor.delete(`/api/ip-addresses/${now.id}`);
    expect((await admin.post(`/api/ip-addresses/${id}/restore`)).status).toBe(200);
  });
});

(onServer ? describe : describe.skip)('many clients', () => {
  it('never get one address twice, from nested prefixes and beside creates, deletes and changes', async () => {
    const vrfId = await newVrf({ enforceUnique: true });
    const paths = [
      await newPrefix('10.0.0.0/16', vrfId),
      await newPrefix('10.0.0.0/17', vrfId),
      await newPrefix('10.0.0.0/18', vrfId),
    ];
    const moving = await newPrefix('10.64.0.0/24', vrfId);
    const allocated: { id: string; address: string; path: string }[] = [];
    const given: string[] = [];
    const refused: number[] = [];
    const client = async (number: number): Promise<void> => {
      for (let request = 0; request < 50; request++) {
        const path = paths[(number + request) % paths.length]!;
        let answer: Answer;
        // Retries if the service is busy.
        do answer = await editor.post(`${path}/available-ips`, {});
        while (answer.status === 503);
        if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
        const [{ id, address }] = answer.body.data;
        // Frees some addresses at once.
        if (number % 8 === 0 && request % 5 === 0) given.push(id);
        else allocated.push({ id, address, path });
      }
    };
    const creator = async (number: number): Promise<void> => {
      for (let request = 0; request < 50; request++) {
        const host = number * 50 + request * 3;
        const address = `10.0.${(host >> 8) % 64}.${host % 256}/18`;
        refused.push((await editor.post('/api/ip-addresses', { address, vrfId })).status);
        const back = given.pop();
        if (back && (await editor.delete(`/api/ip-addresses/${back}`)).status !== 204) given.push(back);
      }
    };
    const mover = async (): Promise<void> => {
      for (let request = 0; request < 30; request++) {
        await editor.patch(moving, { prefix: request % 2 ? '10.64.0.0/24' : '10.0.0.0/22' });
        await editor.post(`${moving}/available-ips`, {}).then((answer) => {
          if (answer.status === 201) allocated.push({ ...answer.body.data[0], path: moving });
        });
      }
    };
    await Promise.all([
      ...Array.from({ length: 64 }, (_, number) => client(number)),
      ...Array.from({ length: 6 }, (_, number) => creator(number)),
      mover(),
    ]);
    expect(new Set(refused.filter((status) => status !== 503))).toEqual(new Set([201, 409]));
    const { db } = service.database;
    const rows = await db.query<{ id: string; host: string }>(
      sql`SELECT id, host(address) AS host FROM ip_addresses WHERE vrf_id = ${vrfId}`,
    );
    expect(new Set(rows.map(({ host }) => host)).size).toBe(rows.length);
    const kept = new Set(rows.map(({ id }) => id));
    expect(allocated.filter(({ id }) => !kept.has(id))).toEqual([]);
    expect(rows.length).toBe(allocated.length + given.length + refused.filter((status) => status === 201).length);
    const limits = ['0.0/16', '0.0/17', '0.0/18'];
    for (const [index, path] of paths.entries()) {
      const [{ outside }] = (await db.query<{ outside: number }>(
        sql`SELECT count(*)::int AS outside FROM unnest(${allocated.filter((one) => one.path === path).map(({ address }) => address)}::inet[]) address WHERE NOT address <<= ${`10.0.${limits[index]}`}::inet`,
      )) as [{ outside: number }];
      expect(outside).toBe(0);
    }
  });
});
