import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { document, isStream, pathLike, resolveRef } from '../support/document.js';
import { openDatabase } from '../../src/schema/open-database.js';
import { Maker } from '../resources/make.js';
import { rows } from '../resources/rows.js';
import { Api, startServiceOn, type TestService } from '../support/app.js';
import { administer, connectTo, onPooler, onServer, serverConfiguration, urlOf } from '../support/database.js';

if (!onServer) console.warn('Settings of a database: skipped, as they need a server (TEST_DATABASE_URL)');

const prefix = `${process.env.TEST_DATABASE_TEMPLATE}_settings_${randomBytes(3).toString('hex')}`;
const filled = `${prefix}_filled`;
// Labels show it.
const ENVIRONMENT = { PUBLIC_URL: 'https://inventory.example.com' };

/** Settings that an operator may give a database, each group in one that is otherwise the same. */
const GROUPS: Record<string, Record<string, string>> = {
  'German dates': { datestyle: `'German, DMY'` },
  'SQL dates': { datestyle: `'SQL, MDY'` },
  'rounded floats': { extra_float_digits: '-15' },
  'another zone': { timezone: `'America/Sao_Paulo'`, intervalstyle: `'sql_standard'` },
  'other texts': { bytea_output: `'escape'`, xmloption: `'document'`, xmlbinary: `'hex'`, quote_all_identifiers: 'on' },
  'the locale': { lc_monetary: `'C'`, lc_numeric: `'C.UTF-8'`, lc_time: `'C.UTF-8'`, client_encoding: `'LATIN1'` },
  'old syntax': { standard_conforming_strings: 'off', transform_null_equals: 'on', array_nulls: 'off' },
  transactions: { default_transaction_isolation: `'serializable'`, default_transaction_deferrable: 'on' },
  'other rows': { row_security: 'off', gin_fuzzy_search_limit: '1' },
  'planner methods': Object.fromEntries(
    ['seqscan', 'indexscan', 'indexonlyscan', 'bitmapscan', 'nestloop', 'hashjoin', 'mergejoin', 'sort', 'hashagg'].map(
      (method) => [`enable_${method}`, 'off'],
    ),
  ),
  'other plans': {
    plan_cache_mode: `'force_generic_plan'`,
    from_collapse_limit: '1',
    join_collapse_limit: '1',
    geqo_threshold: '2',
    cursor_tuple_fraction: '0.000001',
    constraint_exclusion: 'on',
    jit_above_cost: '0',
  },
  timeouts: {
    statement_timeout: '1',
    lock_timeout: '1',
    idle_in_transaction_session_timeout: '1',
    idle_session_timeout: `'500ms'`,
  },
};

const SILENT = { error: () => {}, info: () => {} };

interface Answered {
  request: string;
  status: number;
  text: string;
}

/** Path of a record of each collection, by the path of the collection in the document. */
type Paths = Map<string, string>;

async function fill(admin: Api): Promise<Paths> {
  const maker = new Maker(admin, 'setting');
  const paths: Paths = new Map();
  for (const row of rows) {
    const collection = await maker.collection(row);
    const body = await maker.values({ ...row.optional, ...(await maker.required(row)) });
    const { id } = await admin.make(collection, body);
    paths.set(pathLike(row.path), `${collection}/${id}`);
  }
  const exact = { name: 'Москва "quoted" \\ back\\n', latitude: 52.123456789012344, longitude: -0.1 - 0.2 };
  const site = await admin.make('/api/sites', exact);
  await admin.patch(`/api/sites/${site.id}`, { latitude: 5.05, timeZone: 'Europe/Paris' });
  await admin.patch(`/api/sites/${site.id}`, { latitude: 52.123456789012344 });
  paths.set('/api/sites', `/api/sites/${site.id}`);
  return paths;
}

interface Parameter {
  name: string;
  required?: boolean;
  schema: { enum?: string[] };
}

/** Values of parameters that are no text. */
const TIMES: Readonly<Record<string, string>> = { from: '2030-01-02T09:00:00Z', to: '2030-01-02T17:00:00Z' };

/** The value of a parameter that a request needs. @param record path of a record of the collection */
const needed = ({ name }: Parameter, group: string, record?: string): string =>
  name === 'id' ? record!.split('/').pop()! : name === 'groupBy' ? group : (TIMES[name] ?? 'setting');

