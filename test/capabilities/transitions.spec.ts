import { randomUUID } from 'node:crypto';
import { sql, write } from '../../src/database/sql.js';
import { Api, startService, type Answer, type TestService } from '../support/app.js';

/* Transitions of a status: which are allowed, for whom, in every way of writing. */

let service: TestService;
let admin: Api;
let manager: Api;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  [admin, manager, editor] = await Promise.all([service.as('admin'), service.as('manager'), service.as('editor')]);
});
afterAll(() => service.stop());

// oxlint-disable-next-line typescript/no-explicit-any -- records of any shape
type Json = any;

const define = (resource: string, from: string | null, to: string, more: object = {}): Promise<Json> =>
  admin.make('/api/transitions', { resource, from, to, ...more });

/** Transitions written as `draft>submitted`, or `>draft` for new records. */
const defineAll = async (resource: string, moves: readonly string[], more: object = {}): Promise<void> => {
  for (const move of moves) {
    const [from, to] = move.split('>') as [string, string];
    await define(resource, from || null, to, more);
  }
};

afterEach(async () => {
  for (const { id } of (await admin.get('/api/transitions')).body.data) await admin.delete(`/api/transitions/${id}`);
});

const refusal = ({ status, code, body, faultCodes }: Answer): unknown[] => [
  status,
  code,
  ...(body?.details ?? []).map(({ field, message }: Json, index: number) => [field, faultCodes?.[index], message]),
];

