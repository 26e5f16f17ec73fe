import { randomUUID } from 'node:crypto';
import { startService, type Api, type TestService } from '../support/app.js';
import type { Json } from '../support/document.js';
import { raw, sql, write } from '../../src/database/sql.js';
import { itInFull } from '../support/size.js';

let service: TestService;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor', ['network']);
});
afterAll(() => service.stop());

const newVrf = async (body: object = {}): Promise<string> =>
  (await editor.make('/api/vrfs', { name: 'v', ...body })).id;
const prefixesOf = (answer: { body: Json }): string[] => answer.body.data.map(({ prefix }: Json) => prefix);

/** Creates prefixes of a new VRF, and reads them again, because their parents depend on the other prefixes. */
async function tree(prefixes: readonly string[]): Promise<{ vrfId: string; read: (prefix: string) => Promise<Json> }> {
  const vrfId = await newVrf();
  const ids = new Map<string, string>();
  for (const prefix of prefixes) ids.set(prefix, (await editor.make('/api/prefixes', { prefix, vrfId })).id);
  return { vrfId, read: async (prefix) => (await editor.get(`/api/prefixes/${ids.get(prefix)}`)).body.data };
}

describe('a prefix', () => {
  it.each([
    ['10.0.0.0/24', '10.0.0.0/24', 4, '256'],
    ['10.0.0.1/32', '10.0.0.1/32', 4, '1'],
    ['0.0.0.0/0', '0.0.0.0/0', 4, '4294967296'],
    ['2001:DB8:0::/32', '2001:db8::/32', 6, '79228162514264337593543950336'],
    ['::/0', '::/0', 6, '340282366920938463463374607431768211456'],
    ['::1/128', '::1/128', 6, '1'],
    ['2001:db8::1:0:0:0/80', '2001:db8:0:0:1::/80', 6, '281474976710656'],
    ['64:ff9b::192.0.2.0/120', '64:ff9b::c000:200/120', 6, '256'],
  ])('%s is %s of IPv%d with %s addresses', async (sent, prefix, family, size) => {
    const vrfId = await newVrf();
    const record = await editor.make('/api/prefixes', { prefix: sent, vrfId });
    expect(record).toMatchObject({ prefix, family, size, parentId: null, usedAddresses: 0, utilisation: 0 });
    expect((await editor.get(`/api/prefixes?vrfId=${vrfId}&prefix=${sent}&family=${family}`)).body.total).toBe(1);
  });

  it.each([
    '10.0.0.1/24',
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0/24',
    '2001:db8::1/64',
    'fe80::1%eth0/128',
    '::/129',
    5,
    '',
  ])('is not %p', async (prefix) => {
    const { status, body } = await editor.post('/api/prefixes', { prefix });
    expect([status, body.details[0].field]).toEqual([400, 'prefix']);
  });

  it('has no host bits, which the error says', async () => {
    expect((await editor.post('/api/prefixes', { prefix: '10.0.0.1/24' })).body.error).toBe(
      'prefix must not have host bits: all bits after the prefix length must be zero',
    );
  });

  it('is exported and logged as in the response, beside records whose prefix is another text', async () => {
    const admin = await service.as('admin');
    const vrfId = await newVrf();
    const { id } = await editor.make('/api/prefixes', { prefix: '192.0.2.1/32', vrfId });
    const token = await admin.make('/api/tokens', { name: 't' });
    const { text } = await editor.get(`/api/prefixes?vrfId=${vrfId}&format=csv`);
    expect(text).toContain('192.0.2.1/32,');
    for (const [recordId, prefix] of [
      [id, '192.0.2.1/32'],
      [token.id, token.prefix],
    ]) {
      const { body } = await admin.get(`/api/change-log?recordId=${recordId}`);
      expect([recordId, body.data[0].after.prefix]).toEqual([recordId, prefix]);
    }
  });

  it('stands in a VRF once, and once without a VRF', async () => {
    const [one, other] = [await newVrf(), await newVrf()];
    const ids = new Map<unknown, unknown>();
    for (const vrfId of [one, other, null]) {
      ids.set(vrfId, (await editor.make('/api/prefixes', { prefix: '172.16.0.0/24', vrfId })).id);
    }
    for (const vrfId of [one, null]) {
      const { status, body } = await editor.post('/api/prefixes', { prefix: '172.16.0.0/24', vrfId });
      expect([status, body.details]).toEqual([
        409,
        [
          {
            field: 'prefix',
            message: `is already taken by another prefix with the same vrfId: '172.16.0.0/24' (prefixes ${ids.get(vrfId)})`,
          },
        ],
      ]);
    }
    const moved = await editor.make('/api/prefixes', { prefix: '172.16.1.0/24', vrfId: one });
    expect((await editor.patch(`/api/prefixes/${moved.id}`, { prefix: '172.16.0.0/24' })).status).toBe(409);
    expect((await editor.patch(`/api/prefixes/${moved.id}`, { vrfId: other })).status).toBe(200);
    // Without the VRF, the prefix would be equal to an existing one.
    const { status, body } = await editor.delete(`/api/vrfs/${one}`);
    expect([status, body.details[0].field]).toEqual([409, 'prefix']);
  });
});

