import { sql, where } from '../../src/database/sql.js';
import { listOf } from '../../src/lists/list-query.js';
import { requestConditions } from '../../src/lists/request-sql.js';
import { declaredSqlOf } from '../../src/lists/record-sql.js';
import { IpAddress } from '../../src/network/ip-address/ip-address.entity.js';
import { startService, type Api, type TestService } from '../support/app.js';

/** Searches with numbers that an index finds without further checks. */
let service: TestService;
let admin: Api;
interface Address {
  id: string;
  address: string;
  dnsName: string | null;
  description: string | null;
}
let all: Address[];

beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  await service.database.db.query(
    sql`INSERT INTO ip_addresses (address, family, dns_name, description)
     SELECT ('10.' || i / 256 || '.' || i % 256 || '.' || i % 7 || '/24')::inet, 4, 'host-' || i || '.example.net',
       CASE i % 5 WHEN 0 THEN 'Rack ' || i || ', unit ' || i % 42 WHEN 1 THEN '50%_of \\' || i || '\\ é' || i || 'é' END
     FROM generate_series(1, 3000) i`,
  );
  await service.database.db.query(sql`ANALYZE ip_addresses`);
  all = (await admin.get('/api/ip-addresses')).body.data;
});
afterAll(() => service.stop());

it.each([
  'host-47.',
  'HOST-47.',
  'host-47',
  '-47.e',
  '47',
  '0.47.',
  '.47.',
  '10.0.47.5/24',
  '10.0.47.',
  'rack 470, unit 8',
  'rack 470, unit 80',
  ' 470,',
  '%_of \\47',
  '50%_of \\471\\',
  'é471é',
  '471é',
  '-047.',
  'x-47.',
])('finds %p wherever it is, and nothing else', async (text) => {
  const wanted = all
    .filter((row) =>
      [row.address, row.dnsName, row.description].some((it) => it?.toLowerCase().includes(text.toLowerCase())),
    )
    .map(({ id }) => id);
  const list = await admin.get(`/api/ip-addresses?search=${encodeURIComponent(text)}`);
  expect(list.body.data.map(({ id }: Address) => id).toSorted()).toEqual(wanted.toSorted());
  expect(list.body.total).toBe(wanted.length);
  const everything = await admin.get(`/api/search?resource=ip-addresses&q=${encodeURIComponent(text)}`);
  expect(everything.body.total ?? 0).toBe(text.length < 2 ? 0 : wanted.length);
});

it('looks a whole number up in its index', async () => {
  const conditions = requestConditions(
    listOf(IpAddress).parse({ search: 'host-1471.' }, { resource: declaredSqlOf }),
    declaredSqlOf(IpAddress),
  );
  const rows = await service.database.db.query<{ 'QUERY PLAN': string }>(
    sql`EXPLAIN SELECT FROM ip_addresses t ${where(conditions)}`,
  );
  const [plan] = rows.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Index Cond:'));
  expect(plan).toContain(`@> '{1471}'::text[]`);
});
