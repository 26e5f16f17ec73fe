import { randomUUID } from 'node:crypto';
import { startService, type Api, type TestService } from '../support/app.js';
import { ofEachKind } from '../support/size.js';
import type { Row } from './row.js';
import { rows } from './rows.js';
import { Maker, type Made } from './make.js';

let service: TestService;
let admin: Api;
let maker: Maker;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  maker = new Maker(admin, 'bulk');
});
afterAll(() => service.stop());

const families = rows.filter(({ area }) => area !== 'admin');
/** Fields of a row that a change can set in any state of the record: the required ones where there are no others. */
function settableOf({ optional, required, fixed }: Row): Record<string, unknown> {
  const settable = Object.entries(optional).filter(([name]) => name !== 'profileId' && name !== 'email');
  if (settable.length > 0) return Object.fromEntries(settable);
  return Object.fromEntries(Object.entries(required).filter(([name]) => !fixed?.includes(name)));
}

describe.each(ofEachKind(families.filter((row) => !row.few && Object.keys(settableOf(row)).length > 0)))(
  'bulk of $path',
  (row) => {
    it('creates, changes, leaves alone and deletes, as the single operations do', async () => {
      const path = await maker.collection(row);
      const body = async (): Promise<Record<string, unknown>> => await maker.values(row.required);
      const [same, gone, other] = [
        await admin.make(path, await body()),
        await admin.make(path, await body()),
        await admin.make(path, await body()),
      ];
      const patch = await maker.values(settableOf(row));
      // With references of its own, within which values may have to be unique.
      const created = [await body(), { ...(await body()), ...(await maker.values(settableOf(row))) }];
      const etag = (await admin.get(`${path}/${other.id}`)).headers.get('etag')!;
      const {
        status,
        body: answer,
        text,
      } = await admin.post(`${path}/bulk`, {
        operations: [
          ...created.map((data) => ({ op: 'create', data })),
          { op: 'update', id: same.id, data: same },
          { op: 'update', id: other.id, ifMatch: etag, data: patch },
          { op: 'delete', id: gone.id },
        ],
      });
      expect([status, text]).toEqual([200, expect.any(String)]);
      const { results, ...counts } = answer.data;
      expect(counts).toEqual({ created: 2, updated: 1, unchanged: 1, deleted: 1 });
      expect(results.map(({ op, status: what }: { op: string; status: string }) => [op, what])).toEqual([
        ['create', 'created'],
        ['create', 'created'],
        ['update', 'unchanged'],
        ['update', 'updated'],
        ['delete', 'deleted'],
      ]);
      for (const { id, record } of results) {
        const read = await admin.get(`${path}/${id}`);
        expect([id, read.status, read.body.data ?? null]).toEqual([id, record ? 200 : 404, record]);
      }
      expect(results[0].record).toMatchObject({ ...created[0], ...row.answers });
      expect(results[1].record).toMatchObject({ ...created[1], ...row.answers });
      expect(results[2].record).toEqual(same);
      expect(results[3].record).toMatchObject({ ...patch, ...row.answers });
      const changes = await admin.get(`${path}/${same.id}/changes`);
      expect(changes.body.data.map(({ action }: { action: string }) => action)).toEqual(['create']);
    });

    it('writes nothing when one operation is refused, nor with dryRun', async () => {
      const path = await maker.collection(row);
      const data = await maker.values(row.required);
      const { total } = (await admin.get(`${path}?pageSize=1`)).body;
      const [first] = Object.keys(row.required);
      const refused = await admin.post(`${path}/bulk`, {
        operations: [
          { op: 'create', data },
          { op: 'create', data: { ...data, [first!]: { not: 'it' }, noSuchField: 1 } },
          { op: 'update', id: 'none', data: { noSuchField: 1 } },
          { op: 'delete' },
        ],
      });
      expect([refused.status, refused.body.details.map(({ field }: { field: string }) => field)]).toEqual([
        400,
        [
          'operations[1].data.noSuchField',
          `operations[1].data.${first}`,
          'operations[2].id',
          'operations[2].data.noSuchField',
          'operations[3].id',
        ],
      ]);
      const unknown = {
        operations: [
          { op: 'create', data },
          { op: 'delete', id: randomUUID() },
        ],
      };
      const missing = await admin.post(`${path}/bulk`, unknown);
      expect([missing.status, missing.body.details[0].field]).toEqual([404, 'operations[1].id']);
      const dry = await admin.post(`${path}/bulk?dryRun=true`, { operations: [{ op: 'create', data }] });
      expect([dry.status, dry.body.dryRun, dry.body.data.created]).toEqual([200, true, 1]);
      expect(dry.body.data.results[0].record).toMatchObject({ ...data, ...row.answers });
      expect((await admin.get(`${path}?pageSize=1`)).body.total).toBe(total);
    });
  },
);

// Each operation in a request to a collection of its own.
const partsOfWhichThereAreFew = families.filter(({ few }) => few);
if (partsOfWhichThereAreFew.length > 0) {
  it.each(partsOfWhichThereAreFew)('bulk of $path creates, changes, leaves alone and deletes one', async (row) => {
    const body = await maker.values(row.required);
    const patch = await maker.values(settableOf(row));
    const [same, other, gone] = [
      await maker.record(row.path),
      await maker.record(row.path),
      await maker.record(row.path),
    ];
    const collectionOf = ({ path }: Made): string => path.slice(0, path.lastIndexOf('/'));
    const record = (await admin.get(same.path)).body.data;
    for (const [at, operation, status, shown] of [
      [await maker.collection(row), { op: 'create', data: body }, 'created', body],
      [collectionOf(same), { op: 'update', id: same.id, data: record }, 'unchanged', record],
      [collectionOf(other), { op: 'update', id: other.id, data: patch }, 'updated', patch],
      [collectionOf(gone), { op: 'delete', id: gone.id }, 'deleted', undefined],
    ] as const) {
      const dry = await admin.post(`${at}/bulk?dryRun=true`, { operations: [operation] });
      expect([dry.status, dry.body.dryRun, dry.body.data.results[0].status]).toEqual([200, true, status]);
      const answer = await admin.post(`${at}/bulk`, { operations: [operation] });
      const { results, ...counts } = answer.body.data;
      expect([answer.status, counts[status], results[0].status]).toEqual([200, 1, status]);
      const read = await admin.get(`${at}/${results[0].id}`);
      expect([read.status, read.body.data ?? undefined]).toEqual([shown ? 200 : 404, results[0].record ?? undefined]);
      if (shown) expect(results[0].record).toMatchObject({ ...shown, ...row.answers });
    }
  });
}

it('has a row for each bulk operation of the service', () => {
  expect(families.length).toBeGreaterThan(30);
});
