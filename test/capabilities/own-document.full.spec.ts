import { startService, type Api, type TestService } from '../support/app.js';

/*
 * The document and the page's declarations of an installation with its own fields and transitions. A thread loads the application once
 * more to build them, so these tests share a file.
 */

// oxlint-disable-next-line typescript/no-explicit-any -- a JSON document
type Json = any;

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

afterEach(async () => {
  for (const path of ['/api/vendors', '/api/transitions', '/api/custom-fields']) {
    for (const { id } of (await admin.get(path)).body.data) {
      await admin.delete(`${path}/${id}${path.endsWith('fields') ? '?dropValues=true' : ''}`);
    }
  }
});

/** Defines a field, by default of vendors. */
const define = (key: string, type: string, more: object = {}): Promise<Json> =>
  admin.make('/api/custom-fields', { key, type, resources: ['vendors'], ...more });
const move = (resource: string, from: string | null, to: string): Promise<Json> =>
  admin.make('/api/transitions', { resource, from, to });

describe('the document of the installation', () => {
  const documented = async (): Promise<Json> => (await admin.get('/api/openapi.json')).body;

  it('is the published one where nobody has defined a field, and needs a session', async () => {
    expect((await service.anonymous.get('/api/openapi.json')).status).toBe(401);
    expect(await documented()).toEqual((await service.anonymous.get('/openapi.json')).body);
  });

  it('has the fields with their types in bodies, responses and filters', async () => {
    await define('tier', 'choice', { choices: ['gold', 'silver'], label: 'Tier' });
    await define('seats', 'integer', { minimum: 1 });
    await define('contact', 'reference', { target: 'people' });
    await define('tags', 'tags');
    await define('owner', 'text', { pattern: '^[a-z]+$' });
    const { paths, components } = await documented();
    const { schemas, parameters } = components;
    expect(Object.keys(schemas.VendorCustomFields.properties)).toEqual(
      expect.arrayContaining(['tier', 'tags', 'owner', 'seats', 'contact']),
    );
    const named = (schema: Json): Json => schemas[schema.$ref.split('/').at(-1)];
    const valuesOf = (name: string): Json =>
      Object.fromEntries(Object.entries<Json>(schemas[name].properties).map(([key, schema]) => [key, named(schema)]));
    expect(valuesOf('VendorCustomFields')).toMatchObject({
      tier: { type: 'string', enum: ['gold', 'silver'], description: 'Tier' },
      seats: { type: 'integer', minimum: 1 },
      contact: { type: 'string', format: 'uuid' },
      tags: { type: 'array' },
      owner: { type: 'string', pattern: '^[a-z]+$' },
    });
    expect(schemas.Vendor.required).toContain('customFields');
    expect(schemas.CreateVendorCustomFields.properties.tier).toEqual({
      anyOf: [schemas.VendorCustomFields.properties.tier, { type: 'null' }],
    });
    expect(schemas.UpdateVendor.propertyNames.enum).toContain('customFields');
    expect(schemas.Site.properties.customFields).toEqual(
      (await service.anonymous.get('/openapi.json')).body.components.schemas.Site.properties.customFields,
    );
    expect(schemas.VendorSummary.properties).toMatchObject({
      // Otherwise generators name the type of a choice after its property, and this name contains a dot.
      'customFields.tier': { anyOf: [schemas.VendorCustomFields.properties.tier, { type: 'null' }] },
      'customFields.contact': {
        type: ['object', 'null'],
        properties: { email: { type: ['string', 'null'], format: 'email' } },
        required: ['id', 'name'],
      },
      sum: { properties: { 'customFields.seats': { type: ['integer', 'null'], format: 'int64' } } },
    });
    expect(schemas.VendorSummary.properties).not.toHaveProperty(['customFields.tags']);
    const names = paths['/api/vendors'].get.parameters.map(({ $ref }: Json) => parameters[$ref.split('/').at(-1)].name);
    expect(names).toEqual(
      expect.arrayContaining([
        'expand',
        'customFields.tier',
        'customFields.seats__gte',
        'customFields.tags__all',
        'customFields.owner__ic',
      ]),
    );
    expect(schemas.VendorSort.enum).toContain('customFields.contact.fullName');
    const { example } = paths['/api/vendors'].post.requestBody.content['application/json'];
    expect(example.customFields).toMatchObject({ tier: 'gold', seats: 1 });
    expect((await admin.post('/api/vendors', example)).status).toBe(201);
    const [tier] = (await admin.get('/api/custom-fields?key=tier')).body.data;
    await admin.delete(`/api/custom-fields/${tier.id}?dropValues=true`);
    expect((await documented()).components.schemas.VendorCustomFields.properties).not.toHaveProperty('tier');
  });

  it('has a long description once, however many resources have the field', async () => {
    const description = 'long '.repeat(200).trimEnd().padEnd(1000, '.');
    const refused = await admin.post('/api/custom-fields', {
      key: 'story',
      type: 'text',
      resources: ['vendors'],
      description: `${description}.`,
    });
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [{ field: 'description', message: 'must be at most 1000 characters long' }],
    ]);
    await admin.make('/api/custom-fields', {
      key: 'story',
      type: 'text',
      resources: ['vendors', 'sites'],
      description,
    });
    const { components } = await documented();
    const telling = (kind: string): string[] =>
      Object.keys(components[kind]).filter((name) => JSON.stringify(components[kind][name]).includes(description));
    expect(telling('schemas')).toEqual([expect.stringMatching(/^CustomValueStory/)]);
    expect(telling('parameters')).toEqual([]);
  });

  it('is made while other requests are answered', async () => {
    await define('aside', 'text');
    const answered: string[] = [];
    await Promise.all(
      ['/api/openapi.json', '/api/page/declarations.json', '/api/vendors', '/api/sites'].map(async (path) => {
        expect((await admin.get(path)).status).toBe(200);
        answered.push(path);
      }),
    );
    expect(answered.slice(0, 2).toSorted()).toEqual(['/api/sites', '/api/vendors']);
  });

  it('has the fields of parts in bodies and responses', async () => {
    await define('ofUpdate', 'text', { resources: ['incident-updates'], required: true });
    await define('ofReceipt', 'text', { resources: ['receipts'] });
    await define('ofAssignment', 'text', { resources: ['asset-assignments'], required: true });
    await define('ofLine', 'text', { resources: ['purchase-order-items'] });
    const { schemas } = (await documented()).components;
    const keysOf = (name: string): string[] => {
      const { $ref } = schemas[name].properties.customFields;
      return Object.keys(schemas[$ref.split('/').at(-1)].properties);
    };
    expect(
      ['IncidentUpdate', 'CreateIncidentUpdate', 'Receipt', 'ReceivePurchaseOrder', 'AssetAssignment'].map(keysOf),
    ).toEqual([['ofUpdate'], ['ofUpdate'], ['ofReceipt'], ['ofReceipt'], ['ofAssignment']]);
    expect(
      ['AssignAsset', 'ReturnAsset', 'AssetHolder', 'PurchaseOrderItem', 'CreatePurchaseOrderItem'].map(keysOf),
    ).toEqual([['ofAssignment'], ['ofAssignment'], ['ofAssignment'], ['ofLine'], ['ofLine']]);
    expect([schemas.AssignAsset.required, schemas.AssetHolder.required]).toEqual([
      ['personId', 'customFields'],
      ['assetId', 'personId'],
    ]);
  });

  it('lists the values of closed fields', async () => {
    await move('change-requests', null, 'draft');
    await move('change-requests', 'draft', 'submitted');
    await move('change-requests', 'submitted', 'draft');
    await move('software-licences', 'active', 'expired');
    const { components, paths } = await documented();
    const { CreateChangeRequest, UpdateChangeRequest, ChangeRequest, CreateSoftwareLicence } = components.schemas;
    for (const schema of [CreateChangeRequest, UpdateChangeRequest]) {
      expect(schema.properties.status.enum).toEqual(['draft', 'submitted']);
    }
    expect(CreateSoftwareLicence.properties.status.enum).toEqual(['active', 'expired', null]);
    expect(ChangeRequest.properties.status.description).toBe(
      'Status. Values: `draft`, `submitted`, by the transitions of the installation',
    );
    expect(CreateChangeRequest.properties.risk.enum).toBeUndefined();
    const { example } = paths['/api/change-requests'].post.requestBody.content['application/json'];
    expect(example.status).toBe('draft');
  });
});

describe('the fields of the page', () => {
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

  const own = async (api: Api = admin): Promise<Own> => (await api.get('/api/page/declarations.json')).body as Own;
  const fieldIn = ({ types }: Own, type: string, name: string): Field | undefined =>
    types[type]?.find((field) => field.name === name);

  it('are nothing where nobody has defined a field, and need a session', async () => {
    expect((await service.anonymous.get('/api/page/declarations.json')).status).toBe(401);
    expect(await own()).toEqual({ collections: [], types: {} });
  });

  it('has them in types, bodies, filters and orders like every other field, until they are gone', async () => {
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
});
