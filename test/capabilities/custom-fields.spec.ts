import { randomUUID } from 'node:crypto';
import { DroppedValues } from '../../src/custom-fields/dropped-values.js';
import { pruneKeptValues, SIZES } from '../../src/custom-fields/stored-values.js';
import { Database } from '../../src/database/database.js';
import { DefinitionStore } from '../../src/fields/custom/definition-store.js';
import { Api, startService, type Answer, type TestService } from '../support/app.js';
import { itInFull } from '../support/size.js';
import { until } from '../support/until.js';
import { sql, raw } from '../../src/database/sql.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

// oxlint-disable-next-line typescript/no-explicit-any -- records of any shape
type Json = any;

const refusal = ({ status, body }: Answer): [number, string] => [status, body.error];

/** Defines a field of vendors. */
const define = (key: string, type: string, more: object = {}): Promise<Json> =>
  admin.make('/api/custom-fields', { key, type, resources: ['vendors'], ...more });
const vendor = (customFields?: object, name = 'v'): Promise<Json> =>
  admin.make('/api/vendors', { name, ...(customFields && { customFields }) });

afterEach(async () => {
  for (const { id } of (await admin.get('/api/custom-fields')).body.data) {
    await admin.delete(`/api/custom-fields/${id}?dropValues=true`);
  }
  for (const { id } of (await admin.get('/api/vendors')).body.data) await admin.delete(`/api/vendors/${id}`);
});

describe('where nobody has defined a field', () => {
  it('customFields is an unknown property, and no response has it', async () => {
    expect(refusal(await admin.post('/api/vendors', { name: 'v', customFields: {} }))).toEqual([
      400,
      'customFields is not a known property',
    ]);
    expect(await vendor()).not.toHaveProperty('customFields');
    expect(refusal(await admin.get('/api/vendors?customFields.tier=gold'))[0]).toBe(400);
  });
});

describe('values', () => {
  it('are shown by key, merged by key, and removed by null', async () => {
    await define('tier', 'choice', { choices: ['gold', 'silver'] });
    await define('seats', 'integer', { minimum: 1, maximum: 10 });
    const made = await vendor({ tier: 'gold', seats: 3 });
    expect(made.customFields).toEqual({ tier: 'gold', seats: 3 });
    const at = `/api/vendors/${made.id}`;
    expect((await admin.patch(at, { customFields: { seats: 4 } })).body.data.customFields).toEqual({
      tier: 'gold',
      seats: 4,
    });
    expect((await admin.patch(at, { customFields: { tier: null } })).body.data.customFields).toEqual({ seats: 4 });
    const unchanged = (await admin.patch(at, { customFields: {} })).body.data;
    expect((await admin.patch(at, { customFields: { seats: 4 } })).body.data).toEqual(unchanged);
    expect((await admin.get(at)).body.data).toEqual(unchanged);
    expect((await admin.get('/api/vendors')).body.data).toEqual([unchanged]);
  });

  it('can be sent back as they were read with expand', async () => {
    await define('contact', 'reference', { target: 'people' });
    const person = await admin.make('/api/people', { fullName: 'Ada', email: 'back.cf@example.com' });
    const { id } = await vendor({ contact: person.id });
    const { data } = (await admin.get(`/api/vendors/${id}?expand=customFields.contact`)).body;
    expect(data['customFields.contact']).toEqual({ id: person.id, name: 'Ada', email: 'back.cf@example.com' });
    expect((await admin.patch(`/api/vendors/${id}`, data)).body.data.updatedAt).toBe(data.updatedAt);
    expect(refusal(await admin.patch(`/api/vendors/${id}`, { 'customFields.contakt': null }))[0]).toBe(400);
  });

  it('are refused with sentences that name ten of many choices, and that are bounded together', async () => {
    const choices = Array.from({ length: 1000 }, (_, at) => `${at}-${'c'.repeat(50)}`);
    await define('wide', 'choice', { choices });
    await define('words', 'tags', { choices });
    const named = choices.slice(0, 10).join(', ');
    const refused = await admin.post('/api/vendors', { name: 'v', customFields: { wide: 'x', words: ['x'] } });
    expect(refused.body.details).toEqual([
      { field: 'customFields.wide', message: `must be one of ${named} and 990 others` },
      { field: 'customFields.words[0]', message: `must be one of ${named} and 990 others` },
    ]);
    const operations = Array.from({ length: 1000 }, () => ({
      op: 'create',
      data: { name: 'v', customFields: { wide: 'x' } },
    }));
    const bulk = await admin.post('/api/vendors/bulk', { operations });
    expect([bulk.status, bulk.body.details.length]).toEqual([400, 1000]);
    expect(bulk.body.details[999].message).toMatch(/^must be one of .*…$/);
    expect(bulk.text.length).toBeLessThan(300_000);
    // The database reports the same message.
    const [{ said }] = await service.database.db.query<{ said: string }>(
      sql`SELECT custom_field_fault(f, '"x"') AS said FROM custom_fields f WHERE key = 'wide'`,
    );
    expect(said).toBe(`must be one of ${named} and 990 others`);
  });

  it('of long texts are matched by the database, with the same sentence', async () => {
    await define('slow', 'text', { pattern: 'a.{250}[xy]|c$' });
    const text = 'ab'.repeat(30_000);
    expect(refusal(await admin.post('/api/vendors', { name: 'v', customFields: { slow: text } }))).toEqual([
      400,
      'customFields.slow must match a.{250}[xy]|c$',
    ]);
    expect((await admin.post('/api/vendors', { name: 'v', customFields: { slow: `${text}c` } })).status).toBe(201);
  });

  itInFull('may be many tags in many operations', async () => {
    await define('marks', 'tags');
    const marks = Array.from({ length: 1000 }, (_, at) => `tag-${(at * 7919) % 1000}-😀\uFFFD`);
    const operations = Array.from({ length: 240 }, () => ({
      op: 'create',
      data: { name: 'v', customFields: { marks } },
    }));
    const answer = await admin.post('/api/vendors/bulk?dryRun=true', { operations });
    expect([answer.status, answer.body.data.results.length]).toEqual([200, 240]);
    expect(answer.body.data.results[239].record.customFields.marks).toHaveLength(1000);
  });

  it('are refused with the sentences of other fields, all at once', async () => {
    await define('tier', 'choice', { choices: ['gold', 'silver'] });
    await define('seats', 'integer', { minimum: 1, maximum: 10 });
    await define('code', 'text', { pattern: '^[A-Z]{2}\\d+$', required: true });
    const answer = await admin.post('/api/vendors', { customFields: { tier: 'tin', seats: 11, tiers: 1 } });
    expect(answer.status).toBe(400);
    expect(answer.body.details).toEqual([
      { field: 'customFields.tier', message: 'must be one of gold, silver' },
      { field: 'customFields.seats', message: 'must be an integer between 1 and 10' },
      { field: 'customFields.tiers', message: "is not a known property. Did you mean 'tier'?" },
      { field: 'customFields.code', message: 'is required' },
      { field: 'name', message: 'is required' },
    ]);
    expect(refusal(await admin.post('/api/vendors', { name: 'v', customFields: { code: 'ab1' } }))).toEqual([
      400,
      'customFields.code must match ^[A-Z]{2}\\d+$',
    ]);
    expect(refusal(await admin.post('/api/vendors', { name: 'v', customFields: null }))).toEqual([
      400,
      'customFields must be an object',
    ]);
    const { id } = await vendor({ code: 'AB1' });
    expect(refusal(await admin.patch(`/api/vendors/${id}`, { customFields: { code: null } }))).toEqual([
      400,
      'customFields.code must not be null',
    ]);
  });
});