/** Every request that reads, with a record of its own where the path needs one, and its variants. */
function readsOf(paths: Paths): string[] {
  const asOf = new Date().toISOString();
  const reads: string[] = [];
  for (const [path, { get }] of Object.entries<{ get?: { parameters?: Parameter[] } }>(document.paths)) {
    if (!get || !path.startsWith('/api/') || path.startsWith('/api/auth/') || isStream(path)) continue;
    const collection = [...paths.keys()]
      .filter((known) => path.startsWith(`${known}/{`))
      .toSorted()
      .pop();
    const rest = collection === undefined ? path : path.slice(collection.length).replace(/^\/\{\w+\}/, '');
    if (rest.includes('{')) continue;
    const parameters = (get.parameters ?? []).map((parameter) => resolveRef(parameter) as Parameter);
    const names = new Set(parameters.map(({ name }) => name));
    const group = path.startsWith('/api/exposure') ? 'lastCoveredOn:month' : 'createdAt:month';
    const base = new URLSearchParams(
      parameters
        .filter(({ required, name }) => required && !path.includes(`{${name}}`))
        .map((parameter) => [
          parameter.name,
          needed(parameter, group, paths.get(path.slice(0, path.lastIndexOf('/')))),
        ]),
    ).toString();
    const formats = parameters.find(({ name }) => name === 'format')?.schema.enum;
    // Exposure is computed, and its entries have no time.
    const isList = names.has('sort') && !path.startsWith('/api/exposure');
    const variants = [
      '',
      names.has('asOf') && `asOf=${asOf}`,
      isList && `sort=createdAt&order=desc${names.has('search') ? '&search=setting' : ''}`,
      isList && names.has('createdAt__gte') && 'createdAt__gte=2026-01-02T03:04:05Z',
      formats?.includes('csv') && 'format=csv',
      isList && formats?.includes('ndjson') && 'format=ndjson',
    ];
    for (const variant of variants) {
      const query = [base, variant].filter(Boolean).join('&');
      if (typeof variant === 'string')
        reads.push(`${collection === undefined ? path : paths.get(collection)! + rest}?${query}`);
    }
  }
  return reads;
}

/** Without what differs between two requests at any database: the time, and the id of a record that was made. */
const comparable = (text: string): string =>
  text
    .replaceAll(/"(generatedAt|asOf|lastUsedAt|at|from|to|until)" ?: ?"[^"]*"/g, '"$1":"…"')
    .replaceAll(/ \(as of [^)]*\)/g, '');

async function read(api: Api, requests: string[]): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (let at = 0; at < requests.length; at += 8) {
    const some = requests.slice(at, at + 8).map(async (request) => {
      const { status, text } = await api.get(request);
      return { request, status, text: comparable(text) };
    });
    answers.push(...(await Promise.all(some)));
  }
  return answers;
}

/** What writing answers, and what is in the change log afterwards. */
async function write(api: Api): Promise<unknown[]> {
  const site = await api.make('/api/sites', { name: 'Ünïcode \\ written', latitude: 52.123456789012344 });
  const patched = await api.patch(`/api/sites/${site.id}`, { longitude: 13.123456789012344, description: null });
  const { body } = await api.get(`/api/sites/${site.id}/changes`);
  const asset = await api.make('/api/assets', { name: 'Written', purchasedAt: '2026-03-04', purchasePrice: '1.50' });
  const exported = (await api.get('/api/sites?format=csv&raw=true')).text;
  const again = await api.post('/api/sites/import?mode=upsert&key=id&raw=true&empty=clear', exported, {
    'Content-Type': 'text/csv',
  });
  const deleted = await api.delete(`/api/sites/${site.id}`);
  const { createdAt, updatedAt, ...rest } = patched.body.data;
  delete rest.id;
  const times = [
    createdAt,
    updatedAt,
    asset.createdAt,
    ...body.data.map((entry: Answered & { createdAt: string }) => entry.createdAt),
  ];
  return [
    rest,
    asset.purchasedAt,
    body.data.map((entry: { action: string; changes: unknown }) => [entry.action, Object.keys(entry.changes ?? {})]),
    again.status,
    { ...again.body.data, rows: undefined },
    deleted.status,
    times.every((time) => Math.abs(Date.parse(time) - Date.now()) < 60_000),
  ];
}

