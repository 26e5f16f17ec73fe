import { randomUUID } from 'node:crypto';
import { startService, type Api, type TestService } from '../support/app.js';
import { ofEachKind } from '../support/size.js';
import { document, formatOf, pathLike, resolveSchema, type Json } from '../support/document.js';
import type { Row } from './row.js';
import { rows } from './rows.js';
import { Maker } from './make.js';

let service: TestService;
let admin: Api;
let maker: Maker;

beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  maker = new Maker(admin, 'crud');
});
afterAll(() => service.stop());

const filled = (fields: Record<string, unknown>): Promise<Record<string, unknown>> => maker.values(fields);
const required = (row: Row): Promise<Record<string, unknown>> => maker.required(row);
const collection = (row: Row): Promise<string> => maker.collection(row);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const system = {
  id: expect.stringMatching(UUID),
  createdAt: expect.stringMatching(INSTANT),
  updatedAt: expect.stringMatching(INSTANT),
};

/** The expected record if only required fields are sent: every field of the contract, and no others. */
function bare(row: Row, body: Record<string, unknown>): Record<string, unknown> {
  const { password: _password, ...sent } = body;
  const nulls = Object.fromEntries(Object.keys(row.optional).map((field) => [field, null]));
  return { ...system, ...nulls, ...row.defaults, ...row.shown, ...sent, ...row.answers };
}

/** Documented properties of the body that creates a record. */
const documented = (row: Row): Record<string, Json> => {
  const { post } = document.paths[pathLike(row.path)];
  return resolveSchema(post.requestBody.content['application/json'].schema).properties;
};

/** Schema of a field's value other than null. */
function schemaOf(row: Row, field: string): Json {
  const schema = resolveSchema(documented(row)[field]);
  return schema.anyOf ? resolveSchema(schema.anyOf[0]) : schema;
}

const isDecimal = (schema: Json): boolean => !formatOf(schema) && !!schema.pattern?.includes('\\d');

/** Alternative values of fields that a rule restricts, or that their format does. */
const OTHERS: Record<string, unknown> = {
  'Europe/Amsterdam': 'Asia/Tokyo',
  '00:1B:44:11:3A:B7': '00:1B:44:11:3A:B6',
  CHF: 'EUR',
  EUR: 'CHF',
};