describe('definitions', () => {
  it.each([
    [{ key: 'Tier' }, 'key must be in camelCase: letters and digits, the first in lower case'],
    [{ key: 'constructor' }, 'key is a reserved word'],
    [{ resources: [] }, 'resources must have at least one entry'],
    [
      { resources: ['vendor'] },
      "resources contains 'vendor', whose records have no custom fields. Did you mean 'vendors'?",
    ],
    [{ resources: ['profiles'] }, "resources contains 'profiles', whose records have no custom fields"],
    [{ type: 'choice' }, 'choices is required for a choice'],
    [{ type: 'choice', choices: ['a', 'a'] }, 'choices must not have an entry twice'],
    [{ choices: ['a'] }, 'choices must only be given for a choice or tags'],
    [{ type: 'reference' }, 'target is required for a reference'],
    [{ type: 'reference', target: 'nothing' }, 'target must be the name of a resource'],
    [{ target: 'vendors' }, 'target must only be given for a reference'],
    [{ type: 'reference', target: 'vendors', required: true }, 'required must not be true for a reference'],
    [{ type: 'tags', unique: true }, 'unique must not be true for tags'],
    [{ type: 'boolean', unique: true }, 'unique must not be true for boolean'],
    [{ unique: true, default: 'x' }, 'unique must not be true together with a default'],
    [{ type: 'integer', minimum: 2, maximum: 1 }, 'maximum must not be less than minimum'],
    [{ type: 'decimal', minimum: '10', maximum: '9.5' }, 'maximum must not be less than minimum'],
    [{ type: 'integer', minimum: '2' }, 'minimum must be an integer'],
    [{ minimum: 'a' }, 'minimum must only be given for integer, decimal, date and dateTime'],
    [{ type: 'integer', default: 11, maximum: 10 }, 'default must be an integer between -2147483648 and 10'],
    [{ type: 'integer', pattern: 'a' }, 'pattern must only be given for text and url'],
    [{ pattern: '(a)\\1' }, "pattern must not have '\\1'"],
    [{ pattern: '(?=a)' }, 'pattern must have plain groups only'],
    [{ pattern: 'a*?' }, 'pattern must have at most one repetition after an element, which must be greedy'],
    [{ pattern: 'x'.repeat(256) }, 'pattern must be at most 255 characters long'],
    [{ default: 'b', pattern: '^a' }, 'default must match ^a'],
    [
      { type: 'reference', target: 'vendors', default: '8d0e4b2a-7c35-4f19-9b6e-2a1c3d5e7f90' },
      'default does not refer to an existing record',
    ],
    [{ type: 'integer', searched: true }, 'searched must only be true for text, url, choice and tags'],
    [{ colour: 1 }, 'colour is not a known property'],
  ])('are refused if they cannot be: %j', async (more, sentence) => {
    const answer = await admin.post('/api/custom-fields', { key: 'x', type: 'text', resources: ['vendors'], ...more });
    expect(refusal(answer)).toEqual([400, expect.stringContaining(sentence)]);
  });

  it.each([
    [{ type: 'choice', resources: ['vendors'] }, ['key is required', 'choices is required for a choice']],
    [
      { key: 'Tier', choices: ['a', 'a'], resources: ['vendor'], minimum: 1 },
      [
        'type is required',
        'key must be in camelCase: letters and digits, the first in lower case',
        "resources contains 'vendor', whose records have no custom fields. Did you mean 'vendors'?",
        'choices must not have an entry twice',
      ],
    ],
    [
      { key: 'tier', type: 'choice', choices: [1], default: 'a', unique: 'yes', target: 'vendors' },
      [
        'resources is required',
        expect.stringMatching(/^choices\[0\] must/),
        expect.stringMatching(/^unique must/),
        'target must only be given for a reference',
      ],
    ],
  ])('have all their faults told at once: %j', async (body, expected) => {
    const answer = await admin.post('/api/custom-fields', body);
    expect(answer.status).toBe(400);
    const told = answer.body.details.map(({ field, message }: Json) => `${field} ${message}`);
    expect(told.toSorted()).toEqual(expect.arrayContaining(expected));
    expect(told).toHaveLength(expected.length);
  });

  it('have a key once in a resource, and keep key, type and target', async () => {
    const { id } = await define('tier', 'text');
    expect(
      refusal(await admin.post('/api/custom-fields', { key: 'tier', type: 'text', resources: ['sites', 'vendors'] })),
    ).toEqual([409, 'key is already taken by another custom field of vendors']);
    const other = await admin.make('/api/custom-fields', { key: 'tier', type: 'integer', resources: ['sites'] });
    expect(refusal(await admin.patch(`/api/custom-fields/${other.id}`, { resources: ['vendors'] }))[0]).toBe(409);
    for (const change of [{ key: 'other' }, { type: 'url' }, { target: 'vendors' }]) {
      const [name] = Object.keys(change);
      expect(refusal(await admin.patch(`/api/custom-fields/${id}`, change))).toEqual([
        400,
        `${name} cannot be changed`,
      ]);
    }
    const same = await admin.patch(`/api/custom-fields/${id}`, {
      key: 'tier',
      type: 'text',
      target: null,
      label: 'Tier',
    });
    expect(same.body.data).toMatchObject({ label: 'Tier', status: 'ready' });
    const changes = (await admin.get(`/api/custom-fields/${id}/changes`)).body.data;
    expect(changes.map(({ action, after }: Json) => [action, after.label])).toEqual([
      ['create', null],
      ['update', 'Tier'],
    ]);
    expect(Object.keys(changes[0].after)).not.toContain('storedAs');
  });

  it('are refused while records stand against them, which are named', async () => {
    for (const name of ['a', 'b']) await vendor(undefined, name);
    const refused = await admin.post('/api/custom-fields', {
      key: 'x',
      type: 'text',
      resources: ['vendors'],
      required: true,
    });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      count: 2,
      records: [
        { resource: 'vendors', name: 'a' },
        { resource: 'vendors', name: 'b' },
      ],
    });
    const { id } = await define('tier', 'choice', { choices: ['gold', 'silver'] });
    const { id: gold } = await vendor({ tier: 'gold' }, 'c');
    const change = (body: object): Promise<Answer> => admin.patch(`/api/custom-fields/${id}`, body);
    const against = { count: 1, records: [{ resource: 'vendors', id: gold, name: 'c' }] };
    expect((await change({ choices: ['silver'] })).body).toMatchObject(against);
    expect((await change({ resources: ['sites'] })).body).toMatchObject(against);
    expect((await change({ required: true })).body).toMatchObject({ count: 2 });
    expect((await admin.delete(`/api/custom-fields/${id}`)).body).toMatchObject(against);
    expect((await change({ choices: ['gold'] })).status).toBe(200);
    const twice = await define('code', 'text');
    for (const name of ['d', 'e']) await vendor({ code: 'same' }, name);
    expect((await admin.patch(`/api/custom-fields/${twice.id}`, { unique: true })).body).toMatchObject({ count: 2 });
  });

  it('admit more without looking at the values, and less if no record has what falls', async () => {
    const change = async (id: string, body: object): Promise<number> =>
      (await admin.patch(`/api/custom-fields/${id}`, body)).status;
    const values = { n: 5, d: '9.5', day: '2026-03-01', at: '2026-03-01T08:30:00.000Z', code: 'ab', tags: ['x', 'y'] };
    const ids: Record<string, string> = {};
    for (const [key, type] of Object.entries({
      n: 'integer',
      d: 'decimal',
      day: 'date',
      at: 'dateTime',
      code: 'text',
      tags: 'tags',
    })) {
      ids[key] = (await define(key, type)).id;
    }
    await vendor(values);
    await vendor(undefined, 'without');
    const steps: [string, object, number][] = [
      ['n', { minimum: 6 }, 409],
      ['n', { minimum: 5, maximum: 5 }, 200],
      ['n', { minimum: 1, maximum: 4 }, 409],
      ['n', { minimum: null, maximum: 100 }, 200],
      // Values are compared as numbers, not as text.
      ['d', { minimum: '10' }, 409],
      ['d', { minimum: '9.50', maximum: '10' }, 200],
      ['day', { maximum: '2026-02-28' }, 409],
      ['day', { minimum: '2026-03-01' }, 200],
      ['at', { minimum: '2026-03-01T09:00:00Z' }, 409],
      ['at', { minimum: '2026-03-01T09:30:00+01:00' }, 200],
      ['code', { pattern: '^b' }, 409],
      ['code', { pattern: '^a' }, 200],
      ['code', { pattern: null }, 200],
      ['tags', { choices: ['x'] }, 409],
      ['tags', { choices: ['x', 'y', 'z'] }, 200],
      ['tags', { choices: ['y', 'z'] }, 409],
      ['tags', { choices: ['x', 'y'] }, 200],
      ['tags', { choices: null }, 200],
    ];
    for (const [key, body, status] of steps) {
      expect([key, body, await change(ids[key]!, body)]).toEqual([key, body, status]);
    }
  });

  it('have no default any more that refers to a deleted record', async () => {
    const target = await vendor(undefined, 'target');
    const { id } = await define('contact', 'reference', { target: 'vendors', default: target.id });
    const definition = async (): Promise<Json> => (await admin.get(`/api/custom-fields/${id}`)).body.data;
    expect((await admin.get(`/api/vendors/${target.id}/references`)).body.data).toEqual([
      { resource: 'custom-fields', field: 'default', count: 1, effect: 'cleared' },
    ]);
    await admin.delete(`/api/vendors/${target.id}`);
    expect((await definition()).default).toBeNull();
    expect((await vendor()).customFields).toEqual({});
    const entries = (await admin.get(`/api/custom-fields/${id}/changes?action=update`)).body.data;
    expect(entries).toMatchObject([{ before: { default: target.id }, after: { default: null } }]);
    await admin.post(`/api/vendors/${target.id}/restore?relink=true`);
    expect((await definition()).default).toBe(target.id);
    expect((await vendor()).customFields).toEqual({ contact: target.id });
  });

  it('that are unique no longer keep nothing, and can be unique again', async () => {
    const { db } = service.database;
    const kept = (): Promise<object[]> => db.query(sql`SELECT record_id FROM custom_field_values`);
    const { id } = await define('code', 'text', { unique: true });
    const { id: other } = await define('other', 'text', { unique: true });
    const a = await vendor({ code: 'a', other: 'x' }, 'a');
    const set = (unique: boolean): Promise<Answer> => admin.patch(`/api/custom-fields/${id}`, { unique });
    expect((await set(false)).status).toBe(200);
    await admin.patch(`/api/vendors/${a.id}`, { customFields: { code: 'b' } });
    await vendor({ code: 'a' }, 'b');
    // Values that were stored earlier do not count.
    expect((await set(true)).status).toBe(200);
    expect(refusal(await admin.post('/api/vendors', { name: 'c', customFields: { code: 'b' } }))[0]).toBe(409);
    expect((await set(false)).status).toBe(200);
    expect(await kept()).toHaveLength(3);
    await pruneKeptValues(db);
    expect(await kept()).toEqual([{ record_id: a.id }]);
    await admin.delete(`/api/custom-fields/${other}?dropValues=true`);
    await pruneKeptValues(db);
    expect(await kept()).toEqual([]);
  });

  it('that become unique hold the values of each of their resources apart', async () => {
    const resources = ['vendors', 'manufacturers', 'regions'];
    const { id } = await admin.make('/api/custom-fields', { key: 'code', type: 'text', resources });
    const make = (resource: string, name: string): Promise<Answer> =>
      admin.post(`/api/${resource}`, { name, customFields: { code: 'same' } });
    for (const resource of resources) expect((await make(resource, 'first')).status).toBe(201);
    expect((await admin.patch(`/api/custom-fields/${id}`, { unique: true })).status).toBe(200);
    for (const resource of resources) {
      expect(refusal(await make(resource, 'second'))).toEqual([
        409,
        expect.stringContaining('customFields.code is already taken'),
      ]);
    }
    for (const resource of resources) {
      const [{ id: first }] = (await admin.get(`/api/${resource}?customFields.code=same`)).body.data;
      await admin.delete(`/api/${resource}/${first}`);
      expect([resource, (await make(resource, 'third')).status]).toEqual([resource, 201]);
      expect([resource, (await make(resource, 'fourth')).status]).toEqual([resource, 409]);
      const [{ id: third }] = (await admin.get(`/api/${resource}?customFields.code=same`)).body.data;
      await admin.delete(`/api/${resource}/${third}`);
    }
  });

  it('that become unique compare the records of a large table in portions', async () => {
    const { id } = await define('code', 'text');
    for (let n = 0; n < 20; n++) await vendor({ code: `${n}` }, `v${n}`);
    const unique = (): Promise<Answer> => admin.patch(`/api/custom-fields/${id}`, { unique: true });
    const { db } = service.database;
    jest.replaceProperty(SIZES, 'portion', 3);
    const twice = await vendor({ code: '7' }, 'twice');
    expect((await unique()).body).toMatchObject({ count: 2, records: [{ name: 'v7' }, { name: 'twice' }] });
    await admin.delete(`/api/vendors/${twice.id}`);
    expect((await unique()).status).toBe(200);
    expect(await db.query(sql`SELECT record_id FROM custom_field_values`)).toHaveLength(20);
    jest.restoreAllMocks();
  });

  it('drop their values at once, which do not come back', async () => {
    const { id } = await define('tier', 'text');
    await define('kept', 'text');
    const made = await vendor({ tier: 'gold', kept: 'x' });
    expect((await admin.delete(`/api/custom-fields/${id}?dropValues=true`)).status).toBe(204);
    const at = `/api/vendors/${made.id}`;
    expect((await admin.get(at)).body.data.customFields).toEqual({ kept: 'x' });
    const { id: again } = await define('tier', 'text');
    expect((await admin.get(at)).body.data.customFields).toEqual({ kept: 'x' });
    expect((await admin.get(`${at}?asOf=${encodeURIComponent(made.createdAt)}`)).body.data.customFields).toEqual({
      kept: 'x',
    });
    expect((await admin.patch(at, { customFields: { tier: 'new' } })).body.data.customFields).toEqual({
      kept: 'x',
      tier: 'new',
    });
    expect((await admin.get('/api/vendors?customFields.tier=new')).body.total).toBe(1);
    expect((await admin.get(`/api/custom-fields/${again}`)).status).toBe(200);
  });

  it('whose values are dropped leave the records by and by, which is no change of them', async () => {
    const { db } = service.database;
    // No earlier field had these keys. With an earlier key, the service would build the object from its keys anyway.
    const { id } = await define('leaving', 'text');
    await define('staying', 'text');
    await define('serial', 'text', { unique: true });
    const made: Json[] = [];
    for (let n = 0; n < 30; n++)
      made.push(await vendor({ leaving: 'x', ...(n % 2 && { staying: 'x', serial: `${n}` }) }));
    const last = `/api/vendors/${made.at(-1)!.id}`;
    expect((await admin.delete(`/api/custom-fields/${id}?dropValues=true`)).status).toBe(204);
    const { body: before, headers } = await admin.get(last);
    const changes = (await admin.get(`${last}/changes`)).body.total;
    const stored = async (): Promise<Json> => {
      const [row] = await db.query(
        sql`SELECT (SELECT count(*)::int FROM vendors WHERE custom_fields ? 'leaving') AS having,
          (SELECT dropped_from FROM custom_field_names WHERE stored_as = 'leaving') AS "droppedFrom"`,
      );
      return row;
    };
    expect(await stored()).toEqual({ having: 30, droppedFrom: ['vendors'] });
    await new DroppedValues(db).prune();
    expect(await stored()).toEqual({ having: 0, droppedFrom: [] });
    expect((await admin.get(last)).body).toEqual(before);
    expect((await admin.get(`${last}/changes`)).body.total).toBe(changes);
    // The service returns the stored object again.
    await service.app.get(DefinitionStore).reread();
    const query = jest.spyOn(service.app.get(Database), 'query');
    await admin.get(last);
    expect(query.mock.calls.map(([statement]) => (statement as { text?: string }).text ?? '').join()).not.toContain(
      'jsonb_each',
    );
    query.mockRestore();
    expect((await admin.get(last)).body).toEqual(before);
    const condition = { 'if-match': headers.get('etag')! };
    expect((await admin.patch(last, { description: 'x' }, condition)).status).toBe(200);
    expect(refusal(await admin.post('/api/vendors', { name: 'v', customFields: { serial: '1' } }))[0]).toBe(409);
  });

  it('are written by administrators and read by every session; those of operations need the area', async () => {
    const viewer = await service.as('viewer', []);
    await define('tier', 'text');
    expect((await viewer.get('/api/custom-fields')).body.total).toBe(1);
    expect(
      (
        await (
          await service.as('manager')
        ).post('/api/custom-fields', { key: 'x', type: 'text', resources: ['vendors'] })
      ).status,
    ).toBe(403);
    const elsewhere = await service.as('admin', ['network']);
    const body = { key: 'x', type: 'text', resources: ['incidents'] };
    expect((await elsewhere.post('/api/custom-fields', body)).status).toBe(403);
    expect(
      (
        await elsewhere.post('/api/custom-fields', {
          ...body,
          type: 'reference',
          resources: ['vendors'],
          target: 'incidents',
        })
      ).status,
    ).toBe(403);
    expect((await admin.post('/api/custom-fields', body)).status).toBe(201);
  });
});

