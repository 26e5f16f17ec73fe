import { randomUUID } from 'node:crypto';
import { onServer } from '../support/database.js';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { watched } from '../support/statements.js';

let service: TestService;
let editor: Api;
let manager: Api;

beforeAll(async () => {
  service = await startService();
  [editor, manager] = await Promise.all([service.as('editor'), service.as('manager')]);
});
afterAll(() => service.stop());

const asset = (more: object = {}): Promise<{ id: string }> => editor.make('/api/assets', { name: 'Laptop', ...more });
const person = (fullName: string, more: object = {}): Promise<{ id: string }> =>
  editor.make('/api/people', { fullName, ...more });
const assign = ({ id }: { id: string }, to: { id: string }): Promise<Answer> =>
  editor.post(`/api/assets/${id}/assign`, { personId: to.id });
const takeBack = ({ id }: { id: string }): Promise<Answer> => editor.post(`/api/assets/${id}/return`);
const statusOf = async ({ id }: { id: string }): Promise<string> =>
  (await editor.get(`/api/assets/${id}`)).body.data.status;
const historyOf = async ({ id }: { id: string }) => (await editor.get(`/api/assets/${id}/assignments`)).body.data;
const idsOf = async (path: string): Promise<string[]> =>
  (await editor.get(path)).body.data.map(({ id }: { id: string }) => id);

const WORDS = ['in_stock', 'pending', 'in_use', 'reserved', 'in_repair', 'lost', 'retired', 'disposed', 'loaned'];

describe('the status of an asset', () => {
  it.each(WORDS)('that is %s follows handing out', async (status) => {
    const one = await asset({ status });
    const answer = await assign(one, await person('Ada'));
    const expected = status === 'in_stock' || status === 'reserved' ? 'in_use' : status;
    expect([answer.status, answer.body.data.status, await statusOf(one)]).toEqual([200, expected, expected]);
  });

  it.each(WORDS)('that is %s follows taking back', async (status) => {
    const one = await asset();
    await assign(one, await person('Ada'));
    await editor.patch(`/api/assets/${one.id}`, { status });
    const answer = await takeBack(one);
    const expected = status === 'in_use' ? 'in_stock' : status;
    expect([answer.status, answer.body.data.status, await statusOf(one)]).toEqual([200, expected, expected]);
  });

  it('is what a create, a PATCH, a bulk request and an import say, also while the asset is out', async () => {
    const one = await asset({ status: 'in_use' });
    expect(await statusOf(one)).toBe('in_use');
    await editor.patch(`/api/assets/${one.id}`, { status: 'in_stock' });
    await assign(one, await person('Ada'));
    for (const write of [
      () => editor.patch(`/api/assets/${one.id}`, { status: 'reserved' }),
      () =>
        editor.post('/api/assets/bulk', { operations: [{ op: 'update', id: one.id, data: { status: 'reserved' } }] }),
      () =>
        editor.request('POST', '/api/assets/import?mode=update', `id,status\n${one.id},reserved\n`, {
          'content-type': 'text/csv',
        }),
    ]) {
      await editor.patch(`/api/assets/${one.id}`, { status: 'lost' });
      expect((await write()).status).toBe(200);
      expect(await statusOf(one)).toBe('reserved');
    }
    expect((await takeBack(one)).body.data.status).toBe('reserved');
  });

  it('that is refused to be handed out or taken back stays', async () => {
    const one = await asset({ status: 'reserved' });
    expect((await assign(one, { id: randomUUID() })).status).toBe(400);
    expect((await takeBack(one)).status).toBe(409);
    expect(await statusOf(one)).toBe('reserved');
    const before = await person('Ada');
    await assign(one, before);
    await editor.patch(`/api/assets/${one.id}`, { status: 'in_stock' });
    const refused = await assign(one, await person('Grace'));
    const sentence = `asset is already handed out to 'Ada' (people ${before.id}); it has to be returned first`;
    expect([refused.status, refused.body.error]).toEqual([409, sentence]);
    // With a key there is a transaction around it.
    const grace = await person('Grace');
    const key = { 'idempotency-key': randomUUID() };
    const keyed = await editor.post(`/api/assets/${one.id}/assign`, { personId: grace.id }, key);
    expect([keyed.status, keyed.body.error]).toEqual([409, sentence]);
    expect(await statusOf(one)).toBe('in_stock');
  });

  it('is in_stock of a received unit, which can be handed out', async () => {
    const order = await manager.make('/api/purchase-orders', {
      orderNumber: `PO-${randomUUID()}`,
      items: [{ name: 'Laptop', quantity: 1 }],
    });
    const answer = await manager.post(`/api/purchase-orders/${order.id}/receive`, {
      items: [{ itemId: order.items[0].id, quantity: 1, assets: [{}] }],
    });
    const one = { id: answer.body.data.assetIds[0] };
    expect(await statusOf(one)).toBe('in_stock');
    expect((await assign(one, await person('Ada'))).body.data.status).toBe('in_use');
  });

  it('and its changes are in the change log, under the request that handed the asset out', async () => {
    const one = await asset();
    const answer = await assign(one, await person('Ada'));
    const entries = (await editor.get(`/api/assets/${one.id}/changes`)).body.data;
    expect(entries.at(-1)).toMatchObject({
      action: 'update',
      requestId: answer.headers.get('x-request-id'),
      before: { status: 'in_stock' },
      after: { status: 'in_use' },
    });
    expect(answer.body.data.updatedAt).toBe(entries.at(-1).createdAt);
  });
});

