import { startService, type Api, type TestService } from '../support/app.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

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
      // It takes no single letter.
      if (text.length > 1)
        expect([text, form, await total(`/api/search?q=${asked}&resource=sites`)]).toEqual([text, form, 2]);
    }
  }
});
