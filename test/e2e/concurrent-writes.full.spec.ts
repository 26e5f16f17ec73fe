import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { atOnce } from '../support/at-once.js';
import { itOnServer } from '../support/server.js';
import { raw, sql, type Sql } from '../../src/database/sql.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const MANY = 40;
const many = <T>(work: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: MANY }, (_, i) => work(i)));

const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);
const run = <R extends object = Record<string, unknown>>(statement: Sql): Promise<R[]> =>
  service.database.db.query<R>(statement);

interface Entry {
  action: string;
  actor: string;
  requestId: string | null;
  name: string | null;
}
const entriesOf = (id: string): Promise<Entry[]> =>
  run<Entry>(
    sql`SELECT action, actor, request_id AS "requestId", coalesce(new_values->>'name', new_values->>'notes') AS name
     FROM change_log WHERE record_id = ${id} ORDER BY id`,
  );
const requestOf = ({ headers }: Answer): string | null => headers.get('x-request-id');

describe('requests of one caller at the same moment', () => {
  it('create records, each with its own response, entry and request id', async () => {
    const before = (await admin.get('/api/runbooks?pageSize=1')).body.total;
    const answers = await atOnce(service, () => many((i) => admin.post('/api/runbooks', { name: `Together ${i}` })));
    for (const [i, answer] of answers.entries()) {
      expect(answer).toMatchObject({ status: 201, body: { data: { name: `Together ${i}` } } });
      const { id } = answer.body.data;
      expect(answer.headers.get('location')).toBe(`/api/runbooks/${id}`);
      const read = await admin.get(`/api/runbooks/${id}`);
      expect(read.text).toBe(answer.text);
      expect(read.headers.get('etag')).toBe(answer.headers.get('etag'));
      expect(await entriesOf(id)).toEqual([
        { action: 'create', actor: expect.any(String), requestId: requestOf(answer), name: `Together ${i}` },
      ]);
    }
    expect((await admin.get('/api/runbooks?pageSize=1')).body.total).toBe(before + MANY);
  });

  it('restore a record once', async () => {
    for (let round = 0; round < 3; round++) {
      const { id } = await admin.make('/api/sites', { name: `Restored ${round}` });
      await admin.delete(`/api/sites/${id}`);
      const answers = await atOnce(service, () =>
        Promise.all([1, 2, 3].map(() => admin.post(`/api/sites/${id}/restore`))),
      );
      expect(statuses(answers).toSorted()).toEqual([200, 409, 409]);
      const refused = answers.filter(({ status }) => status === 409);
      expect(refused.map(({ body }) => body.error)).toEqual(
        refused.map(() => 'id belongs to a site that is not deleted'),
      );
    }
  });

  it('get the defaults that a record of its own has', async () => {
    const alone = await admin.make('/api/known-issues', { name: 'Alone' });
    const answers = await many(() => admin.post('/api/known-issues', { name: 'Alone' }));
    const { id: _, createdAt: _c, updatedAt: _u, ...defaults } = alone;
    for (const { body } of answers) expect(body.data).toMatchObject(defaults);
  });

  it('change records, each with its own response, entry and request id', async () => {
    const records = await many((i) => admin.make('/api/runbooks', { name: `Changed ${i}` }));
    const answers = await atOnce(service, () =>
      many((i) => admin.patch(`/api/runbooks/${records[i].id}`, { name: `Changed again ${i}` })),
    );
    for (const [i, answer] of answers.entries()) {
      expect(answer).toMatchObject({ status: 200, body: { data: { id: records[i].id, name: `Changed again ${i}` } } });
      const entries = await entriesOf(records[i].id);
      expect(entries.at(-1)).toMatchObject({
        action: 'update',
        requestId: requestOf(answer),
        name: `Changed again ${i}`,
      });
    }
  });

  it('keep the number of records of each status', async () => {
    const records = await atOnce(service, () => many((i) => admin.make('/api/renewals', { name: `Counted ${i}` })));
    const path = (i: number): string => `/api/renewals/${records[i].id}`;
    const changes = await atOnce(service, () => many((i) => admin.patch(path(i), { status: 'renewed' })));
    expect(new Set(statuses(changes))).toEqual(new Set([200]));
    expect((await admin.get('/api/renewals?status=renewed')).body.total).toBe(MANY);
    await atOnce(service, () => many((i) => admin.delete(path(i))));
    expect((await admin.get('/api/renewals?status=renewed')).body.total).toBe(0);
  });

  it('change one record one after another', async () => {
    const { id } = await admin.make('/api/runbooks', { name: 'Before' });
    const answers = await many((i) => admin.patch(`/api/runbooks/${id}`, { name: `Change ${i}` }));
    expect(answers.map(({ body }) => body.data.name)).toEqual(answers.map((_, i) => `Change ${i}`));
    const entries = await entriesOf(id);
    expect(entries).toHaveLength(MANY + 1);
    expect(new Set(entries.map(({ requestId }) => requestId)).size).toBe(MANY + 1);
    for (const answer of answers) {
      const entry = entries.find(({ requestId }) => requestId === requestOf(answer));
      expect(entry!.name).toBe(answer.body.data.name);
    }
  });

  it('a change that makes no difference leaves no entry, among those that do', async () => {
    const records = await many(() => admin.make('/api/runbooks', { name: 'Same' }));
    const answers = await many((i) =>
      admin.patch(`/api/runbooks/${records[i].id}`, { name: i % 2 ? 'Same' : 'Other' }),
    );
    for (const [i, { body }] of answers.entries()) {
      expect(await entriesOf(records[i].id)).toHaveLength(i % 2 ? 1 : 2);
      expect(body.data.updatedAt === records[i].updatedAt).toBe(i % 2 === 1);
    }
  });

  it('delete records; one that is not there is a 404 of its own', async () => {
    const records = await many((i) => admin.make('/api/runbooks', { name: `Gone ${i}` }));
    const ids = records.flatMap(({ id }, i) => (i % 5 === 0 ? [id, randomUUID(), id] : [id]));
    const answers = await atOnce(service, () => Promise.all(ids.map((id) => admin.delete(`/api/runbooks/${id}`))));
    expect(statuses(answers).filter((status) => status === 204)).toHaveLength(MANY);
    for (const [i, { id }] of records.entries()) {
      const mine = answers.filter((_, at) => ids[at] === id);
      expect(statuses(mine).toSorted()).toEqual(i % 5 === 0 ? [204, 404] : [204]);
      const done = mine.find(({ status }) => status === 204)!;
      expect((await entriesOf(id)).map(({ action, requestId }) => [action, requestId]).at(-1)).toEqual([
        'delete',
        requestOf(done),
      ]);
    }
  });
});