describe('an assignment', () => {
  it('keeps the name and the email address that the person had', async () => {
    const email = `${randomUUID()}@example.com`;
    const [one, ada] = [await asset(), await person('Ada Byron', { email })];
    await assign(one, ada);
    await takeBack(one);
    await editor.patch(`/api/people/${ada.id}`, { fullName: 'Ada Lovelace', email: null });
    await assign(one, ada);
    const named = [
      { personId: ada.id, personName: 'Ada Byron', personEmail: email },
      { personId: ada.id, personName: 'Ada Lovelace', personEmail: null },
    ];
    expect(await historyOf(one)).toMatchObject(named);
    expect((await editor.delete(`/api/people/${ada.id}`)).status).toBe(204);
    expect(await historyOf(one)).toMatchObject(named.map((entry) => ({ ...entry, personId: null })));
    expect(Object.keys((await historyOf(one))[0])).toEqual([
      'id',
      'assetId',
      'personId',
      'personName',
      'personEmail',
      'assignedAt',
      'returnedAt',
      'createdAt',
      'updatedAt',
    ]);
  });

  it('comes back with its asset, also after its person is gone', async () => {
    const [one, ada, grace] = [await asset(), await person('Ada'), await person('Grace')];
    await assign(one, grace);
    await takeBack(one);
    await assign(one, ada);
    const [past, open] = await historyOf(one);
    await editor.delete(`/api/assets/${one.id}`);
    for (const { id } of [ada, grace]) await editor.delete(`/api/people/${id}`);
    const restored = await (await service.as('admin')).post(`/api/assets/${one.id}/restore`);
    expect([restored.status, restored.body.data?.status, restored.body.data?.currentAssignee]).toEqual([
      200,
      'in_stock',
      null,
    ]);
    const gone = { personId: null, updatedAt: expect.any(String) };
    expect(await historyOf(one)).toEqual([
      { ...past, ...gone },
      { ...open, ...gone, returnedAt: expect.any(String) },
    ]);
    expect((await assign(one, await person('Kay'))).body.data.status).toBe('in_use');
  });

  it('ends with the person, like taking back, and the history says so', async () => {
    const ada = await person('Ada');
    const [used, lost] = [await asset(), await asset()];
    for (const one of [used, lost]) await assign(one, ada);
    await editor.patch(`/api/assets/${lost.id}`, { status: 'lost' });
    const gone = await editor.delete(`/api/people/${ada.id}`);
    expect([await statusOf(used), await statusOf(lost)]).toEqual(['in_stock', 'lost']);
    const [assignment] = await historyOf(used);
    expect(assignment).toMatchObject({ personId: null, personName: 'Ada', returnedAt: expect.any(String) });
    const requestId = gone.headers.get('x-request-id');
    const changes = (await editor.get(`/api/change-log?requestId=${requestId}`)).body.data;
    const found = (resource: string, recordId: string) =>
      changes.filter(
        (entry: { resource: string; recordId: string }) => entry.resource === resource && entry.recordId === recordId,
      );
    expect(found('assets', used.id)).toMatchObject([{ before: { status: 'in_use' }, after: { status: 'in_stock' } }]);
    expect(found('assets', lost.id)).toEqual([]);
    expect(found('asset-assignments', assignment.id)).toContainEqual(
      expect.objectContaining({ before: expect.objectContaining({ returnedAt: null }) }),
    );
  });

  it('ends with the person in a bulk request too', async () => {
    const people = [await person('A'), await person('B')];
    const assets = [await asset(), await asset()];
    for (const [index, one] of assets.entries()) await assign(one, people[index]!);
    const operations = people.map(({ id }) => ({ op: 'delete', id }));
    expect((await editor.post('/api/people/bulk', { operations })).status).toBe(200);
    for (const one of assets) expect(await statusOf(one)).toBe('in_stock');
  });
});