describe('lists', () => {
  const names = async (query: string): Promise<string[]> => {
    const { status, body } = await admin.get(`/api/vendors?${query}`);
    if (status !== 200) throw new Error(body.error);
    return body.data.map(({ name }: Json) => name);
  };

  beforeEach(async () => {
    await define('tier', 'text');
    await define('seats', 'integer');
    await define('price', 'decimal');
    await define('isOpen', 'boolean');
    await define('day', 'date');
    await define('at', 'dateTime');
    await define('tags', 'tags');
    await define('contact', 'reference', { target: 'vendors' });
    const a = await vendor(
      {
        tier: 'gold',
        seats: 1,
        price: '1.50',
        isOpen: true,
        day: '2026-01-01',
        at: '2026-01-01',
        tags: ['b', 'a', 'b'],
      },
      'a',
    );
    await vendor(
      { tier: 'Silver', seats: 20, price: '10', isOpen: false, day: '2026-02-01', tags: ['b'], contact: a.id },
      'b',
    );
    await vendor(undefined, 'c');
  });

  it.each([
    ['customFields.tier=gold', ['a']],
    ['customFields.tier=gold&customFields.tier=Silver', ['a', 'b']],
    ['customFields.tier__n=gold', ['b', 'c']],
    ['customFields.tier__ic=SIL', ['b']],
    ['customFields.tier__empty=true', ['c']],
    ['customFields.tier__empty=false', ['a', 'b']],
    ['customFields.seats=1', ['a']],
    ['customFields.seats__gte=2', ['b']],
    ['customFields.price=1.5', ['a']],
    ['customFields.price__n=1.5', ['b', 'c']],
    ['customFields.price__lt=9.5', ['a']],
    ['customFields.isOpen=true', ['a']],
    ['customFields.isOpen__n=true', ['b', 'c']],
    ['customFields.day__lt=2026-01-15', ['a']],
    ['customFields.at=2026-01-01T00:00:00Z', ['a']],
    ['customFields.tags=a', ['a']],
    ['customFields.tags=a&customFields.tags=b', ['a', 'b']],
    ['customFields.tags__all=a&customFields.tags__all=b', ['a']],
    ['customFields.tags__n=a', ['b', 'c']],
    ['customFields.tags__empty=true', ['c']],
    ['sort=customFields.seats&order=desc', ['c', 'b', 'a']],
    ['sort=customFields.tier', ['b', 'a', 'c']],
    ['customFields.contact__empty=false', ['b']],
  ])('are narrowed and sorted by them: %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('are sorted by the names of references, nulls last', async () => {
    expect((await names('sort=customFields.contact.name'))[0]).toBe('b');
  });

  it('refuse what is no value, and no sort by tags', async () => {
    expect(refusal(await admin.get('/api/vendors?customFields.seats=x'))).toEqual([
      400,
      'customFields.seats must be a 32-bit integer',
    ]);
    expect((await admin.get('/api/vendors?sort=customFields.tags')).status).toBe(400);
    expect((await admin.get('/api/vendors?customFields.teir=x')).body.error).toContain(
      "Did you mean 'customFields.tier'?",
    );
  });

  it('show names of references, and columns in files', async () => {
    const { body } = await admin.get('/api/vendors?expand=customFields.contact&name=b');
    expect(body.data[0]['customFields.contact']).toMatchObject({ name: 'a' });
    const csv = (await admin.get('/api/vendors?format=csv&sort=name')).text.split('\r\n');
    expect(csv[0]).toMatch(
      /customFields\.at,customFields\.day,customFields\.tags,customFields\.tier,customFields\.price,customFields\.seats,customFields\.isOpen,customFields\.contact,customFields\.contact\.name$/,
    );
    expect(csv[1]).toMatch(/2026-01-01T00:00:00\.000Z,2026-01-01,"\[""a"",""b""\]",gold,1\.50,1,true,,$/);
    expect(csv[3]).toMatch(/,,,,,,,,$/);
    const lines = (await admin.get('/api/vendors?format=ndjson&name=b')).text;
    expect(JSON.parse(lines).customFields).toMatchObject({ tier: 'Silver', tags: ['b'] });
  });

  it('are summed up', async () => {
    // Only the document of the installation describes the sums.
    const { body } = await new Api(admin.url, admin.cookie, undefined, false).get(
      '/api/vendors/summary?groupBy=customFields.tier&sum=customFields.price,customFields.seats',
    );
    expect(body.data).toEqual([
      { 'customFields.tier': 'Silver', count: 1, sum: { 'customFields.price': '10', 'customFields.seats': 20 } },
      { 'customFields.tier': 'gold', count: 1, sum: { 'customFields.price': '1.50', 'customFields.seats': 1 } },
      { 'customFields.tier': null, count: 1, sum: { 'customFields.price': null, 'customFields.seats': null } },
    ]);
    expect(
      (await admin.get('/api/vendors/summary?groupBy=customFields.day:month,customFields.contact')).body.total,
    ).toBe(3);
    // The value and the expanded record have the same key, because the value is the id of the record.
    const { text } = await admin.get('/api/vendors/summary?groupBy=customFields.contact');
    expect(text.match(/"customFields\.contact"/g)).toHaveLength(2);
    expect(JSON.parse(text).data).toEqual([
      { 'customFields.contact': { id: expect.any(String), name: 'a' }, count: 1 },
      { 'customFields.contact': null, count: 2 },
    ]);
    expect((await admin.get('/api/vendors/summary?groupBy=customFields.tags')).status).toBe(400);
  });

  it('count and clear references', async () => {
    const [a, b] = (await admin.get('/api/vendors?sort=name')).body.data;
    expect((await admin.get(`/api/vendors/${a.id}/references`)).body.data).toEqual([
      { resource: 'vendors', field: 'customFields.contact', count: 1, effect: 'cleared' },
    ]);
    await admin.delete(`/api/vendors/${a.id}`);
    expect((await admin.get(`/api/vendors/${b.id}`)).body.data.customFields).not.toHaveProperty('contact');
    const [entry] = (await admin.get(`/api/vendors/${b.id}/changes?action=update`)).body.data;
    expect(entry).toMatchObject({ before: { 'customFields.contact': a.id }, after: { 'customFields.contact': null } });
    const restored = await admin.post(`/api/vendors/${a.id}/restore?relink=true`);
    expect(restored.body.data.customFields).toMatchObject({ tier: 'gold', tags: ['a', 'b'] });
    expect((await admin.get(`/api/vendors/${b.id}`)).body.data.customFields.contact).toBe(a.id);
  });
});

