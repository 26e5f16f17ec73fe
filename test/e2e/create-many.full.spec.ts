import { ModulesContainer } from '@nestjs/core';
import { RequestContext } from '../../src/lists/request-context.js';
import { NO_FIELDS } from '../../src/fields/custom/defined-fields.js';
import { Platform } from '../../src/network/platform/platform.entity.js';
import { AssetsService } from '../../src/procurement/asset/assets.service.js';
import type { PurchaseOrder } from '../../src/procurement/purchase-order/purchase-order.entity.js';
import type { PurchaseOrdersService } from '../../src/procurement/purchase-order/purchase-orders.service.js';
import { PeopleService } from '../../src/people/person/people.service.js';
import type { Owner } from '../../src/records/owner.js';
import { serviceOf, type ResourceService } from '../../src/records/resource.service.js';
import { SluggedService } from '../../src/records/slugged.service.js';
import { controlledBy, type ControlledResource } from '../../src/resource/resource.definition.js';
import { uniqueFields, type Row } from '../resources/row.js';
import { rows } from '../resources/rows.js';
import { Maker } from '../resources/make.js';
import { itOnServer } from '../support/server.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { ofEachKind } from '../support/size.js';
import { sql } from '../../src/database/sql.js';

let service: TestService;
let admin: Api;
let ctx: RequestContext;
let maker: Maker;

const contextOf = async (api: Api): Promise<RequestContext> => {
  const { id: profileId, email, role, areas } = (await api.get('/api/auth/session')).body.data;
  const requestId = 'create-many';
  const db = service.database.db.as({ profileId, email, requestId });
  const caller = { profileId, email, role, areas, credential: { kind: 'session', id: profileId } } as const;
  return new RequestContext(caller, requestId, db, NO_FIELDS);
};

beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  ctx = await contextOf(admin);
  maker = new Maker(admin, 'many');
});
afterAll(() => service.stop());

const get = <T>(token: abstract new (...given: never[]) => T): T => service.app.get(token as never, { strict: false });
const assets = (): AssetsService => get(AssetsService);
const read = async (path: string): Promise<Record<string, unknown>> => (await admin.get(path)).body.data;

/** The declaration of a collection's controller. */
function resourceAt(path: string): ControlledResource {
  const pattern = path.replace(/^\/(.*)\/[^/]{36}\//, '$1/:id/').replace(/^\//, '');
  for (const module of service.app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (Reflect.getMetadata('path', metatype as object) === pattern) return controlledBy(metatype as object)!;
    }
  }
  throw new Error(`No controller of ${pattern}`);
}

const serviceAt = (path: string): ResourceService => get(resourceAt(path).service as never);

/** The owner of the parts at a path; undefined for records that are not parts. */
function ownerAt(path: string): Owner | undefined {
  const { owner } = resourceAt(path);
  return owner && { record: owner.record, field: owner.field, id: path.split('/')[3]! };
}

/** Fields whose values no two records of a resource share. */
const unshared = (row: Row): string[] => [
  ...uniqueFields(row),
  ...(row.apart ?? []),
  'profileId',
  // If the service makes the name, it makes it from other values.
  ...('name' in { ...row.required, ...row.optional } ? [] : ['name']),
];
const OWN = ['id', 'createdAt', 'updatedAt', 'slug', 'profile', 'aName', 'bName'];

/** The equal values of two records that were created from the same body. */
const common = (record: Record<string, unknown>, unique: readonly string[] = []): Record<string, unknown> => {
  const kept = Object.fromEntries(
    Object.entries(record).filter(([name]) => !OWN.includes(name) && !unique.includes(name)),
  );
  if (Array.isArray(kept.items)) {
    kept.items = (kept.items as Record<string, unknown>[]).map((item) =>
      common({ ...item, purchaseOrderId: undefined }),
    );
  }
  return kept;
};

