import { randomUUID } from 'node:crypto';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { itInFull } from '../support/size.js';
import type { Json } from '../support/document.js';

let service: TestService;
let admin: Api;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  editor = await service.as('editor');
});
afterAll(() => service.stop());

type Headers = Record<string, string>;
const send = (path: string, body: string, headers: Headers, api = admin): Promise<Answer> =>
  api.request('POST', path, body, headers);
const csv = (path: string, rows: string | string[], api = admin, headers: Headers = {}): Promise<Answer> =>
  send(path, Array.isArray(rows) ? `${rows.join('\n')}\n` : rows, { 'content-type': 'text/csv', ...headers }, api);
const ndjson = (path: string, rows: Json[], api = admin): Promise<Answer> =>
  send(path, rows.map((row) => JSON.stringify(row)).join('\n'), { 'content-type': 'application/x-ndjson' }, api);
const counts = ({ body }: Answer): Json => {
  const { faults: _faults, ids: _ids, ...rest } = body.data;
  return rest;
};
const none = { created: 0, updated: 0, unchanged: 0, failed: 0 };
const faultsOf = ({ body }: Answer): [string, string][] =>
  body.details.map(({ field, message }: Json) => [field, message]);
const all = async (path: string): Promise<Json[]> => (await admin.get(path)).body.data;

describe('rows of a CSV file', () => {
  it('become records, and sent again with a key they change nothing', async () => {
    await admin.make('/api/sites', { name: 'Amsterdam' });
    await admin.make('/api/asset-categories', { name: 'Switches' });
    const file = [
      'name,assetTag,site.name,category.slug,purchasePrice,purchasedAt,notes,createdAt',
      'Switch 1,T-1,Amsterdam,switches,120.50,2026-03-01,"two\nlines, ""quoted""",ignored',
      'Switch 2,T-2,,,,,,',
    ];
    const first = await csv('/api/assets/import?mode=upsert&key=assetTag', file);
    expect([first.status, first.text]).toEqual([200, expect.any(String)]);
    expect(counts(first)).toEqual({ ...none, rows: 2, created: 2 });
    const [one, two] = await all('/api/assets?search=T-&sort=assetTag');
    expect(one).toMatchObject({
      name: 'Switch 1',
      siteName: 'Amsterdam',
      categoryName: 'Switches',
      purchasePrice: '120.50',
      purchasedAt: '2026-03-01T00:00:00.000Z',
      notes: 'two\nlines, "quoted"',
    });
    expect(two).toMatchObject({ siteId: null, status: 'in_stock', notes: null });
    expect(counts(await csv('/api/assets/import?mode=upsert&key=assetTag', file))).toEqual({
      ...none,
      rows: 2,
      unchanged: 2,
    });
    expect(await all('/api/assets?search=T-&sort=assetTag')).toEqual([one, two]);
    const changed = await csv('/api/assets/import?mode=update&key=assetTag&report=ids', [
      'assetTag,status',
      'T-2,lost',
      'T-1,in_stock',
    ]);
    expect([counts(changed), changed.body.data.ids]).toEqual([
      { ...none, rows: 2, updated: 1, unchanged: 1 },
      [two.id, one.id],
    ]);
    const log = await all(`/api/change-log?recordId=${one.id}&recordId=${two.id}&sort=createdAt`);
    expect(log.map(({ recordId, action }: Json) => [recordId, action]).toSorted()).toEqual(
      [
        [one.id, 'create'],
        [two.id, 'create'],
        [two.id, 'update'],
      ].toSorted(),
    );
  });

  it.each([
    [
      'Excel: byte-order mark, semicolons, CRLF, trailing columns and rows',
      '\ufeffname;description;;\r\n"A;1";"x\r\ny";;\r\nB;;;\r\n;;;\r\n;;;\r\n',
      ['A;1', 'B'],
    ],
    ['tabs', 'name\tfacility\nA\t1\nB\t2\n', ['A', 'B']],
    ['no line end after the last row', 'name\nA\nB', ['A', 'B']],
    ['lone carriage returns', 'name,facility\rA,1\rB,2\r', ['A', 'B']],
    ['both line ends', 'name\r\nA\nB\r\n', ['A', 'B']],
  ])('%s', async (_, file, names) => {
    const answer = await csv('/api/sites/import?report=ids', file);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const read = await Promise.all(answer.body.data.ids.map((id: string) => admin.get(`/api/sites/${id}`)));
    expect(read.map(({ body }: Answer) => body.data.name)).toEqual(names);
  });

  it('tell an empty cell from an empty text, and from nothing', async () => {
    const { id } = await admin.make('/api/sites', { name: 'E', facility: 'F', description: 'D', slug: 'e-e' });
    const file = ['id,facility,description,slug', `${id},"",,e-f`];
    expect(counts(await csv('/api/sites/import?mode=update', file)).updated).toBe(1);
    const { data } = (await admin.get(`/api/sites/${id}`)).body;
    expect([data.facility, data.description, data.slug]).toEqual(['', 'D', 'e-f']);
    expect(counts(await csv('/api/sites/import?mode=update&empty=clear', file)).updated).toBe(1);
    expect((await admin.get(`/api/sites/${id}`)).body.data).toMatchObject({ facility: '', description: null });
  });

  it("lose the ' that guards a formula, unless they are raw", async () => {
    const file = ['name,facility', "'=1+1,'plain", "''quoted,=2+2"];
    for (const [query, expected] of [
      [
        '',
        [
          ['=1+1', "'plain"],
          ["'quoted", '=2+2'],
        ],
      ],
      [
        '&raw=true',
        [
          ["'=1+1", "'plain"],
          ["''quoted", '=2+2'],
        ],
      ],
    ] as const) {
      const { body } = await csv(`/api/sites/import?report=ids${query}`, file);
      const read = await Promise.all(body.data.ids.map((id: string) => admin.get(`/api/sites/${id}`)));
      expect(read.map(({ body: { data } }: Json) => [data.name, data.facility])).toEqual(expected);
    }
  });

  it('hold lists and objects', async () => {
    const items = JSON.stringify([{ name: 'Switch', quantity: 2 }]).replaceAll('"', '""');
    const answer = await csv('/api/purchase-orders/import?report=ids', ['orderNumber,items', `IMP-1,"${items}"`]);
    const order = (await admin.get(`/api/purchase-orders/${answer.body.data.ids[0]}`)).body.data;
    expect([order.orderNumber, order.orderedQuantity]).toEqual(['IMP-1', 2]);
    const broken = await csv('/api/purchase-orders/import', ['orderNumber,items', 'IMP-2,[{']);
    expect(faultsOf(broken)).toEqual([['rows[1].items', 'must be an array of objects']]);
  });
});