describe('the assets of a person', () => {
  it('are those that are handed out now, by the filter assigneeId and by the path', async () => {
    const [ada, grace, nobody] = [await person('Ada'), await person('Grace'), await person('Nobody')];
    const [one, two, back] = [await asset(), await asset({ name: 'Telephone' }), await asset()];
    await assign(one, ada);
    await assign(two, grace);
    await assign(back, ada);
    await takeBack(back);
    expect(await idsOf(`/api/assets?assigneeId=${ada.id}`)).toEqual([one.id]);
    expect(await idsOf(`/api/assets?assigneeId=${ada.id}&assigneeId=${grace.id.toUpperCase()}`)).toEqual([
      one.id,
      two.id,
    ]);
    expect(await idsOf(`/api/assets?assigneeId=${ada.id}&name=Telephone`)).toEqual([]);
    expect(await idsOf(`/api/assets?assigneeId=${randomUUID()}`)).toEqual([]);
    const list = (await editor.get(`/api/people/${ada.id}/assets`)).body;
    expect(list).toEqual({
      data: [(await editor.get(`/api/assets/${one.id}`)).body.data],
      total: 1,
      page: 1,
      pageSize: 10_000,
      hasMore: false,
    });
    expect(list.data[0].currentAssignee.personId).toBe(ada.id);
    expect(await idsOf(`/api/people/${grace.id}/assets?search=telephone&sort=name`)).toEqual([two.id]);
    expect(await idsOf(`/api/people/${nobody.id}/assets`)).toEqual([]);
    expect((await editor.get(`/api/people/${grace.id}/assets?format=csv`)).text).toContain(two.id);
  });

  it('of nobody who exists are a 404, and a malformed id is a 400', async () => {
    const missing = await editor.get(`/api/people/${randomUUID()}/assets`);
    expect([missing.status, missing.body]).toEqual([404, { error: 'Person not found' }]);
    expect((await editor.get('/api/people/x/assets')).body.details[0].field).toBe('id');
    expect((await editor.get('/api/assets?assigneeId=x')).body.details[0].field).toBe('assigneeId');
  });
});

(onServer ? describe : describe.skip)('races', () => {
  it('of deleting a person with handing out to them and taking back from them leave nothing out, without a deadlock', async () => {
    for (let round = 0; round < 15; round++) {
      const [ada, grace] = [await person('Ada'), await person('Grace')];
      const assets = await Promise.all(Array.from({ length: 6 }, () => asset()));
      for (const one of assets.slice(0, 4)) await assign(one, ada);
      const { result, codes } = await watched(() =>
        Promise.all([
          editor.delete(`/api/people/${ada.id}`),
          assign(assets[0]!, ada),
          takeBack(assets[1]!),
          assign(assets[2]!, grace),
          assign(assets[4]!, ada),
          assign(assets[5]!, ada),
        ]),
      );
      expect(result[0]!.status).toBe(204);
      for (const { status } of result) expect(status).toBeLessThan(500);
      expect(codes).not.toContain('40P01');
      for (const { id } of assets) {
        const { status, currentAssignee } = (await editor.get(`/api/assets/${id}`)).body.data;
        expect(currentAssignee === null ? 'in_stock' : 'in_use').toBe(status);
        expect([undefined, grace.id]).toContain(currentAssignee?.personId);
      }
    }
  }, 60_000);
});
