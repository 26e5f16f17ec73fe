import { itInBrowser } from '../support/browser.js';
import { admin, opened, usePage } from '../support/page.js';

/* The meaning of a file's cells is preserved, shown before the import, or asked for. */
usePage({ timezoneId: 'Europe/Amsterdam', locale: 'en-GB' }, async () => {
  await admin.make('/api/custom-fields', {
    resources: ['maintenance-windows'],
    key: 'approvedAt',
    label: 'Approved at',
    type: 'dateTime',
  });
});

const open = async (list: string, file: string | Buffer, name = 'file.csv'): Promise<void> => {
  const { page, show } = opened;
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => void dialog.accept());
  await show('/');
  // The former view also has such an input. It closes only after its question is answered.
  await page.locator('input[type=file]').waitFor({ state: 'detached' });
  await show(`/${list}/import`);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: typeof file === 'string' ? Buffer.from(file) : file });
};
const press = (name: RegExp | string): Promise<void> => opened.page.getByRole('button', { name, exact: true }).click();
const cellsOf = async (region: string): Promise<string[]> => {
  const cells = opened.page.getByRole('region', { name: region, exact: true }).locator('tbody td');
  await cells.first().waitFor();
  return cells.allInnerTexts();
};

const WINDOWS = `Name;Start time;End time;Approved at
W1;2026-12-24 22:00;2026-12-25T02:15:00+02:00;28.11.2026 09:00
W2;28.11.2026 09:00;03.04.2027 9:30 PM;2026-07-01 00:30
`;

itInBrowser('keeps the minute of every time, in the zone that is shown, in all modes', async () => {
  const { page, complaints } = opened;
  await open('maintenance-windows', WINDOWS);
  expect(await page.getByLabel('Times are in').inputValue()).toBe('Europe/Amsterdam');
  await press('Import');
  expect(await cellsOf('New records')).toEqual([
    ...['1', 'W1', '2026-12-24 22:00', '2026-12-25 01:15', '2026-11-28 09:00'],
    ...['2', 'W2', '2026-11-28 09:00', '2027-04-03 21:30', '2026-07-01 00:30'],
  ]);
  await press('Import 2 rows');
  await page.getByText('file.csv: 2 created').waitFor();
  const stored = async () =>
    (await admin.get('/api/maintenance-windows?sort=name')).body.data.map(
      ({ startTime, endTime, customFields }: Record<string, any>) => [startTime, endTime, customFields.approvedAt],
    );
  expect(await stored()).toEqual([
    ['2026-12-24T21:00:00.000Z', '2026-12-25T00:15:00.000Z', '2026-11-28T08:00:00.000Z'],
    ['2026-11-28T08:00:00.000Z', '2027-04-03T19:30:00.000Z', '2026-06-30T22:30:00.000Z'],
  ]);
  await open('maintenance-windows', `Name;Start time\nW1;2026-12-24 23:45\nW2;2027-03-28 02:30\n`);
  await page.getByLabel('What to do').selectOption('update');
  await page.getByLabel('Found by').selectOption('name');
  await page.getByLabel('Times are in').selectOption('UTC');
  await press('Import');
  expect(await cellsOf('Changes')).toEqual(
    expect.arrayContaining(['1', 'W1', 'Start time (UTC)', '2026-12-24 21:00', '2026-12-24 23:45']),
  );
  // This time does not exist in Amsterdam, because the clocks skip it.
  await page.getByLabel('Times are in').selectOption('Europe/Amsterdam');
  await press('Import');
  expect(await cellsOf('Faults')).toEqual(expect.arrayContaining(['2', '3', 'Start time', '2027-03-28 02:30']));
  await press('Import 1 row');
  await page.getByText('file.csv: 0 created, 1 changed').waitFor();
  expect((await stored()).map(([start]: string[]) => start)).toEqual([
    '2026-12-24T22:45:00.000Z',
    '2026-11-28T08:00:00.000Z',
  ]);
  expect(complaints).toEqual([]);
});

itInBrowser('reads dates in the order of the language where they do not tell it', async () => {
  const { page } = opened;
  await open('assets', 'Name,Purchased at\nA,03/04/2026\n');
  expect(await page.getByLabel('Dates').inputValue()).toBe('dmy');
  await press('Import');
  expect(await cellsOf('New records')).toEqual(['1', 'A', '2026-04-03']);
  // A date field cannot store a time.
  await open('assets', 'Name,Purchased at\nA,03/04/2026 14:05\n');
  await press('Import');
  expect(await cellsOf('Faults')).toEqual(expect.arrayContaining(['03/04/2026 14:05']));
});

itInBrowser('asks how numbers are written where they do not tell it', async () => {
  const { page } = opened;
  await open('device-types', 'Model;Weight\nD1;0,500\nD2;1,500\n');
  expect(await page.getByLabel('Numbers').inputValue()).toBe(',');
  await press('Import');
  expect(await cellsOf('New records')).toEqual(['1', 'D1', '0.500', '2', 'D2', '1.500']);
  await open('device-types', 'Model;Weight\nD2;1,500\n');
  await press('Import');
  await page.getByText('Choose how numbers are written').waitFor();
  await page.getByLabel('Numbers').selectOption('.');
  await press('Import');
  expect(await cellsOf('New records')).toEqual(['1', 'D2', '1500']);
});

/** "Name;Москва" in Windows-1251. */
const CYRILLIC = Buffer.concat([
  Buffer.from('Name\n'),
  Buffer.of(0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0),
  Buffer.from('\n'),
]);

itInBrowser('asks for the encoding where bytes fit none for sure, and knows all of the browser', async () => {
  const { page } = opened;
  await open('sites', CYRILLIC);
  await press('Import');
  await page.getByText('Choose the encoding in which').waitFor();
  await page.getByLabel('Encoding').selectOption('windows-1251');
  await page.getByText('1 row, Windows-1251').waitFor();
  await press('Import');
  expect(await cellsOf('New records')).toEqual(['1', 'Москва']);
  const offered = await page
    .getByLabel('Encoding')
    .locator('option')
    .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
  expect(offered.length).toBeGreaterThan(35);
  expect(await page.evaluate((names) => names.map((name) => new TextDecoder(name).encoding), offered)).toEqual(offered);
});

itInBrowser('says what to do with a workbook', async () => {
  await open('sites', Buffer.of(0x50, 0x4b, 3, 4, 0), 'sites.xlsx');
  await opened.page.getByText('Save it as CSV in the spreadsheet program').waitFor();
  expect(await opened.page.getByRole('button', { name: 'Import' }).count()).toBe(0);
});
