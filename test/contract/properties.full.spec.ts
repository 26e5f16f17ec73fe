import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { startService, type Api, type TestService } from '../support/app.js';
import { document, formatOf, pathLike, resolveSchema, type Json } from '../support/document.js';
import { allowed, characters, WITHIN_THE_RULES, without } from '../support/allowed.js';
import { instantOf } from '../hostile/kept.js';
import { faultsIn } from '../support/documented.js';
import type { Row } from '../resources/row.js';
import { rows } from '../resources/rows.js';
import { Maker } from '../resources/make.js';

/*
 * The document and the validation agree in both directions: values that the document allows are accepted, others are refused with
 * the name of the field. Bodies and query strings are generated from openapi.json alone. `PROPERTY_RUNS` and `PROPERTY_SEED`
 * change their number and choice.
 */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 12);
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_121);

/** Values that a schema forbids, each for one reason. */
function forbidden(given: Json): Arbitrary<unknown>[] {
  const schema = resolveSchema(given);
  // The form of a nullable enum in the document.
  if (schema.anyOf) return forbidden({ ...resolveSchema(schema.anyOf[0]), type: ['string', 'null'] });
  const types: string[] = [schema.type ?? typeof schema.enum[0]].flat();
  const { pattern, minimum, maximum, multipleOf, minLength, maxLength, minItems, maxItems } = schema;
  const format = formatOf(schema);
  const faults: Arbitrary<unknown>[] = [fc.constant({ a: 1 })];
  if (!types.includes('null')) faults.push(fc.constant(null));
  if (!types.includes('array')) faults.push(fc.constant([1]));
  if (!types.includes('string')) faults.push(fc.constant('seven'));
  if (!types.includes('boolean')) faults.push(fc.boolean());
  if (!types.includes('integer') && !types.includes('number'))
    faults.push(fc.double({ noNaN: true, noDefaultInfinity: true }));
  if (types.includes('integer')) faults.push(fc.constant(1.5));
  if (schema.enum) faults.push(characters(1, 20).filter((value) => !schema.enum.includes(value)));
  if (minimum !== undefined) faults.push(fc.integer({ min: minimum - 1000, max: minimum - 1 }));
  if (maximum !== undefined) faults.push(fc.integer({ min: maximum + 1, max: maximum + 1000 }));
  if (multipleOf) faults.push(fc.constant(minimum + multipleOf / 2));
  if (minLength) faults.push(fc.constant('x'.repeat(minLength - 1)));
  if (maxLength) faults.push(fc.constant('𝒳'.repeat(maxLength + 1)));
  if (schema.not) faults.push(fc.constant('-0.0'));
  if (pattern) faults.push(characters(0, 20).filter((value) => !new RegExp(pattern).test(value)));
  if (format && types.includes('string'))
    faults.push(
      fc
        .constantFrom('', 'none', '2026-13-01', '2026-02-29', '2026-03-01T24:00', '10.0.0.1/33', 'ZZZ', '{}')
        .filter((value) => format !== 'password' || value.length < 12),
    );
  if (minItems) faults.push(fc.constant([]));
  if (maxItems) faults.push(fc.constant(Array.from({ length: maxItems + 1 }, () => 'x')));
  return faults;
}

/** Bodies with one fault, and the name of the property that has it. */
function faulty(schema: Json, ids: Record<string, string>): Arbitrary<{ body: Json; field: string }> {
  const { properties, propertyNames, required = [] } = resolveSchema(schema);
  const faults = Object.entries(properties as Record<string, Json>).flatMap(([field, property]) => [
    ...forbidden(property).map((values) => values.map((value) => ({ field, value }))),
    ...(required.includes(field) ? [fc.constant({ field, value: undefined })] : []),
  ]);
  const names = new Set<string>(propertyNames?.enum ?? Object.keys(properties));
  const unknown = fc.string({ unit: 'grapheme', minLength: 1 }).filter((field) => !names.has(field));
  return fc
    .tuple(
      allowed(schema, ids),
      fc.oneof(
        ...faults,
        unknown.map((field) => ({ field, value: 1 })),
      ),
    )
    .map(([body, { field, value }]) => ({
      body: Object.fromEntries([...Object.entries(body as Json).filter(([name]) => name !== field), [field, value]]),
      field,
    }));
}

jest.setTimeout(120_000);

let service: TestService;
let admin: Api;
let maker: Maker;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  maker = new Maker(admin, 'property');
});
afterAll(() => service.stop());

const holds = <T>(arbitrary: Arbitrary<T>, predicate: (value: T) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(arbitrary, predicate), { numRuns: RUNS, seed: SEED, endOnFailure: true });

/** Ids for the references of a row. */
async function idsOf(row: Row): Promise<Record<string, string>> {
  const references = Object.entries({ ...row.required, ...row.optional }).filter(([, value]) =>
    String(value).startsWith('→'),
  );
  return (await maker.values(Object.fromEntries(references))) as Record<string, string>;
}

