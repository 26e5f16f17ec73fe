import { loadCatalogue } from '../../src/app/startup/load-catalogue.js';
import { makeFirstAdministrator } from '../../src/app/startup/first-administrator.js';
import { fillDemo } from '../../src/cli/demo/fill.js';
import { raw, sql } from '../../src/database/sql.js';
import { publishedDocument } from '../../src/openapi/document/published.js';
import { Random } from '../hostile/random.js';
import { Api, startService, type TestService } from '../support/app.js';
import { callTool, standsFor, TOOLS } from '../support/mcp.js';

/** `MCP_CALLS=10000` takes about four minutes on two idle cores. */
const CALLS_WITHOUT_WRITE = Number(process.env.MCP_CALLS ?? 1_000);
const CALLS = CALLS_WITHOUT_WRITE / 5;
const MINUTES = 60_000;

const QUESTIONS = [
  'impact',
  'call',
  'card',
  'conflicts',
  'responsible',
  'coverage',
  'references',
  'transitions',
  'elevation',
  'power',
  'available-units',
  'available-ips',
  'trace',
  'utilisation',
  'exposure',
  'on-call',
  'on-call/gaps',
  'expirations',
  'labels.svg',
  'nothing',
];

let service: TestService;
let admin: Api;
let resources: string[];
/** Some ids of each resource. */
const ids = new Map<string, string[]>();

beforeAll(async () => {
  service = await startService();
  const { db } = service.database;
  await makeFirstAdministrator(db, { adminEmail: 'admin@example.com', adminPassword: 'not guessed 1' });
  await loadCatalogue(db);
  await fillDemo(service.app, db, new Date());
  admin = await service.as('admin');
  await admin.make('/api/change-sets', { name: 'By a model' });
  resources = Object.keys(publishedDocument().paths)
    .map((path) => /^\/api\/([a-z-]+)\/\{id\}$/.exec(path)?.[1])
    .filter((name): name is string => name !== undefined && !['profiles', 'tokens'].includes(name));
  for (const resource of resources) {
    const { data } = (await admin.get(`/api/${resource}?pageSize=5`)).body as { data: { id: string }[] };
    ids.set(
      resource,
      data.map(({ id }) => id),
    );
  }
}, 5 * MINUTES);
afterAll(() => service.stop());

const WORDS = ['AMS', 'core', '10.', 'a', '', 'active', '2026-11-01', 'null', '%', "';--", 'true', '-1', '10.0.0.0/8'];

/** Some responses contain the time at which they were computed. */
const withoutNow = (text: string): string => text.replaceAll(/"at" ?: ?"[^"]*"/g, '"at":"now"');

/** A valid or invalid call, as a model could make it. */
function anyCall(random: Random, tools: readonly string[]): [string, object] {
  const resource = random.chance(0.9) ? random.one(resources) : random.one(['sties', '', '..', 'api/sites', 'changes']);
  const known = ids.get(resource) ?? [];
  const id = known.length > 0 && random.chance(0.8) ? random.one(known) : random.one([crypto.randomUUID(), 'x', '']);
  const filter = random.one([
    'name',
    'name__ic',
    'status',
    'status__n',
    'createdAt__gte',
    'site.name',
    'siteId',
    'nmae',
  ]);
  const query = {
    ...(random.chance(0.4) && { [filter]: random.one(WORDS) }),
    ...(random.chance(0.2) && { sort: random.one(['name', 'createdAt', 'site.name', 'none']) }),
    ...(random.chance(0.2) && { order: random.one(['asc', 'desc', 'up']) }),
    ...(random.chance(0.2) && { expand: random.one(['site', 'rack', 'manufacturer', 'none']) }),
  };
  const page = { ...(random.chance(0.5) && { pageSize: 1 + random.int(100) }) };
  const name = random.one(tools);
  const op = random.one(['create', 'update', 'delete']);
  const args: Record<string, object> = {
    list_records: { resource, query, ...page },
    read_record: { resource, id, query: random.chance(0.8) ? {} : query },
    find_anything: { text: random.one(WORDS), ...page },
    history: random.chance(0.7) ? { resource, id, ...page } : { query: random.chance(0.5) ? {} : query, ...page },
    answer: random.chance(0.8)
      ? { question: random.one(QUESTIONS), resource, id, ...page }
      : { question: random.one(QUESTIONS), query, ...page },
    describe_resource: { resource },
    find_operations: { words: random.one(WORDS) },
    propose: {
      changeSetId: random.one([...(ids.get('change-sets') ?? []), id]),
      operations: [{ op, resource, ...(op !== 'create' && { recordId: id }), data: { name: random.one(WORDS) } }],
    },
  };
  return [name, args[name]!];
}

