import { randomUUID } from 'node:crypto';
import { sql } from '../../src/database/sql.js';
import { Api, startService, type Answer, type TestService } from '../support/app.js';

/* Approvals: which version of a record they cover, whose approvals count, and the refusal of a transition without them. */

let service: TestService;
let admin: Api;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  [admin, editor] = await Promise.all([service.as('admin'), service.as('editor')]);
  await Promise.all(
    [
      ['draft', 'approved', { approvals: 1 }],
      ['approved', 'draft', {}],
      [null, 'draft', {}],
      ['draft', 'scheduled', { approvals: 2, approverRole: 'admin' }],
    ].map(([from, to, more]) =>
      admin.make('/api/transitions', { resource: 'change-requests', from, to, ...(more as object) }),
    ),
  );
});
afterAll(() => service.stop());

// oxlint-disable-next-line typescript/no-explicit-any -- records of any shape
type Json = any;

const path = '/api/change-requests';

/** Creates a profile. */
const profile = (role: string, more: object = {}): Promise<Json> =>
  admin.make('/api/profiles', {
    email: `${randomUUID()}@example.com`,
    role,
    password: 'correct horse battery',
    ...more,
  });
const as = async ({ email }: Json): Promise<Api> => {
  const { headers } = await service.anonymous.post('/api/auth/login', { email, password: 'correct horse battery' });
  return new Api(service.url, /session=([^;]+)/.exec(headers.get('set-cookie')!)![1]);
};
const approver = async (role = 'manager', more: object = {}): Promise<{ api: Api; profile: Json }> => {
  const made = await profile(role, more);
  return { api: await as(made), profile: made };
};

const request = async (more: object = {}): Promise<string> => (await editor.make(path, { name: 'c', ...more })).id;
const digestOf = async (at: string): Promise<string> => (await admin.get(`${at}/transitions`)).body.digest;
const decide = async (api: Api, id: string, decision = 'approve', more: object = {}): Promise<Answer> =>
  api.post(`${path}/${id}/approvals`, { decision, digest: await digestOf(`${path}/${id}`), ...more });
const move = (id: string, status = 'approved', more: object = {}): Promise<Answer> =>
  editor.patch(`${path}/${id}`, { status, ...more });
const given = async (id: string, to = 'approved'): Promise<number> =>
  (await admin.get(`${path}/${id}/transitions`)).body.data.find((open: Json) => open.to === to).approvals.given;

it('an approval is created and read, names who gave it, and lets the record move', async () => {
  const id = await request();
  const refused = await move(id);
  expect([refused.status, refused.code, refused.body.details]).toEqual([
    ...[409, 'approvals_missing'],
    [
      {
        field: 'status',
        message: "must not change from 'draft' to 'approved' yet: 1 of 1 approval of manager or above is lacking",
      },
    ],
  ]);
  const { api, profile: who } = await approver();
  const stale = await api.post(`${path}/${id}/approvals`, { decision: 'approve', digest: 'f'.repeat(64) });
  expect([stale.status, stale.body.details[0].field]).toEqual([409, 'digest']);
  for (const body of [{ decision: 'approve' }, { digest: 'x' }, { decision: 'maybe', digest: 'x' }]) {
    expect((await api.post(`${path}/${id}/approvals`, body)).status).toBe(400);
  }
  const digest = await digestOf(`${path}/${id}`);
  const made = (await decide(api, id, 'approve', { comment: 'seen' })).body.data;
  expect(made).toEqual({
    ...{ id: made.id, decision: 'approve', comment: 'seen', digest, profileId: who.id, approver: who.email },
    ...{ role: 'manager', isCurrent: true, createdAt: made.createdAt, updatedAt: made.updatedAt },
  });
  expect((await admin.get(`${path}/${id}/approvals/${made.id}`)).body.data).toEqual(made);
  expect((await admin.patch(`${path}/${id}/approvals/${made.id}`, { comment: 'x' })).status).toBe(405);
  expect(await given(id)).toBe(1);
  expect((await move(id)).status).toBe(200);
  const [entry] = (await admin.get(`${path}/${id}/changes?sort=createdAt&order=desc`)).body.data;
  expect(entry).toMatchObject({ action: 'update', after: { status: 'approved' }, approvalIds: [made.id] });
  // A current approval serves every transition.
  expect((await move(id, 'draft')).status).toBe(200);
  const [back] = (await admin.get(`${path}/${id}/changes?sort=createdAt&order=desc`)).body.data;
  expect(back).not.toHaveProperty('approvalIds');
  expect((await move(id)).status).toBe(200);
  const withdrawn = await api.delete(`${path}/${id}/approvals/${made.id}`);
  expect([withdrawn.status, withdrawn.body.details[0].message]).toEqual([
    ...[409, 'cannot be withdrawn: the record has moved since'],
  ]);
  await admin.delete(`/api/profiles/${who.id}`);
  expect((await admin.get(`${path}/${id}/approvals`)).body.data).toEqual([
    { ...made, profileId: null, updatedAt: expect.any(String) },
  ]);
});