describe('rows of JSON lines', () => {
  it('become records', async () => {
    await admin.make('/api/sites', { name: 'Lines' });
    const answer = await ndjson('/api/devices/import?report=ids', [
      { name: 'sw-1', 'site.name': 'Lines', rackPosition: 1.5 },
      { name: 'sw-2', siteId: null, id: randomUUID(), createdAt: 'ignored' },
    ]);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const [one, two] = answer.body.data.ids;
    expect((await admin.get(`/api/devices/${one}`)).body.data).toMatchObject({ name: 'sw-1', rackPosition: 1.5 });
    expect((await admin.get(`/api/devices/${two}`)).body.data).toMatchObject({ name: 'sw-2', siteId: null });
  });

  it('are refused by row and line', async () => {
    const answer = await send(
      '/api/sites/import',
      '{"name":"A"}\n\n[]\n{"name":1,"nam":2}\n{"name":"B","name":"C"}\n{',
      {
        'content-type': 'application/x-ndjson',
      },
    );
    expect([answer.status, answer.body.details.map(({ row, line, field }: Json) => [row, line, field])]).toEqual([
      400,
      [
        [2, 3, 'rows[2]'],
        [3, 4, 'rows[3].nam'],
        [3, 4, 'rows[3].name'],
        [4, 5, 'rows[4]'],
        [5, 6, 'rows[5]'],
      ],
    ]);
  });
});

