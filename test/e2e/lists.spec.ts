import { startService, type Api, type TestService } from '../support/app.js';
import { itDirectly } from '../support/server.js';
import { raw, sql } from '../../src/database/sql.js';

let service: TestService;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor');
  for (const body of [
    { name: 'alpha', affectedSystem: 'core', severity: 'low', description: '100% sure' },
    { name: 'Bravo', affectedSystem: null, severity: 'high', description: 'a_b' },
    { name: 'charlie', affectedSystem: 'edge', severity: 'high', description: String.raw`back\slash` },
    { name: 'delta', affectedSystem: 'CORE', severity: 'critical', description: 'axb' },
  ]) {
    await editor.make('/api/known-issues', body);
  }
});
afterAll(() => service.stop());

async function names(query: string, path = '/api/known-issues'): Promise<string[]> {
  const answer = await editor.get(`${path}?${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data.map(({ name }: { name: string }) => name);
}

const ALL = ['alpha', 'Bravo', 'charlie', 'delta'];

it.each([
  ['', ALL],
  ['severity=high', ['Bravo', 'charlie']],
  ['severity=high&severity=low', ['alpha', 'Bravo', 'charlie']],
  ['severity[]=high', ['Bravo', 'charlie']],
  ['severity%5B%5D=high&severity%5B%5D=low', ['alpha', 'Bravo', 'charlie']],
  ['severity[]=high&severity=low', ['alpha', 'Bravo', 'charlie']],
  ['severity__n[]=high&severity__n[]=low', ['delta']],
  ['pageSize[]=2&page[]=2', ['charlie', 'delta']],
  ['severity__n=high', ['alpha', 'delta']],
  ['severity__n=high&severity__n=low', ['delta']],
  ['affectedSystem=core', ['alpha']],
  ['affectedSystem__n=core', ['Bravo', 'charlie', 'delta']],
  ['affectedSystem__ie=core', ['alpha', 'delta']],
  ['affectedSystem__ic=OR', ['alpha', 'delta']],
  ['affectedSystem__isw=ed', ['charlie']],
  ['affectedSystem__isw=ed&affectedSystem__isw=co', ['alpha', 'charlie', 'delta']],
  ['affectedSystem__empty=true', ['Bravo']],
  ['affectedSystem__empty=false', ['alpha', 'charlie', 'delta']],
  ['severity=high&affectedSystem=edge', ['charlie']],
  ['search=ALPH', ['alpha']],
  ['search=100%25', ['alpha']],
  ['search=a_b', ['Bravo']],
  ['search=k%5Cs', ['charlie']],
  ['search=', ALL],
  ['description__ic=_', ['Bravo']],
  // With several values, no character is special.
  ['description__ic=A_B&description__ic=k%5Cs', ['Bravo', 'charlie']],
  ['description__ic=a.b&description__ic=(x', []],
  ['description__ic=a.b&description__ic=', ALL],
  ['description__ie=AXB&description__ie=x', ['delta']],
  ['description__isw=xb&description__isw=AX', ['delta']],
  ['affectedSystem__ie=cor&affectedSystem__ie=EDGE', ['charlie']],
  ['sort=name', ['Bravo', 'alpha', 'charlie', 'delta']],
  ['sort=name&order=desc', ['delta', 'charlie', 'alpha', 'Bravo']],
  ['order=desc', ['delta', 'charlie', 'Bravo', 'alpha']],
  ['sort=affectedSystem', ['delta', 'alpha', 'charlie', 'Bravo']],
  ['sort=affectedSystem&order=desc', ['Bravo', 'charlie', 'alpha', 'delta']],
  ['pageSize=2', ['alpha', 'Bravo']],
  ['pageSize=2&page=2', ['charlie', 'delta']],
  ['pageSize=3&page=2', ['delta']],
  ['pageSize=2&page=3', []],
  ['createdAt__gt=2020-01-01', ALL],
  ['createdAt__lt=2020-01-01T00:00:00Z', []],
])('%s', async (query, expected) => {
  expect(await names(query)).toEqual(expected);
});

it('reports on every page the total and whether more follow', async () => {
  for (const [query, total, page, pageSize, hasMore] of [
    ['', 4, 1, 10_000, false],
    ['pageSize=2', 4, 1, 2, true],
    ['pageSize=2&page=2', 4, 2, 2, false],
    ['pageSize=4', 4, 1, 4, false],
    ['pageSize=2&page=9', 4, 9, 2, false],
    ['severity=high&pageSize=1', 2, 1, 1, true],
  ] as const) {
    const { data: _data, ...envelope } = (await editor.get(`/api/known-issues?${query}`)).body;
    expect([query, envelope]).toEqual([query, { total, page, pageSize, hasMore }]);
  }
});

it.each([
  ['statsu=open', "Unknown filter 'statsu'. Did you mean 'status'?"],
  ['limit=5', "Unknown filter 'limit'. Did you mean 'pageSize'?"],
  ['offset=50', "Unknown filter 'offset'. Did you mean 'page'?"],
  ['ordering=name', "Unknown filter 'ordering'. Did you mean 'sort'?"],
  ['order_by=name', "Unknown filter 'order_by'. Did you mean 'sort'?"],
  ['orderBy=name', "Unknown filter 'orderBy'. Did you mean 'sort'?"],
  ['sort_by=name', "Unknown filter 'sort_by'. Did you mean 'sort'?"],
  ['q=dns', "Unknown filter 'q'. Did you mean 'search'?"],
  ['query=dns', "Unknown filter 'query'. Did you mean 'search'?"],
  ['sort=-name', "sort must be the name of a field. Did you mean 'sort=name&order=desc'?"],
  ['toString=1', "Unknown filter 'toString'."],
  ['status__in=open', "Unknown filter 'status__in'."],
  ['statsu__n=open', "Unknown filter 'statsu__n'. Did you mean 'status__n'?"],
  ['page__in=1', "Unknown filter 'page__in'."],
  ['page=0', 'page must be an integer between 1 and 2147483647'],
  ['page=0x10', 'page must be an integer between 1 and 2147483647'],
  ['pageSize=10001', 'pageSize must be an integer between 1 and 10000'],
  ['pageSize=-1', 'pageSize must be an integer between 1 and 10000'],
  ['page=1&page=2', 'page must be given once'],
  ['page[]=1&page=2', 'page must be given once'],
  ['sverity[]=high', "Unknown filter 'sverity'. Did you mean 'severity'?"],
  ['[]=high', "Unknown filter '[]'."],
  ['__proto__[]=high', "Unknown filter '__proto__'."],
  ['sort=nme', "sort must be the name of a field. Did you mean 'name'?"],
  ['sort=name;drop table people', 'sort must be one of'],
  ['order=down', 'order must be asc or desc'],
  ['createdAt__gte=yesterday', 'createdAt__gte must be an ISO 8601 date-time'],
  ['name__empty=yes', 'name__empty must be true or false'],
  ['id=1', 'id must be a uuid'],
  ['id=2ddb5741-86c5-41c0-bb95-b0c1fd274331&id=1', "id must be a uuid: '1' is not"],
  [`createdAt__gte=2026-01-01&createdAt__gte=${'x'.repeat(80)}`, `or a date: '${'x'.repeat(64)}…' is not`],
])('refuses %s', async (query, sentence) => {
  const answer = await editor.get(`/api/known-issues?${query}`);
  expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(sentence)]);
  expect(answer.body.details).toHaveLength(1);
});

it('offers names for the first ten unknown parameters', async () => {
  const query = Array.from({ length: 1000 }, (_, i) => `statu${i}=x`).join('&');
  const { status, body } = await editor.get(`/api/known-issues?${query}`);
  const offers = (body.details as { message: string }[]).map(({ message }) =>
    message.includes(`Did you mean 'status'`),
  );
  expect([status, offers.length, offers.indexOf(false), offers.lastIndexOf(true)]).toEqual([400, 1000, 10, 9]);
});

it('offers the id of a record that is asked for by its kind', async () => {
  for (const [given, meant] of [
    ['site', 'siteId'],
    ['site__n', 'siteId__n'],
    ['site_id', 'siteId'],
  ]) {
    const { status, body } = await editor.get(`/api/devices?${given}=ams`);
    expect([status, body.error]).toEqual([400, `Unknown filter '${given}'. Did you mean '${meant}'?`]);
  }
});

it.each(['', 'sort=name&order=desc'])(
  'has all records of a table that has grown since the last list, order %p',
  async (order) => {
    const { db } = service.database;
    const grow = (count: number): Promise<object[]> =>
      db.query(sql`INSERT INTO slas (name) SELECT 'S' || random() FROM generate_series(1, ${raw(count)})`);
    const distinct = async (query = ''): Promise<number> => {
      const { body } = await editor.get(`/api/slas?${order}${query}`);
      expect(body.total).toBe(size);
      return new Set(body.data.map(({ id }: { id: string }) => id)).size;
    };
    await db.query(sql`TRUNCATE slas CASCADE`);
    let size = 0;
    expect(await distinct()).toBe(0);
    for (const count of [490, 61, 1500]) {
      await grow(count);
      size += count;
      expect(await distinct()).toBe(size);
    }
    await db.query(sql`TRUNCATE slas CASCADE`);
    size = 0;
    expect(await distinct()).toBe(0);
    await grow((size = 2000));
    expect(await distinct('&pageSize=1000')).toBe(1000);
    expect(await distinct('&pageSize=1000&page=2')).toBe(1000);
  },
);

it('compares decimals, dates and integers by value', async () => {
  for (const [name, cost, startDate] of [
    ['a', '9.5', '2026-01-01'],
    ['b', '10', '2026-02-01'],
    ['c', '100.25', null],
  ]) {
    await editor.make('/api/contracts', { name, cost, startDate });
  }
  const path = '/api/contracts';
  expect(await names('sort=cost', path)).toEqual(['a', 'b', 'c']);
  expect(await names('cost__gt=9.5', path)).toEqual(['b', 'c']);
  expect(await names('cost__lte=10', path)).toEqual(['a', 'b']);
  expect(await names('cost=10.0', path)).toEqual(['b']);
  expect(await names('startDate__gte=2026-01-15', path)).toEqual(['b']);
  expect(await names('sort=startDate&order=desc', path)).toEqual(['c', 'b', 'a']);
  for (const [name, units] of [
    ['r1', 9],
    ['r2', 42],
  ])
    await editor.make('/api/racks', { name, units });
  expect(await names('units__lt=10', '/api/racks')).toEqual(['r1']);
});

it('filters lists by their elements', async () => {
  for (const [name, automationApis] of [
    ['p1', ['NETCONF', 'gNMI']],
    ['p2', ['SNMP']],
    ['p3', []],
  ]) {
    await editor.make('/api/platforms', { name, automationApis });
  }
  const path = '/api/platforms';
  expect(await names('automationApis=gNMI', path)).toEqual(['p1']);
  expect(await names('automationApis=gNMI&automationApis=SNMP', path)).toEqual(['p1', 'p2']);
  expect(await names('automationApis__n=SNMP', path)).toEqual(['p1', 'p3']);
  expect(await names('automationApis__empty=true', path)).toEqual(['p3']);
  expect((await editor.get(`${path}?automationApis=FAX`)).status).toBe(400);
});

describe('the plan of a page near the start of its list', () => {
  // With few rows, all plans have the same cost.
  beforeAll(async () => {
    const { db } = service.database;
    await db.query(sql`INSERT INTO sites (name) SELECT 'Site ' || i FROM generate_series(1, 5000) i`);
    await db.query(sql`ANALYZE sites`);
  });

  const plans = async (): Promise<{ generic: number; custom: number }> => {
    const [sum] = await service.database.db.query<{ generic: number; custom: number }>(
      sql`SELECT sum(generic_plans)::int AS generic, sum(custom_plans)::int AS custom FROM pg_prepared_statements
       WHERE statement LIKE '%FROM sites t%' AND statement LIKE '% OFFSET %' AND statement NOT LIKE '%pg_prepared_statements%'`,
    );
    return sum!;
  };

  // PostgreSQL plans five times with the given values before it chooses a generic plan.
  itDirectly.each(['', 'sort=name', 'status=active', 'order=desc&status=active'])(
    'is kept by PostgreSQL: %s',
    async (query) => {
      for (let page = 2; page < 8; page++) await names(`${query}&page=${page}&pageSize=1`, '/api/sites');
      const before = await plans();
      for (let page = 2; page < 6; page++) await names(`${query}&page=${page}&pageSize=${page}`, '/api/sites');
      expect(await plans()).toEqual({ generic: before.generic + 4, custom: before.custom });
    },
  );
});

describe('what is searched for', () => {
  const repeated = (count: number, name: string): string =>
    Array.from({ length: count }, (_, n) => `${name}=v${n}`).join('&');

  it.each<[string, string, RegExp]>([
    ['search', `search=${'x'.repeat(256)}`, /^search must have at most 255 characters$/],
    ['search', `search=${Array(17).fill('a').join('+')}`, /^search must have at most 16 words$/],
    ['name__ic', `name__ic=${'x'.repeat(256)}`, /^name__ic must have at most 255 characters$/],
    ['name__ic', repeated(17, 'name__ic'), /^name__ic must be given at most 16 times$/],
  ])('has limits: %s', async (field, query, message) => {
    const { status, body } = await editor.get(`/api/known-issues?${query}`);
    expect([status, body.details[0].field, body.error]).toEqual([400, field, expect.stringMatching(message)]);
  });

  it.each([
    `search=${'%25'.repeat(255)}`,
    `search=${Array(16).fill('a').join('+')}`,
    repeated(16, 'name__ic'),
    repeated(300, 'name'),
    repeated(300, 'name__n'),
  ])('may be as long as that: %s', async (query) => {
    expect((await editor.get(`/api/known-issues?${query}`)).status).toBe(200);
  });
});

it('finds the maintenance windows that are open during an interval', async () => {
  const windows: Record<string, object> = {
    before: { startTime: '2031-03-01T08:00:00Z', endTime: '2031-03-02T00:00:00Z' },
    into: { startTime: '2031-03-01T08:00:00Z', endTime: '2031-03-02T00:00:01Z' },
    within: { startTime: '2031-03-02T08:00:00Z', endTime: '2031-03-02T09:00:00Z' },
    after: { startTime: '2031-03-03T00:00:00Z', endTime: '2031-03-03T01:00:00Z' },
    'no start': { endTime: '2031-03-02T01:00:00Z' },
    'no end': { startTime: '2031-03-02T23:00:00Z' },
  };
  for (const [name, times] of Object.entries(windows))
    await editor.make('/api/maintenance-windows', { name, impact: 'During', ...times });
  const during = (interval: string) =>
    editor.get(`/api/maintenance-windows?impact=During&during=${encodeURIComponent(interval)}`);
  const { data } = (await during('2031-03-02T00:00:00Z/2031-03-03')).body;
  expect(data.map(({ name }: { name: string }) => name).toSorted()).toEqual(['into', 'no end', 'no start', 'within']);
  for (const wrong of ['2031-03-02', '2031-03-02/', '2031-03-03/2031-03-02', '2031-03-02/2031-03-02', '[a,b)/c']) {
    const refused = await during(wrong);
    expect([wrong, refused.status, refused.body.details[0].field]).toEqual([wrong, 400, 'during']);
  }
});