it.each<[string, (id: string) => Promise<unknown>, (id: string) => Promise<unknown>]>([
  [
    'a field',
    (id) => editor.patch(`${path}/${id}`, { name: 'd' }),
    (id) => editor.patch(`${path}/${id}`, { name: 'c' }),
  ],
  [
    'the risk',
    (id) => editor.patch(`${path}/${id}`, { risk: 'high' }),
    (id) => editor.patch(`${path}/${id}`, { risk: 'low' }),
  ],
  [
    'a target',
    async (id) =>
      editor.make(`${path}/${id}/targets`, {
        resource: 'sites',
        recordId: (await editor.make('/api/sites', { name: 's' })).id,
      }),
    async (id) => {
      const [{ id: target }] = (await admin.get(`${path}/${id}/targets`)).body.data;
      await editor.delete(`${path}/${id}/targets/${target}`);
    },
  ],
])('%s that changes lets it lapse, until it is as it was', async (_what, change, back) => {
  const { api } = await approver();
  const id = await request();
  const { id: approval } = (await decide(api, id)).body.data;
  const isCurrent = async () => (await admin.get(`${path}/${id}/approvals/${approval}`)).body.data.isCurrent;
  await change(id);
  expect([await isCurrent(), await given(id), (await move(id)).code]).toEqual([false, 0, 'approvals_missing']);
  await back(id);
  expect([await isCurrent(), await given(id)]).toEqual([true, 1]);
  // The transition must be approved for the record as the request changes it.
  expect((await move(id, 'approved', { description: 'and another thing' })).code).toBe('approvals_missing');
  expect((await move(id)).status).toBe(200);
});

it('lines of an order are covered, what was received of them and the same lines again are not', async () => {
  const definition = await admin.make('/api/transitions', {
    resource: 'purchase-orders',
    from: 'draft',
    to: 'ordered',
    approvals: 1,
  });
  const { api } = await approver();
  const items = [{ name: 'x', quantity: 2 }];
  const { id } = await editor.make('/api/purchase-orders', { orderNumber: randomUUID(), status: 'draft', items });
  const at = `/api/purchase-orders/${id}`;
  const approve = async () => api.post(`${at}/approvals`, { decision: 'approve', digest: await digestOf(at) });
  await approve();
  expect((await editor.patch(at, { status: 'ordered', items: [{ name: 'x', quantity: 3 }] })).code).toBe(
    'approvals_missing',
  );
  await editor.patch(at, { items: [{ name: 'x', quantity: 3 }] });
  expect((await editor.patch(at, { status: 'ordered' })).code).toBe('approvals_missing');
  await approve();
  expect((await editor.patch(at, { status: 'ordered', items: [{ name: 'x', quantity: 3 }] })).status).toBe(200);
  await admin.delete(`/api/transitions/${definition.id}`);
});

