import { Test } from '@nestjs/testing';
import { NO_FIELDS } from '../../src/fields/custom/defined-fields.js';
import { RequestContext } from '../../src/lists/request-context.js';
import { AppModule } from '../../src/app/app.module.js';
import { loadConfiguration } from '../../src/config/configuration.js';
import { AssetsService } from '../../src/procurement/asset/assets.service.js';
import { ReceiveController } from '../../src/procurement/purchase-order/receive/receive.controller.js';
import { Vendor } from '../../src/procurement/vendor/vendor.entity.js';
import { VendorsController } from '../../src/procurement/vendor/vendors.controller.js';
import { declaredSqlOf } from '../../src/lists/record-sql.js';
import { RecordStores } from '../../src/records/record-store.js';
import { RecordService } from '../../src/records/record-service.js';
import { ResourceService, serviceOf } from '../../src/records/resource.service.js';
import { Secrets } from '../../src/access/secrets.js';
import { ResourceController } from '../../src/resource/resource.controller.js';
import { CreateVendor, UpdateVendor } from '../../src/procurement/vendor/vendors.controller.js';
import { Asset } from '../../src/procurement/asset/asset.entity.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { sql } from '../../src/database/sql.js';

let database: TestDatabase;
let ctx: RequestContext;
beforeAll(async () => {
  database = await createTestDatabase();
  const [profile] = await database.db.query<{ id: string }>(
    sql`INSERT INTO profiles (email, password_hash) VALUES ('ada@example.com', '') RETURNING id`,
  );
  const { id } = profile!;
  const caller = {
    profileId: id,
    credential: { kind: 'session', id },
    email: 'ada@example.com',
    role: 'admin',
    areas: ['procurement'],
  } as const;
  ctx = new RequestContext(caller, 'one', database.db, NO_FIELDS);
});
afterAll(() => database.drop());

const application = () =>
  Test.createTestingModule({
    imports: [
      AppModule.with({
        configuration: loadConfiguration({ LOG_LEVEL: 'silent' }),
        dataSource: database.dataSource,
        secrets: new Secrets('a key that only the tests use, 32+'),
      }),
    ],
  });

it('replaces the service of a resource without rules of its own', async () => {
  const remove = jest.fn(() => Promise.resolve());
  const module = await application().overrideProvider(serviceOf(Vendor)).useValue({ remove }).compile();
  const id = '8d0e4b2a-7c35-4f19-9b6e-2a1c3d5e7f90';
  await module.get(VendorsController, { strict: false }).remove(ctx, { id }, {});
  expect(remove).toHaveBeenCalledWith(ctx, id, undefined, {});
});

it('replaces a service that another one is given', async () => {
  const [order] = await database.db.query<{ id: string }>(
    sql`INSERT INTO purchase_orders (order_number) VALUES ('PO-1') RETURNING id`,
  );
  const [item] = await database.db.query<{ id: string }>(
    sql`INSERT INTO purchase_order_items (purchase_order_id, name, quantity, position) VALUES (${order!.id}, 'Switch', 2, 1) RETURNING id`,
  );
  const createMany = jest.fn((_ctx: unknown, _bodies: Partial<Asset>[], _owner: unknown, ids: string[]) =>
    Promise.resolve(ids),
  );
  const module = await application().overrideProvider(AssetsService).useValue({ createMany }).compile();
  const receipt = await module.get(ReceiveController, { strict: false }).receive(ctx, order!.id, {
    items: [{ itemId: item!.id, quantity: 1, assets: [{ serialNumber: 'SN-1' }] }],
  });
  const [, made, , ids] = createMany.mock.calls[0]!;
  expect(JSON.parse(receipt.json)).toEqual({ assetIds: ids, count: 1 });
  expect(made).toEqual([expect.objectContaining({ name: 'Switch', serialNumber: 'SN-1', purchaseOrderId: order!.id })]);
  expect(await database.db.query(sql`SELECT 1 FROM assets`)).toEqual([]);
});

it('gives all services of a record the same readers', async () => {
  const module = await application().compile();
  const stores = module.get(RecordStores, { strict: false });
  expect(stores.readersOf(declaredSqlOf(Asset))).toBe(stores.readersOf(declaredSqlOf(Asset)));
  expect(stores.readersOf(declaredSqlOf(Asset))).not.toBe(stores.readersOf(declaredSqlOf(Vendor)));
});

describe('a service class', () => {
  it('is one for each record', () => {
    expect(serviceOf(Vendor)).toBe(serviceOf(Vendor));
    expect(serviceOf(Vendor)).not.toBe(serviceOf(Asset));
    expect(serviceOf(Vendor).name).toBe('ResourceServiceOfVendor');
  });

  it('says which record it serves', () => {
    class Undeclared extends ResourceService<Vendor> {}
    expect(() => new Undeclared({} as RecordStores)).toThrow(
      'Undeclared serves no record: declare it with @RecordService',
    );
  });

  it('is refused by the controller of another record', () => {
    @RecordService(Asset)
    class OfAssets extends ResourceService<Vendor> {}
    const definition = { record: Vendor, create: CreateVendor, update: UpdateVendor, service: OfAssets };
    expect(() => ResourceController(definition)).toThrow('OfAssets serves Asset, not Vendor');
  });
});
