import { randomUUID } from 'node:crypto';
import { startService, type Api, type TestService } from '../support/app.js';
import { rows, type Row } from './contract-rows.js';

let service: TestService;
let admin: Api;

beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const rowOf = (path: string): Row => rows.find((row) => row.path === path)!;

/** A body with its markers filled in: `→path` by the id of a new record, `∎` by something unique. */
async function filled(fields: Record<string, unknown>): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value !== 'string') body[field] = value;
    else if (value.startsWith('→')) body[field] = (await made(value.slice(1))).id;
    else body[field] = value.replace('∎', randomUUID());
  }
  return body;
}

const required = async (row: Row): Promise<Record<string, unknown>> => ({
  ...(await filled(row.required)),
  // In bodies only.
  ...(row.area === 'admin' && { password: 'correct horse battery staple' }),
});

/** Path of a collection, with a new owner where the row is of parts. */
async function collection(row: Row): Promise<string> {
  const owner = /\{(.*)\}/.exec(row.path)?.[1];
  return owner === undefined ? row.path : row.path.replace(`{${owner}}`, (await made(owner)).id as string);
}

async function made(path: string): Promise<Record<string, unknown>> {
  const row = rowOf(path);
  return admin.make(await collection(row), await required(row));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const system = {
  id: expect.stringMatching(UUID),
  createdAt: expect.stringMatching(INSTANT),
  updatedAt: expect.stringMatching(INSTANT),
};

/** What a record made of the required fields alone must show: every field of the contract, and no other. */
function bare(row: Row, body: Record<string, unknown>): Record<string, unknown> {
  const { password: _password, ...sent } = body;
  const nulls = Object.fromEntries(Object.keys(row.optional).map((field) => [field, null]));
  return { ...system, ...nulls, ...row.defaults, ...row.shown, ...sent, ...row.answers };
}

describe.each(rows)('$path', (row) => {
  const first = Object.keys(row.required)[0]!;

  it('creates with the required fields alone, and gives the rest its default', async () => {
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

  it('keeps every field as it was sent, and takes back what it answered', async () => {
    const path = await collection(row);
    const body = { ...(await required(row)), ...(await filled(row.optional)) };
    const created = await admin.make(path, body);
    const { password: _password, ...sent } = body as Record<string, unknown>;
    expect(created).toMatchObject({ ...sent, ...row.answers });
    const again = await admin.patch(`${path}/${created.id}`, created);
    // Nothing has changed, `updatedAt` included, and the change log knows of the creation only.
    expect([again.status, again.body]).toEqual([200, { data: created }]);
    const changes = await admin.get(`${path}/${created.id}/changes`);
    expect(changes.body.data.map(({ action }: { action: string }) => action)).toEqual(['create']);
  });

  it('changes one field and leaves the others', async () => {
    const path = await collection(row);
    const created = await admin.make(path, await required(row));
    for (const [field, value] of Object.entries(await filled(row.optional))) {
      const before = (await admin.get(`${path}/${created.id}`)).body.data;
      const answer = await admin.patch(`${path}/${created.id}`, { [field]: value });
      expect([field, answer.status, answer.text]).toEqual([field, 200, expect.any(String)]);
      expect(answer.body.data[field]).toEqual(value);
      // What is read from the record that a field refers to changes with it.
      const follows = new Set([field, 'updatedAt', ...Object.keys(row.shown ?? {})]);
      for (const other of Object.keys(before)) {
        if (!follows.has(other)) expect([other, answer.body.data[other]]).toEqual([other, before[other]]);
      }
    }
  });

  it('clears a field that may be null, and refuses null for one that may not', async () => {
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
      expect([field, answer.status, answer.body?.data?.[field]]).toEqual([field, 200, null]);
    }
  });

  it('names everything that is wrong with a body at once', async () => {
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
    const blank = await admin.post(path, { ...(await required(row)), [first]: first === 'sku' ? 5 : '  ' });
    expect([blank.status, blank.body.details[0].field]).toEqual([400, first]);
  });

  it('refuses references to nothing, and forgets references to what is deleted', async () => {
    const path = await collection(row);
    const references = Object.entries(row.optional).filter(([, value]) => String(value).startsWith('→'));
    for (const [field, target] of references) {
      const dangling = await admin.post(path, { ...(await required(row)), [field]: randomUUID() });
      expect([field, dangling.status, dangling.body.error]).toEqual([field, 400, expect.stringContaining(field)]);
      const other = await made(String(target).slice(1));
      const record = await admin.make(path, { ...(await required(row)), [field]: other.id });
      expect((await admin.delete(`${String(target).slice(1)}/${String(other.id)}`)).status).toBe(204);
      const left = await admin.get(`${path}/${record.id}`);
      expect([field, left.status, left.body.data[field]]).toEqual([field, 200, null]);
    }
  });

  it('lists by page, search order and filter, and refuses what it does not know', async () => {
    const path = await collection(row);
    const one = await admin.make(path, await required(row));
    const next = row.path.endsWith('ports') ? { name: 'eth1' } : {};
    const two = await admin.make(path, { ...(await required(row)), ...next });
    const query = `id=${one.id}&id=${two.id}`;
    const all = await admin.get(`${path}?${query}`);
    expect([all.status, all.body.total, all.body.page, all.body.pageSize, all.body.hasMore]).toEqual([
      200,
      2,
      1,
      10_000,
      false,
    ]);
    expect(all.body.data.map((record: { id: string }) => record.id).toSorted()).toEqual([one.id, two.id].toSorted());
    expect(Object.keys(all.body.data[0])).toEqual(Object.keys(one));
    const page = await admin.get(`${path}?${query}&pageSize=1&page=2&sort=createdAt&order=desc`);
    expect([page.body.data.length, page.body.total, page.body.hasMore]).toEqual([1, 2, false]);
    const stored = Object.keys({ ...row.required, ...row.optional, ...row.defaults }).filter(
      (field) => !['items', 'licenceKey'].includes(field),
    );
    for (const field of [...stored, 'createdAt', 'updatedAt', 'id']) {
      const sorted = await admin.get(`${path}?${query}&sort=${field}`);
      expect([field, sorted.status, sorted.body.total]).toEqual([field, 200, 2]);
      const empty = await admin.get(`${path}?${query}&${field}__empty=false`);
      expect([field, empty.status]).toEqual([field, 200]);
    }
    const unknown = await admin.get(`${path}?nosuchfilter=1`);
    expect([unknown.status, unknown.body.error]).toEqual([400, expect.stringContaining("'nosuchfilter'")]);
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

  it('lets in who may, and nobody else', async () => {
    const path = await collection(row);
    const record = await admin.make(path, await required(row));
    const isAdmins = row.area === 'admin';
    const others = (['operations', 'network', 'procurement', 'people'] as const).filter((area) => area !== row.area);
    const [viewer, stranger, editor] = await Promise.all([
      service.as('viewer'),
      service.as('editor', others),
      service.as('editor', isAdmins ? [] : [row.area as 'network']),
    ]);
    const readable = isAdmins ? 403 : 200;
    expect((await service.anonymous.get(path)).status).toBe(401);
    expect((await viewer.get(`${path}/${record.id}`)).status).toBe(readable);
    expect((await editor.get(path)).status).toBe(readable);
    expect((await stranger.get(path)).status).toBe(isAdmins || row.area === 'operations' ? 403 : 200);
    for (const api of [viewer, stranger]) {
      expect((await api.post(path, '{')).status).toBe(403);
      expect((await api.patch(`${path}/${record.id}`, {})).status).toBe(403);
      expect((await api.delete(`${path}/${record.id}`)).status).toBe(403);
    }
    expect((await editor.delete(`${path}/${record.id}`)).status).toBe(isAdmins ? 403 : 204);
  });
});