it.each<[string, (id: string) => Promise<void>]>([
  ['whoever created the record', async (id) => void (await decide(editor, id))],
  [
    'whoever last changed it',
    async (id) => {
      const { api } = await approver();
      await api.patch(`${path}/${id}`, { description: 'x' });
      await decide(api, id);
    },
  ],
  [
    'whoever removed a target last',
    async (id) => {
      const { api } = await approver();
      const site = await editor.make('/api/sites', { name: 's' });
      const target = await editor.make(`${path}/${id}/targets`, { resource: 'sites', recordId: site.id });
      await api.delete(`${path}/${id}/targets/${target.id}`);
      await decide(api, id);
    },
  ],
  ['an editor', async (id) => void (await decide((await approver('editor')).api, id))],
  [
    'a token with a lower role',
    async (id) => {
      const { api } = await approver();
      const { token } = await api.make('/api/tokens', { name: 't', role: 'editor' });
      const answer = await decide(new Api(service.url, undefined, token), id);
      expect(answer.body.data.role).toBe('editor');
    },
  ],
  [
    'a profile that is no longer active',
    async (id) => {
      const { api, profile: who } = await approver();
      await decide(api, id);
      await admin.patch(`/api/profiles/${who.id}`, { isActive: false });
    },
  ],
  [
    'a profile that lost the role',
    async (id) => {
      const { api, profile: who } = await approver();
      await decide(api, id);
      await admin.patch(`/api/profiles/${who.id}`, { role: 'editor' });
    },
  ],
  [
    'a profile that lost the area',
    async (id) => {
      const { api, profile: who } = await approver();
      await decide(api, id);
      await admin.patch(`/api/profiles/${who.id}`, { areas: ['network'] });
    },
  ],
  [
    'a profile that is gone',
    async (id) => {
      const { api, profile: who } = await approver();
      await decide(api, id);
      await admin.delete(`/api/profiles/${who.id}`);
    },
  ],
])('the approval of %s is kept, and does not count', async (_who, approve) => {
  const id = await request();
  await approve(id);
  expect((await admin.get(`${path}/${id}/approvals`)).body.total).toBe(1);
  expect([await given(id), (await move(id)).code]).toEqual([0, 'approvals_missing']);
});

it.each<[string, (author: Json, second: Json) => Promise<void>]>([
  [
    'names both, one after the other',
    async (author, second) => {
      const { id } = await admin.make('/api/people', { fullName: 'Ada', profileId: author.id });
      await admin.patch(`/api/people/${id}`, { profileId: second.id });
    },
  ],
  [
    'names one and has the address of the other',
    async (author, second) =>
      void (await admin.make('/api/people', { fullName: 'Ada', profileId: author.id, email: second.email })),
  ],
  [
    'named one and has gone',
    async (author, second) => {
      const { id } = await admin.make('/api/people', { fullName: 'Ada', profileId: author.id });
      await admin.patch(`/api/people/${id}`, { profileId: second.id });
      await admin.delete(`/api/people/${id}`);
    },
  ],
])('two profiles belong to one person who %s', async (_how, link) => {
  const [author, second] = await Promise.all([approver('editor'), approver()]);
  const { id } = await author.api.make(path, { name: 'c' });
  await decide(second.api, id);
  expect(await given(id)).toBe(1);
  await link(author.profile, second.profile);
  expect([await given(id), (await move(id)).code]).toEqual([0, 'approvals_missing']);
});

it('several of one person count once, and two of two people are two', async () => {
  const [one, two] = await Promise.all([approver('admin'), approver('admin')]);
  const id = await request();
  const { token } = await one.api.make('/api/tokens', { name: 't', role: 'admin' });
  for (const api of [one.api, one.api, new Api(service.url, undefined, token)]) await decide(api, id);
  expect(await given(id, 'scheduled')).toBe(1);
  expect((await move(id, 'scheduled')).body.details[0].message).toMatch(/1 of 2 approvals of admin is lacking$/);
  const third = await approver('admin');
  const { id: person } = await admin.make('/api/people', {
    fullName: 'Ada',
    profileId: third.profile.id,
    email: one.profile.email,
  });
  await decide(third.api, id);
  expect(await given(id, 'scheduled')).toBe(1);
  await admin.delete(`/api/people/${person}`);
  await decide(two.api, id);
  expect((await move(id, 'scheduled')).status).toBe(200);
});

