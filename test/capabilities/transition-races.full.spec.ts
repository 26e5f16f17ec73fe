import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { sql } from '../../src/database/sql.js';
import { Api, startService, startServiceOn, type TestService } from '../support/app.js';
import { connectTo, onServer } from '../support/database.js';

/*
 * 32 callers of two replicas, and manual SQL, change the status of records in every way, while transitions are defined, changed and
 * deleted. Afterwards the change log is read in the order of writing. Every change of a status in it must have been allowed at that moment, for
 * that caller.
 */

// Two services cannot share an embedded database.
const describeOnServer = onServer ? describe : describe.skip;
if (!onServer) console.warn('Races of transitions: skipped, as they need a server (TEST_DATABASE_URL)');

// oxlint-disable-next-line typescript/no-explicit-any -- records of any shape
type Json = any;

const CALLERS = 32;
const SECONDS = Number(process.env.RACE_SECONDS ?? 20);
const MOST_SECONDS = SECONDS + 100;
const ROLES = ['editor', 'manager', 'admin'] as const;
const STATES = ['open', 'a', 'b', 'c', 'd'];
const ASSET_STATES = ['in_stock', 'in_use'];

const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

interface Entry {
  action: string;
  resource: string;
  id: string;
  role: string | null;
  old: Json;
  new: Json;
  approvals: string[] | null;
}

/** The minimum number of each kind. With less, the test would not be a race. */
const COUNTS = sql`SELECT
    count(*) FILTER (WHERE resource <> 'transitions' AND new_values ? 'status')::int AS moves,
    count(*) FILTER (WHERE resource = 'transitions')::int AS defined,
    count(*) FILTER (WHERE resource <> 'transitions' AND approval_ids IS NOT NULL)::int AS approved,
    count(*) FILTER (WHERE change_set_id IS NOT NULL AND new_values ? 'status')::int AS merged
  FROM change_log WHERE resource IN ('incidents', 'assets', 'transitions')`;
interface Counts {
  moves: number;
  defined: number;
  approved: number;
  merged: number;
}

interface Definition {
  resource: string;
  from_value: string | null;
  to_value: string;
  role: string;
  approvals: number;
}

/** Why no transition allowed the entry; undefined if one did. */
function offence(entry: Entry, definitions: readonly Definition[], known: ReadonlySet<string>): string | undefined {
  const own = definitions.filter(({ resource }) => resource === entry.resource);
  const became: string | null = entry.new?.status ?? null;
  const isCreate = entry.action === 'create';
  if (own.length === 0 || entry.action === 'delete' || (!isCreate && !('status' in (entry.new ?? {}))))
    return undefined;
  const names = (value: string | null) => own.some((one) => value === one.from_value || value === one.to_value);
  if (isCreate && known.has(entry.id)) return names(became) ? undefined : `restored to ${became}`;
  const was: string | null = isCreate ? null : entry.old.status;
  const from = names(was) ? was : null;
  const move = own.find((one) => one.from_value === from && one.to_value === became);
  if (!move) return `moved from ${was} to ${became}`;
  if (ROLES.indexOf((entry.role ?? 'admin') as never) < ROLES.indexOf(move.role as never))
    return `${entry.role} moved to ${became}`;
  return move.approvals > (entry.approvals?.length ?? 0) ? `moved to ${became} without approvals` : undefined;
}