describe('history', () => {
  it('shows what was, of fields that exist now', async () => {
    const { id: tier } = await define('tier', 'text');
    const made = await vendor({ tier: 'gold' });
    await admin.patch(`/api/vendors/${made.id}`, { customFields: { tier: 'silver' } });
    const past = `/api/vendors/${made.id}?asOf=${encodeURIComponent(made.createdAt)}`;
    expect((await admin.get(past)).body.data.customFields).toEqual({ tier: 'gold' });
    const [, entry] = (await admin.get(`/api/vendors/${made.id}/changes`)).body.data;
    expect(entry).toMatchObject({ before: { 'customFields.tier': 'gold' }, after: { 'customFields.tier': 'silver' } });
    await admin.delete(`/api/custom-fields/${tier}?dropValues=true`);
    expect((await admin.get(past)).body.data).not.toHaveProperty('customFields');
    expect((await admin.get(`/api/vendors/${made.id}/changes`)).body.data[1].before).toEqual({
      'customFields.tier': 'gold',
    });
  });

  it('of definitions is read by every session, as they are', async () => {
    const { id } = await define('tier', 'text');
    const viewer = await service.as('viewer', []);
    const ofDefinition = `recordId=${id}`;
    expect((await viewer.get(`/api/custom-fields/${id}/changes`)).body.total).toBe(1);
    const { data, total } = (await viewer.get(`/api/change-log?${ofDefinition}`)).body;
    expect([total, data]).toMatchObject([1, [{ resource: 'custom-fields', action: 'create' }]]);
    expect((await viewer.get(`/api/change-log/${data[0].id}`)).status).toBe(200);
    // Transactions of other tests on the same server delay the feed.
    await until(
      async () => (await viewer.get('/api/changes?since=start&resource=custom-fields&limit=1000')).body.data,
      (feed) => feed.some(({ recordId }: Json) => recordId === id),
    );
    expect((await viewer.get('/api/change-log?resource=profiles')).body.total).toBe(0);
  });

  it('restores values that their definitions still admit, and gives no defaults', async () => {
    const { id: tier } = await define('tier', 'choice', { choices: ['gold', 'silver'] });
    const { id: gone } = await define('gone', 'text');
    const made = await vendor({ tier: 'gold', gone: 'x' });
    await admin.delete(`/api/vendors/${made.id}`);
    await admin.patch(`/api/custom-fields/${tier}`, { choices: ['silver'] });
    await admin.delete(`/api/custom-fields/${gone}`);
    await define('gone', 'text', { default: 'new' });
    expect((await admin.post(`/api/vendors/${made.id}/restore`)).body.data.customFields).toEqual({});
    await admin.delete(`/api/vendors/${made.id}`);
    const code = await define('code', 'text', { required: true });
    expect(refusal(await admin.post(`/api/vendors/${made.id}/restore`))).toEqual([
      409,
      'customFields.code is required',
    ]);
    await admin.delete(`/api/custom-fields/${code.id}`);
  });

  it('a definition that appears or goes makes entity tags stale', async () => {
    const { id } = await vendor();
    const at = `/api/vendors/${id}`;
    const before = (await admin.get(at)).headers.get('etag')!;
    const { id: tier } = await define('tier', 'text');
    expect((await admin.patch(at, { description: 'x' }, { 'if-match': before })).status).toBe(412);
    const shown = (await admin.get(at)).headers.get('etag')!;
    expect((await admin.patch(at, { customFields: { tier: 'a' } }, { 'if-match': shown })).status).toBe(200);
    expect((await admin.patch(at, { customFields: { tier: 'b' } }, { 'if-match': shown })).status).toBe(412);
    const last = (await admin.get(at)).headers.get('etag')!;
    await admin.delete(`/api/custom-fields/${tier}?dropValues=true`);
    expect((await admin.patch(at, { description: 'x' }, { 'if-match': last })).status).toBe(412);
  });

  it('a new record gets defaults, but for null', async () => {
    await define('tier', 'text', { default: 'gold' });
    expect((await vendor()).customFields).toEqual({ tier: 'gold' });
    expect((await vendor({ tier: null })).customFields).toEqual({});
    expect((await vendor({})).customFields).toEqual({ tier: 'gold' });
  });
});

