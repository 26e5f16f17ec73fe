import { loadCatalogue, shipCatalogue } from '../../src/app/startup/load-catalogue.js';
import { DEVICE_ROLE_TIERS } from '../../src/catalogue/data/index.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { identifier, sql } from '../../src/database/sql.js';

let service: TestService;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor');
});
afterAll(() => service.stop());

const all = async (path: string) => (await editor.get(path)).body.data as Record<string, unknown>[];

const count = async () => (await editor.get('/api/manufacturers?pageSize=1')).body.total as number;

it('is not there where the first start leaves it out, whatever later ones say, until it is asked for', async () => {
  const { db } = service.database;
  for (const isWanted of [false, false, true]) await shipCatalogue(db, isWanted);
  expect(await count()).toBe(0);
  expect((await loadCatalogue(db)).added).toBeGreaterThan(300);
  // A later release adds its entries at its first start, unless they are disabled.
  const [{ id, slug }] = (await all('/api/manufacturers?pageSize=1')) as [{ id: string; slug: string }];
  await editor.delete(`/api/manufacturers/${id}`);
  await db.query(sql`DELETE FROM catalogue_entries WHERE kind = 'manufacturers' AND slug = ${slug}`);
  const left = await count();
  await shipCatalogue(db, false);
  expect(await count()).toBe(left);
  await shipCatalogue(db, true);
  expect(await count()).toBe(left + 1);
  for (const table of ['device_types', 'device_roles', 'platforms', 'manufacturers', 'catalogue_entries']) {
    await db.query(sql`DELETE FROM ${identifier(table)}`);
  }
});

it('brings a catalogue of real products, and a later start adds nothing', async () => {
  const { db } = service.database;
  await shipCatalogue(db, true);
  expect(await count()).toBeGreaterThan(0);
  const before = await Promise.all(
    ['platforms', 'device-roles', 'device-types', 'manufacturers'].map((path) => all(`/api/${path}`)),
  );
  const [platforms, roles, types, manufacturers] = before as [
    never[],
    Record<string, unknown>[],
    Record<string, unknown>[],
    never[],
  ];
  expect(platforms.length).toBeGreaterThanOrEqual(40);
  expect(roles.length).toBeGreaterThanOrEqual(25);
  expect(types.length).toBeGreaterThanOrEqual(30);
  expect(manufacturers.length).toBeGreaterThanOrEqual(8);
  expect([...platforms, ...roles, ...types].every(({ source }) => source === 'vendor')).toBe(true);
  expect(new Set(roles.map(({ tier }) => tier))).toEqual(new Set(DEVICE_ROLE_TIERS));
  expect(new Set(types.map(({ manufacturerId }) => manufacturerId)).size).toBeGreaterThanOrEqual(8);
  for (const { id } of types) {
    const modules = await all(`/api/device-types/${String(id)}/modules`);
    expect(modules.length).toBeGreaterThan(0);
    expect(modules.every(({ source }) => source === 'vendor')).toBe(true);
  }
  expect(await loadCatalogue(db)).toEqual({ added: 0 });
});

it("leaves customers' changes alone, and does not restore deleted records", async () => {
  const { db } = service.database;
  await loadCatalogue(db);
  const [changed, deleted] = await all('/api/platforms?pageSize=2');
  expect((await editor.patch(`/api/platforms/${String(changed!.id)}`, { name: 'Our own name' })).status).toBe(200);
  expect((await editor.delete(`/api/platforms/${String(deleted!.id)}`)).status).toBe(204);
  expect(await loadCatalogue(db)).toEqual({ added: 0 });
  expect((await editor.get(`/api/platforms/${String(changed!.id)}`)).body.data.name).toBe('Our own name');
  expect((await all(`/api/platforms?slug=${String(deleted!.slug)}`)).length).toBe(0);
});

it("takes a customer's record with the same slug to be the same thing", async () => {
  const { db } = service.database;
  await loadCatalogue(db);
  const [shipped] = await all('/api/device-roles?pageSize=1');
  await editor.delete(`/api/device-roles/${String(shipped!.id)}`);
  await db.query(sql`DELETE FROM catalogue_entries WHERE slug = ${shipped!.slug}`);
  const own = await editor.make('/api/device-roles', { name: 'Ours', slug: shipped!.slug });
  expect(own.source).toBe('customer');
  expect(await loadCatalogue(db)).toEqual({ added: 0 });
  expect((await all(`/api/device-roles?slug=${String(shipped!.slug)}`)).map(({ id }) => id)).toEqual([own.id]);
});