describe('references', () => {
  it('are named by a text of one record', async () => {
    const [a] = [await admin.make('/api/sites', { name: 'Ref A', slug: 'ref-a' })];
    await admin.make('/api/sites', { name: 'Twice' });
    const twice = await admin.make('/api/sites', { name: 'Twice' });
    const file = [
      'name,siteId,site.name,site.slug',
      'r1,,Ref A,',
      'r2,,,ref-a',
      `r3,${a.id},Ref A,ref-a`,
      `r4,${twice.id},Twice,`,
    ];
    const good = await csv('/api/racks/import?report=ids', file);
    expect([good.status, good.text]).toEqual([200, expect.any(String)]);
    const read = await Promise.all(good.body.data.ids.map((id: string) => admin.get(`/api/racks/${id}`)));
    expect(read.map(({ body }: Answer) => body.data.siteId)).toEqual([a.id, a.id, a.id, twice.id]);
    const bad = await csv('/api/racks/import', [
      'name,siteId,site.name',
      'r1,,Twice',
      'r2,,Nowhere',
      `r3,${a.id},Twice`,
      `r4,${randomUUID()},`,
      'r5,none,Ref A',
    ]);
    expect([bad.status, faultsOf(bad)]).toEqual([
      400,
      [
        ['rows[1].site.name', 'matches 2 records; give siteId'],
        ['rows[2].site.name', 'does not match an existing site'],
        ['rows[3].site.name', 'does not match the record that siteId refers to'],
        ['rows[4].siteId', 'does not refer to an existing record'],
        ['rows[5].siteId', 'must be a uuid'],
      ],
    ]);
    expect(bad.body.error).toMatch(/^5 of 5 rows failed: rows\[1\]\.site\.name matches 2 records/);
  });

  it('are told apart by the site and the location of the row where racks and locations have one name', async () => {
    const [here, there] = [
      await admin.make('/api/sites', { name: 'Pair one' }),
      await admin.make('/api/sites', { name: 'Pair two' }),
    ];
    await admin.make('/api/sites', { name: 'Pair three' });
    const halls = [];
    for (const [siteId, name] of [
      [here!.id, 'Hall'],
      [there!.id, 'Hall'],
      [there!.id, 'Twin loft'],
    ])
      halls.push(await admin.make('/api/locations', { name, siteId }));
    const racks = [];
    for (const { id, siteId } of halls)
      racks.push(await admin.make('/api/racks', { name: 'Twin', siteId, locationId: id }));
    const good = await csv('/api/devices/import?report=ids', [
      'name,rack.name,location.name,site.name',
      'p1,Twin,,Pair one',
      'p2,Twin,Hall,Pair two',
      'p3,Twin,Twin loft,',
      'p4,,Hall,Pair one',
    ]);
    expect([good.status, good.text]).toEqual([200, expect.any(String)]);
    const read = await Promise.all(good.body.data.ids.map((id: string) => admin.get(`/api/devices/${id}`)));
    expect(read.map(({ body }: Answer) => [body.data.rackId, body.data.locationId])).toEqual([
      [racks[0]!.id, halls[0]!.id],
      [racks[1]!.id, halls[1]!.id],
      [racks[2]!.id, halls[2]!.id],
      [null, halls[0]!.id],
    ]);
    const bad = await csv('/api/devices/import', [
      'name,rack.name,location.name,site.name',
      'p1,Twin,,Pair two',
      'p2,Twin,,',
      'p3,Twin,,Pair three',
      'p4,,Hall,',
    ]);
    expect(faultsOf(bad)).toEqual([
      ['rows[1].rack.name', 'matches 3 records; give rackId'],
      ['rows[2].rack.name', 'matches 3 records; give rackId'],
      ['rows[3].rack.name', 'matches 3 records; give rackId'],
      ['rows[4].location.name', 'matches 2 records; give locationId'],
    ]);
  });

  it('are told apart by the site and the location of the record that a row updates', async () => {
    const racks: Record<string, { id: string }> = {};
    const devices: { id: string; serialNumber: string }[] = [];
    for (const city of ['Alba', 'Bera']) {
      const site = await admin.make('/api/sites', { name: city });
      const hall = await admin.make('/api/locations', { name: `${city} hall`, siteId: site.id });
      const place = { siteId: site.id, locationId: hall.id };
      racks[`${city} R1`] = await admin.make('/api/racks', { name: 'Stored R1', ...place });
      // Two racks with one name at one site. One of them is at the location of the device.
      racks[`${city} R2`] = await admin.make('/api/racks', { name: 'Stored R2', ...place });
      await admin.make('/api/racks', { name: 'Stored R2', siteId: site.id });
      // A rack with this name is at the site of the device, but not at its location.
      racks[`${city} R3`] = await admin.make('/api/racks', { name: 'Stored R3', siteId: site.id });
      devices.push(await admin.make('/api/devices', { name: city, serialNumber: `stored-${city}`, ...place }));
    }
    devices.push(await admin.make('/api/devices', { name: 'nowhere', serialNumber: 'stored-nowhere' }));
    const update = (mode: string, rack: string, ...more: string[]) =>
      csv(`/api/devices/import?mode=${mode}&key=serialNumber`, [
        'name,serialNumber,rack.name',
        ...['Alba', 'Bera'].map((city) => `${city},stored-${city},${rack}`),
        ...more,
      ]);
    const rackOf = async ({ id }: { id: string }) => (await admin.get(`/api/devices/${id}`)).body.data.rackId;
    for (const [mode, rack] of [
      ['update', 'R1'],
      ['upsert', 'R3'],
      ['upsert', 'R2'],
    ] as const) {
      const answer = await update(mode, `Stored ${rack}`);
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"updated":2')]);
      expect([await rackOf(devices[0]!), await rackOf(devices[1]!)]).toEqual([
        racks[`Alba ${rack}`]!.id,
        racks[`Bera ${rack}`]!.id,
      ]);
      // R3 has no location.
      for (const city of ['Alba', 'Bera'])
        await admin.patch(`/api/devices/${devices.find(({ serialNumber }) => serialNumber === `stored-${city}`)!.id}`, {
          rackId: racks[`${city} R1`]!.id,
        });
    }
    const refused = await update(
      'upsert',
      'Stored R1',
      'nowhere,stored-nowhere,Stored R1',
      'new,stored-new,Stored R1',
      'twice,stored-Alba,Stored R1',
    );
    expect(faultsOf(refused)).toEqual([
      ['rows[3].rack.name', 'matches 2 records; give rackId'],
      ['rows[4].rack.name', 'matches 2 records; give rackId'],
      ['rows[5].serialNumber', 'is also the key of row 1'],
      ['rows[5].rack.name', 'matches 2 records; give rackId'],
    ]);
    // The service looks up a key before it knows the record that the row updates.
    const byRack = await csv('/api/devices/import?mode=update&key=name,rack.name', [
      'name,rack.name',
      'Alba,Stored R1',
    ]);
    expect(faultsOf(byRack)).toEqual([['rows[1].rack.name', 'matches 2 records; give rackId']]);
  });

  it('lead to earlier rows of the same file', async () => {
    const answer = await csv('/api/locations/import', [
      'name,parent.name',
      'Tree,',
      'Floor,Tree',
      'Room,Floor',
      'Lost,Nothing',
    ]);
    expect(faultsOf(answer)).toEqual([['rows[4].parent.name', 'does not match an existing location']]);
    expect(
      counts(await csv('/api/locations/import', ['name,parent.name', 'Tree,', 'Floor,Tree', 'Room,Floor'])).created,
    ).toBe(3);
    const [room] = await all('/api/locations?name=Room');
    const [floor] = await all('/api/locations?name=Floor');
    expect(room.parentId).toBe(floor.id);
  });

  it('lead to later rows that bring the record with its id', async () => {
    const [child, parent] = [randomUUID(), randomUUID()];
    // More rows than one batch.
    const between = Array.from({ length: 1200 }, (_, i) => `,Room ${i},,`);
    const path = '/api/locations/import?mode=upsert&key=id';
    const file = [
      'id,name,parentId,parent.name',
      `${child},Cellar,${parent},House`,
      ...between,
      `${parent},House,,`,
      `,Attic,,House`,
    ];
    expect(counts(await csv(path, file))).toEqual({ ...none, rows: 1203, created: 1203 });
    expect((await admin.get(`/api/locations/${child}`)).body.data.parentId).toBe(parent);
    expect((await all('/api/locations?name=Attic'))[0]).toMatchObject({ parentId: parent });
    const [one, two] = [randomUUID(), randomUUID()];
    const circle = await csv(path, ['id,name,parentId', `${one},One,${two}`, `${two},Two,${one}`]);
    expect([circle.status, faultsOf(circle)]).toEqual([
      400,
      [
        ['rows[1].parentId', 'does not refer to an existing record'],
        ['rows[2].parentId', 'does not refer to an existing record'],
      ],
    ]);
  });

  it('find people by their email address in any case, beside their id too', async () => {
    const { id } = await admin.make('/api/people', { fullName: 'Grace', email: 'grace.import@example.com' });
    const file = [
      'name,ownerId,owner.email',
      'Any case,,GRACE.import@Example.com',
      `Id,${id},Grace.Import@example.com`,
    ];
    expect(counts(await csv('/api/runbooks/import', file)).created).toBe(2);
    expect(await all(`/api/runbooks?ownerId=${id}`)).toHaveLength(2);
    const other = await csv('/api/runbooks/import', ['name,ownerId,owner.email', `Id,${id},ada.import@example.com`]);
    expect(faultsOf(other)).toEqual([['rows[1].owner.email', 'does not match the record that ownerId refers to']]);
  });

  it('to login profiles are found by administrators only', async () => {
    const profile = await admin.make('/api/profiles', {
      email: 'find@example.com',
      password: 'a passphrase of the import',
    });
    const file = ['fullName,profile.email', 'Ada,find@example.com'];
    const refused = await csv('/api/people/import', file, editor);
    expect(faultsOf(refused)).toEqual([
      ['rows[1].profile.email', 'needs the role admin to find a profile; give profileId'],
    ]);
    const linking = await csv('/api/people/import', ['fullName,profileId', `Ada,${profile.id}`], editor);
    expect([linking.status, linking.body.details[0].field, linking.body.error]).toEqual([
      400,
      'rows[1].profileId',
      expect.stringContaining('needs the role admin'),
    ]);
    for (const query of ['', '?dryRun=true']) {
      const unknown = await csv(`/api/people/import${query}`, ['fullName,profileId', `Ada,${randomUUID()}`], editor);
      expect([unknown.status, unknown.body]).toEqual([400, linking.body]);
    }
    expect(counts(await csv('/api/people/import', file)).created).toBe(1);
  });
});

