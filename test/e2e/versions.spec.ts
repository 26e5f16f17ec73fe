import { randomUUID } from 'node:crypto';
import { fewestRoundTrips, startProxied } from '../support/proxied-service.js';
import { startService, type Answer, type Api, type HeaderMap, type TestService } from '../support/app.js';
import { itOnServer } from '../support/server.js';
import { sql } from '../../src/database/sql.js';

/* `If-Match` checks whether the record has changed. `If-None-Match` checks whether the response has changed. */

let service: TestService;
let admin: Api;

beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

interface Made {
  id: string;
  path: string;
  tag: string;
}

const made = async (path: string, body: object): Promise<Made> => {
  const { status, headers, body: answer } = await admin.post(path, body);
  expect([status, headers.get('etag')]).toEqual([201, expect.stringMatching(/^"[0-9a-f]+\.[\w-]{27}"$/)]);
  return { id: answer.data.id, path: headers.get('location')!, tag: headers.get('etag')! };
};

const ifMatch = (tag: string): HeaderMap => ({ 'if-match': tag });
const tagOf = ({ headers }: Answer): string => headers.get('etag')!;
const read = async ({ path }: Made): Promise<string> => tagOf(await admin.get(path));

/** An asset with a site, a location, a category and a manufacturer. */
async function assetWithAll(): Promise<
  Made & Record<'siteId' | 'locationId' | 'categoryId' | 'manufacturerId', string>
> {
  const [{ id: siteId }, { id: categoryId }, { id: manufacturerId }] = await Promise.all([
    admin.make('/api/sites', { name: 'Before' }),
    admin.make('/api/asset-categories', { name: 'Before' }),
    admin.make('/api/manufacturers', { name: 'Before' }),
  ]);
  const { id: locationId } = await admin.make('/api/locations', { name: 'Before', siteId });
  const references = { siteId, locationId, categoryId, manufacturerId };
  return { ...(await made('/api/assets', { name: 'a', ...references })), ...references };
}

describe('a record whose references were renamed', () => {
  it('can be changed and deleted with its tag, and is read again', async () => {
    const asset = await assetWithAll();
    for (const [path, id] of [
      ['sites', asset.siteId],
      ['locations', asset.locationId],
      ['asset-categories', asset.categoryId],
      ['manufacturers', asset.manufacturerId],
    ]) {
      expect((await admin.patch(`/api/${path}/${id}`, { name: 'After' })).status).toBe(200);
    }
    const again = await admin.get(asset.path, { 'if-none-match': asset.tag });
    expect([again.status, again.body.data.siteName, tagOf(again) === asset.tag]).toEqual([200, 'After', false]);
    const changed = await admin.patch(asset.path, { notes: 'mine' }, ifMatch(asset.tag));
    expect(changed.status).toBe(200);
    await admin.patch(`/api/sites/${asset.siteId}`, { name: 'Later' });
    expect((await admin.delete(asset.path, ifMatch(asset.tag))).status).toBe(412);
    expect((await admin.delete(asset.path, ifMatch(tagOf(changed)))).status).toBe(204);
  });

  it('can be changed within a bulk request', async () => {
    const asset = await assetWithAll();
    await admin.patch(`/api/sites/${asset.siteId}`, { name: 'After' });
    const operation = { op: 'update', id: asset.id, ifMatch: asset.tag, data: { notes: 'mine' } };
    expect((await admin.post('/api/assets/bulk', { operations: [operation] })).status).toBe(200);
    expect((await admin.post('/api/assets/bulk', { operations: [operation] })).status).toBe(412);
  });
});

describe('a tag no longer matches after', () => {
  it.each<[string, (asset: Awaited<ReturnType<typeof assetWithAll>>) => Promise<unknown>]>([
    ['a PATCH', ({ path }) => admin.patch(path, { notes: 'theirs' })],
    ['a PATCH of the text of a number', ({ path }) => admin.patch(path, { purchasePrice: '1.00' })],
    [
      'a bulk request',
      ({ id }) => admin.post('/api/assets/bulk', { operations: [{ op: 'update', id, data: { notes: 'theirs' } }] }),
    ],
    [
      'an import',
      ({ id }) =>
        admin.post('/api/assets/import?mode=upsert', `id,name\n${id},theirs\n`, { 'content-type': 'text/csv' }),
    ],
    ['the deletion of what it refers to', ({ manufacturerId }) => admin.delete(`/api/manufacturers/${manufacturerId}`)],
    [
      'handing it out, which changes its status',
      async ({ path }) =>
        admin.post(`${path}/assign`, { personId: (await admin.make('/api/people', { fullName: 'p' })).id }),
    ],
    ['a delete and a restore', async ({ path }) => [await admin.delete(path), await admin.post(`${path}/restore`)][1]],
  ])('%s', async (_, write) => {
    const asset = await assetWithAll();
    const answer = (await write(asset)) as Answer;
    expect([200, 204]).toContain(answer.status);
    expect((await admin.patch(asset.path, { name: 'mine' }, ifMatch(asset.tag))).status).toBe(412);
    expect((await admin.patch(asset.path, { name: 'mine' }, ifMatch(await read(asset)))).status).toBe(200);
  });
});