describe('files', () => {
  const rows = async (query: string, body: string, type = 'text/csv'): Promise<Answer> =>
    admin.request('POST', `/api/vendors/import?${query}`, body, { 'content-type': type });

  beforeEach(async () => {
    await define('erpId', 'decimal', { unique: true });
    await define('tier', 'choice', { choices: ['gold', 'silver'] });
    await define('tags', 'tags');
    await define('isOpen', 'boolean');
    await define('contact', 'reference', { target: 'people' });
  });

  it('bring values, find records by them, and name the faults of cells', async () => {
    await admin.make('/api/people', { fullName: 'Ada', email: 'ada@example.com' });
    const header =
      'name,customFields.erpId,customFields.tier,customFields.tags,customFields.isOpen,customFields.contact.email';
    const made = await rows('mode=create', `${header}\nx,1.50,gold,"b,a",TRUE,ada@example.com\ny,2,,,,\n`);
    expect(made.body.data).toMatchObject({ created: 2, failed: 0 });
    const [x, y] = (await admin.get('/api/vendors?sort=name')).body.data;
    expect(x.customFields).toMatchObject({ erpId: '1.50', tier: 'gold', tags: ['a', 'b'], isOpen: true });
    expect(y.customFields).toEqual({ erpId: '2' });
    const changed = await rows(
      'mode=upsert&key=customFields.erpId',
      'name,customFields.erpId,customFields.tier\nx,1.5,silver\nz,3,gold\n',
    );
    expect(changed.body.data).toMatchObject({ created: 1, updated: 1 });
    expect((await admin.get(`/api/vendors/${x.id}`)).body.data.customFields).toMatchObject({
      erpId: '1.5',
      tier: 'silver',
      tags: ['a', 'b'],
    });
    const cleared = await rows(
      'mode=update&key=customFields.erpId&empty=clear',
      'customFields.erpId,customFields.tier\n1.50,\n',
    );
    expect(cleared.body.data).toMatchObject({ updated: 1 });
    const refused = await rows('mode=create', 'name,customFields.tier,customFields.erpId\na,tin,x\nb,gold,2\n');
    expect(refused.body.details).toEqual([
      { field: 'rows[1].customFields.tier', message: 'must be one of gold, silver', row: 1, line: 2 },
      {
        field: 'rows[1].customFields.erpId',
        message: expect.stringContaining('must be a decimal number'),
        row: 1,
        line: 2,
      },
      {
        field: 'rows[2].customFields.erpId',
        message: expect.stringContaining('is already taken by another record'),
        row: 2,
        line: 3,
      },
    ]);
    expect(refusal(await rows('mode=create', 'name,customFields.teir\na,b\n'))).toEqual([
      400,
      "customFields.teir is not a known column. Did you mean 'customFields.tier'?",
    ]);
  });

  it('have a key once, decimals as numbers', async () => {
    await define('size', 'decimal');
    const header = 'name,customFields.size';
    const { details } = (await rows('mode=upsert&key=customFields.size', `${header}\na,1.5\nb,1.50\n`)).body;
    expect(details).toEqual([
      { field: 'rows[2].customFields.size', message: 'is also the key of row 1', row: 2, line: 3 },
    ]);
  });

  it.each(['text/csv', 'application/x-ndjson'])('of the type %s go round unchanged', async (type) => {
    const person = await admin.make('/api/people', { fullName: 'Ada', email: `ada.${type.length}@example.com` });
    await vendor({ erpId: '1.50', tier: 'gold', tags: ['b', "'a"], isOpen: false, contact: person.id });
    await vendor({ tags: ['=x'] });
    await vendor();
    const file = await admin.get('/api/vendors?expand=customFields.contact', { accept: type });
    const answer = await rows('mode=upsert&key=id', file.text, type);
    expect(answer.body.data).toMatchObject({ rows: 3, unchanged: 3, failed: 0 });
  });

  it('as JSON lines hold the nested object', async () => {
    const lines = [
      { name: 'a', customFields: { tier: 'gold' } },
      { name: 'b', 'customFields.tier': 'silver' },
      { name: 'c', customFields: { tear: 1 } },
      { name: 'd', 'customFields.tier': { id: 'gold' } },
    ];
    const answer = await rows(
      'onError=skip',
      lines.map((line) => JSON.stringify(line)).join('\n'),
      'application/x-ndjson',
    );
    expect(answer.body.data).toMatchObject({
      created: 2,
      faults: [
        { row: 3, field: 'customFields.tear', message: 'is not a known property' },
        { row: 4, field: 'customFields.tier', message: 'must be one of gold, silver' },
      ],
    });
  });
});

it('bulk operations write and merge them, and name the faulty ones', async () => {
  await define('code', 'text', { unique: true });
  await define('contact', 'reference', { target: 'people' });
  const bulk = (operations: object[]): Promise<Answer> => admin.post('/api/vendors/bulk', { operations });
  const made = await bulk([
    { op: 'create', data: { name: 'a', customFields: { code: '1' } } },
    { op: 'create', data: { name: 'b', customFields: { code: '2' } } },
  ]);
  const [a, b] = made.body.data.results.map(({ id }: Json) => id);
  const swapped = await bulk(
    [
      { op: 'update', id: a, data: { customFields: { code: null } } },
      { op: 'update', id: b, data: { customFields: { code: '1' } } },
      { op: 'update', id: a, data: {} },
    ].slice(0, 2),
  );
  expect(swapped.body.data.results.map(({ record }: Json) => record.customFields)).toEqual([{}, { code: '1' }]);
  const same = await bulk([
    { op: 'update', id: b, data: { customFields: { code: '1' } } },
    { op: 'update', id: a, data: { customFields: {} } },
  ]);
  expect(same.body.data).toMatchObject({ unchanged: 2 });
  const taken = await bulk([{ op: 'update', id: a, data: { customFields: { code: '1' } } }]);
  expect(taken.status).toBe(409);
  expect(taken.body.details[0].field).toBe('operations[0].data.customFields.code');
  const nobody = '00000000-0000-4000-8000-000000000000';
  const dangling = await bulk([{ op: 'update', id: a, data: { customFields: { contact: nobody } } }]);
  expect(refusal(dangling)).toEqual([
    400,
    'operations[0].data.customFields.contact does not refer to an existing record',
  ]);
});

it('an asset takes values, and a PATCH without any changes no field', async () => {
  await admin.make('/api/custom-fields', { key: 'tier', type: 'text', resources: ['assets'] });
  const { id } = await admin.make('/api/assets', { name: 'x' });
  expect(refusal(await admin.patch(`/api/assets/${id}`, { customFields: {} }))).toEqual([400, 'No fields to update']);
  expect((await admin.patch(`/api/assets/${id}`, { customFields: { tier: 'x' } })).body.data.customFields).toEqual({
    tier: 'x',
  });
  await admin.delete(`/api/assets/${id}`);
});

