import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Api, startServiceOn, type Answer, type TestService } from '../support/app.js';
import { connectTo, createTestDatabase, onServer, type TestDatabase } from '../support/database.js';
import type { Json } from '../support/document.js';
import { startProxied, type ProxiedService } from '../support/proxied-service.js';
import { sql } from '../../src/database/sql.js';

/* Merges of change sets that are killed, disconnected, and run concurrently by two replicas. Two services cannot share an embedded database. */

const describeOnServer = onServer ? describe : describe.skip;
if (!onServer) console.warn('Races of change sets: skipped, as they need a server (TEST_DATABASE_URL)');

const OPERATIONS = Number(process.env.MERGED_OPERATIONS ?? 10_000);
const ROUNDS = 20;
const SECRET_KEY = 'a key that only the tests use, 32+';

jest.setTimeout(900_000);

describeOnServer('a merge', () => {
  let database: TestDatabase;
  let services: TestService[];
  let cut: ProxiedService;
  let api: Api;
  /** The same administrator on the second replica. */
  let other: Api;
  const children = new Set<ChildProcess>();
  /** The log of the last process. */
  let output = '';

  beforeAll(async () => {
    database = await createTestDatabase();
    services = [
      await startServiceOn(await connectTo(database.url!)),
      await startServiceOn(await connectTo(database.url!)),
    ];
    cut = await startProxied(database);
    api = await services[0]!.as('admin');
    other = new Api(services[1]!.url, api.cookie);
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    for (const service of services ?? []) await service.stop();
    await cut?.stop();
    await database?.drop();
  });

  const openSet = async (more: Json = {}): Promise<string> =>
    (await api.make('/api/change-sets', { name: 'Plan', ...more })).id;
  const merge = (set: string, by = api): Promise<Answer> => by.post(`/api/change-sets/${set}/merge`);
  const statusOf = async (set: string): Promise<string> => (await api.get(`/api/change-sets/${set}`)).body.data.status;

  async function bulk(path: string, operations: readonly object[], query = ''): Promise<string[]> {
    const ids: string[] = [];
    for (let at = 0; at < operations.length; at += 1000) {
      const answer = await api.post(`${path}/bulk${query}`, { operations: operations.slice(at, at + 1000) });
      if (answer.status >= 300) throw new Error(answer.text.slice(0, 500));
      ids.push(...(answer.body.data.results ?? []).map(({ id }: Json) => id));
    }
    return ids;
  }
  const create = (data: object): object => ({ op: 'create', data });
  const makeSites = (names: readonly string[]): Promise<string[]> =>
    bulk(
      '/api/sites',
      names.map((name) => create({ name })),
    );
  const count = async (table: 'racks' | 'sites', condition: string): Promise<number> => {
    const rows = await database.db.query<{ count: number }>(
      sql([`SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`]),
    );
    return rows[0]!.count;
  };

  /** A service in a separate process. */
  async function startProcess(): Promise<{ child: ChildProcess; url: string }> {
    const child = spawn(process.execPath, ['scripts/source.cjs', 'src/main.ts'], {
      cwd: join(__dirname, '../..'),
      env: {
        ...{ PATH: process.env.PATH, DATABASE_URL: database.url, SECRET_KEY, HOST: '127.0.0.1', PORT: '0' },
        ...{ ADMIN_EMAIL: 'first@example.com', ADMIN_PASSWORD: 'a password of the tests' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    for (;;) {
      const url = /listening on (http:\S+)/.exec(output)?.[1];
      if (url) return { child, url };
      if (child.exitCode !== null) throw new Error(`The service did not start:\n${output}`);
      await sleep(50);
    }
  }

  it('whose process or connection ends in the middle leaves nothing, and can be repeated', async () => {
    // Some operation of the set refers to each of the gates. A lock of a gate makes the merge wait there.
    const gates = await makeSites(Array.from({ length: ROUNDS }, (_, index) => `Gate ${index}`));
    const changed = await bulk(
      '/api/racks',
      Array.from({ length: OPERATIONS / 2 }, (_, index) => create({ name: `Rack ${index}`, units: 42 })),
    );
    const set = await openSet();
    const spacing = Math.floor(OPERATIONS / 2 / ROUNDS);
    const operations = changed.flatMap((id, index) => [
      { op: 'update', id, data: { status: 'merged' } },
      create({
        name: `New ${index}`,
        status: 'merged',
        siteId: index % spacing === 7 ? gates[Math.min(ROUNDS - 1, Math.floor(index / spacing))] : null,
      }),
    ]);
    await bulk('/api/racks', operations, `?changeSet=${set}`);
    expect((await api.get(`/api/change-sets/${set}`)).body.data.operationCount).toBe(OPERATIONS);
    const logged = async (): Promise<number> => {
      const rows = await database.db.query<{ count: number }>(
        sql`SELECT count(*)::int AS count FROM change_log WHERE change_set_id = ${set}`,
      );
      return rows[0]!.count;
    };
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const waiting = async (answer: Promise<unknown>): Promise<number> => {
      let early: unknown;
      void answer.then((what) => (early = what));
      for (;;) {
        if (early !== undefined)
          throw new Error(`The merge did not wait: ${JSON.stringify(early)}\n${output.slice(-4000)}`);
        // The locking client cannot see this: its transaction keeps its snapshot of the sessions.
        const [found] = await database.db.query<{ port: number }>(
          sql`SELECT client_port AS port FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        if (found) return found.port;
        await sleep(20);
      }
    };
    try {
      for (const [round, gate] of gates.entries()) {
        await client.query('BEGIN');
        await client.query('SELECT 1 FROM sites WHERE id = $1 FOR UPDATE', [gate]);
        if (round % 2 === 0) {
          const { child, url } = await startProcess();
          const refused = merge(set, new Api(url, api.cookie)).catch(() => null);
          await waiting(refused);
          const exited = once(child, 'exit');
          child.kill('SIGKILL');
          await exited;
          expect(await refused).toBeNull();
        } else {
          const refused = merge(set, new Api(cut.url, api.cookie));
          cut.proxy.break(await waiting(refused), round % 4 === 1 ? 'cut' : 'reset');
          expect((await refused).status).toBe(503);
        }
        await client.query('ROLLBACK');
        expect([await statusOf(set), await count('racks', "status = 'merged'"), await logged()]).toEqual([
          'open',
          0,
          0,
        ]);
      }
    } finally {
      await client.end();
    }
    const [before] = await database.db.query<{ now: Date }>(sql`SELECT clock_timestamp() AS now`);
    expect((await merge(set)).status).toBe(200);
    // Each record and the set itself have an entry that names the set.
    expect([await count('racks', "status = 'merged'"), await logged()]).toEqual([OPERATIONS, OPERATIONS + 1]);
    const path = `/api/racks/${changed[0]}`;
    expect((await api.get(`${path}?asOf=${before!.now.toISOString()}`)).body.data.status).toBe('active');
    expect((await api.get(`${path}?asOf=${new Date().toISOString()}`)).body.data.status).toBe('merged');
    const [{ id: made }] = (await api.get('/api/racks?name=New%200')).body.data;
    expect((await api.get(`/api/racks/${made}?asOf=${before!.now.toISOString()}`)).status).toBe(404);
  });

  it('that loses its connection at any moment is done whole or not at all', async () => {
    const through = new Api(cut.url, api.cookie);
    let merged = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const set = await openSet();
      const names = Array.from({ length: 200 }, (_, index) => create({ name: `Cut ${round} ${index}` }));
      await bulk('/api/sites', names, `?changeSet=${set}`);
      const trips = cut.proxy.roundTrips;
      const answer = merge(set, through);
      // A merge has about sixteen statements. The connection breaks after some of them.
      while (cut.proxy.roundTrips < trips + round) {
        if (await Promise.race([answer.then(() => true), sleep(1, false)])) break;
      }
      cut.proxy.breakAll('reset');
      const { status } = await answer;
      expect([200, 503]).toContain(status);
      const isMerged = (await statusOf(set)) === 'merged';
      if (status === 200) expect(isMerged).toBe(true);
      if (isMerged) merged++;
      expect(await count('sites', `name LIKE 'Cut ${round} %'`)).toBe(isMerged ? 200 : 0);
      // The proxy opens new connections for the next merge.
      while ((await through.get('/api/sites?pageSize=1')).status !== 200) await sleep(20);
    }
    expect(merged).toBeLessThan(ROUNDS);
  });

  it('happens once, when two replicas merge one set at once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const set = await openSet();
      await bulk(
        '/api/sites',
        Array.from({ length: 20 }, (_, index) => create({ name: `Once ${round} ${index}` })),
        `?changeSet=${set}`,
      );
      const answers = await Promise.all([merge(set), merge(set, other), merge(set), merge(set, other)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
      expect(await count('sites', `name LIKE 'Once ${round} %'`)).toBe(20);
    }
  });

  it('of two sets that overlap happens for one of them, and the other one is told why', async () => {
    const sites = await makeSites(Array.from({ length: 30 }, (_, index) => `Contested ${index}`));
    const racks = await bulk(
      '/api/racks',
      Array.from({ length: 30 }, (_, index) => create({ name: `Contested ${index}`, units: 42 })),
    );
    for (let round = 0; round < ROUNDS; round++) {
      // The two sets have their records and resources in opposite orders.
      const values = ['a', 'b'].map((name) => `${name} ${round}`);
      const sets = [await openSet(), await openSet()];
      const update = (ids: readonly string[], field: string, value: string): object[] =>
        ids.map((id) => ({ op: 'update', id, data: { [field]: value } }));
      await bulk('/api/sites', update(sites, 'description', values[0]!), `?changeSet=${sets[0]}`);
      await bulk('/api/racks', update(racks, 'status', values[0]!), `?changeSet=${sets[0]}`);
      await bulk('/api/racks', update(racks.toReversed(), 'status', values[1]!), `?changeSet=${sets[1]}`);
      await bulk('/api/sites', update(sites.toReversed(), 'description', values[1]!), `?changeSet=${sets[1]}`);
      const answers = await Promise.all([merge(sets[0]!), merge(sets[1]!, other)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const winner = answers.findIndex(({ status }) => status === 200);
      const { conflicts } = answers[1 - winner]!.body;
      expect(conflicts).toHaveLength(60);
      expect(conflicts[0]).toMatchObject({ kind: 'changed', current: values[winner], proposed: values[1 - winner] });
      expect([
        await count('sites', `description = '${values[winner]}'`),
        await count('racks', `status = '${values[winner]}'`),
      ]).toEqual([30, 30]);
    }
  });

  it('while operations are added holds those that were answered with 202, and the others are refused', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const set = await openSet();
      await api.post(`/api/sites?changeSet=${set}`, { name: `Added ${round} first` });
      const adding = Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? api : other).post(`/api/sites?changeSet=${set}`, { name: `Added ${round} ${index}` }),
      );
      await adding[round % 6];
      const merged = await merge(set);
      expect(merged.status).toBe(200);
      const statuses = (await Promise.all(adding)).map(({ status }) => status);
      expect(statuses.filter((status) => status !== 202 && status !== 409)).toEqual([]);
      const added = 1 + statuses.filter((status) => status === 202).length;
      expect([
        await count('sites', `name LIKE 'Added ${round} %'`),
        (await api.get(`/api/change-sets/${set}`)).body.data.operationCount,
      ]).toEqual([added, added]);
    }
  });

  it('and previews of it at once answer with what was there before, or that it is merged', async () => {
    const set = await openSet();
    await bulk(
      '/api/sites',
      Array.from({ length: 100 }, (_, index) => create({ name: `Seen ${index}` })),
      `?changeSet=${set}`,
    );
    const previews = Array.from({ length: 6 }, (_, index) =>
      (index % 2 === 0 ? api : other).post(`/api/change-sets/${set}/preview`),
    );
    const merged = await merge(set);
    expect(merged.status).toBe(200);
    for (const { status, body } of await Promise.all(previews)) {
      expect([200, 409]).toContain(status);
      if (status === 200) expect([body.data.operations.length, body.data.conflicts]).toEqual([100, []]);
    }
  });

  it('is previewed within ten seconds, or not at all', async () => {
    const [held] = await makeSites(['Held']);
    const set = await openSet();
    await api.post(`/api/sites?changeSet=${set}`, { name: 'Not held' });
    await api.post(`/api/racks?changeSet=${set}`, { name: 'Waits', siteId: held });
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM sites WHERE id = $1 FOR UPDATE', [held]);
      // The services of the tests wait much longer for locks.
      const late = await api.post(`/api/change-sets/${set}/preview`);
      expect([late.status, late.body.error]).toEqual([503, expect.stringContaining('longer than 10 seconds')]);
    } finally {
      await client.end();
    }
    expect((await api.post(`/api/change-sets/${set}/preview`)).body.data.conflicts).toEqual([]);
  });
});