describe('the tree', () => {
  it('has the most specific prefix of the same VRF as parent', async () => {
    const { vrfId, read } = await tree(['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24', '10.1.2.3/32', '11.0.0.0/8']);
    await editor.make('/api/prefixes', { prefix: '10.1.2.0/25', vrfId: await newVrf() });
    const parents = await Promise.all(
      ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24', '10.1.2.3/32', '11.0.0.0/8'].map(async (prefix) => {
        const { parentId } = await read(prefix);
        return parentId && (await editor.get(`/api/prefixes/${parentId}`)).body.data.prefix;
      }),
    );
    expect(parents).toEqual([null, '10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24', null]);
    const before = await read('10.1.2.3/32');
    const between = await editor.make('/api/prefixes', { prefix: '10.1.2.0/28', vrfId });
    // Only the new record was written.
    expect(await read('10.1.2.3/32')).toEqual({ ...before, parentId: between.id });
  });

  it('begins anew in each VRF, whatever the one before it in the index has', async () => {
    const vrfs = ['ffffffff-ffff-4fff-bfff-fffffffffffe', 'ffffffff-ffff-4fff-bfff-ffffffffffff'];
    for (const id of vrfs) await service.database.db.query(sql`INSERT INTO vrfs (id, name) VALUES (${id}, 'v')`);
    await editor.make('/api/prefixes', { prefix: '0.0.0.0/0', vrfId: vrfs[0] });
    const { parentId } = await editor.make('/api/prefixes', { prefix: '10.0.0.0/8', vrfId: vrfs[1] });
    expect(parentId).toBeNull();
  });

  it('lists direct children in every order that a list has', async () => {
    const { read } = await tree([
      '10.0.0.0/8',
      '10.0.0.0/16',
      '10.0.0.0/24',
      '10.9.0.0/16',
      '10.10.0.0/16',
      '10.10.5.0/24',
      '10.255.255.255/32',
      '11.0.0.0/16',
    ]);
    const { id } = await read('10.0.0.0/8');
    const children = await editor.get(`/api/prefixes/${id}/children?sort=prefix`);
    expect([prefixesOf(children), children.body.total]).toEqual([
      ['10.0.0.0/16', '10.9.0.0/16', '10.10.0.0/16', '10.255.255.255/32'],
      4,
    ]);
    const page = await editor.get(`/api/prefixes/${id}/children?sort=prefix&order=desc&pageSize=2&search=.0.0/16`);
    expect([prefixesOf(page), page.body.total, page.body.hasMore]).toEqual([['10.10.0.0/16', '10.9.0.0/16'], 3, true]);
    const leaf = await editor.get(`/api/prefixes/${(await read('11.0.0.0/16')).id}/children`);
    expect(leaf.body).toMatchObject({ data: [], total: 0 });
    expect((await editor.get(`/api/prefixes/${randomUUID()}/children`)).status).toBe(404);
  });

  it('knows what a network contains, and what contains it', async () => {
    const { vrfId } = await tree(['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24', '2001:db8::/32', '2001:db8:1::/48']);
    const found = async (query: string): Promise<string[]> =>
      prefixesOf(await editor.get(`/api/prefixes?vrfId=${vrfId}&sort=prefix&${query}`));
    expect(await found('within=10.1.0.0/16')).toEqual(['10.1.0.0/16', '10.1.2.0/24']);
    expect(await found('contains=10.1.0.0/16')).toEqual(['10.0.0.0/8', '10.1.0.0/16']);
    expect(await found('contains=10.1.2.99')).toEqual(['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24']);
    expect(await found('contains=2001:db8:1::5')).toEqual(['2001:db8::/32', '2001:db8:1::/48']);
    expect(await found('within=::/0')).toEqual(['2001:db8::/32', '2001:db8:1::/48']);
    expect(await found('within=10.1.2.0/24&within=2001:db8:1::/48')).toEqual(['10.1.2.0/24', '2001:db8:1::/48']);
    expect(await found('family=6')).toEqual(['2001:db8::/32', '2001:db8:1::/48']);
    expect(await found('search=db8')).toEqual(['2001:db8::/32', '2001:db8:1::/48']);
    for (const query of ['within=10.0.0.0', 'contains=x', 'family=5']) {
      const { status, body } = await editor.get(`/api/prefixes?${query}`);
      expect([status, body.details[0].field]).toEqual([400, query.split('=')[0]]);
    }
  });

  it('is sorted as networks, IPv4 before IPv6 and parents before children', async () => {
    const sorted = [
      '9.0.0.0/8',
      '10.0.0.0/8',
      '10.0.0.0/16',
      '10.0.0.0/24',
      '10.9.0.0/16',
      '10.10.0.0/16',
      '::/0',
      'a::/16',
    ];
    const { vrfId } = await tree(sorted.toReversed());
    expect(prefixesOf(await editor.get(`/api/prefixes?vrfId=${vrfId}&sort=prefix`))).toEqual(sorted);
    expect(prefixesOf(await editor.get(`/api/prefixes?vrfId=${vrfId}&sort=prefix&order=desc`))).toEqual(
      sorted.toReversed(),
    );
  });
});