describe('keys', () => {
  it('name a record by several columns and references', async () => {
    await admin.make('/api/sites', { name: 'K1' });
    await admin.make('/api/sites', { name: 'K2' });
    const path = '/api/racks/import?mode=upsert&key=name,site.name';
    expect(counts(await csv(path, ['name,site.name,units', 'R,K1,42', 'R,K2,42'])).created).toBe(2);
    const again = await csv(path, ['name,site.name,units', 'R,K1,48', 'R,K2,42', 'S,K2,1']);
    expect(counts(again)).toEqual({ ...none, rows: 3, created: 1, updated: 1, unchanged: 1 });
  });

  it('are required, found once, and stand once in a file', async () => {
    await admin.make('/api/vendors', { name: 'Double' });
    await admin.make('/api/vendors', { name: 'Double' });
    const answer = await csv('/api/vendors/import?mode=upsert&key=name', [
      'name,website',
      'Single,',
      ',',
      ',x',
      'Double,',
      'Single,',
    ]);
    expect([answer.status, faultsOf(answer)]).toEqual([
      400,
      [
        ['rows[2].name', 'must not be empty, as it is the key'],
        ['rows[3].name', 'matches 2 records'],
        ['rows[4].name', 'is also the key of row 1'],
      ],
    ]);
    const missing = await csv('/api/vendors/import?mode=update&key=name', ['name', 'Nobody']);
    expect(faultsOf(missing)).toEqual([['rows[1].name', 'does not match an existing vendor']]);
    for (const [query, error] of [
      ['mode=upsert&key=website', "key is 'website', which is not a column of the file"],
      ['mode=upsert', "key is 'id', which is not a column of the file"],
      ['mode=upsert&key=createdAt', "key cannot be 'createdAt'"],
      ['mode=create&key=name', 'key must not be given with mode=create'],
      ['mode=upsert&key=name,name', 'key must be the name of a column, or several different ones separated by commas'],
      ['mode=replace', 'mode must be one of create, update, upsert, reconcile'],
    ]) {
      const refused = await csv(`/api/vendors/import?${query}`, ['name', 'x']);
      expect([query, refused.status, refused.body.error]).toEqual([query, 400, error]);
    }
  });

  it('are compared as the values are: email addresses in any case, networks in any spelling', async () => {
    await admin.make('/api/people', { fullName: 'Key', email: 'key@example.com' });
    const people = await csv('/api/people/import?mode=upsert&key=email', ['email,fullName', 'KEY@example.com,Key']);
    expect(counts(people)).toEqual({ ...none, rows: 1, updated: 1 });
    await admin.make('/api/ip-addresses', { address: '2001:db8::1/64' });
    const path = '/api/ip-addresses/import?mode=upsert&key=address';
    const twice = await csv(path, ['address', '2001:DB8:0::1/64', '2001:db8::1/64']);
    expect(faultsOf(twice)).toEqual([['rows[2].address', 'is also the key of row 1']]);
    expect(counts(await csv(path, ['address', '2001:DB8:0::1/64'])).created).toBe(0);
  });

  it('that are ids make new records for administrators', async () => {
    const id = randomUUID();
    const file = ['id,name', `${id},Given`, ',New'];
    const path = '/api/sites/import?mode=upsert&report=ids';
    const refused = await csv(path, file, editor);
    expect(faultsOf(refused)).toEqual([
      ['rows[1].id', 'does not identify an existing site. Only administrators can choose the id of a new one'],
    ]);
    const { body } = await csv(path, file);
    expect([body.data.created, body.data.ids[0]]).toEqual([2, id]);
    expect((await admin.get(`/api/sites/${id}`)).body.data.name).toBe('Given');
  });
});