it('the list says how many people have approved what it is now, and whether an approval of the caller would count', async () => {
  const id = await request();
  const told = async (api: Api, at = `${path}/${id}`): Promise<unknown[]> => {
    const { given: count, mayApprove } = (await api.get(`${at}/approvals`)).body;
    return [count, mayApprove];
  };
  const [one, two] = [await approver(), await approver()];
  expect(await told(one.api)).toEqual([0, true]);
  expect(await told(editor)).toEqual([0, false]);
  // The author of the last change may not approve.
  await one.api.patch(`${path}/${id}`, { name: 'd' });
  expect(await told(one.api)).toEqual([0, false]);
  await decide(two.api, id);
  expect(await told(two.api)).toEqual([1, true]);
  await editor.patch(`${path}/${id}`, { name: 'e' });
  expect([await told(one.api), await told(two.api)]).toEqual([
    [0, true],
    [0, true],
  ]);
  // The approver needs the areas of the operations. Each author of an operation may not approve.
  const set = `/api/change-sets/${(await admin.make('/api/change-sets', { name: 's' })).id}`;
  const { api: outside } = await approver('manager', { areas: ['network'] });
  expect(await told(outside, set)).toEqual([0, true]);
  await two.api.post(`${set}/operations`, { op: 'create', resource: 'assets', data: { name: 'a' } });
  expect(await told(outside, set)).toEqual([0, false]);
  expect([await told(one.api, set), await told(two.api, set)]).toEqual([
    [0, true],
    [0, false],
  ]);
});

it('a rejection holds the move back until its approver withdraws it', async () => {
  const [one, two] = await Promise.all([approver(), approver()]);
  const id = await request();
  await decide(one.api, id);
  const { id: rejection } = (await decide(two.api, id, 'reject')).body.data;
  const refused = await move(id);
  expect([refused.code, refused.body.details[0].message]).toEqual([
    ...['approvals_missing', `must not change from 'draft' to 'approved' yet: ${two.profile.email} has rejected it`],
  ]);
  const [open] = (await editor.get(`${path}/${id}/transitions`)).body.data;
  expect(open).toMatchObject({
    approvals: { needed: 1, given: 1 },
    allowed: false,
    why: `${two.profile.email} has rejected it`,
  });
  const at = `${path}/${id}/approvals/${rejection}`;
  expect((await admin.delete(at)).status).toBe(403);
  expect((await two.api.delete(at)).status).toBe(204);
  expect((await move(id)).status).toBe(200);
});

it('a move of another field than the status is approved with the value that it has', async () => {
  await admin.make('/api/transitions', {
    resource: 'assets',
    field: 'condition',
    from: 'new',
    to: 'good',
    approvals: 1,
  });
  await admin.make('/api/transitions', { resource: 'assets', field: 'condition', from: null, to: 'new' });
  const { api } = await approver();
  const { id } = await editor.make('/api/assets', { name: 'a', condition: 'new' });
  const at = `/api/assets/${id}`;
  await api.post(`${at}/approvals`, { decision: 'approve', digest: await digestOf(at) });
  expect((await editor.patch(at, { condition: 'good', notes: 'x' })).code).toBe('approvals_missing');
  expect((await editor.patch(at, { condition: 'good' })).status).toBe(200);
});

it('approvals go with their record, and come back with it', async () => {
  const { api } = await approver();
  const id = await request();
  const made = (await decide(api, id)).body.data;
  await editor.delete(`${path}/${id}`);
  expect((await admin.get(`${path}/${id}/approvals`)).status).toBe(404);
  expect(await service.database.db.query(sql`SELECT id FROM change_request_approvals WHERE id = ${made.id}`)).toEqual(
    [],
  );
  await admin.post(`${path}/${id}/restore`);
  expect((await admin.get(`${path}/${id}/approvals/${made.id}`)).body.data).toMatchObject({ isCurrent: true });
});