describe('elsewhere', () => {
  afterEach(async () => {
    for (const { id } of (await admin.get('/api/webhooks')).body.data) await admin.delete(`/api/webhooks/${id}`);
  });

  it('the search of everything finds records by those that are searched', async () => {
    await define('code', 'text', { searched: true });
    await define('tags', 'tags', { searched: true });
    await define('quiet', 'text');
    await admin.make('/api/custom-fields', { key: 'code', type: 'text', resources: ['device-ports'], searched: true });
    const exact = await vendor({ code: 'zebra', quiet: 'zebra' }, 'a');
    const tagged = await vendor({ tags: ['x', 'zebra crossing'] }, 'b');
    await vendor({ quiet: 'zebra' }, 'c');
    const device = await admin.make('/api/devices', { name: 'd' });
    const port = await admin.make(`/api/devices/${device.id}/ports`, {
      name: 'eth0',
      customFields: { code: 'a zebra' },
    });
    const { data } = (await admin.get('/api/search?q=ZEBRA')).body;
    expect(data.map(({ id, field, match }: Json) => [id, field, match])).toEqual([
      [exact.id, 'customFields.code', 'exact'],
      [tagged.id, 'customFields.tags', 'prefix'],
      [port.id, 'customFields.code', 'contains'],
    ]);
    const narrowed = (name: string): Promise<Answer> => admin.get(`/api/search?q=zebra&resource=${name}`);
    expect((await narrowed('device-ports')).body.total).toBe(1);
    expect((await narrowed('incident-targets')).status).toBe(400);
    await admin.make('/api/custom-fields', {
      key: 'code',
      type: 'text',
      resources: ['incident-targets'],
      searched: true,
    });
    const incident = await admin.make('/api/incidents', { name: 'i' });
    await admin.make(`/api/incidents/${incident.id}/targets`, {
      resource: 'devices',
      recordId: device.id,
      customFields: { code: 'zebra' },
    });
    expect((await narrowed('incident-targets')).body.total).toBe(1);
    await admin.delete(`/api/incidents/${incident.id}`);
    await admin.delete(`/api/devices/${device.id}`);
  });

  it('webhooks name them, and keep them from being deleted', async () => {
    const { id } = await define('tier', 'choice', { choices: ['gold', 'silver'] });
    const body = { name: 'hook', url: 'https://example.com/x', resources: ['vendors'] };
    const hook = await admin.make('/api/webhooks', {
      ...body,
      fields: ['customFields.tier'],
      where: { after: { 'customFields.tier': ['gold'] } },
    });
    expect(
      refusal(await admin.post('/api/webhooks', { ...body, where: { after: { 'customFields.tier': 'tin' } } })),
    ).toEqual([400, 'where.after.customFields.tier must be one of gold, silver']);
    expect((await admin.post('/api/webhooks', { ...body, fields: ['customFields.other'] })).status).toBe(400);
    expect(refusal(await admin.delete(`/api/custom-fields/${id}?dropValues=true`))).toEqual([
      409,
      `id is named by the webhook 'hook' (webhooks ${hook.id})`,
    ]);
    await admin.delete(`/api/webhooks/${hook.id}`);
    expect((await admin.delete(`/api/custom-fields/${id}`)).status).toBe(204);
  });

  it('outputs show them, and Ansible groups by them', async () => {
    const ofDevices = { resources: ['devices'] };
    await admin.make('/api/custom-fields', { key: 'tier', type: 'text', ...ofDevices });
    await admin.make('/api/custom-fields', { key: 'tags', type: 'tags', ...ofDevices });
    await admin.make('/api/custom-fields', { key: 'contact', type: 'reference', target: 'vendors', ...ofDevices });
    const { id: contact } = await vendor(undefined, 'Acme');
    const device = await admin.make('/api/devices', {
      name: 'sw1',
      customFields: { tier: 'Gold 1', tags: ['b', 'a'], contact },
    });
    await admin.make('/api/ip-addresses', { address: '192.0.2.7/24', deviceId: device.id });
    const [target] = (await admin.get('/api/outputs/prometheus?customFields.tags=a')).body;
    expect(target.labels).toMatchObject({
      __meta_inventory_custom_tier: 'Gold 1',
      __meta_inventory_custom_tags: 'a,b',
      __meta_inventory_custom_contact: 'Acme',
    });
    const { body } = await admin.get('/api/outputs/ansible?groupBy=customFields.tier,customFields.tags');
    expect(Object.keys(body).toSorted()).toEqual(['_meta', 'all', 'tags_a', 'tags_b', 'tier_gold_1']);
    expect(body._meta.hostvars.sw1).toMatchObject({ inventory_custom_tier: 'Gold 1' });
    await admin.delete(`/api/devices/${device.id}`);
  });

  it('a receive takes them for each asset, and requires what is required', async () => {
    await admin.make('/api/custom-fields', { key: 'owner', type: 'text', resources: ['assets'], required: true });
    await admin.make('/api/custom-fields', { key: 'tier', type: 'text', resources: ['assets'], default: 'gold' });
    const order = await admin.make('/api/purchase-orders', {
      orderNumber: 'PO-cf',
      status: 'ordered',
      items: [{ name: 'Switch', quantity: 2 }],
    });
    const receive = (assets: object[]): Promise<Answer> =>
      admin.post(`/api/purchase-orders/${order.id}/receive`, {
        items: [{ itemId: order.items[0].id, quantity: assets.length, assets }],
      });
    expect(refusal(await receive([{ customFields: { owner: 'a' } }, {}]))).toEqual([
      400,
      'items[0].assets[1].customFields.owner is required',
    ]);
    const { assetIds } = (
      await receive([{ customFields: { owner: 'a' } }, { customFields: { owner: 'b', tier: 'tin' } }])
    ).body.data;
    const assets = await Promise.all(
      assetIds.map(async (id: string) => (await admin.get(`/api/assets/${id}`)).body.data),
    );
    expect(assets.map(({ customFields }) => customFields)).toEqual([
      { tier: 'gold', owner: 'a' },
      { tier: 'tin', owner: 'b' },
    ]);
    for (const id of assetIds) await admin.delete(`/api/assets/${id}`);
  });

  it('new addresses of a prefix take them', async () => {
    await admin.make('/api/custom-fields', { key: 'tier', type: 'text', resources: ['ip-addresses'], default: 'gold' });
    const { id } = await admin.make('/api/prefixes', { prefix: '198.51.100.0/28' });
    const made = await admin.post(`/api/prefixes/${id}/available-ips`, {
      addresses: [{ customFields: { tier: 'tin' } }, {}],
    });
    expect(made.body.data.map(({ customFields }: Json) => customFields)).toEqual([{ tier: 'tin' }, { tier: 'gold' }]);
    const refused = await admin.post(`/api/prefixes/${id}/available-ips`, {
      addresses: [{ customFields: { tier: 1 } }],
    });
    expect(refusal(refused)).toEqual([400, 'addresses[0].customFields.tier must be a string']);
    for (const address of made.body.data) await admin.delete(`/api/ip-addresses/${address.id}`);
    await admin.delete(`/api/prefixes/${id}`);
  });

  it('a reference to nothing is named with its entry in a receive and an allocation', async () => {
    await admin.make('/api/custom-fields', {
      key: 'rr',
      type: 'reference',
      target: 'sites',
      resources: ['assets', 'ip-addresses'],
    });
    const site = await admin.make('/api/sites', { name: 'rr' });
    const entries = [site.id, randomUUID(), randomUUID()].map((rr) => ({ customFields: { rr } }));
    const order = await admin.make('/api/purchase-orders', {
      orderNumber: 'PO-rr',
      status: 'ordered',
      items: [{ name: 'Switch', quantity: 3 }],
    });
    const received = await admin.post(`/api/purchase-orders/${order.id}/receive`, {
      items: [{ itemId: order.items[0].id, quantity: 3, assets: entries }],
    });
    const prefix = await admin.make('/api/prefixes', { prefix: '198.51.100.16/28' });
    const allocated = await admin.post(`/api/prefixes/${prefix.id}/available-ips`, { addresses: entries });
    const missing = await admin.post(`/api/prefixes/${randomUUID()}/available-ips`, { addresses: entries });
    const fieldsOf = ({ status, body }: Answer): unknown[] => [status, ...body.details.map((one: Json) => one.field)];
    expect(fieldsOf(received)).toEqual([
      400,
      'items[0].assets[1].customFields.rr',
      'items[0].assets[2].customFields.rr',
    ]);
    expect(fieldsOf(allocated)).toEqual([400, 'addresses[1].customFields.rr', 'addresses[2].customFields.rr']);
    expect(missing.status).toBe(404);
    for (const path of [`purchase-orders/${order.id}`, `prefixes/${prefix.id}`, `sites/${site.id}`]) {
      await admin.delete(`/api/${path}`);
    }
  });

  it('pieces of a shift have its values, but those that are unique', async () => {
    const ofShifts = { resources: ['on-call-schedules'] };
    await admin.make('/api/custom-fields', { key: 'tier', type: 'text', ...ofShifts });
    await admin.make('/api/custom-fields', { key: 'grade', type: 'text', default: 'A', ...ofShifts });
    await admin.make('/api/custom-fields', { key: 'code', type: 'text', unique: true, ...ofShifts });
    const shift = await admin.make('/api/on-call-schedules', {
      name: 'cf',
      startTime: '2030-01-01T00:00:00Z',
      endTime: '2030-01-03T00:00:00Z',
      customFields: { tier: 'gold', grade: null, code: '1' },
    });
    const person = await admin.make('/api/people', { fullName: 'Grace', email: 'grace.cf@example.com' });
    const covered = await admin.post(`/api/on-call-schedules/${shift.id}/cover`, {
      personId: person.id,
      startTime: '2030-01-02T00:00:00Z',
    });
    const [, piece] = covered.body.data.scheduleIds;
    expect((await admin.get(`/api/on-call-schedules/${piece}`)).body.data.customFields).toEqual({ tier: 'gold' });
    for (const id of covered.body.data.scheduleIds) await admin.delete(`/api/on-call-schedules/${id}`);
  });

  it('both ends of a shift that a rotation divides have its values, but those that are unique', async () => {
    const ofShifts = { resources: ['on-call-schedules'] };
    await admin.make('/api/custom-fields', { key: 'tier', type: 'text', default: 'tin', ...ofShifts });
    await admin.make('/api/custom-fields', { key: 'code', type: 'text', unique: true, ...ofShifts });
    const { id } = await admin.make('/api/on-call-schedules', {
      name: 'all month',
      rotation: 'cf-divided',
      startTime: '2030-01-01T00:00:00Z',
      endTime: '2030-02-01T00:00:00Z',
      customFields: { tier: 'gold', code: '1' },
    });
    const person = await admin.make('/api/people', { fullName: 'Hedy' });
    await admin.make('/api/on-call-schedules/rotation', {
      name: 'turn',
      rotation: 'cf-divided',
      personIds: [person.id],
      startTime: '2030-01-10T00:00',
      until: '2030-01-11T00:00',
      unit: 'day',
      timeZone: 'UTC',
      replace: true,
    });
    const shifts = (await admin.get('/api/on-call-schedules?rotation=cf-divided&sort=startTime')).body.data;
    expect(shifts.map(({ name, customFields }: Json) => [name, customFields])).toEqual([
      ['all month', { tier: 'gold', code: '1' }],
      ['turn', { tier: 'tin' }],
      ['all month', { tier: 'gold' }],
    ]);
    expect(shifts[0].id).toBe(id);
    for (const shift of shifts) await admin.delete(`/api/on-call-schedules/${shift.id}`);
  });

  it('ports that are copied from a type get defaults, and a required value that is missing is named', async () => {
    await admin.make('/api/custom-fields', { key: 'tier', type: 'text', resources: ['device-ports'], default: 'gold' });
    const type = await admin.make('/api/device-types', { model: 'cf' });
    await admin.make(`/api/device-types/${type.id}/ports`, { name: 'eth0' });
    const device = await admin.make('/api/devices?withPorts=true', { name: 'cf', deviceTypeId: type.id });
    const [port] = (await admin.get(`/api/devices/${device.id}/ports`)).body.data;
    expect(port.customFields).toEqual({ tier: 'gold' });
    await admin.make('/api/custom-fields', { key: 'owner', type: 'text', resources: ['device-ports'] });
    await admin.patch(`/api/devices/${device.id}/ports/${port.id}`, { customFields: { owner: 'x' } });
    const [owner] = (await admin.get('/api/custom-fields?key=owner')).body.data;
    expect((await admin.patch(`/api/custom-fields/${owner.id}`, { required: true })).status).toBe(200);
    await admin.make(`/api/device-types/${type.id}/ports`, { name: 'eth1' });
    expect(refusal(await admin.post(`/api/devices/${device.id}/ports/sync`))).toEqual([
      400,
      'customFields.owner is required',
    ]);
    await admin.delete(`/api/devices/${device.id}`);
  });

  it('of long keys are told apart, wherever they are shown', async () => {
    const [one, other] = ['One', 'Other'].map((end) => `${'k'.repeat(55)}${end}`) as [string, string];
    const people: Json[] = [];
    for (const key of [one, other]) {
      await define(key, 'reference', { target: 'people' });
      people.push(await admin.make('/api/people', { fullName: key }));
    }
    const { id } = await vendor({ [one]: people[0].id, [other]: people[1].id });
    const names = [`customFields.${one}`, `customFields.${other}`] as const;
    const expanded = { [names[0]]: { id: people[0].id, name: one }, [names[1]]: { id: people[1].id, name: other } };
    const query = `expand=${names[0]}&expand=${names[1]}`;
    expect((await admin.get(`/api/vendors/${id}?${query}`)).body.data).toMatchObject(expanded);
    expect((await admin.get(`/api/vendors?${query}&sort=${names[1]}.fullName`)).body.data).toMatchObject([expanded]);
    expect((await admin.get('/api/vendors?format=csv')).text).toContain(other);
    const summary = await admin.get(`/api/vendors/summary?groupBy=${names[0]},${names[1]}`);
    expect(summary.body.data).toMatchObject([{ ...expanded, count: 1 }]);
    for (const key of names)
      expect((await admin.get(`/api/vendors?${key}=${people[0].id}&sort=${key}`)).status).toBe(200);
  });

  it('the name of a target that the caller may not read is null', async () => {
    await define('incident', 'reference', { target: 'incidents' });
    const incident = await admin.make('/api/incidents', { name: 'Outage' });
    const { id } = await vendor({ incident: incident.id });
    const shown = async (api: Api): Promise<Json> =>
      (await api.get(`/api/vendors/${id}?expand=customFields.incident`)).body.data['customFields.incident'];
    expect(await shown(admin)).toEqual({ id: incident.id, name: 'Outage' });
    const elsewhere = await service.as('viewer', ['network']);
    expect(await shown(elsewhere)).toEqual({ id: incident.id, name: null });
    expect((await elsewhere.get('/api/vendors?format=csv')).text).not.toContain('Outage');
    expect((await elsewhere.get('/api/vendors?sort=customFields.incident.name')).status).toBe(400);
    for (const format of ['csv', 'ndjson', 'svg']) {
      const summary = `/api/vendors/summary?groupBy=customFields.incident&format=${format}`;
      expect((await admin.get(summary)).text).toContain('Outage');
      expect((await elsewhere.get(summary)).text).not.toContain('Outage');
    }
    // A caller who could find the incident by its name would learn the name.
    const buyer = await service.as('editor', ['procurement']);
    const imported = (name: string, api: Api): Promise<Answer> =>
      api.request(
        'POST',
        '/api/vendors/import?mode=update&key=id',
        `id,customFields.incident,customFields.incident.name\n${id},${name}\n`,
        { 'content-type': 'text/csv' },
      );
    expect((await imported(',Outage', buyer)).body.details).toEqual([
      {
        field: 'rows[1].customFields.incident.name',
        message: 'needs access to the area operations to find an incident; give customFields.incident',
        row: 1,
        line: 2,
      },
    ]);
    expect((await imported(`${incident.id},Another`, buyer)).body.data).toMatchObject({ unchanged: 1 });
    // Nor does a response reveal which incidents exist.
    const other = await admin.make('/api/incidents', { name: 'Another' });
    const { id: empty } = await vendor();
    const answers = async (target: string): Promise<unknown[]> => {
      const data = { name: 'v', customFields: { incident: target } };
      const bulk = (operations: object[]): Promise<Answer> => buyer.post('/api/vendors/bulk', { operations });
      return [
        await buyer.post('/api/vendors', data),
        await buyer.patch(`/api/vendors/${id}`, { customFields: { incident: target } }),
        await buyer.patch(`/api/vendors/${empty}`, { customFields: { incident: target } }),
        await bulk([{ op: 'create', data }]),
        await bulk([{ op: 'update', id, data: { customFields: { incident: target } } }]),
        await imported(`${target},`, buyer),
      ].map(({ status, body }) => [status, body]);
    };
    const refused = (await answers(other.id)) as [number, unknown][];
    expect(refused).toEqual(await answers(randomUUID()));
    expect(refused.map(([status]) => status)).toEqual([400, 400, 400, 400, 400, 400]);
    expect((await buyer.patch(`/api/vendors/${id}`, { customFields: { incident: incident.id } })).status).toBe(200);
    expect((await buyer.patch(`/api/vendors/${randomUUID()}`, { customFields: { incident: other.id } })).status).toBe(
      404,
    );
    expect((await imported(',Outage', admin)).body.data).toMatchObject({ unchanged: 1 });
    await admin.delete(`/api/incidents/${incident.id}`);
  });
});