describe('the use of a prefix', () => {
  it('counts the distinct hosts of its VRF, in children too', async () => {
    const { vrfId, read } = await tree(['10.0.0.0/8', '10.0.0.0/24', '10.0.0.0/30']);
    const add = (address: string, vrf: string | null = vrfId) =>
      editor.make('/api/ip-addresses', { address, vrfId: vrf });
    await add('10.0.0.1/24');
    const same = await add('10.0.0.1/32');
    const high = await add('10.0.0.200/24');
    await add('10.7.0.1/24');
    await add('10.0.0.2/24', null);
    await add('11.0.0.1/24');
    const used = async () =>
      (await Promise.all(['10.0.0.0/8', '10.0.0.0/24', '10.0.0.0/30'].map(read))).map((prefix) => prefix.usedAddresses);
    expect(await used()).toEqual([3, 2, 1]);
    expect((await read('10.0.0.0/24')).utilisation).toBe(2 / 256);
    expect((await read('10.0.0.0/30')).utilisation).toBe(0.25);
    await editor.delete(`/api/ip-addresses/${same.id}`);
    expect(await used()).toEqual([3, 2, 1]);
    await editor.patch(`/api/ip-addresses/${high.id}`, { address: '10.0.0.3/24' });
    expect(await used()).toEqual([3, 2, 2]);
    await editor.patch(`/api/ip-addresses/${high.id}`, { vrfId: null });
    expect(await used()).toEqual([2, 1, 1]);
  });

  itInFull('is right after writes of many rows by one statement', async () => {
    const { db } = service.database;
    const vrfs = [await newVrf(), await newVrf()];
    const counted = () =>
      db.query(
        sql`SELECT space, block, sum(hosts)::int AS hosts FROM address_blocks GROUP BY 1, 2 HAVING sum(hosts) <> 0 ORDER BY 1, 2`,
      );
    const recounted = () =>
      db.query(sql`SELECT coalesce(vrf_id, '00000000-0000-0000-0000-000000000000') AS space,
          network(set_masklen(address, CASE family(address) WHEN 4 THEN v4 ELSE v6 END)) AS block,
          count(DISTINCT host(address))::int AS hosts
        FROM ip_addresses CROSS JOIN (VALUES (24, 120), (16, 64)) length (v4, v6) GROUP BY 1, 2 ORDER BY 1, 2`);
    const statements = [
      `INSERT INTO ip_addresses (address, family, vrf_id)
        SELECT set_masklen('10.50.0.0'::inet + i % 700, 16), 4, CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN '${vrfs[0]}'::uuid ELSE '${vrfs[1]}' END
        FROM generate_series(1, 3000) i`,
      `INSERT INTO ip_addresses (address, family, vrf_id)
        SELECT set_masklen('2001:db8::'::inet + i * 77, 64), 6, '${vrfs[0]}' FROM generate_series(1, 500) i`,
      // Addresses swap hosts. Others change to hosts that are recorded already.
      `UPDATE ip_addresses SET address = set_masklen('10.50.0.0'::inet + (700 - (host(address)::inet - '10.50.0.0')), 16)
        WHERE family = 4`,
      `UPDATE ip_addresses SET address = set_masklen(address, 24) WHERE family = 4`,
      `UPDATE ip_addresses SET vrf_id = '${vrfs[1]}' WHERE vrf_id = '${vrfs[0]}' AND random() < 0.5`,
      `DELETE FROM ip_addresses WHERE random() < 0.3`,
      `DELETE FROM vrfs WHERE id = '${vrfs[0]}'`,
    ];
    for (const statement of statements) {
      await db.query(raw(statement));
      expect(await counted()).toEqual(await recounted());
    }
    await db.query(sql`TRUNCATE ip_addresses CASCADE`);
    expect(await counted()).toEqual([]);
  });

  itInFull('is kept by reading the hosts that a statement deletes, and no others', async () => {
    const { db } = service.database;
    await db.query(
      sql`INSERT INTO ip_addresses (address, family) SELECT '10.60.0.0'::inet + i, 4 FROM generate_series(1, 20000) i`,
    );
    await db.query(sql`ANALYZE address_hosts`);
    const read = await db.transaction(async (tx) => {
      await tx.write(write`DELETE FROM ip_addresses WHERE address <= '10.60.3.232'`);
      const [row] = await tx.query<{ fetched: number }>(
        sql`SELECT idx_tup_fetch::int AS fetched FROM pg_stat_xact_user_tables WHERE relname = 'address_hosts'`,
      );
      return row!.fetched;
    });
    expect(read).toBeLessThan(5_000);
    const [left] = await db.query(sql`SELECT count(*)::int AS hosts FROM address_hosts`);
    expect(left).toEqual({ hosts: 19_000 });
    await db.query(sql`TRUNCATE ip_addresses CASCADE`);
  });

  it('and the parent agree with their definitions for every prefix of a plan', async () => {
    const { db } = service.database;
    const vrfs = [await newVrf(), await newVrf()];
    const vrfOf = (i: string): string => `(ARRAY['${vrfs[0]}'::uuid, '${vrfs[1]}', NULL])[1 + ${i} % 3]`;
    // Networks of all lengths, with gaps, and with the first and last addresses of both families.
    await db.query(sql`INSERT INTO prefixes (prefix, vrf_id)
      SELECT DISTINCT ON (1, 2) network(set_masklen(host, length)), ${raw(vrfOf('(length / 8)'))} FROM (
        SELECT '10.20.0.0'::inet + hashint4(i) % 5000 AS host, 8 + i % 25 AS length FROM generate_series(1, 400) i
        UNION ALL
        SELECT '2001:db8::'::inet + hashint4(i) % 5000, 32 + i % 97 FROM generate_series(1, 400) i
        UNION ALL
        SELECT host, length FROM generate_series(0, 32) length, unnest('{0.0.0.0,255.255.255.255,::}'::inet[]) host
        UNION ALL
        SELECT 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', length FROM generate_series(0, 128) length
      ) plan ON CONFLICT DO NOTHING`);
    await db.query(sql`INSERT INTO ip_addresses (address, family, vrf_id)
      SELECT address, family(address), ${raw(vrfOf('number'))} FROM (
        SELECT unnest(ARRAY[set_masklen(prefix::inet, CASE family(prefix) WHEN 4 THEN 32 ELSE 128 END), broadcast(prefix)]) AS address,
          row_number() OVER (ORDER BY prefix) AS number FROM prefixes
      ) ends`);
    const expected = await db.query<{ id: string }>(sql`SELECT t.id, (
        SELECT p.id FROM prefixes p WHERE p.vrf_id IS NOT DISTINCT FROM t.vrf_id AND p.prefix >> t.prefix
          ORDER BY masklen(p.prefix) DESC LIMIT 1
      ) AS "parentId", used AS "usedAddresses", (used / size)::float8 AS utilisation, trunc(size)::text AS size
      FROM prefixes t CROSS JOIN LATERAL (
        SELECT count(DISTINCT host(a.address))::int AS used, 2::numeric ^ (CASE family(t.prefix) WHEN 4 THEN 32 ELSE 128 END - masklen(t.prefix)) AS size
        FROM ip_addresses a WHERE a.vrf_id IS NOT DISTINCT FROM t.vrf_id AND host(a.address)::inet <<= t.prefix
      ) counted ORDER BY t.id`);
    const { body } = await editor.get('/api/prefixes?pageSize=10000&sort=id');
    expect(body.total).toBeGreaterThan(500);
    for (const [i, { id, parentId, usedAddresses, utilisation, size, prefix }] of body.data.entries()) {
      const { utilisation: share, ...rest } = expected[i] as never as Json;
      expect({ id, parentId, usedAddresses, size, prefix }).toEqual({ ...rest, prefix });
      expect(Math.abs(utilisation - share)).toBeLessThanOrEqual(share * 1e-12);
    }
  });
});