describe('faults', () => {
  it('of a header are named at once', async () => {
    const answer = await csv('/api/sites/import', ['name,nmae,site.name,name', 'x,,,']);
    expect([answer.status, faultsOf(answer)]).toEqual([
      400,
      [
        ['nmae', "is not a known column. Did you mean 'name'?"],
        ['site.name', 'is not a known column'],
        ['name', 'is the name of two columns'],
      ],
    ]);
    expect((await csv('/api/sites/import', '')).body.error).toBe('The file has no header row');
    expect((await csv('/api/sites/import', '\n')).body.error).toBe('header must name a column');
  });

  it('are skipped on demand, with all others written', async () => {
    const answer = await csv('/api/people/import?onError=skip&report=ids', [
      'fullName,email,startDate',
      'A,skip@example.com,2026-03-01',
      ',,2026-13-01',
      'C,SKIP@example.com,',
      'D,d@skip.example.com,',
    ]);
    expect([answer.status, counts(answer)]).toEqual([200, { ...none, rows: 4, created: 2, failed: 2 }]);
    expect(answer.body.data.faults).toEqual([
      { row: 2, line: 3, field: 'fullName', code: 'required', message: 'is required' },
      { row: 2, line: 3, field: 'startDate', code: 'invalid', message: 'must be a date, such as 2026-03-01' },
      {
        row: 3,
        line: 4,
        field: 'email',
        code: 'conflict_unique',
        message: `is already used by another person: 'A' (people ${answer.body.data.ids[0]})`,
      },
    ]);
    expect(answer.body.data.ids).toEqual([expect.any(String), null, null, expect.any(String)]);
    expect((await admin.get('/api/people?search=skip')).body.total).toBe(2);
  });

  it('are none of an asset whose row has no values, or those that it has', async () => {
    const { id } = await admin.make('/api/assets', { name: 'Kept' });
    const answer = await csv('/api/assets/import?mode=update', ['id,name', `${id},`, `${id},Kept`]);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining('rows[2].id')]);
    const empty = await csv('/api/assets/import?mode=update', ['id,name', `${id},`]);
    expect([empty.status, counts(empty)]).toEqual([200, { ...none, rows: 1, unchanged: 1 }]);
    expect((await admin.patch(`/api/assets/${id}`, {})).status).toBe(400);
  });

  it('are found by a dry run, which writes nothing', async () => {
    const good = await csv('/api/sites/import?dryRun=true', ['name', 'Dry']);
    expect([good.status, good.body.dryRun, counts(good).created]).toEqual([200, true, 1]);
    const bad = await csv('/api/sites/import?dryRun=true', ['name,facility', ',x']);
    expect([bad.status, faultsOf(bad)]).toEqual([400, [['rows[1].name', 'is required']]]);
    expect((await admin.get('/api/sites?name=Dry')).body.total).toBe(0);
  });

  it.each([
    ['a quote that is never closed', 'name\n"x\ny\n', /The row on line 2 has a quote that is never closed/],
    ['text after a quote', 'name\n"x"y\n', /line 2 has text after a closing quote/],
    ['a quote within a cell', 'name\nx"y\n', /line 2 has a quote within a cell/],
    [
      'a quote after other rows',
      'name,slug\r\nok,ok\r\n"two\r\nlines",\r\n\r\nx"y,\r\n',
      /line 6 has a quote within a/,
    ],
    [
      'text after a quote, on the second line of its row',
      'name\nok\n"two\nlines"y\n',
      /line 3 has text after a closing/,
    ],
    ['a quote that is never closed, after other rows', 'name\nok\n"two\nlines"\n"x\ny\n', /line 5 has a quote that is/],
    ['a single cell of 2 MiB', `name\n${'x'.repeat(2 * 1024 * 1024)}\n`, /line 2 is longer than 1 MiB/],
    ['10,000 columns', `${Array.from({ length: 10_000 }, (_, i) => `c${i}`).join(',')}\n`, /more than 1000 columns/],
    ['UTF-16', Buffer.from('name\nx\n', 'utf16le').toString('latin1'), /header must name|not a known column/],
    ['NUL', 'name\na\0b\n', /rows\[1\]\.name must not contain NUL/],
    [
      'a row that is shorter than the header, after a line for Excel',
      'sep=;\nname;facility\nx\n',
      /rows\[1\] has 1 cells/,
    ],
    ['a row that is too short', 'name,facility\nx\n', /rows\[1\] has 1 cells, and the header 2/],
    ['a row that is too long', 'name\nx,y\n', /rows\[1\] has a value in column 2, which has no name in the header/],
  ])('%s', async (_, file, error) => {
    const answer = await csv('/api/sites/import', file);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(error)]);
  });

  const raw = (body: Buffer, headers: Headers): Promise<Response> =>
    fetch(`${service.url}/api/sites/import`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { cookie: `session=${admin.cookie}`, 'content-type': 'text/csv', ...headers },
    });

  it('in bytes that are no UTF-8, or are compressed, or are no file', async () => {
    expect((await raw(Buffer.from([0xff, 0xfe, 0x6e, 0]), {})).status).toBe(400);
    expect((await raw(Buffer.from('name\n\u00e9', 'latin1'), {})).status).toBe(400);
    expect((await raw(Buffer.from('x'), { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await raw(Buffer.from('x'), { 'content-type': 'text/csv; charset=latin1' })).status).toBe(415);
    expect((await raw(Buffer.from('{}'), { 'content-type': 'application/json' })).status).toBe(415);
    expect((await raw(Buffer.from('{}'), { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await admin.request('POST', '/api/sites', 'name\nx', { 'content-type': 'text/csv' })).status).toBe(415);
  });

  itInFull('in files that are larger than they may be', async () => {
    const many = `name\n${'x\n'.repeat(100_001)}`;
    const refused = await raw(Buffer.from(many), {});
    expect([refused.status, ((await refused.json()) as Json).error]).toEqual([
      413,
      'The file has more than 100,000 rows',
    ]);
    const large = await raw(Buffer.alloc(64 * 1024 * 1024 + 1, 'x'), {});
    expect([large.status, ((await large.json()) as Json).error]).toEqual([413, 'The body is larger than 64 MiB']);
  });
});

it('parts are imported below their owner only', async () => {
  const [one, two] = [
    await admin.make('/api/devices', { name: 'one' }),
    await admin.make('/api/devices', { name: 'two' }),
  ];
  const file = ['name,deviceId,device.name,enabled', 'eth0,,ignored,TRUE', 'eth1,,,false'];
  const path = (id: string): string => `/api/devices/${id}/ports/import?mode=upsert&key=name`;
  expect(counts(await csv(path(one.id), file)).created).toBe(2);
  expect(counts(await csv(path(one.id), file)).unchanged).toBe(2);
  expect(counts(await csv(path(two.id), file)).created).toBe(2);
  expect(
    (await admin.get(`/api/devices/${one.id}/ports?sort=name`)).body.data.map(({ enabled }: Json) => enabled),
  ).toEqual([true, false]);
  expect((await csv(path(randomUUID()), file)).status).toBe(404);
  const conflict = await csv(`/api/devices/${one.id}/ports/import`, ['name', 'eth2', 'eth0']);
  expect([conflict.status, conflict.body.details[0].row]).toEqual([400, 2]);
  const { data } = (await admin.get(`/api/devices/${two.id}/ports`)).body;
  const byId = await csv(`/api/devices/${one.id}/ports/import?mode=upsert&key=id`, ['id,name', `${data[0].id},eth7`]);
  expect([byId.status, byId.body.details[0].field, byId.body.details[0].message]).toEqual([
    400,
    'rows[1].id',
    `is already taken by another record: '${data[0].name}' (device-ports ${data[0].id})`,
  ]);
});

it('a file runs once with an Idempotency-Key', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const first = await csv('/api/sites/import', ['name', 'Once only'], admin, key);
  const second = await csv('/api/sites/import', ['name', 'Once only'], admin, key);
  expect([second.body, second.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
  expect((await csv('/api/sites/import', ['name', 'Other'], admin, key)).status).toBe(422);
  expect((await csv('/api/sites/import?onError=skip', ['name', 'Once only'], admin, key)).status).toBe(422);
  expect((await admin.get('/api/sites?name=Once only')).body.total).toBe(1);
});

describe('files of spreadsheets', () => {
  const CSV = { 'Content-Type': 'text/csv' };
  const total = async (path: string): Promise<number> => (await admin.get(path)).body.total;

  it.each([
    ['a semicolon', 'sep=;\r\nname;description\r\nSep 1;"a,b,c"\r\n'],
    ['a comma, after a byte-order mark', '\u{FEFF}sep=,\nname,description\nSep 2,"a;b;c;d"\n'],
    ['a tab, in capitals', 'SEP=\t\nname\tdescription\nSep 3\ta,b;c\n'],
  ])('reads a file whose first line tells its delimiter: %s', async (_, file) => {
    const { status, body } = await admin.post('/api/sites/import', file, CSV);
    expect([status, body.data?.created]).toEqual([200, 1]);
  });

  it('counts the line of the delimiter', async () => {
    const { status, body } = await admin.post('/api/sites/import', 'sep=;\nname;facility\n;x\n', CSV);
    expect([status, body.details]).toEqual([400, [{ field: 'rows[1].name', message: 'is required', row: 1, line: 3 }]]);
  });

  it.each(['AT-1 ', ' AT-1', 'AT-1\t'])('makes no second asset for the key %j', async (tag) => {
    await admin.make('/api/assets', { name: 'Laptop', assetTag: 'AT-1' });
    const before = await total('/api/assets');
    const message = 'must not begin or end with a blank, as it is the key';
    for (const [type, file] of [
      ['text/csv', `assetTag,name\n"${tag}",Laptop\n`],
      ['application/x-ndjson', JSON.stringify({ assetTag: tag, name: 'Laptop' })],
    ]) {
      const answer = await admin.post('/api/assets/import?mode=upsert&key=assetTag', file, { 'Content-Type': type! });
      expect([answer.status, answer.body.details?.[0]]).toEqual([
        400,
        expect.objectContaining({ field: 'rows[1].assetTag', message }),
      ]);
    }
    expect(await total('/api/assets')).toBe(before);
  });

  it('searches lists as everything is searched: blanks at the ends belong to the text', async () => {
    await admin.make('/api/assets', { name: 'Beamer', assetTag: 'BLANK-7' });
    await admin.make('/api/assets', { name: 'Beamer', assetTag: 'BLANK-7 (spare)' });
    expect(await total('/api/assets?search=BLANK-7')).toBe(2);
    expect(await total('/api/assets?search=BLANK-7%20')).toBe(1);
    expect(await total('/api/search?q=BLANK-7%20')).toBe(1);
  });

  it('finds both normal forms of Unicode, by either', async () => {
    const [composed, decomposed] = ['Музей-1'.normalize('NFC'), 'Музей-2'.normalize('NFD')];
    await admin.make('/api/sites', { name: composed });
    await admin.make('/api/sites', { name: decomposed });
    for (const form of ['NFC', 'NFD'] as const) {
      for (const text of ['й', 'музей', 'МУЗЕЙ-']) {
        const asked = encodeURIComponent(text.normalize(form));
        expect([text, form, await total(`/api/sites?search=${asked}`)]).toEqual([text, form, 2]);
        // The search across resources refuses a single letter.
        if (text.length > 1)
          expect([text, form, await total(`/api/search?q=${asked}&resource=sites`)]).toEqual([text, form, 2]);
      }
    }
  });
});