/** The number of rows and of changes of each table, without the last use of credentials. */
async function contents(): Promise<unknown> {
  const { db } = service.database;
  const tables = await db.query<{ name: string }>(
    sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`,
  );
  const digests: unknown[] = [];
  for (const { name } of tables) {
    if (['sessions', 'tokens'].includes(name)) continue;
    const [row] = await db.query<{ digest: string }>(
      sql`SELECT count(*) || ':' || coalesce(sum(hashtext(t::text)), 0) AS digest FROM ${raw(`"${name}"`)} t`,
    );
    digests.push([name, row!.digest]);
  }
  return digests;
}

it(
  `the answers of ${CALLS} random calls equal those of the requests that they stand for`,
  async () => {
    const random = new Random(64);
    const tools = ['list_records', 'read_record', 'find_anything', 'history', 'answer'];
    const outcomes = new Map<string, number>();
    for (let at = 0; at < CALLS; at++) {
      const [name, args] = anyCall(random, tools);
      const answer = await callTool(admin, name, args);
      const { about } = answer;
      const outcome = `${name} ${about?.status ?? 'refused'}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (!about) continue;
      const { status, text } = await standsFor(admin, answer);
      const isCut = about.characters !== undefined;
      const expected = isCut ? text.slice(0, answer.text.length) : text;
      const said = [about.status, answer.isError, withoutNow(answer.text)];
      expect([args, ...said]).toEqual([args, status, status >= 400, withoutNow(expected)]);
      if (isCut) expect([about.characters, answer.text.length]).toEqual([text.length, 40_000]);
    }
    // Calls of all tools succeed. Most pairs of a question and a resource have no answer.
    expect(tools.filter((name) => (outcomes.get(`${name} 200`) ?? 0) < CALLS / 50)).toEqual([]);
    expect([...outcomes.keys()].some((outcome) => outcome.endsWith(' 400'))).toBe(true);
    expect([...outcomes.keys()].some((outcome) => outcome.endsWith(' 404'))).toBe(true);
  },
  10 * MINUTES,
);

it(
  `${CALLS_WITHOUT_WRITE} random calls of a token without write change nothing`,
  async () => {
    const { token } = await admin.make('/api/tokens', { name: 'model', readOnly: true });
    const model = new Api(service.url, undefined, token);
    const before = await contents();
    const random = new Random(65);
    let refused = 0;
    for (let at = 0; at < CALLS_WITHOUT_WRITE; at += 10) {
      const calls = Array.from({ length: 10 }, () => anyCall(random, TOOLS));
      const answers = await Promise.all(calls.map(([name, args]) => callTool(model, name, args)));
      const proposed = answers.filter((_, index) => calls[index]![0] === 'propose');
      expect(proposed.filter(({ isError }) => !isError)).toEqual([]);
      refused += proposed.length;
    }
    expect(refused).toBeGreaterThan(CALLS_WITHOUT_WRITE / 16);
    expect(await contents()).toEqual(before);
  },
  20 * MINUTES,
);

it(
  'with write, random calls change the operations of change sets, and nothing else',
  async () => {
    const changed = ['change_set_operations', 'change_sets', 'idempotency_keys', 'record_counts'];
    const rest = async (): Promise<unknown> =>
      ((await contents()) as [string, string][]).filter(([name]) => !changed.includes(name));
    const before = await rest();
    const random = new Random(66);
    let proposed = 0;
    for (let at = 0; at < 500; at++) {
      const [name, args] = anyCall(random, [...TOOLS, 'propose', 'propose']);
      const { isError } = await callTool(admin, name, args);
      if (name === 'propose' && !isError) proposed++;
    }
    expect(proposed).toBeGreaterThan(10);
    expect(await rest()).toEqual(before);
  },
  10 * MINUTES,
);