const templateOf = (row: Row): string => pathLike(row.path);
const elementOf = (row: Row): string => pathLike(`${row.path}/{}`);
const bodySchema = (template: string, method: string): Json =>
  document.paths[template][method].requestBody.content['application/json'].schema;
/** Compares the sent values with the response, for fields that are returned as written. */
function readsBack(schema: Json, body: Json, data: Json): void {
  for (const [name, value] of Object.entries(body)) {
    const sent = resolveSchema(resolveSchema(schema).properties[name]);
    const { type, pattern } = sent;
    const format = formatOf(sent);
    // Decimals are returned with the number of digits of their column.
    if (!format && pattern?.includes('\\d') && value !== null)
      expect([name, Number(data[name])]).toEqual([name, Number(value) + 0]);
    else if (
      name in data &&
      !format?.startsWith('date') &&
      !['cidr', 'inet', 'uuid'].includes(format!) &&
      type !== 'array'
    )
      expect([name, data[name]]).toEqual([name, Object.is(value, -0) ? 0 : value]);
  }
}

describe.each(rows.map((row) => [row.path, row] as const))('bodies of %s', (_, row) => {
  const template = templateOf(row);
  const element = elementOf(row);
  const within = WITHIN_THE_RULES[row.path] ?? ((body: Json) => body);

  it('are accepted if the document allows them', async () => {
    const [collection, ids, { path }] = [await maker.collection(row), await idsOf(row), await maker.record(row.path)];
    // One of several references must be given, which only the descriptions state.
    const ruled = Object.fromEntries(Object.entries(ids).filter(([name]) => row.ruled?.includes(name)));
    const valid = (body: unknown): Json => ({ ...within(body as Json), ...ruled });
    let accepted = 0;
    await holds(allowed(bodySchema(template, 'post'), ids).map(valid), async (body) => {
      const answer = await admin.post(collection, body);
      // A unique value may be taken, which depends on the data and not on the format.
      expect([answer.status, answer.status === 400 && answer.text]).toEqual([answer.status === 409 ? 409 : 201, false]);
      if (answer.status === 409) return;
      accepted++;
      readsBack(bodySchema(template, 'post'), body, answer.body.data);
    });
    // At least one was not refused because of a taken value.
    expect(accepted).toBeGreaterThan(0);
    accepted = 0;
    const changeable = without(...(row.fixed ?? []));
    await holds(allowed(bodySchema(element, 'patch'), ids).map(valid).map(changeable), async (body) => {
      const answer = await admin.patch(path, body);
      expect([answer.status, answer.status === 400 && answer.text]).toEqual([answer.status === 409 ? 409 : 200, false]);
      if (answer.status === 409) return;
      accepted++;
      readsBack(bodySchema(element, 'patch'), body, answer.body.data);
    });
    expect(accepted).toBeGreaterThan(0);
  });

  it('may be the record as read, according to the document and the service', async () => {
    const [collection, { path }] = [await maker.collection(row), await maker.record(row.path)];
    const optional = Object.entries(row.optional).filter(([name]) => name !== 'profileId');
    await admin.patch(path, await maker.values(Object.fromEntries(optional)));
    const { data } = (await admin.get(path)).body;
    const named = (schema: Json): string => schema.$ref.split('/').at(-1);
    expect(faultsIn(named(bodySchema(element, 'patch')), data)).toEqual([]);
    const answer = await admin.patch(path, data);
    expect([answer.status, answer.body]).toEqual([200, { data: { ...data, updatedAt: expect.any(String) } }]);
    // A password is never in a response.
    const again = { ...data, ...(row.path === '/api/profiles' && { password: 'a passphrase of the truth 1' }) };
    expect(faultsIn(named(bodySchema(template, 'post')), again)).toEqual([]);
    expect([201, 409]).toContain((await admin.post(collection, again)).status);
  });

  it('are refused if the document forbids them, and the fault is named', async () => {
    const [collection, ids, { path }] = [await maker.collection(row), await idsOf(row), await maker.record(row.path)];
    for (const [method, at, schema] of [
      ['POST', collection, bodySchema(template, 'post')],
      ['PATCH', path, bodySchema(element, 'patch')],
    ] as const) {
      await holds(faulty(schema, ids), async ({ body, field }) => {
        const answer = await admin.request(method, at, body);
        expect([answer.status, answer.text]).toEqual([400, expect.anything()]);
        expect(answer.body.details.map((fault: Json) => fault.field.split('[')[0])).toContain(field.split('[')[0]);
      });
    }
  });
});

// The parameters of a result need its `list`, which test/capabilities/stocktakes.spec.ts covers.
const lists = Object.entries(document.paths as Record<string, Json>)
  .filter(
    ([path, { get }]) =>
      get?.parameters?.some(({ $ref }: Json) => $ref?.endsWith('/List.pageSize')) &&
      path.startsWith('/api/') &&
      !path.endsWith('/result'),
  )
  .map(
    ([path, { get }]) =>
      [path, get.parameters.map(resolveSchema).filter((parameter: Json) => parameter.in === 'query')] as const,
  );