describe('a replica that was not told of a change', () => {
  /** Changes the definitions by SQL without a notification. */
  async function behindItsBack(...statements: string[]): Promise<void> {
    const { db } = service.database;
    await db.query(sql`ALTER TABLE custom_fields DISABLE TRIGGER custom_fields_notify`);
    for (const statement of statements) await db.query(raw(statement));
    await db.query(sql`ALTER TABLE custom_fields ENABLE TRIGGER custom_fields_notify`);
  }
  /** Makes this replica read the current definitions. */
  const known = (): Promise<Answer> => admin.get('/api/vendors');
  const INSERT = `INSERT INTO custom_fields (key, type, resources, choices)`;

  it('reads the definitions again before it refuses a value', async () => {
    const { id } = await define('tier', 'choice', { choices: ['gold', 'silver'] });
    await known();
    await behindItsBack(
      `UPDATE custom_fields SET choices = '{gold,tin}' WHERE id = '${id}'`,
      `${INSERT} VALUES ('level', 'integer', '{vendors}', NULL)`,
    );
    expect((await vendor({ tier: 'tin', level: 1 })).customFields).toEqual({ tier: 'tin', level: 1 });
    await behindItsBack(`UPDATE custom_fields SET choices = '{gold,tin,lead}' WHERE id = '${id}'`);
    expect(refusal(await admin.post('/api/vendors', { customFields: { tier: 'lead' } }))).toEqual([
      400,
      'name is required',
    ]);
  });

  it('knows what the database has refused', async () => {
    const { id } = await define('tier', 'text');
    await known();
    await behindItsBack(
      `DELETE FROM custom_fields WHERE id = '${id}'`,
      `${INSERT} VALUES ('tier', 'text', '{vendors}', NULL)`,
    );
    // Otherwise the service would store the value under the name of the former field.
    const body = { name: 'Behind', customFields: { tier: 'x' } };
    const refused = await admin.post('/api/vendors', body);
    expect([refused.status, refused.code, refused.headers.get('retry-after')]).toEqual([
      409,
      'definitions_changed',
      '0',
    ]);
    expect((await admin.make('/api/vendors', body)).customFields).toEqual({ tier: 'x' });
  });

  it('does the same for filters, bulk requests, files and requests with a key', async () => {
    await behindItsBack(`${INSERT} VALUES ('tier', 'text', '{vendors}', NULL)`);
    expect((await admin.get('/api/vendors?customFields.tier=x')).body.total).toBe(0);
    await behindItsBack(`${INSERT} VALUES ('b', 'text', '{vendors}', NULL)`);
    const bulk = await admin.post('/api/vendors/bulk', {
      operations: [{ op: 'create', data: { name: 'b', customFields: { b: 'x' } } }],
    });
    expect([bulk.status, bulk.text]).toEqual([200, expect.any(String)]);
    await behindItsBack(`${INSERT} VALUES ('c', 'text', '{vendors}', NULL)`);
    const file = await admin.request('POST', '/api/vendors/import?mode=create', 'name,customFields.c\nc,x\n', {
      'content-type': 'text/csv',
    });
    expect(file.body.data).toMatchObject({ created: 1 });
    await behindItsBack(`${INSERT} VALUES ('d', 'text', '{vendors}', NULL)`);
    const send = (): Promise<Answer> =>
      admin.post('/api/vendors', { name: 'd', customFields: { d: 'x' } }, { 'idempotency-key': 'd' });
    const [made, again] = [await send(), await send()];
    expect(made.body.data.customFields).toEqual({ d: 'x' });
    expect(again.text).toBe(made.text);
  });

  it('reads them once for a request, and refuses what they do not admit', async () => {
    await define('tier', 'choice', { choices: ['gold'] });
    await known();
    const reread = jest.spyOn(service.app.get(DefinitionStore), 'reread');
    expect((await admin.post('/api/vendors', { name: 'v', customFields: { tier: 'tin' } })).status).toBe(400);
    expect((await admin.post('/api/vendors', { customFields: { tier: 'gold' } })).status).toBe(400);
    expect(reread).toHaveBeenCalledTimes(1);
    reread.mockRestore();
  });
});