async function withSettings<T>(
  settings: Record<string, string>,
  work: (service: TestService) => Promise<T>,
): Promise<T> {
  const name = `${prefix}_${randomBytes(4).toString('hex')}`;
  await administer(
    `CREATE DATABASE ${name} TEMPLATE ${filled}`,
    ...Object.entries(settings).map(([setting, value]) => `ALTER DATABASE ${name} SET ${setting} = ${value}`),
  );
  const service = await startServiceOn(await connectTo(urlOf(name)), ENVIRONMENT);
  try {
    return await work(service);
  } finally {
    await service.stop();
    await administer(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}

// Behind a pooler the timeouts of a database are those of its operator (docs/operations.md).
const groups = Object.keys(GROUPS).filter((name) => !(onPooler && name === 'timeouts'));

(onServer ? describe : describe.skip)('the settings of a database', () => {
  let cookie: string;
  let requests: string[];
  let plain: { read: Answered[]; written: unknown[] };
  const answersOf = (settings: Record<string, string>) =>
    withSettings(settings, async ({ url }) => {
      const api = new Api(url, cookie);
      return { read: await read(api, requests), written: await write(api) };
    });

  beforeAll(async () => {
    await administer(`CREATE DATABASE ${filled} TEMPLATE ${process.env.TEST_DATABASE_TEMPLATE}`);
    const service = await startServiceOn(await connectTo(urlOf(filled)));
    const admin = await service.as('admin');
    cookie = admin.cookie!;
    requests = readsOf(await fill(admin));
    await service.stop();
    plain = await answersOf({});
  });
  afterAll(() => administer(`DROP DATABASE IF EXISTS ${filled} WITH (FORCE)`));

  it('are read as they should be by every request that reads', () => {
    // Prometheus is not told of fewer targets than it expects.
    const refused = plain.read.filter(({ status, text }) => status !== 200 && !text.includes('minTargets'));
    expect(refused).toEqual([]);
    expect(plain.read.length).toBeGreaterThan(300);
    expect(plain.written[4]).toMatchObject({ created: 0, updated: 0, failed: 0 });
    expect(plain.written[0]).toMatchObject({ latitude: 52.123456789012344, longitude: 13.123456789012344 });
  });

  it.each(groups)('change no answer: %s', async (group) => {
    const { read: found, written } = await answersOf(GROUPS[group]!);
    expect(found.filter(({ text }, index) => text !== plain.read[index]!.text)).toEqual([]);
    expect(written).toEqual(plain.written);
  });

  it.each([
    [`ALTER DATABASE $ SET session_replication_role = 'replica'`, 'session_replication_role is replica'],
    [`ALTER DATABASE $ SET default_transaction_read_only = on`, 'default_transaction_read_only is on'],
    [`ALTER DATABASE $ SET search_path = nowhere`, 'search_path is nowhere'],
    [`ALTER DATABASE $ SET search_path = ''`, 'search_path is ""'],
    [`ALTER DATABASE $ SET search_path = pg_catalog`, 'search_path is pg_catalog'],
    [`ALTER DATABASE $ SET search_path = other, public`, 'the tables of the service are in public'],
  ])('refuse the start by their name: %s', async (statement, sentence) => {
    const name = `${prefix}_${randomBytes(4).toString('hex')}`;
    await administer(`CREATE DATABASE ${name} TEMPLATE ${filled}`, statement.replace('$', name));
    const client = new Client({ connectionString: urlOf(name) });
    await client.connect();
    await client.query('SET default_transaction_read_only = off');
    await client.query('CREATE SCHEMA other');
    await client.end();
    try {
      await expect(openDatabase(serverConfiguration(urlOf(name)), SILENT)).rejects.toThrow(sentence);
    } finally {
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  it('refuse the start where search_path leads to tables of others', async () => {
    const name = `${prefix}_foreign`;
    await administer(`CREATE DATABASE ${name} TEMPLATE template0`);
    const client = new Client({ connectionString: urlOf(name) });
    await client.connect();
    await client.query('CREATE SCHEMA shop');
    await client.query('CREATE TABLE shop.sites (id int)');
    await client.query('CREATE TABLE shop.people (id int)');
    await client.query(`ALTER DATABASE ${name} SET search_path = shop`);
    // The probe for a pooler needs longer than a millisecond.
    await client.query(`ALTER DATABASE ${name} SET statement_timeout = 1`);
    await client.end();
    try {
      await expect(openDatabase(serverConfiguration(urlOf(name)), SILENT)).rejects.toThrow(
        'search_path is shop, which leads to the schema shop, and its tables people, sites are not those of the service',
      );
    } finally {
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  it.each(['LATIN1', 'SQL_ASCII'])('refuse the start in the encoding %s', async (encoding) => {
    const name = `${prefix}_${encoding.toLowerCase()}`;
    await administer(`CREATE DATABASE ${name} ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`);
    try {
      await expect(openDatabase(serverConfiguration(urlOf(name)), SILENT)).rejects.toThrow(
        `The encoding of the database is ${encoding}, and must be UTF8`,
      );
    } finally {
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  it('lets nothing be written without a change log once it runs', async () => {
    await withSettings({}, async ({ url, database }) => {
      const api = new Api(url, cookie);
      expect((await api.get('/api/sites')).status).toBe(200);
      await administer(
        `ALTER DATABASE ${new URL(database.url!).pathname.slice(1)} SET session_replication_role = replica`,
      );
      const ended = database.db.pool.totalCount;
      await administer(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${new URL(database.url!).pathname.slice(1)}'`,
      );
      expect(ended).toBeGreaterThan(0);
      const { status, headers } = await api.post('/api/sites', { name: 'Unlogged' });
      expect([status, headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    });
  });
});