describeOnServer('whatever writes while the transitions change', () => {
  let one: TestService;
  let two: TestService;
  let admin: Api;
  let client: Client;
  const callers: Api[] = [];
  const incidents: string[] = [];
  /** Only change sets and SQL change these, so that merges rarely conflict with other writes. */
  const planned: string[] = [];
  const orders: { id: string; line: string }[] = [];

  beforeAll(async () => {
    one = await startService();
    two = await startServiceOn(await connectTo(one.database.url!, 6));
    admin = await one.as('admin');
    for (let n = 0; n < CALLERS; n++) {
      const api = await one.as(ROLES[n % 3]!);
      callers.push(n % 2 === 0 ? api : new Api(two.url, api.cookie));
    }
    for (let n = 0; n < 12; n++) incidents.push((await admin.make('/api/incidents', { name: `i${n}` })).id);
    for (let n = 0; n < 8; n++) planned.push((await admin.make('/api/incidents', { name: `p${n}` })).id);
    for (let n = 0; n < 4; n++) {
      const items = [{ name: 'x', quantity: 10_000 }];
      const order = await admin.make('/api/purchase-orders', { orderNumber: `PO-${n}`, items });
      orders.push({ id: order.id, line: order.items[0].id });
    }
    client = new Client({ connectionString: one.database.url! });
    await client.connect();
  }, 120_000);
  afterAll(async () => {
    await client?.end();
    await two?.stop();
    await one?.stop();
  });

  /** Every way to change a status. Each is refused often. */
  const WAYS: ((api: Api) => Promise<{ status: number }>)[] = [
    (api) => api.patch(`/api/incidents/${any(incidents)}`, { status: any(STATES) }),
    (api) => api.post(`/api/incidents/${any(incidents)}/updates`, { message: 'm', status: any(STATES) }),
    (api) => {
      const ids = [...new Set([any(incidents), any(incidents), any(incidents)])];
      const operations = ids.map((id) => ({ op: 'update', id, data: { status: any(STATES) } }));
      return api.post('/api/incidents/bulk', { operations });
    },
    (api) => {
      const rows = [any(incidents), any(incidents)].map((id) => `${id},n,${any(STATES)}`);
      const type = { 'content-type': 'text/csv' };
      return api.post(
        '/api/incidents/import?mode=upsert&key=id&onError=skip',
        ['id,name,status', ...new Set(rows)].join('\n'),
        type,
      );
    },
    async (api) => {
      const made = await api.post('/api/incidents', { name: 'n', status: any(STATES) });
      if (made.status === 201) await api.delete(`/api/incidents/${made.body.data.id}`);
      return made;
    },
    async (api) => {
      const id = any(incidents);
      const gone = await api.delete(`/api/incidents/${id}`);
      for (let n = 0; n < 50 && (await admin.post(`/api/incidents/${id}/restore`)).status !== 200; n++) await sleep(20);
      return gone;
    },
    (api) => {
      const { id, line } = any(orders);
      return api.post(`/api/purchase-orders/${id}/receive`, { items: [{ itemId: line, quantity: 1, assets: [{}] }] });
    },
    async (api) => {
      const assets = (await api.get('/api/assets?pageSize=20&sort=createdAt&order=desc')).body.data;
      return assets.length === 0
        ? { status: 404 }
        : api.patch(`/api/assets/${any<Json>(assets).id}`, { status: any(ASSET_STATES) });
    },
    async (api) => {
      const at = `/api/incidents/${any(incidents)}`;
      const { digest } = (await api.get(`${at}/transitions`)).body;
      return digest === undefined ? { status: 404 } : api.post(`${at}/approvals`, { decision: 'approve', digest });
    },
    async (api) => {
      const { id } = await api.make('/api/change-sets', { name: 's' });
      const at = `/api/change-sets/${id}`;
      for (const incident of any([[any(planned)], [any(planned), any(incidents)]]))
        await api.patch(`/api/incidents/${incident}?changeSet=${id}`, { status: any(STATES) });
      const merged = await api.post(`${at}/merge`);
      if (merged.status !== 200 || Math.random() < 0.5) return merged;
      const back = await api.post(`${at}/revert`);
      return back.status === 201 ? api.post(`/api/change-sets/${back.body.data.id}/merge`) : back;
    },
  ];

  async function define(): Promise<void> {
    const resource = any(['incidents', 'incidents', 'incidents', 'assets']);
    const states = resource === 'assets' ? ASSET_STATES : STATES;
    const { data } = (await admin.get('/api/transitions')).body;
    const kind = Math.random();
    if (data.length > 0 && kind < 0.3) await admin.delete(`/api/transitions/${any<Json>(data).id}`);
    else if (data.length > 0 && kind < 0.5)
      await admin.patch(`/api/transitions/${any<Json>(data).id}`, { role: any(ROLES) });
    else {
      const from = any([null, ...states]);
      const approvals = from !== null && Math.random() < 0.2 ? 1 : 0;
      await admin.post('/api/transitions', {
        resource,
        from,
        to: any(states),
        role: any(ROLES),
        approvals,
        approverRole: 'editor',
      });
    }
    // Sometimes a field has no transitions.
    if (Math.random() < 0.05) {
      for (const { id } of (await admin.get('/api/transitions')).body.data)
        await admin.delete(`/api/transitions/${id}`);
    }
  }

  it(
    'no record stands where no admitted path leads to, and nobody moves one who may not',
    async () => {
      const [until, latest] = [Date.now() + SECONDS * 1000, Date.now() + MOST_SECONDS * 1000];
      const end = new AbortController();
      // A busy machine needs more time for the same number of changes.
      const watching = (async () => {
        while (!end.signal.aborted) {
          await sleep(500);
          const [{ moves, defined, approved, merged }] = (await one.database.db.query<Counts>(COUNTS)) as [Counts];
          const isEnough = moves > 100 && defined > 20 && approved > 0 && merged > 10;
          if ((isEnough && Date.now() >= until) || Date.now() >= latest) end.abort();
        }
      })();
      const statuses = new Map<number, number>();
      const writers = callers.map(async (api) => {
        while (!end.signal.aborted) {
          const { status } = await any(WAYS)(api);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      });
      const byHand = (async () => {
        while (!end.signal.aborted) {
          await client
            .query('UPDATE incidents SET status = $1 WHERE id = $2', [any(STATES), any([...incidents, ...planned])])
            .catch((error: Json) => {
              expect(error.constraint).toMatch(/^ck_(?:transitions|approvals)$/);
            });
          await sleep(5);
        }
      })();
      const defining = (async () => {
        while (!end.signal.aborted) {
          await define();
          await sleep(30);
        }
      })();
      await Promise.all([...writers, byHand, defining, watching]);

      const entries = await one.database.db.query<Entry>(
        sql`SELECT c.action, c.resource, c.record_id AS id, p.role, c.old_values AS old, c.new_values AS new, c.approval_ids AS approvals
          FROM change_log c LEFT JOIN profiles p ON p.id = c.actor_id
          WHERE c.resource IN ('incidents', 'assets', 'transitions') ORDER BY right(c.id::text, 12), c.id`,
      );
      const definitions = new Map<string, Definition>();
      const known = new Set<string>();
      const found: string[] = [];
      let [moves, defined, approved] = [0, 0, 0];
      for (const entry of entries) {
        if (entry.resource === 'transitions') {
          defined++;
          if (entry.action === 'delete') definitions.delete(entry.id);
          else definitions.set(entry.id, { ...definitions.get(entry.id), ...entry.new });
          continue;
        }
        const what = offence(entry, [...definitions.values()], known);
        if (what !== undefined) found.push(`${entry.resource} ${entry.id} ${what}`);
        known.add(entry.id);
        if (entry.new && 'status' in entry.new) moves++;
        if (entry.approvals) approved++;
      }
      expect(found).toEqual([]);
      expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
      expect(moves).toBeGreaterThan(100);
      expect(defined).toBeGreaterThan(20);
      expect(approved).toBeGreaterThan(0);
      const [counts] = await one.database.db.query<Counts>(COUNTS);
      expect(counts!.merged).toBeGreaterThan(10);
    },
    (MOST_SECONDS + 120) * 1000,
  );
});
