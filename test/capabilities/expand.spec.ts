import { expandableOf } from '../../src/fields/references.js';
import { records } from '../../src/schema/entities.js';
import { startService, type Api, type TestService } from '../support/app.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

describe('expanded references', () => {
  let site: { id: string };
  let person: { id: string };
  let device: { id: string; siteId: string };
  beforeAll(async () => {
    site = await admin.make('/api/sites', { name: 'Expand' });
    person = await admin.make('/api/people', { fullName: 'Ada', email: 'ada.expand@example.com', siteId: site.id });
    device = await admin.make('/api/devices', { name: 'expand-01', siteId: site.id });
  });
  const path = (): string => `/api/devices/${device.id}`;

  it('are siblings of the references, null where the reference is null', async () => {
    const { data } = (await admin.get(`${path()}?expand=site,rack`)).body;
    expect(data).toEqual({ ...device, site: { id: site.id, name: 'Expand' }, rack: null });
    expect((await admin.get(`${path()}?expand=site&expand=rack`)).body.data).toEqual(data);
    expect((await admin.get('/api/devices?name=expand-01&expand=rack,site')).body).toEqual({
      data: [data],
      total: 1,
      page: 1,
      pageSize: 10_000,
      hasMore: false,
    });
    expect((await admin.get(path())).body.data).toEqual(device);
  });

  it('show the field that names the record, and the email address of a person', async () => {
    const type = await admin.make('/api/device-types', { model: 'C9300' });
    const device2 = await admin.make('/api/devices', { name: 'expand-02', deviceTypeId: type.id });
    expect((await admin.get(`/api/devices/${device2.id}?expand=deviceType`)).body.data.deviceType).toEqual({
      id: type.id,
      name: 'C9300',
    });
    const runbook = await admin.make('/api/runbooks', { name: 'expand', ownerId: person.id });
    const { data } = (await admin.get(`/api/runbooks/${runbook.id}?expand=owner`)).body;
    expect(data.owner).toEqual({ id: person.id, name: 'Ada', email: 'ada.expand@example.com' });
    const port = await admin.make(`${path()}/ports`, { name: 'eth0' });
    const address = await admin.make('/api/ip-addresses', { address: '10.9.9.1/24', interfaceId: port.id });
    expect((await admin.get(`/api/ip-addresses/${address.id}?expand=interface,device`)).body.data).toMatchObject({
      interface: { id: port.id, name: 'eth0' },
      device: { id: device.id, name: 'expand-01' },
    });
    expect((await admin.get(`${path()}/ports/${port.id}?expand=device`)).body.data.device.name).toBe('expand-01');
    expect((await admin.get(`${path()}/ips?expand=device`)).body.data[0].device.name).toBe('expand-01');
  });

  it.each([
    ['devices', 'sites', "must be names of references. Did you mean 'site'?"],
    ['devices', 'nonsense', /^must be one or more of deviceType, deviceRole, /],
    ['devices', '', /^must be one or more of /],
    ['devices', 'site,', /^must be one or more of /],
    ['devices', 'siteId', "must be names of references. Did you mean 'site'?"],
    ['devices', 'site,rakc', "must be names of references: 'rakc' is not. Did you mean 'rack'?"],
    ['devices', 'site&expand=nonsense', /, separated by commas: 'nonsense' is not$/],
    // Responses for people always have the profile.
    ['people', 'profile', 'must be one or more of site, separated by commas'],
  ])('of %s: %p is refused', async (resource, expand, message) => {
    for (const at of [`/api/${resource}`, `/api/${resource}/${device.id}`]) {
      const answer = await admin.get(`${at}?expand=${expand}`);
      expect([answer.status, answer.body.details]).toEqual([
        400,
        [{ field: 'expand', message: typeof message === 'string' ? message : expect.stringMatching(message) }],
      ]);
    }
  });

  it('are not offered where there are none', async () => {
    expect((await admin.get('/api/vrfs?expand=site')).body.details).toEqual([
      { field: 'expand', message: 'is not a known filter' },
    ]);
    expect((await admin.get('/api/change-log?expand=actor')).status).toBe(400);
  });

  it('have a weak entity tag, which changes with what was expanded', async () => {
    const strong = (await admin.get(path())).headers.get('etag')!;
    const weak = (await admin.get(`${path()}?expand=site`)).headers.get('etag')!;
    expect([strong.startsWith('"'), weak.startsWith('W/"')]).toEqual([true, true]);
    const again = (): Promise<number> =>
      admin.get(`${path()}?expand=site`, { 'if-none-match': weak }).then(({ status }) => status);
    expect(await again()).toBe(304);
    await admin.patch(`/api/sites/${site.id}`, { name: 'Expanded' });
    expect(await again()).toBe(200);
    expect((await admin.get(path())).headers.get('etag')).toBe(strong);
    expect((await admin.patch(path(), { description: 'x' }, { 'if-match': weak })).status).toBe(412);
  });

  it('are those of references that are worked out too', async () => {
    const vrf = await admin.make('/api/vrfs', { name: 'expand' });
    const make = (prefix: string): Promise<{ id: string }> => admin.make('/api/prefixes', { prefix, vrfId: vrf.id });
    const [parent, child] = [await make('10.66.0.0/16'), await make('10.66.1.0/24')];
    const named = { id: parent.id, name: '10.66.0.0/16' };
    const { data } = (await admin.get(`/api/prefixes/${child.id}?expand=parent,vrf`)).body;
    expect(data).toMatchObject({ parentId: parent.id, parent: named, vrf: { id: vrf.id, name: 'expand' } });
    const list = `/api/prefixes?vrfId=${vrf.id}&sort=prefix`;
    const parents = (await admin.get(`${list}&expand=parent`)).body.data.map((one: { parent: object }) => one.parent);
    expect(parents).toEqual([null, named]);
    // The exported file has the name. The import ignores it.
    const { text } = await admin.get(`${list}&format=csv`);
    const [header, , line] = text.split('\n').map((row: string) => row.trim().split(','));
    expect(line![header!.indexOf('parent.prefix')]).toBe('10.66.0.0/16');
    const imported = await admin.post('/api/prefixes/import?mode=upsert&key=id', text, { 'content-type': 'text/csv' });
    expect(imported.body).toMatchObject({ data: { rows: 2, unchanged: 2, failed: 0 } });
    expect((await admin.patch(`/api/prefixes/${child.id}`, data)).status).toBe(200);
    // Lists sort and filter only by columns.
    expect((await admin.get('/api/prefixes?sort=parent.prefix')).status).toBe(400);
  });

  it('are ignored in a body, so that what was read can be sent back', async () => {
    const { data } = (await admin.get(`${path()}?expand=site,rack`)).body;
    expect((await admin.patch(path(), data)).status).toBe(200);
    expect((await admin.post('/api/devices', data)).status).toBe(201);
  });

  it('are shown of a past state as they are today', async () => {
    const { data } = (await admin.get(`${path()}?expand=site&asOf=2999-01-01`)).body;
    expect(data.site).toEqual({ id: site.id, name: 'Expanded' });
  });

  it('are in exports as JSON lines', async () => {
    const { text } = await admin.get('/api/devices?name=expand-01&expand=site&format=ndjson&pageSize=1');
    expect(JSON.parse(text)).toMatchObject({ site: { name: 'Expanded' } });
  });

  it('are ignored by an import of such an export', async () => {
    const { text } = await admin.get('/api/devices?name=expand-01&expand=site,rack&format=ndjson&pageSize=1');
    const imported = await admin.post('/api/devices/import?mode=upsert&key=id', text, {
      'content-type': 'application/x-ndjson',
    });
    expect(imported.body).toMatchObject({ data: { rows: 1, unchanged: 1, failed: 0 } });
  });

  it('never show operations records to those who may not read them', () => {
    const shown = records.flatMap((record) => expandableOf(record).map(({ target }) => target.name));
    expect(shown.length).toBeGreaterThan(30);
    expect(shown).not.toContain('Incident');
  });
});