describe('a tag stays as it is after', () => {
  it('a write that changes nothing', async () => {
    const asset = await assetWithAll();
    const { data } = (await admin.get(asset.path)).body;
    const same = [
      await admin.patch(asset.path, data),
      await admin.patch(asset.path, { name: 'a' }, ifMatch(asset.tag)),
      await admin.post('/api/assets/import?mode=upsert', `id,name\n${asset.id},a\n`, { 'content-type': 'text/csv' }),
      await admin.post('/api/assets/bulk', { operations: [{ op: 'update', id: asset.id, data: { name: 'a' } }] }),
    ];
    expect(same.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect([tagOf(same[0]!), tagOf(same[1]!), await read(asset)]).toEqual([asset.tag, asset.tag, asset.tag]);
  });

  it('the rows were written anew, as by the restore of a dump', async () => {
    const asset = await assetWithAll();
    await service.database.db.query(sql`UPDATE assets SET notes = notes`);
    await service.database.db.query(sql`CREATE TABLE dumped AS SELECT * FROM assets`);
    await service.database.db.query(sql`ALTER TABLE assets DISABLE TRIGGER USER`);
    await service.database.db.query(sql`DELETE FROM assets WHERE id = ${asset.id}`);
    await service.database.db.query(sql`INSERT INTO assets SELECT * FROM dumped WHERE id = ${asset.id}`);
    await service.database.db.query(sql`ALTER TABLE assets ENABLE TRIGGER USER`);
    await service.database.db.query(sql`DROP TABLE dumped`);
    expect(await read(asset)).toBe(asset.tag);
    expect((await admin.patch(asset.path, { name: 'mine' }, ifMatch(asset.tag))).status).toBe(200);
  });

  it('an answer was repeated by its Idempotency-Key', async () => {
    const post = (): Promise<Answer> =>
      admin.post('/api/assets', { name: 'once' }, { 'idempotency-key': `tag-${Math.floor(Date.now() / 1e9)}` });
    const [first, again] = [await post(), await post()];
    expect([again.headers.get('idempotency-replayed'), tagOf(again)]).toEqual(['true', tagOf(first)]);
    expect((await admin.patch(first.headers.get('location')!, { name: 'b' }, ifMatch(tagOf(again)))).status).toBe(200);
  });
});

describe('If-Match', () => {
  it('takes several tags, of which one must match', async () => {
    const [one, other] = [await made('/api/vendors', { name: 'v' }), await made('/api/vendors', { name: 'v' })];
    const patch = async (header: string): Promise<number> =>
      (await admin.patch(one.path, { name: 'w' }, ifMatch(header))).status;
    for (const none of ['', ',', other.tag, `W/${one.tag}`, '"x"', `"${'a'.repeat(2000)}.b"`, `${one.tag}x`]) {
      expect([none, await patch(none)]).toEqual([none, 412]);
    }
    expect(await patch(`"x", ${other.tag} ,${one.tag}`)).toBe(200);
    expect(await patch(' * ')).toBe(200);
  });

  it('compares a PATCH without fields too', async () => {
    const vendor = await made('/api/vendors', { name: 'v' });
    expect((await admin.patch(vendor.path, {}, ifMatch(vendor.tag))).status).toBe(200);
    await admin.patch(vendor.path, { name: 'w' });
    expect((await admin.patch(vendor.path, {}, ifMatch(vendor.tag))).status).toBe(412);
  });

  it('is a 404 where there is no record, whatever it names', async () => {
    const path = `/api/vendors/${randomUUID()}`;
    for (const header of ['*', '"x"']) {
      expect((await admin.patch(path, { name: 'w' }, ifMatch(header))).status).toBe(404);
      expect((await admin.patch(path, {}, ifMatch(header))).status).toBe(404);
      expect((await admin.delete(path, ifMatch(header))).status).toBe(404);
    }
  });

  itOnServer('is part of the statement that writes', async () => {
    const proxied = await startProxied(service.database);
    try {
      const api = await proxied.as('admin');
      const answer = await api.post('/api/vendors', { name: 'v' });
      const path = answer.headers.get('location')!;
      let tag = tagOf(answer);
      const patch = async (): Promise<void> => {
        const { status, headers } = await api.patch(path, { name: randomUUID() }, ifMatch(tag));
        expect(status).toBe(200);
        tag = headers.get('etag')!;
      };
      expect(await fewestRoundTrips(proxied, patch)).toBe(1);
    } finally {
      await proxied.stop();
    }
  });
});

describe('the tag of a purchase order', () => {
  let categoryId: string;
  const order = (): Promise<Made> =>
    made('/api/purchase-orders', {
      orderNumber: randomUUID(),
      items: [{ name: 'Switch', quantity: 3, unitPrice: '10.00', categoryId }],
    });
  beforeAll(async () => {
    categoryId = (await admin.make('/api/asset-categories', { name: 'Before' })).id;
  });

  it('changes with its items', async () => {
    const { path, tag } = await order();
    const items = [{ name: 'Switch', quantity: 4, unitPrice: '10.00', categoryId }];
    const changed = await admin.patch(path, { items }, ifMatch(tag));
    expect(changed.status).toBe(200);
    expect((await admin.patch(path, { notes: 'x' }, ifMatch(tag))).status).toBe(412);
    expect((await admin.patch(path, { items }, ifMatch(tagOf(changed)))).status).toBe(200);
    expect(await read({ id: '', path, tag })).toBe(tagOf(changed));
  });

  it('changes with every receive, also with one that leaves the status', async () => {
    const { id, path, tag } = await order();
    const { items } = (await admin.get(path)).body.data;
    let last = tag;
    for (const quantity of [1, 1]) {
      const body = { items: [{ itemId: items[0].id, quantity, assets: [{}] }] };
      expect((await admin.post(`${path}/receive`, body)).status).toBe(200);
      expect((await admin.patch(path, { notes: 'x' }, ifMatch(last))).status).toBe(412);
      last = await read({ id, path, tag });
    }
  });

  it('stays the same when a category of its items is renamed', async () => {
    const { path, tag } = await order();
    await admin.patch(`/api/asset-categories/${categoryId}`, { name: 'After' });
    expect((await admin.patch(path, { notes: 'x' }, ifMatch(tag))).status).toBe(200);
  });
});