const triggers = async (): Promise<string[]> => {
  const rows = await service.database.db.query<{ name: string }>(
    sql`SELECT tgname AS name FROM pg_trigger t JOIN pg_proc p ON p.oid = tgfoid WHERE proname = 'hold_transitions' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

const FLOW = ['>draft', 'draft>submitted', 'submitted>draft'];

describe('the definitions', () => {
  it('have defaults, and keep what they are about', async () => {
    const made = await admin.make('/api/transitions', { resource: 'change-requests', to: 'draft' });
    expect(made).toMatchObject({
      ...{ resource: 'change-requests', field: 'status', from: null, to: 'draft' },
      ...{ role: 'editor', approvals: 0, approverRole: 'manager' },
    });
    const at = `/api/transitions/${made.id}`;
    const same = { resource: 'change-requests', field: 'status', from: null, to: 'draft', role: 'manager' };
    expect((await admin.patch(at, same)).body.data.role).toBe('manager');
    const others = { resource: 'sites', field: 'risk', from: 'a', to: 'b', approvals: 1 };
    expect(refusal(await admin.patch(at, others))).toEqual([
      ...[400, 'validation'],
      ...['resource', 'field', 'from', 'to'].map((name) => [name, 'invalid', 'cannot be changed']),
      ['approvals', 'invalid', 'must be 0 where from is null: a new record is approved by nobody'],
    ]);
  });

  it.each([
    [{ resource: 'vrfs', to: 'a' }, 'resource'],
    [{ resource: 'profiles', to: 'a' }, 'resource'],
    [{ resource: 'incidents', field: 'risk', to: 'a' }, 'field'],
    [{ resource: 'sites', field: 'name', to: 'a' }, 'field'],
    [{ resource: 'sites' }, 'to'],
    [{ to: 'a' }, 'resource'],
    [{ resource: 'sites', to: 'a', approvals: 1 }, 'approvals'],
    [{ resource: 'sites', from: 'b', to: 'a', approvals: 6 }, 'approvals'],
    [{ resource: 'sites', from: 'b', to: 'a', role: 'viewer' }, 'role'],
    [{ resource: 'sites', from: 'b', to: 'a', approverRole: 'viewer' }, 'approverRole'],
    [{ resource: 'purchase-orders', from: 'ordered', to: 'draft' }, 'from'],
    [{ resource: 'purchase-orders', from: 'draft', to: 'cancelled' }, 'to'],
    [{ resource: 'receipts', to: 'a' }, 'resource'],
  ])('%j is refused', async (body, field) => {
    const answer = await admin.post('/api/transitions', body);
    expect([answer.status, answer.body.details.map((fault: Json) => fault.field)]).toEqual([400, [field]]);
  });

  it('are unique, belong to administrators, and to those who read the records', async () => {
    await defineAll('change-requests', ['>draft', 'draft>submitted']);
    for (const from of [null, 'draft']) {
      const to = from === null ? 'draft' : 'submitted';
      expect((await admin.post('/api/transitions', { resource: 'change-requests', from, to })).status).toBe(409);
    }
    expect((await manager.post('/api/transitions', { resource: 'sites', to: 'a' })).status).toBe(403);
    const [{ id }] = (await editor.get('/api/transitions?resource=change-requests&to=submitted')).body.data;
    const outsider = await service.as('admin', ['network']);
    expect((await outsider.post('/api/transitions', { resource: 'incidents', to: 'open' })).status).toBe(403);
    expect((await outsider.patch(`/api/transitions/${id}`, { role: 'admin' })).status).toBe(403);
    expect((await outsider.delete(`/api/transitions/${id}`)).status).toBe(403);
  });

  it('have triggers as long as there is one', async () => {
    expect(await triggers()).toEqual([]);
    const first = await define('sites', null, 'active');
    const risk = await define('change-requests', 'low', 'high', { field: 'risk' });
    const names = ['change_requests_transitions_risk', 'sites_transitions_status'];
    expect(await triggers()).toEqual(names.flatMap((name) => [name, `${name}_new`]));
    const second = await define('sites', 'active', 'retired');
    await admin.delete(`/api/transitions/${first.id}`);
    expect((await admin.post('/api/sites', { name: 'x' })).status).toBe(409);
    for (const { id } of [second, risk]) await admin.delete(`/api/transitions/${id}`);
    expect(await triggers()).toEqual([]);
    expect((await admin.post('/api/sites', { name: 'x', status: 'whatever' })).status).toBe(201);
  });
});

describe('a status', () => {
  const path = '/api/change-requests';

  it('moves only along a transition, by who may make it', async () => {
    await defineAll('change-requests', FLOW);
    await define('change-requests', 'submitted', 'approved', { role: 'manager' });
    expect(refusal(await editor.post(path, { name: 'c', status: 'approved' }))).toEqual([
      ...[409, 'transition'],
      ['status', 'transition', "must not be 'approved' in a new record: it may be 'draft' (editor or above)"],
    ]);
    const { id } = await editor.make(path, { name: 'c' });
    const move = (api: Api, status: string | null, more: object = {}) =>
      api.patch(`${path}/${id}`, { status, ...more });
    expect(refusal(await editor.patch(`${path}/${id}`, { status: 'approved' }))).toEqual([
      ...[409, 'transition'],
      [
        'status',
        'transition',
        "must not change from 'draft' to 'approved': from 'draft' it may be 'submitted' (editor or above)",
      ],
    ]);
    // An update that keeps the status needs no transition.
    expect((await move(editor, 'draft', { name: 'd' })).status).toBe(200);
    expect((await move(editor, 'submitted')).status).toBe(200);
    expect(refusal(await move(editor, 'approved'))[2]).toEqual([
      ...['status', 'transition'],
      "must not change from 'submitted' to 'approved' with the role editor: from 'submitted' it may be 'approved' (manager or above), 'draft' (editor or above)",
    ]);
    expect((await move(manager, 'approved')).status).toBe(200);
    expect(refusal(await move(admin, 'draft'))[2]).toEqual([
      ...['status', 'transition', "must not change from 'approved' to 'draft': from 'approved' no move is open"],
    ]);
    // A token has its own role.
    const token = (await manager.post('/api/tokens', { name: 't', role: 'editor', areas: ['operations'] })).body.data;
    const { id: other } = await editor.make(path, { name: 'c' });
    await editor.patch(`${path}/${other}`, { status: 'submitted' });
    const byToken = new Api(service.url, undefined, token.token);
    expect((await byToken.patch(`${path}/${other}`, { status: 'approved' })).code).toBe('transition');
  });

  it('that no transition names may become any of a new record', async () => {
    const { id } = await editor.make(path, { name: 'c', status: 'old word' });
    await defineAll('change-requests', FLOW);
    expect((await editor.patch(`${path}/${id}`, { status: 'submitted' })).code).toBe('transition');
    expect((await editor.patch(`${path}/${id}`, { name: 'd' })).status).toBe(200);
    expect((await editor.patch(`${path}/${id}`, { status: 'draft' })).status).toBe(200);
  });

  it('without a value is free where there is no default, and is no value to move to', async () => {
    await defineAll('software-licences', ['>active', 'active>expired']);
    const { id } = await editor.make('/api/software-licences', { name: 'l' });
    expect((await editor.patch(`/api/software-licences/${id}`, { status: 'expired' })).code).toBe('transition');
    expect((await editor.patch(`/api/software-licences/${id}`, { status: 'active' })).status).toBe(200);
    expect(refusal(await editor.patch(`/api/software-licences/${id}`, { status: null }))[2]).toEqual([
      ...['status', 'transition', "must not be cleared: from 'active' it may be 'expired' (editor or above)"],
    ]);
  });

  it('is held in bulk, imports, updates of incidents, restores and SQL', async () => {
    await defineAll('incidents', ['>open', 'open>resolved']);
    const ids: string[] = [];
    for (const name of 'abc') ids.push((await editor.make('/api/incidents', { name })).id);
    const operations = ids.map((id, index) => ({
      op: 'update',
      id,
      data: { status: index === 2 ? 'closed' : 'resolved' },
    }));
    expect(refusal(await editor.post('/api/incidents/bulk', { operations }))).toEqual([
      ...[409, 'transition'],
      ['operations[2].data.status', 'transition', expect.stringContaining("from 'open' it may be 'resolved'")],
    ]);
    const csv = `id,name,status\n${ids[0]},a,resolved\n${ids[1]},b,closed\n`;
    const type = { 'content-type': 'text/csv' };
    const imported = await admin.post('/api/incidents/import?mode=upsert&key=id', csv, type);
    expect([imported.status, imported.faultCodes, imported.body.details]).toMatchObject([
      ...[400, ['transition']],
      [{ field: 'rows[2].status', row: 2, line: 3 }],
    ]);
    const update = (status: string) => editor.post(`/api/incidents/${ids[0]}/updates`, { message: 'm', status });
    expect(refusal(await update('closed')).slice(0, 2)).toEqual([409, 'transition']);
    expect((await update('resolved')).status).toBe(201);
    expect((await editor.get(`/api/incidents/${ids[0]}/updates`)).body.total).toBe(1);
    // A restore to a status that has transitions is not itself a transition.
    await editor.delete(`/api/incidents/${ids[0]}`);
    expect((await admin.post(`/api/incidents/${ids[0]}/restore`)).body).toMatchObject({ data: { status: 'resolved' } });
    await editor.delete(`/api/incidents/${ids[0]}`);
    const [{ id: last }] = (await admin.get('/api/transitions?to=resolved')).body.data;
    await admin.delete(`/api/transitions/${last}`);
    expect(refusal(await admin.post(`/api/incidents/${ids[0]}/restore`))).toEqual([
      ...[409, 'transition'],
      ['status', 'transition', "must not be 'resolved': no transition names it"],
    ]);
    const bySql = (status: string) =>
      service.database.db.write(write`UPDATE incidents SET status = ${status} WHERE id = ${ids[1]} RETURNING id`);
    await expect(bySql('closed')).rejects.toMatchObject({ constraint: 'ck_transitions' });
  });

  it('of assets is held in a receive, which leaves nothing behind', async () => {
    await defineAll('assets', ['>in_use']);
    const order = await admin.make('/api/purchase-orders', {
      orderNumber: randomUUID(),
      items: [{ name: 'x', quantity: 1 }],
    });
    const receive = () =>
      manager.post(`/api/purchase-orders/${order.id}/receive`, {
        items: [{ itemId: order.items[0].id, quantity: 1, assets: [{}] }],
      });
    expect(refusal(await receive()).slice(0, 2)).toEqual([409, 'transition']);
    expect((await admin.get(`/api/purchase-orders/${order.id}`)).body.data.receivedQuantity).toBe(0);
    await define('assets', null, 'in_stock', { role: 'manager' });
    expect((await receive()).status).toBe(200);
  });

  it('of purchase orders keeps its rules, and gets one more', async () => {
    const { id } = await define('purchase-orders', 'draft', 'ordered', { role: 'manager' });
    const make = (status?: string) =>
      editor.post('/api/purchase-orders', { orderNumber: randomUUID(), status, items: [{ name: 'x', quantity: 1 }] });
    const draft = (await make('draft')).body.data;
    expect((await make()).status).toBe(201);
    const at = `/api/purchase-orders/${draft.id}`;
    expect((await editor.patch(at, { status: 'ordered' })).code).toBe('transition');
    expect((await editor.patch(at, { status: 'received' })).status).toBe(400);
    expect((await manager.patch(at, { status: 'ordered' })).status).toBe(200);
    expect((await editor.patch(at, { status: 'draft' })).status).toBe(200);
    await admin.patch(`/api/transitions/${id}`, { approvals: 1 });
    for (const status of [undefined, 'ordered', 'closed']) expect((await make(status)).code).toBe('transition');
    expect((await manager.patch(at, { status: 'ordered' })).code).toBe('approvals_missing');
    expect((await editor.patch(at, { status: 'cancelled' })).status).toBe(200);
  });
});

it('a record answers the moves that are open to it, and whether the caller may make them', async () => {
  await defineAll('change-requests', FLOW);
  await define('change-requests', 'draft', 'approved', { role: 'manager', approvals: 2 });
  await define('change-requests', null, 'low', { field: 'risk' });
  await define('change-requests', 'low', 'high', { field: 'risk' });
  const { id } = await editor.make('/api/change-requests', { name: 'c' });
  const list = async (api: Api) => (await api.get(`/api/change-requests/${id}/transitions`)).body;
  const none = { needed: 0, given: 0 };
  const { digest, ...page } = await list(editor);
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(page).toEqual({
    ...{ total: 3, page: 1, pageSize: 10000, hasMore: false },
    data: [
      {
        ...{ field: 'status', to: 'approved', role: 'manager', approvals: { needed: 2, given: 0 }, allowed: false },
        why: 'needs the role manager or above',
      },
      { field: 'status', to: 'submitted', role: 'editor', approvals: none, allowed: true, why: null },
      { field: 'risk', to: 'high', role: 'editor', approvals: none, allowed: true, why: null },
    ],
  });
  expect((await list(manager)).data[0].why).toBe('2 of 2 approvals of manager or above are lacking');
  const [, viewed] = (await list(await service.as('viewer'))).data;
  expect([viewed.allowed, viewed.why]).toEqual([false, 'needs the role editor or above']);
  expect((await admin.get(`/api/change-requests/${randomUUID()}/transitions`)).status).toBe(404);
  const outsider = await service.as('manager', ['operations']);
  await define('sites', 'active', 'retired');
  const site = await editor.make('/api/sites', { name: 's' }).catch(() => undefined);
  expect(site).toBeUndefined();
  await define('sites', null, 'active');
  const { id: siteId } = await editor.make('/api/sites', { name: 's' });
  const { data } = (await outsider.get(`/api/sites/${siteId}/transitions`)).body;
  expect(data).toMatchObject([{ to: 'retired', allowed: false, why: 'needs access to the area network' }]);
  expect((await admin.get(`/api/sites/${siteId}/transitions?format=csv`)).text).toContain(
    'field,to,role,approvals.needed',
  );
});