describe('sort by the name of a reference', () => {
  const sites: { id: string; name: string }[] = [];
  beforeAll(async () => {
    for (const name of ['sort b', 'sort É', 'sort a', 'sort B'])
      sites.push(await admin.make('/api/sites', { name, slug: `sort-${sites.length}` }));
    const [b, accented, a, capital] = sites.map(({ id }) => id);
    const placed = [b, accented, undefined, a, b, capital, undefined, a];
    for (const [index, siteId] of placed.entries())
      await admin.make('/api/devices', { name: `sorted-${index}`, siteId });
  });
  const names = async (query: string): Promise<string[]> =>
    (await admin.get(`/api/devices?name__isw=sorted-&${query}`)).body.data.map(({ name }: { name: string }) => name);
  const nameOf = ({ siteId }: { siteId: string | null }): string | null =>
    sites.find(({ id }) => id === siteId)?.name ?? null;

  it('orders by name in code points, nulls last, and by id within equal names', async () => {
    const { data } = (await admin.get('/api/devices?name__isw=sorted-&sort=site.name')).body;
    expect(data.map(nameOf)).toEqual(['sort B', 'sort a', 'sort a', 'sort b', 'sort b', 'sort É', null, null]);
    for (const [one, next] of [
      [1, 2],
      [3, 4],
      [6, 7],
    ] as const)
      expect(data[one].id < data[next].id).toBe(true);
    expect(await names('sort=site.name&order=desc')).toEqual(
      data.map(({ name }: { name: string }) => name).toReversed(),
    );
  });

  it('pages, exports and expands in the same order', async () => {
    const all = await names('sort=site.name');
    expect(await names('sort=site.name&page=2&pageSize=3')).toEqual(all.slice(3, 6));
    expect(await names('sort=site.name&expand=site')).toEqual(all);
    const file = await admin.get('/api/devices?name__isw=sorted-&sort=site.name&format=ndjson');
    expect(
      file.text
        .trim()
        .split('\n')
        .map((line: string) => JSON.parse(line).name),
    ).toEqual(all);
    // Without a filter, the total is a stored count, and the table itself is sorted.
    const { data } = (await admin.get('/api/devices?sort=site.name&pageSize=5000')).body;
    expect(data.map(({ name }: { name: string }) => name).filter((name: string) => all.includes(name))).toEqual(all);
  });

  it('orders lists of parts and outputs', async () => {
    const prefix = await admin.make('/api/prefixes', { prefix: '10.77.0.0/16' });
    for (const [index, { id: siteId }] of sites.entries())
      await admin.make('/api/prefixes', { prefix: `10.77.${index}.0/24`, siteId });
    const { data } = (await admin.get(`/api/prefixes/${prefix.id}/children?sort=site.name`)).body;
    expect(data.map(nameOf)).toEqual(['sort B', 'sort a', 'sort b', 'sort É']);
    const targets = await admin.get('/api/outputs/prometheus?name__isw=sorted-&sort=site.name&problems=true');
    expect(targets.body.data.map(({ name }: { name: string }) => name)).toEqual(await names('sort=site.name'));
  });

  it.each([
    ['devices', 'site', 'site.name'],
    ['devices', 'site.slug', 'site.name'],
    ['devices', 'deviceType.name', 'deviceType.model'],
    ['devices', 'sit.name', 'site.name'],
  ])('of %s by %s is refused, and the name that is meant is suggested', async (resource, sort, meant) => {
    const { status, body } = await admin.get(`/api/${resource}?sort=${sort}`);
    expect([status, body.details]).toEqual([
      400,
      [{ field: 'sort', message: `must be the name of a field. Did you mean '${meant}'?` }],
    ]);
  });

  it('is not offered for references that cannot be expanded', async () => {
    expect((await admin.get('/api/people?sort=site.name')).status).toBe(200);
    expect((await admin.get('/api/people?sort=profile.email')).status).toBe(400);
    expect((await admin.get('/api/people?sort=profile.name')).status).toBe(400);
  });
});
