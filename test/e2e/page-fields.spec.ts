import { startService, type Api, type TestService } from '../support/app.js';

/* What the page is told of the fields that an installation has defined. */
interface Field {
  name: string;
  type?: string;
  [property: string]: unknown;
}
interface Own {
  collections: {
    path: string;
    filters: { name: string; operators?: string[] }[];
    sort: string[];
    expand: string[];
  }[];
  types: Record<string, Field[]>;
}

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const own = async (api: Api = admin): Promise<Own> => (await api.get('/api/page/declarations.json')).body as Own;
const fieldIn = ({ types }: Own, type: string, name: string): Field | undefined =>
  types[type]?.find((field) => field.name === name);

it('are nothing where nobody has defined a field, and need a session', async () => {
  expect((await service.anonymous.get('/api/page/declarations.json')).status).toBe(401);
  expect(await own()).toEqual({ collections: [], types: {} });
});

it('has them in types, bodies, filters and orders like every other field, until they are gone', async () => {
  const define = (key: string, type: string, more: object): Promise<{ id: string }> =>
    admin.make('/api/custom-fields', { key, type, resources: ['vendors'], ...more });
  const tier = await define('tier', 'choice', {
    choices: ['gold', 'silver'],
    label: 'Service tier',
    default: 'silver',
  });
  await define('contact', 'reference', { target: 'people', description: 'Whom to call' });
  await define('labels', 'tags', {});
  await define('fee', 'decimal', { minimum: '0' });
  const told = await own();
  expect(Object.keys(told.types).toSorted()).toEqual(['CreateVendor', 'UpdateVendor', 'Vendor']);
  expect(fieldIn(told, 'Vendor', 'customFields.tier')).toEqual({
    name: 'customFields.tier',
    type: 'string',
    values: ['gold', 'silver'],
    label: 'Service tier',
    default: 'silver',
    custom: 'vendors',
  });
  expect(fieldIn(told, 'Vendor', 'customFields')).toBeUndefined();
  expect(fieldIn(told, 'CreateVendor', 'customFields.contact')).toEqual({
    name: 'customFields.contact',
    type: 'string',
    format: 'uuid',
    nullable: true,
    references: 'people',
    description: 'Whom to call',
    custom: 'vendors',
  });
  expect(fieldIn(told, 'UpdateVendor', 'customFields.fee')).toMatchObject({ decimal: true, nullable: true });
  expect(fieldIn(told, 'Vendor', 'customFields.labels')).toMatchObject({ type: 'array', items: 'string' });
  const vendors = told.collections.find(({ path }) => path === '/api/vendors')!;
  expect(
    told.collections.filter(({ filters }) => !filters.some(({ name }) => name.startsWith('customFields.'))),
  ).toEqual([]);
  expect(vendors.filters.find(({ name }) => name === 'customFields.labels')?.operators).toContain('all');
  expect(vendors.sort).toEqual(expect.arrayContaining(['customFields.tier', 'customFields.contact.fullName']));
  expect(vendors.expand).toContain('customFields.contact');
  await admin.delete(`/api/custom-fields/${tier.id}`);
  expect(fieldIn(await own(), 'Vendor', 'customFields.tier')).toBeUndefined();
});