const pick = (values: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

describe.each(ofEachKind(rows))('$path', (row: Row) => {
  it.each([
    ['required', row.required],
    ['all', { ...row.required, ...row.optional }],
  ])('creates several records as it creates one, of %s fields', async (_, template) => {
    const collection = await maker.collection(row);
    const given = await maker.values(template);
    const unique = unshared(row);
    const body = async (): Promise<Record<string, unknown>> => ({
      ...given,
      ...(row.area === 'admin' && { password: 'a passphrase of the truth 1' }),
      ...(await maker.values(pick(template, unique))),
    });
    const made = await admin.make(collection, await body());
    const single = common(made, unique);
    // A second record would conflict with it.
    if (row.few) await admin.delete(`${collection}/${made.id}`);
    const bodies = [await body(), await body()].slice(0, row.few ? 1 : 2);
    const ids = await serviceAt(collection).createMany(ctx, bodies as object[], ownerAt(collection));
    expect(ids).toHaveLength(bodies.length);
    for (const id of ids) expect(common(await read(`${collection}/${id}`), unique)).toEqual(single);
  });
});

describe('records created at once', () => {
  it('are in the order of their bodies, each with the defaults of the fields that it does not set', async () => {
    const ids = await assets().createMany(ctx, [
      { name: 'Third', status: 'lost', notes: null },
      { name: 'First', purchasePrice: '12.5' },
      { name: 'Second', status: 'in_use', condition: 'fair' },
    ]);
    const found = await Promise.all(ids.map((id) => read(`/api/assets/${id}`)));
    expect(found.map(({ name, status, condition, purchasePrice }) => [name, status, condition, purchasePrice])).toEqual(
      [
        ['Third', 'lost', null, null],
        ['First', 'in_stock', null, '12.50'],
        ['Second', 'in_use', 'fair', null],
      ],
    );
    for (const record of found) expect(record.createdAt).toBe(record.updatedAt);
  });

  it('take one statement, are counted, and are in the change log with who created them', async () => {
    const total = async (): Promise<number> => (await admin.get('/api/assets?pageSize=1')).body.total;
    const before = await total();
    const query = jest.spyOn(service.database.db, 'runWrite');
    const ids = await assets().createMany(
      ctx,
      Array.from({ length: 500 }, (_, index) => ({ name: `Unit ${index}` })),
    );
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
    expect(await total()).toBe(before + 500);
    const [log] = await service.database.db.query<{ n: number }>(
      sql`SELECT count(DISTINCT record_id)::int AS n FROM change_log WHERE record_id = ANY(${ids}) AND action = 'create' AND actor = ${ctx.caller.email}`,
    );
    expect(log!.n).toBe(500);
  });

  it('are none where there are no bodies', async () => {
    const query = jest.spyOn(service.database.db, 'query');
    expect(await assets().createMany(ctx, [])).toEqual([]);
    expect(query).not.toHaveBeenCalled();
    query.mockRestore();
  });

  it('are all refused where one is', async () => {
    const refused = assets().createMany(ctx, [{ name: 'Kept?' }, { name: 'Broken', siteId: ctx.caller.profileId }]);
    await expect(refused).rejects.toMatchObject({ code: '23503' });
    expect((await admin.get('/api/assets?name=Kept?')).body.total).toBe(0);
  });

  it('get the slugs of their names, the same for the same name', async () => {
    const platforms = get<ResourceService<Platform>>(serviceOf(Platform, SluggedService<Platform>));
    const { slug } = await admin.make('/api/platforms', { name: 'Many OS' });
    const ids = await platforms.createMany(ctx, [
      { name: 'Many OS' },
      { name: 'Many OS', slug: 'given' },
      { name: 'Many OS', slug: null },
      { name: 'Other OS' },
    ]);
    const found = await Promise.all(ids.map((id) => read(`/api/platforms/${id}`)));
    expect([slug, ...found.map((platform) => platform.slug)]).toEqual([
      'many-os',
      'many-os',
      'given',
      null,
      'other-os',
    ]);
  });

  itOnServer('hold up no create of another request before they are committed', async () => {
    const platforms = get<ResourceService<Platform>>(serviceOf(Platform, SluggedService<Platform>));
    await ctx.transaction(async (tx) => {
      await platforms.createMany(tx, [{ name: 'Import OS' }, { name: 'Import OS' }]);
      // A batch of an import may have only one valid row.
      await platforms.createMany(tx, [{ name: 'Other import OS' }]);
      expect(await admin.post('/api/platforms', { name: 'Import OS' })).toMatchObject({ status: 201 });
      expect(await admin.post('/api/platforms', { name: 'Other import OS' })).toMatchObject({ status: 201 });
    });
  });

  it('need the rights that creating one needs', async () => {
    const editor = await contextOf(await service.as('editor'));
    const { id: profileId } = await maker.record('/api/profiles');
    const linking = get(PeopleService).createMany(editor, [{ fullName: 'Ada' }, { fullName: 'Eve', profileId }]);
    await expect(linking).rejects.toMatchObject({ message: expect.stringContaining('needs the role admin') });
  });

  it('name the faults of each, where the references of their parts lead nowhere', async () => {
    const item = { name: 'Switch', quantity: 1 };
    const orders = serviceAt('/api/purchase-orders') as PurchaseOrdersService;
    const refused = orders.createMany(ctx, [
      { orderNumber: 'PO-many-1', items: [item] },
      { orderNumber: 'PO-many-2', items: [item, { ...item, categoryId: ctx.caller.profileId }] },
    ] as Partial<PurchaseOrder>[]);
    await expect(refused).rejects.toMatchObject({
      extra: { details: [{ field: '[1].items[1].categoryId', message: 'does not refer to an existing record' }] },
    });
  });
});
