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
    // A request with a key runs within a transaction.
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
      'dueAt',
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

describe('a handover of many assets', () => {
  const handOver = (holders: unknown, query = '', more: object = {}, headers: Record<string, string> = {}) =>
    editor.post(`/api/assets/handover${query}`, { holders, ...more }, headers);
  const to = (one: { id: string }, somebody: { id: string } | null) => ({
    assetId: one.id,
    personId: somebody?.id ?? null,
  });
  const holderOf = async ({ id }: { id: string }): Promise<string | null> =>
    (await editor.get(`/api/assets/${id}`)).body.data.currentAssignee?.fullName ?? null;

  it('hands out, takes back and leaves alone, and changes nothing when it is repeated', async () => {
    const [ada, grace] = [await person('Ada', { email: `${randomUUID()}@example.com` }), await person('Grace')];
    const [free, out, kept, idle, lost] = [
      await asset(),
      await asset(),
      await asset(),
      await asset(),
      await asset({ status: 'lost' }),
    ];
    await assign(out, ada);
    await assign(kept, grace);
    const holders = [to(free, ada), to(out, null), to(kept, grace), to(idle, null), to(lost, ada)];
    const rehearsed = await handOver(holders, '?dryRun=true');
    const data = { handedOut: 2, takenBack: 1, unchanged: 2, failed: 0, faults: [] };
    expect([rehearsed.status, rehearsed.body]).toEqual([200, { data, dryRun: true }]);
    expect([await holderOf(free), await holderOf(out)]).toEqual([null, 'Ada']);
    const answer = await handOver(holders);
    expect([answer.status, answer.body]).toEqual([200, { data }]);
    expect(await Promise.all([free, out, kept, idle, lost].map(holderOf))).toEqual(['Ada', null, 'Grace', null, 'Ada']);
    expect(await Promise.all([free, out, kept, idle, lost].map(statusOf))).toEqual([
      'in_use',
      'in_stock',
      'in_use',
      'in_stock',
      'lost',
    ]);
    expect(await historyOf(free)).toMatchObject([{ personName: 'Ada', personEmail: expect.any(String) }]);
    const admin = await service.as('admin');
    const log = async (): Promise<number> => (await admin.get('/api/change-log?pageSize=1')).body.total;
    const before = await log();
    // Upper-case ids give the same result.
    const again = await handOver(
      holders.map(({ assetId, personId }) => ({ assetId: assetId.toUpperCase(), personId })),
    );
    expect(again.body.data).toMatchObject({ handedOut: 0, takenBack: 0, unchanged: 5 });
    expect(await log()).toBe(before);
  });

  it('takes an asset from somebody else only with replace, and keeps both in its history', async () => {
    const [ada, grace] = [await person('Ada'), await person('Grace')];
    const one = await asset();
    await assign(one, ada);
    const refused = await handOver([to(one, grace)]);
    const sentence = `is already handed out to 'Ada' (people ${ada.id}); it has to be returned first`;
    expect([refused.status, refused.body.details]).toEqual([400, [{ field: 'holders[0].assetId', message: sentence }]]);
    expect(await holderOf(one)).toBe('Ada');
    const replaced = await handOver([to(one, grace)], '', { replace: true });
    expect(replaced.body.data).toMatchObject({ handedOut: 1, takenBack: 0 });
    expect(await historyOf(one)).toMatchObject([
      { personName: 'Ada', returnedAt: expect.any(String) },
      { personName: 'Grace', returnedAt: null },
    ]);
    expect(await statusOf(one)).toBe('in_use');
  });

  it('has a fault for each wrong entry, and leaves out those alone with onError=skip', async () => {
    const [ada, grace] = [await person('Ada'), await person('Grace')];
    const [good, out, twice] = [await asset(), await asset(), await asset()];
    await assign(out, grace);
    const holders = [
      to(twice, ada),
      to(good, ada),
      to({ id: randomUUID() }, ada),
      to(twice, grace),
      { assetId: good.id.replace(/.$/, (last) => (last === '0' ? '1' : '0')), personId: null },
      to(out, ada),
      to(await asset(), { id: randomUUID() }),
    ];
    const faults = [
      [3, 'assetId', 'does not refer to an existing record'],
      [4, 'assetId', 'is the same asset as in entry 1'],
      [5, 'assetId', 'does not refer to an existing record'],
      [6, 'assetId', `is already handed out to 'Grace' (people ${grace.id}); it has to be returned first`],
      [7, 'personId', 'does not refer to an existing record'],
    ] as const;
    const refused = await handOver(holders);
    expect(refused.status).toBe(400);
    expect(
      refused.body.details.map(({ field, message }: { field: string; message: string }) => [field, message]),
    ).toEqual(faults.map(([row, field, message]) => [`holders[${row - 1}].${field}`, message]));
    expect([await holderOf(twice), await holderOf(good)]).toEqual([null, null]);
    const skipped = await handOver(holders, '?onError=skip');
    expect([skipped.status, skipped.body.data]).toEqual([
      200,
      {
        handedOut: 2,
        takenBack: 0,
        unchanged: 0,
        failed: 5,
        faults: faults.map(([row, field, message]) => ({ row, field, message })),
      },
    ]);
    expect([await holderOf(twice), await holderOf(good), await holderOf(out)]).toEqual(['Ada', 'Ada', 'Grace']);
  });

  it('refuses what is no list of assets and people, with the entry', async () => {
    const ada = await person('Ada');
    const one = await asset();
    const fieldsOf = async (holders: unknown, query = ''): Promise<[number, string[]]> => {
      const { status, body } = await handOver(holders, query);
      return [status, (body.details ?? []).map(({ field }: { field: string }) => field)];
    };
    expect(await fieldsOf(undefined)).toEqual([400, ['holders']]);
    expect(await fieldsOf([])).toEqual([400, ['holders']]);
    expect(await fieldsOf(Array.from({ length: 1001 }, () => to(one, ada)))).toEqual([400, ['holders']]);
    expect(await fieldsOf([to(one, ada), { assetId: 'x', person: null }])).toEqual([
      400,
      expect.arrayContaining(['holders[1].assetId', 'holders[1].personId', 'holders[1].person']),
    ]);
    expect(await fieldsOf([to(one, ada)], '?onError=no')).toEqual([400, ['onError']]);
    expect((await (await service.as('viewer')).post('/api/assets/handover', { holders: [to(one, ada)] })).status).toBe(
      403,
    );
    expect(await holderOf(one)).toBeNull();
  });

  it('of a thousand assets is one request, and with a key the same answer', async () => {
    const ada = await person('Ada');
    const made = await editor.post('/api/assets/bulk', {
      operations: Array.from({ length: 1000 }, (_, at) => ({ op: 'create', data: { name: `many ${at}` } })),
    });
    const holders = made.body.data.results.map(({ id }: { id: string }) => ({ assetId: id, personId: ada.id }));
    const key = { 'idempotency-key': randomUUID() };
    const first = await handOver(holders, '', {}, key);
    expect([first.status, first.body.data.handedOut]).toEqual([200, 1000]);
    expect((await handOver(holders, '', {}, key)).text).toBe(first.text);
    expect((await editor.get(`/api/people/${ada.id}/assets?pageSize=1`)).body.total).toBe(1000);
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
  });

  it('of handovers of the same assets leave each with one person, without a deadlock', async () => {
    const people = await Promise.all(['A', 'B', 'C', 'D'].map((name) => person(name)));
    const assets = await Promise.all(Array.from({ length: 8 }, () => asset()));
    for (const replace of [false, true]) {
      const { result, codes } = await watched(() =>
        Promise.all(
          people.map(({ id }, at) =>
            editor.post('/api/assets/handover', {
              // Each request has another order.
              holders: assets.map((_, index) => ({ assetId: assets[(index * 3 + at) % 8]!.id, personId: id })),
              replace,
            }),
          ),
        ),
      );
      expect(codes).not.toContain('40P01');
      const statuses = result.map(({ status }) => status).toSorted();
      expect(statuses).toEqual(replace ? [200, 200, 200, 200] : [200, 400, 400, 400]);
      const holders = new Set<string>();
      for (const one of assets) {
        const open = (await historyOf(one)).filter(
          ({ returnedAt }: { returnedAt: string | null }) => returnedAt === null,
        );
        expect(open).toHaveLength(1);
        holders.add(open[0].personId);
        expect(await statusOf(one)).toBe('in_use');
      }
      expect(holders.size).toBe(1);
    }
  });
});