const asText = (value: unknown): string => `${value as string}`;
const query = (pairs: readonly (readonly [string, unknown])[]): string =>
  pairs
    .flatMap(([name, value]) =>
      [value].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(asText(one))}`),
    )
    .join('&');

describe.each(lists)('queries of %s', (template, parameters: Json[]) => {
  let path: string;
  beforeAll(async () => {
    const end = template.lastIndexOf('}') + 1;
    const owner = rows.find((row) => end > 0 && elementOf(row) === pathLike(template.slice(0, end)));
    // Tokens and feeds have no row, as a PATCH changes their name only.
    const renamed = /^\/api\/(?:tokens|calendar-feeds|webhooks|custom-fields|transitions|change-sets)(?=\/\{)/.exec(
      template,
    )?.[0];
    const body = {
      ...(renamed?.endsWith('fields')
        ? { key: `x${end}`, resources: ['slas'], type: 'text' }
        : renamed?.endsWith('transitions')
          ? { resource: 'cables', from: `x${end}`, to: template }
          : { name: 'x' }),
      ...(renamed?.endsWith('feeds') && { kind: 'changes' }),
      ...(renamed?.endsWith('webhooks') && { url: 'https://example.com/x' }),
    };
    const record = owner
      ? (await maker.record(owner.path)).path
      : renamed && `${renamed}/${(await admin.make(renamed, body)).id}`;
    path = record ? record + template.slice(end) : template;
  });

  // The window of on-call questions is limited, and the database knows the names of time zones.
  // An interval has tests of its own, and so have cursors, which no schema describes.
  const isFree = ({ name }: Json): boolean =>
    name !== 'during' &&
    name !== 'after' &&
    !(template.startsWith('/api/on-call/') && ['from', 'to', 'timeZone'].includes(name as string));
  const pairs = fc
    .uniqueArray(fc.constantFrom(...parameters.filter(isFree)), { maxLength: 4, selector: ({ name }) => name })
    .map((chosen) => [...chosen.filter(({ required }) => !required), ...parameters.filter(({ required }) => required)])
    // An export without a page size is the whole list.
    .filter((chosen) => {
      const names = chosen.map(({ name }) => name);
      return !names.includes('format') || !names.includes('page') || names.includes('pageSize');
    })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map(({ name, schema }) =>
          allowed(schema)
            .filter((value) => !Array.isArray(value) || value.length > 0)
            .map((value) => [name as string, value] as const),
        ),
      ),
    )
    // A picture and a page to print have no pages.
    .filter((given) => {
      const isDrawn = ['svg', 'html'].includes(String((Object.fromEntries(given) as { format?: unknown }).format));
      return !isDrawn || !given.some(([name]) => ['page', 'pageSize', 'total'].includes(name));
    })
    // A span ends after its start.
    .filter((given) => {
      const { from, to } = Object.fromEntries(given) as { from?: string; to?: string };
      return !from || !to || instantOf(from) < instantOf(to);
    });

  it('are accepted if the document allows them', () =>
    holds(pairs, async (given) => {
      const answer = await admin.get(`${path}?${query(given)}`);
      // A time before the change log begins.
      if (given.some(([name]) => name === 'asOf') && answer.status === 410) return;
      expect([answer.status, answer.status === 200 || answer.text]).toEqual([200, true]);
    }));

  it('are refused if the document forbids them, and the parameter is named', async () => {
    const faults = parameters.flatMap(({ name, schema }) => {
      const value = resolveSchema(resolveSchema(schema).items ?? schema);
      const isText = value.type === 'string' && !value.enum && !value.format && !value.pattern;
      // In a query string every value is text.
      const wrong: Arbitrary<string>[] = isText
        ? []
        : [fc.constantFrom('none', '', '1.2.3.4/99', '2026-02-30', 'null')];
      if (value.maximum !== undefined) wrong.push(fc.constant(String(value.maximum + 1)));
      if (value.minimum !== undefined) wrong.push(fc.constant(String(value.minimum - 1)));
      if (value.type === 'integer') wrong.push(fc.constantFrom('1.5', '1e3', '2147483648'));
      const twice = resolveSchema(schema).type === 'array' ? [] : [allowed(schema).map((one) => [one, one])];
      return [...wrong, ...twice].map((values) => values.map((one) => [name as string, one] as const));
    });
    const names = new Set(parameters.map(({ name }) => name));
    const unknown = characters(1, 12)
      .filter((name) => !names.has(name))
      .map((name) => [name, 'x'] as const);
    await holds(fc.tuple(pairs, fc.oneof(...faults, unknown)), async ([given, fault]) => {
      const answer = await admin.get(`${path}?${query([...given.filter(([name]) => name !== fault[0]), fault])}`);
      expect([answer.status, answer.text]).toEqual([400, expect.anything()]);
      expect(answer.body.details.map(({ field }: Json) => field)).toEqual([fault[0]]);
    });
  });
});