/** Another value of a field, which sorts before the given one by value, and after it as text. */
function anotherValue(row: Row, field: string, value: unknown): unknown {
  const schema = schemaOf(row, field);
  if (['items', 'family', 'resource'].includes(field)) return value;
  if (field === 'status' && value === 'draft') return 'ordered';
  if (schema.enum) return (schema.enum as unknown[]).find((other) => other !== value && other !== null);
  if (typeof value === 'number') {
    const { minimum = 9, maximum = 9 } = schema;
    return [9, 10, minimum, maximum].find((other) => other !== value && other >= minimum && other <= maximum);
  }
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return value.slice(1);
  const text = value as string;
  if (text in OTHERS) return OTHERS[text];
  if (/[→∎⌗]/.test(text)) return text;
  if (formatOf(schema) === 'inet') return '9.0.0.1/24';
  if (isDecimal(schema)) return '900.00';
  if (/^#[\dA-F]{6}$/.test(text)) return '#00FF00';
  if (/^\d{4}-\d\d-\d\d/.test(text)) return `${Number(text.slice(0, 4)) - 1}${text.slice(4)}`;
  return text.startsWith('https:') ? 'http://example.com' : /@/.test(text) ? 'other@example.com' : `Z${text}`;
}

/** The value that a list compares: numbers, and addresses as numbers. Texts are compared by their characters. */
function comparable(row: Row, field: string, value: unknown): unknown {
  if (value === null || !(field in documented(row))) return value;
  if (row.natural?.includes(field))
    return (value as string).split(/(\d+)/).map((part, at) => (at % 2 ? Number(part) : part));
  const schema = schemaOf(row, field);
  if (isDecimal(schema)) return Number(value);
  return ['cidr', 'inet'].includes(formatOf(schema)!) ? (value as string).split(/\D/).map(Number) : value;
}

/** Negative if `a` comes before `b` in an ascending list. Nulls come last. */
function order(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (!Array.isArray(a) || !Array.isArray(b)) return Number(a! > b!) - Number(a! < b!);
  const at = a.findIndex((entry, index) => entry !== b[index]);
  return at === -1 || at >= b.length ? a.length - b.length : order(a[at], b[at]);
}

describe.each(rows)('$path', (row) => {
  it('has a row with every writable field', () => {
    const written = Object.keys({ ...row.required, ...row.optional, ...(row.area === 'admin' && { password: '' }) });
    expect([...written, ...(row.elsewhere ?? [])].toSorted()).toEqual(Object.keys(documented(row)).toSorted());
  });

  it('keeps every field as sent, and accepts its own response', async () => {
    const path = await collection(row);
    const body = { ...(await required(row)), ...(await filled(row.optional)) };
    const created = await admin.make(path, body);
    const { password: _password, ...sent } = body as Record<string, unknown>;
    expect(created).toMatchObject({ ...sent, ...row.answers });
    const again = await admin.patch(`${path}/${created.id}`, created);
    // Nothing has changed, including `updatedAt`, and the change log has only the creation.
    expect([again.status, again.body]).toEqual([200, { data: created }]);
    const changes = await admin.get(`${path}/${created.id}/changes`);
    expect(changes.body.data.map(({ action }: { action: string }) => action)).toEqual(['create']);
  });
});

describe.each(ofEachKind(rows))('$path', (row) => {
  const first = Object.keys(row.required)[0]!;

  it('creates with the required fields only, and gives the other fields their defaults', async () => {
    const path = await collection(row);
    const body = await required(row);
    const answer = await admin.post(path, body);
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    expect(answer.body).toEqual({ data: bare(row, body) });
    const { id } = answer.body.data;
    expect(answer.headers.get('location')).toBe(`${path}/${id}`);
    expect(answer.headers.get('etag')).toMatch(/^"[^"]+"$/);
    const read = await admin.get(`${path}/${id}`);
    expect([read.status, read.text]).toEqual([200, answer.text]);
    expect(read.headers.get('etag')).toBe(answer.headers.get('etag'));
  });

  it('changes one field and keeps the others', async () => {
    const path = await collection(row);
    const created = await admin.make(path, await required(row));
    const changed = Object.keys(row.optional).length > 0 ? row.optional : row.required;
    for (const [field, value] of Object.entries(await filled(changed))) {
      if (row.fixed?.includes(field)) {
        const refused = await admin.patch(`${path}/${created.id}`, { [field]: value });
        expect([field, refused.status]).toEqual([field, created[field] === value ? 200 : 400]);
        continue;
      }
      const before = (await admin.get(`${path}/${created.id}`)).body.data;
      const answer = await admin.patch(`${path}/${created.id}`, { [field]: value });
      expect([field, answer.status, answer.text]).toEqual([field, 200, expect.any(String)]);
      expect(answer.body.data[field]).toEqual(value);
      // Fields that are read from a referenced record change with the reference.
      const follows = new Set([field, 'updatedAt', ...Object.keys(row.shown ?? {})]);
      for (const other of Object.keys(before)) {
        if (!follows.has(other)) expect([other, answer.body.data[other]]).toEqual([other, before[other]]);
      }
    }
  });

  it('clears a nullable field, and refuses null for others', async () => {
    const path = await collection(row);
    const created = await admin.make(path, { ...(await required(row)), ...(await filled(row.optional)) });
    const kept = [...Object.keys(row.required), ...Object.keys(row.defaults ?? {})].filter(
      (field) => !row.nullableDefaults?.includes(field),
    );
    for (const field of kept) {
      const answer = await admin.patch(`${path}/${created.id}`, { [field]: null });
      expect([field, answer.status]).toEqual([field, 400]);
      expect(answer.body.error).toContain(field);
    }
    for (const field of Object.keys(row.optional).filter((name) => !kept.includes(name))) {
      const answer = await admin.patch(`${path}/${created.id}`, { [field]: null });
      const expected = row.bound?.includes(field) ? [field, 400, undefined] : [field, 200, null];
      expect([field, answer.status, answer.body?.data?.[field]]).toEqual(expected);
    }
  });

  it('names every fault of a body at once', async () => {
    const path = await collection(row);
    const missing = await admin.post(path, {});
    expect(missing.status).toBe(400);
    expect(missing.body.details.map((fault: { field: string }) => fault.field)).toEqual(
      expect.arrayContaining(Object.keys(row.required)),
    );
    const wrong = Object.fromEntries(
      Object.keys({ ...row.required, ...row.optional }).map((field) => [field, { not: 'it' }]),
    );
    const answer = await admin.post(path, { ...wrong, noSuchField: 1 });
    expect(answer.status).toBe(400);
    expect(answer.body.details.map((fault: { field: string }) => fault.field)).toEqual(
      expect.arrayContaining([...Object.keys(wrong), 'noSuchField']),
    );
    for (const blank of first === 'sku'
      ? [5]
      : ['  ', '\u200b\ufeff\u00ad\u2060\u180e\u3164\u115f\u1160\uffa0\u2800']) {
      const refused = await admin.post(path, { ...(await required(row)), [first]: blank });
      expect([refused.status, refused.body.details[0].field]).toEqual([400, first]);
    }
  });

  it('lists by page, with the total', async () => {
    const path = await collection(row);
    const { total } = (await admin.get(`${path}?pageSize=1`)).body;
    const made = [await admin.make(path, await required(row))];
    if (!row.few) made.push(await admin.make(path, await required(row)));
    const all = await admin.get(path);
    expect([all.status, { ...all.body, data: all.body.data.length }]).toEqual([
      200,
      { data: total + made.length, total: total + made.length, page: 1, pageSize: 10_000, hasMore: false },
    ]);
    // The oldest records come first.
    expect(all.body.data.slice(-made.length)).toEqual(made);
    const newest = await admin.get(`${path}?pageSize=1&sort=createdAt&order=desc`);
    const count = total + made.length;
    expect([newest.body.data, newest.body.total, newest.body.hasMore]).toEqual([[made.at(-1)], count, count > 1]);
    const query = made.map(({ id }) => `id=${id}`).join('&');
    const last = await admin.get(`${path}?${query}&pageSize=1&page=${made.length}&order=desc`);
    expect([last.body.data, last.body.total, last.body.hasMore]).toEqual([[made[0]], made.length, false]);
    await admin.delete(`${path}/${made.at(-1)!.id}`);
    expect((await admin.get(path)).body.total).toBe(count - 1);
    const unknown = await admin.get(`${path}?nosuchfilter=1`);
    expect([unknown.status, unknown.body.error]).toEqual([400, expect.stringContaining("'nosuchfilter'")]);
  });

  it('sorts by every stored field, and filters by whether it has a value', async () => {
    const path = await collection(row);
    const written = { ...row.required, ...row.optional };
    const others = Object.fromEntries(
      Object.entries(written).map(([field, value]) => [field, anotherValue(row, field, value)]),
    );
    const bodies = [row.optional, {}, others].slice(0, row.few ? 1 : 3);
    const records: Json[] = [];
    for (const more of bodies)
      records.push(await admin.make(path, { ...(await required(row)), ...(await filled(more)) }));
    const query = records.map(({ id }) => `id=${id}`).join('&');
    const stored = Object.keys({ ...written, ...row.defaults }).filter((field) => !row.unsortable?.includes(field));
    const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
    for (const field of [...stored, 'createdAt', 'updatedAt', 'id']) {
      // Responses show milliseconds. Records of the same millisecond were still created one after another.
      const isTime = field === 'createdAt' || field === 'updatedAt';
      const ascending = isTime
        ? records
        : records.toSorted(
            (a, b) => order(comparable(row, field, a[field]), comparable(row, field, b[field])) || order(a.id, b.id),
          );
      const ids = ascending.map(({ id }) => id);
      const withValue = records.filter((record) => !isEmpty(record[field]));
      const [ascendingly, descendingly, having] = await Promise.all(
        [`sort=${field}`, `sort=${field}&order=desc`, `${field}__empty=false`].map((more) =>
          admin.get(`${path}?${query}&${more}`),
        ),
      );
      for (const [answer, expected] of [
        [ascendingly!, ids],
        [descendingly!, ids.toReversed()],
        [having!, withValue.map(({ id }) => id)],
      ] as const) {
        const { status, text, body } = answer;
        expect([field, status, text]).toEqual([field, 200, expect.any(String)]);
        expect([field, body.total, body.data.map(({ id }: Json) => id)]).toEqual([field, expected.length, expected]);
      }
    }
  });

  it('deletes, once', async () => {
    const path = await collection(row);
    const { id } = await admin.make(path, await required(row));
    const gone = await admin.delete(`${path}/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    for (const answer of [
      await admin.delete(`${path}/${id}`),
      await admin.get(`${path}/${id}`),
      await admin.patch(`${path}/${id}`, await required(row)),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, { error: expect.stringMatching(/ not found$/) }]);
    }
    expect((await admin.get(`${path}/not-a-uuid`)).status).toBe(400);
  });

  it('admits callers with permission, and no others', async () => {
    const path = await collection(row);
    const record = await admin.make(path, await required(row));
    const isAdmins = row.area === 'admin';
    const others = (['operations', 'network', 'procurement', 'people'] as const).filter((area) => area !== row.area);
    const [viewer, outsider, editor] = await Promise.all([
      service.as('viewer'),
      service.as('editor', others),
      service.as('editor', isAdmins ? [] : [row.area as 'network']),
    ]);
    const readable = isAdmins ? 403 : 200;
    expect((await service.anonymous.get(path)).status).toBe(401);
    expect((await viewer.get(`${path}/${record.id}`)).status).toBe(readable);
    expect((await editor.get(path)).status).toBe(readable);
    expect((await outsider.get(path)).status).toBe(isAdmins || row.area === 'operations' ? 403 : 200);
    for (const api of [viewer, outsider]) {
      expect((await api.post(path, '{')).status).toBe(403);
      expect((await api.patch(`${path}/${record.id}`, {})).status).toBe(403);
      expect((await api.delete(`${path}/${record.id}`)).status).toBe(403);
    }
    expect((await editor.delete(`${path}/${record.id}`)).status).toBe(isAdmins ? 403 : 204);
  });
});

const referring = rows.filter(({ optional }) => Object.values(optional).some((value) => String(value).startsWith('→')));

describe.each(ofEachKind(referring))('$path', (row) => {
  const references = Object.entries(row.optional).filter(([, value]) => String(value).startsWith('→')) as [
    string,
    string,
  ][];

  it.each(references)(
    'refuses an unknown %s, and clears it when the referenced record is deleted',
    async (field, target) => {
      const path = await collection(row);
      const dangling = await admin.post(path, { ...(await required(row)), [field]: randomUUID() });
      expect([dangling.status, dangling.body.error]).toEqual([400, expect.stringContaining(field)]);
      const { id, path: at } = await maker.record(target.slice(1));
      const record = await admin.make(path, { ...(await required(row)), [field]: id });
      expect(record[field]).toBe(id);
      expect((await admin.delete(at)).status).toBe(204);
      const left = await admin.get(`${path}/${record.id}`);
      expect([left.status, left.body.data[field]]).toEqual([200, null]);
    },
  );
});

it('the suite covers every reference in the document', () => {
  const known = (row: Row): string[] =>
    Object.entries({ ...row.required, ...row.optional }).flatMap(([field, value]) =>
      String(value).startsWith('→') ? [field] : [],
    );
  for (const row of rows) {
    const uuids = Object.entries(documented(row)).filter(([, schema]) => resolveSchema(schema).format === 'uuid');
    const elsewhere = (row.elsewhere ?? []).filter((field) => uuids.some(([name]) => name === field));
    expect([row.path, [...known(row), ...elsewhere].toSorted()]).toEqual([
      row.path,
      uuids.map(([field]) => field).toSorted(),
    ]);
  }
  expect(referring.flatMap(known).length).toBeGreaterThan(30);
});