describe('limits', () => {
  itInFull('are 100 fields a resource', async () => {
    await service.database.db.query(
      sql`INSERT INTO custom_fields (key, type, resources) SELECT 'f' || n, 'text', '{vendors}' FROM generate_series(1, 100) n RETURNING id`,
    );
    expect(
      refusal(await admin.post('/api/custom-fields', { key: 'x', type: 'text', resources: ['sites', 'vendors'] })),
    ).toEqual([409, 'resources has vendors, which has 100 custom fields already']);
    const all = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n + 1}`, 'x']));
    const { id } = await vendor(all);
    expect(Object.keys((await admin.get(`/api/vendors/${id}`)).body.data.customFields)).toHaveLength(100);
    expect(
      (await admin.get('/api/vendors?format=csv')).text
        .split('\r\n')[0]!
        .split(',')
        .filter((name) => name.startsWith('customFields.')),
    ).toHaveLength(100);
  });

  it('are 256 KiB of values a record, and 65,536 characters of a text', async () => {
    for (const key of ['a', 'b', 'c', 'd']) await define(key, 'text');
    const text = 'x'.repeat(65_000);
    const { id } = await vendor({ a: text, b: text, c: text });
    expect(refusal(await admin.patch(`/api/vendors/${id}`, { customFields: { d: 'ä'.repeat(65_000) } }))).toEqual([
      400,
      'customFields must have at most 256 KiB in all',
    ]);
    expect(refusal(await admin.patch(`/api/vendors/${id}`, { customFields: { d: 'x'.repeat(65_537) } }))).toEqual([
      400,
      'customFields.d must be at most 65536 characters long',
    ]);
  });
});

it('values are shown in the order of their positions', async () => {
  await define('a', 'text', { position: 20 });
  await define('bbb', 'text', { position: 10 });
  const { id } = await vendor({ a: '1', bbb: '2' });
  expect((await admin.get(`/api/vendors/${id}`)).text).toMatch(
    /"customFields":\s*\{\s*"bbb"\s*:\s*"2"\s*,\s*"a"\s*:\s*"1"\s*\}/,
  );
  expect((await admin.get('/api/vendors?format=csv')).text.split('\r\n')[0]).toMatch(
    /customFields\.bbb,customFields\.a$/,
  );
});

it.each(['example.com', 'ftp://example.com', 'http://', 'https:///x', '/path', 'http://a b'])(
  '%s is no address',
  async (address) => {
    await define('link', 'url');
    expect(refusal(await admin.post('/api/vendors', { name: 'v', customFields: { link: address } }))).toEqual([
      400,
      'customFields.link must be an absolute http or https address',
    ]);
    expect((await vendor({ link: 'HTTPS://Example.com/a?b=c#d' })).customFields).toEqual({
      link: 'HTTPS://Example.com/a?b=c#d',
    });
  },
);

it('a webhook is sent for the changes of values that it wants', async () => {
  await define('tier', 'text');
  await define('price', 'decimal');
  const hook = await admin.make('/api/webhooks', {
    name: 'hook',
    url: 'https://example.com/x',
    resources: ['vendors'],
    fields: ['customFields.tier'],
    where: { before: { 'customFields.price': '1.5' }, after: { 'customFields.tier': ['gold', 'tin'] } },
  });
  const since = (await admin.get(`/api/webhooks/${hook.id}`)).body.data.createdAt;
  const { id } = await vendor({ tier: 'iron', price: '1.50' });
  await admin.patch(`/api/vendors/${id}`, { customFields: { tier: 'gold' } });
  await admin.patch(`/api/vendors/${id}`, { customFields: { tier: 'lead' } });
  await admin.patch(`/api/vendors/${id}`, { description: 'x' });
  const replayed = await admin.post(`/api/webhooks/${hook.id}/replay`, { since });
  expect(replayed.body.data).toEqual({ deliveries: 1 });
  await admin.delete(`/api/webhooks/${hook.id}`);
});

it('a condition of a webhook does not look at values of a former field with the same key', async () => {
  const { id } = await define('tier', 'text');
  const made = await vendor({ tier: 'gold' });
  await admin.delete(`/api/custom-fields/${id}?dropValues=true`);
  await define('tier', 'text');
  const hook = await admin.make('/api/webhooks', {
    name: 'hook',
    url: 'https://example.com/x',
    resources: ['vendors'],
    where: { after: { 'customFields.tier': 'gold' } },
  });
  const since = (await admin.get(`/api/webhooks/${hook.id}`)).body.data.createdAt;
  await admin.patch(`/api/vendors/${made.id}`, { description: 'x' });
  const replayed = await admin.post(`/api/webhooks/${hook.id}/replay`, { since });
  expect(replayed.body.data).toEqual({ deliveries: 0 });
  await admin.delete(`/api/webhooks/${hook.id}`);
});

it('refers to records of other rows of an import by id, in whatever order they are', async () => {
  await admin.make('/api/custom-fields', { key: 'deputy', type: 'reference', target: 'people', resources: ['people'] });
  const [ada, grace, kay] = [randomUUID(), randomUUID(), randomUUID()];
  const rows = [
    { id: ada, fullName: 'Ada', customFields: { deputy: grace } },
    { id: grace, fullName: 'Grace', customFields: { deputy: kay } },
    { id: kay, fullName: 'Kay' },
  ];
  const file = rows.map((row) => JSON.stringify(row)).join('\n');
  const importFile = () =>
    admin.request('POST', '/api/people/import?mode=upsert&key=id', file, { 'content-type': 'application/x-ndjson' });
  const answer = await importFile();
  expect([answer.status, answer.body.data ?? answer.body]).toMatchObject([200, { created: 3, failed: 0 }]);
  for (const [id, deputy] of [
    [ada, grace],
    [grace, kay],
  ])
    expect((await admin.get(`/api/people/${id}`)).body.data.customFields.deputy).toBe(deputy);
  expect((await importFile()).body.data).toMatchObject({ unchanged: 3 });
  const nobody = { id: randomUUID(), fullName: 'Nobody', customFields: { deputy: randomUUID() } };
  const refused = await admin.request('POST', '/api/people/import?mode=upsert&key=id', JSON.stringify(nobody), {
    'content-type': 'application/x-ndjson',
  });
  expect([refused.status, refused.body.details[0].field]).toEqual([400, 'rows[1].customFields.deputy']);
});

describe('a record that refers to itself by a custom field', () => {
  beforeEach(async () => {
    await admin.make('/api/custom-fields', {
      key: 'deputy',
      type: 'reference',
      target: 'people',
      resources: ['people', 'vendors'],
    });
  });
  const importRows = (rows: object[], query = 'mode=upsert&key=id', path = '/api/people'): Promise<Answer> =>
    admin.request('POST', `${path}/import?${query}`, rows.map((row) => JSON.stringify(row)).join('\n'), {
      'content-type': 'application/x-ndjson',
    });

  it('may be imported, by an id in either case', async () => {
    const [ada, grace] = [randomUUID(), randomUUID()];
    const rows = [
      { id: ada, fullName: 'Ada', customFields: { deputy: ada } },
      { id: grace.toUpperCase(), fullName: 'Grace', 'customFields.deputy': grace.toUpperCase() },
    ];
    const made = await importRows(rows);
    expect([made.status, made.body.data ?? made.body]).toMatchObject([200, { created: 2, failed: 0 }]);
    for (const id of [ada, grace])
      expect((await admin.get(`/api/people/${id}`)).body.data.customFields).toEqual({ deputy: id });
    expect((await importRows(rows)).body.data).toMatchObject({ unchanged: 2 });
    // This works only for references to records of the same resource.
    const vendorId = randomUUID();
    const refused = await importRows(
      [{ id: vendorId, name: 'v', customFields: { deputy: vendorId } }],
      undefined,
      '/api/vendors',
    );
    expect([refused.status, refused.body.details[0].field]).toEqual([400, 'rows[1].customFields.deputy']);
    for (const id of [ada, grace]) await admin.delete(`/api/people/${id}`);
  });

  it('may be changed, deleted and restored', async () => {
    const { id } = await admin.make('/api/people', { fullName: 'Ada' });
    const at = `/api/people/${id}`;
    expect((await admin.patch(at, { customFields: { deputy: id } })).body.data.customFields).toEqual({ deputy: id });
    expect((await admin.delete(at)).status).toBe(204);
    expect((await admin.post(`${at}/restore`)).body.data.customFields).toEqual({ deputy: id });
    await admin.delete(at);
  });
});