describe('a fault of one of many requests', () => {
  it('is that of one create: all others are made, once each', async () => {
    const { id: vendorId } = await admin.make('/api/vendors', { name: 'Vendor' });
    const before = (await admin.get('/api/contracts?pageSize=1')).body.total;
    const answers = await atOnce(service, () =>
      many((i) => admin.post('/api/contracts', { name: `C ${i}`, vendorId: i % 7 === 3 ? randomUUID() : vendorId })),
    );
    for (const [i, answer] of answers.entries()) {
      if (i % 7 === 3) {
        expect(answer).toMatchObject({ status: 400, body: { details: [{ field: 'vendorId' }] } });
        expect(await run(sql`SELECT FROM change_log WHERE request_id = ${requestOf(answer)}`)).toHaveLength(0);
      } else {
        expect(answer).toMatchObject({ status: 201, body: { data: { name: `C ${i}`, vendorId } } });
        expect(await entriesOf(answer.body.data.id)).toEqual([
          { action: 'create', actor: expect.any(String), requestId: requestOf(answer), name: `C ${i}` },
        ]);
      }
    }
    const made = statuses(answers).filter((status) => status === 201).length;
    expect((await admin.get('/api/contracts?pageSize=1')).body.total).toBe(before + made);
    expect(await run(sql`SELECT FROM contracts WHERE name LIKE 'C %'`)).toHaveLength(made);
  });

  it('is that of one change, and a record that is not there a 404 of its own', async () => {
    const { id: vendorId } = await admin.make('/api/vendors', { name: 'Vendor' });
    const contracts = await many((i) => admin.make('/api/contracts', { name: `P ${i}` }));
    const answers = await many((i) =>
      admin.patch(`/api/contracts/${i % 7 === 5 ? randomUUID() : contracts[i].id}`, {
        vendorId: i % 7 === 3 ? randomUUID() : vendorId,
      }),
    );
    expect(statuses(answers)).toEqual(answers.map((_, i) => ({ 3: 400, 5: 404 })[i % 7] ?? 200));
    for (const [i, { id }] of contracts.entries()) {
      expect(await entriesOf(id)).toHaveLength(i % 7 === 3 || i % 7 === 5 ? 1 : 2);
    }
  });

  it('an address that is unique in its VRF is taken by exactly one of many', async () => {
    const { id: vrfId } = await admin.make('/api/vrfs', { name: 'Unique', enforceUnique: true });
    const answers = await many((i) => admin.post('/api/ip-addresses', { address: `10.9.0.${i % 4}/24`, vrfId }));
    for (const host of [0, 1, 2, 3]) {
      const mine = answers.filter((_, i) => i % 4 === host);
      expect(statuses(mine).toSorted()).toEqual([201, ...Array(MANY / 4 - 1).fill(409)]);
    }
    expect(await run(sql`SELECT FROM ip_addresses WHERE vrf_id = ${vrfId}`)).toHaveLength(4);
    expect(await run(sql`SELECT FROM address_hosts WHERE space = ${vrfId} AND times <> 1`)).toHaveLength(0);
  });

  itOnServer('a lock that one of them needs holds up no other', async () => {
    const vendors = await Promise.all(['free', 'locked'].map((name) => admin.make('/api/vendors', { name })));
    const [free, locked] = vendors.map(({ id }) => id);
    const answered: Answer[] = [];
    let waiting: Promise<Answer[]>;
    const create = async (vendorId: string): Promise<Answer> => {
      const answer = await admin.post('/api/contracts', { name: 'Lock', vendorId });
      answered.push(answer);
      return answer;
    };
    await service.database.db.transaction(async (tx) => {
      await tx.query(sql`SELECT FROM vendors WHERE id = ${locked} FOR UPDATE`);
      waiting = many((i) => create(i % 20 === 10 ? locked : free));
      while (answered.length < MANY - 2) await sleep(20);
    });
    expect(statuses(await waiting!)).toEqual(Array(MANY).fill(201));
    expect(await run(sql`SELECT FROM contracts WHERE name = 'Lock'`)).toHaveLength(MANY);
  });

  itOnServer('a lost connection is a 503, and nothing is written twice', async () => {
    let answers: Promise<Answer[]>;
    await service.database.db.transaction(async (tx) => {
      await tx.query(sql`LOCK TABLE runbooks IN SHARE MODE`);
      answers = many((i) => admin.post('/api/runbooks', { name: `Lost ${i}` }));
      const killed = `SELECT pg_terminate_backend(pid) FROM pg_locks
        WHERE relation = 'runbooks'::regclass AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1`;
      while ((await run(raw(killed))).length === 0) await sleep(20);
    });
    const done = await answers!;
    expect(statuses(done)).toContain(503);
    const rows = await run<{ name: string }>(sql`SELECT name FROM runbooks WHERE name LIKE 'Lost %'`);
    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      done.flatMap(({ status }, i) => (status === 201 ? [`Lost ${i}`] : [])).toSorted(),
    );
  });
});

describe('the change log', () => {
  it('names each of several callers as the author of its change', async () => {
    const callers = await Promise.all([service.as('admin'), service.as('editor'), service.as('manager')]);
    const emails = await Promise.all(callers.map(async (api) => (await api.get('/api/auth/session')).body.data.email));
    const answers = await many((i) => callers[i % 3]!.post('/api/runbooks', { name: `By ${i % 3}` }));
    for (const [i, answer] of answers.entries()) {
      expect(await entriesOf(answer.body.data.id)).toEqual([
        { action: 'create', actor: emails[i % 3], requestId: requestOf(answer), name: `By ${i % 3}` },
      ]);
    }
  });

  it('names the request of a delete in the entries of other records that it changes', async () => {
    const vendors = await many((i) => admin.make('/api/vendors', { name: `V ${i}` }));
    const contracts = await many((i) => admin.make('/api/contracts', { name: `V ${i}`, vendorId: vendors[i].id }));
    const answers = await many((i) => admin.delete(`/api/vendors/${vendors[i].id}`));
    for (const [i, answer] of answers.entries()) {
      expect((await entriesOf(contracts[i].id)).at(-1)).toMatchObject({
        action: 'update',
        requestId: requestOf(answer),
      });
    }
  });
});
