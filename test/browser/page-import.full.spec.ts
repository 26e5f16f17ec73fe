import { axeFindings } from '../support/axe.js';
import { itInBrowser } from '../support/browser.js';
import { admin, opened, usePage } from '../support/page.js';

/* Importing files by clicks alone. */
usePage({}, async () => {
  for (const name of ['Switches', 'Printers']) await admin.make('/api/asset-categories', { name });
  await admin.make('/api/sites', { name: 'Zürich' });
});

const latin1 = (text: string): Buffer =>
  Buffer.from(Array.from(text, (character) => (character === '€' ? 0x80 : character.charCodeAt(0))));

const open = async (name: string, buffer: Buffer): Promise<void> => {
  const { page, show } = opened;
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => void dialog.accept());
  await show('/');
  await show('/assets');
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await page.getByRole('heading', { name: 'Import assets' }).waitFor();
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
  await page.getByText(`${name}: `).first().waitFor();
};
const press = (name: RegExp | string): Promise<void> => opened.page.getByRole('button', { name, exact: true }).click();
const columnOf = (column: string) => opened.page.getByLabel(`${column} is imported as`, { exact: true });

const SNIPE_IT = `Company,Asset Name,Asset Tag,Serial,Model,Category,Status,Location,Purchase Date,Purchase Cost,Warranty,Notes
Initech,edge-1,AT-1,SN-1,Switch 48,Switches,In use,,12/31/2024,"$1,234.50",36 months,ours
Initech,edge-2,AT-2,SN-2,Switch 48,Swiches,Retired,,01/05/2025,12.5,,
`;

itInBrowser('imports an asset export of Snipe-IT, and the faulty row once it is mended', async () => {
  const { page, complaints } = opened;
  await open('assets.csv', Buffer.from(SNIPE_IT));
  // Columns are matched by their names. Columns without a field are left out.
  for (const [column, target] of [
    ['Asset Name', 'name'],
    ['Asset Tag', 'assetTag'],
    ['Serial', 'serialNumber'],
    ['Category', 'category.name'],
    ['Purchase Date', 'purchasedAt'],
    ['Purchase Cost', 'purchasePrice'],
    ['Company', ''],
    // The field is the date on which a warranty ends. The column has a number of months.
    ['Warranty', ''],
  ])
    expect([column, await columnOf(column!).inputValue()]).toEqual([column, target]);
  expect(await page.getByLabel('Dates').inputValue()).toBe('mdy');
  await press('Import');
  await page.getByText('1 created, 0 changed, 0 unchanged, 1 with faults. Nothing is written yet.').waitFor();
  expect((await admin.get('/api/assets')).body.total).toBe(0);
  const faults = page.getByRole('region', { name: 'Faults' }).locator('tbody tr');
  await faults.first().waitFor();
  expect(await faults.locator('td').allInnerTexts()).toEqual([
    ...['2', '3', 'Category', 'Swiches', expect.stringContaining('does not match')],
  ]);
  expect(await axeFindings(page, 'main')).toEqual([]);
  const [download] = await Promise.all([page.waitForEvent('download'), press('Download the 1 faulty row')]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const faulty = Buffer.concat(chunks).toString('utf8');
  expect(faulty).toMatch(/^\uFEFFCompany,.*,Notes,Fault\r\nInitech,edge-2,.*Category does not match/);
  await press('Import 1 row');
  await page.getByText('assets.csv: 1 created, 0 changed, 0 unchanged, 1 with faults left out').waitFor();

  await open('assets-faults.csv', Buffer.from(faulty.replace('Swiches', 'Switches')));
  expect(await columnOf('Fault').inputValue()).toBe('');
  await press('Import');
  await page.getByText('1 created, 0 changed, 0 unchanged, 0 with faults').waitFor();
  await press('Import 1 row');
  await page.getByText('assets-faults.csv: 1 created').waitFor();
  expect((await admin.get('/api/assets?sort=assetTag')).body.data).toMatchObject([
    {
      name: 'edge-1',
      serialNumber: 'SN-1',
      status: 'in_use',
      categoryName: 'Switches',
      purchasedAt: '2024-12-31T00:00:00.000Z',
      purchasePrice: '1234.50',
      notes: 'ours',
    },
    { name: 'edge-2', status: 'retired', purchasePrice: '12.50' },
  ]);
  expect(complaints).toEqual([]);
});

const GERMAN = `Bezeichnung;Inventarnummer;Standort;Kaufdatum;Preis
Drucker Süd;AT-1;Zürich;31.12.2026;1.234,50 €
Drucker Nord;AT-3;Zürich;01.02.2026;2.000,00 €
`;

itInBrowser('imports a file that Excel has saved on a German Windows, and remembers what was chosen', async () => {
  const { page, complaints } = opened;
  await open('Drucker.csv', latin1(GERMAN));
  await page.getByText(/2 rows, Windows-1252/).waitFor();
  expect(await page.getByLabel('Separator').inputValue()).toBe(';');
  for (const [column, target] of [
    ['Bezeichnung', 'name'],
    ['Inventarnummer', 'assetTag'],
    ['Standort', 'site.name'],
    ['Kaufdatum', 'purchasedAt'],
    ['Preis', 'purchasePrice'],
  ])
    await columnOf(column!).selectOption(target!);
  expect(await page.getByLabel('Dates').inputValue()).toBe('dmy');
  expect(await page.getByLabel('Numbers').inputValue()).toBe(',');
  await page.getByLabel('What to do').selectOption('upsert');
  expect(await page.getByLabel('Found by').inputValue()).toBe('assetTag');
  await press('Import');
  await page.getByText('1 created, 1 changed, 0 unchanged, 0 with faults. Nothing is written yet.').waitFor();
  const changes = page.getByRole('region', { name: 'Changes' }).locator('tbody tr');
  await changes.first().waitFor();
  expect((await changes.allInnerTexts()).map((text) => text.split('\t'))).toEqual([
    ['1', 'edge-1', 'Name', 'edge-1', 'Drucker Süd'],
    ['1', 'edge-1', 'Site', '', 'Zürich'],
    ['1', 'edge-1', 'Purchased at', '2024-12-31', '2026-12-31'],
  ]);
  // A change after the dry run needs another dry run.
  await page.getByLabel('What to do').selectOption('update');
  await press('Import');
  await page.getByText('0 created, 1 changed, 0 unchanged, 1 with faults').waitFor();
  await page.getByLabel('What to do').selectOption('upsert');
  await press('Import');
  await page.getByText('1 created, 1 changed').waitFor();
  await press('Import 2 rows');
  await page.getByText('Drucker.csv: 1 created, 1 changed').waitFor();
  expect((await admin.get('/api/assets?assetTag=AT-1&assetTag=AT-3&sort=assetTag')).body.data).toMatchObject([
    { name: 'Drucker Süd', siteName: 'Zürich', purchasedAt: '2026-12-31T00:00:00.000Z', purchasePrice: '1234.50' },
    { name: 'Drucker Nord', siteName: 'Zürich', purchasedAt: '2026-02-01T00:00:00.000Z', purchasePrice: '2000.00' },
  ]);
  await open('Drucker.csv', latin1(GERMAN));
  expect(await columnOf('Inventarnummer').inputValue()).toBe('assetTag');
  expect(complaints).toEqual([]);
});

itInBrowser('asks to log in again if the session has ended before the import', async () => {
  const { page } = opened;
  await open('late.csv', Buffer.from('Name\nlate-1\n'));
  await page.route('**/api/assets/import?*', (route) =>
    route.fulfill({ status: 401, contentType: 'application/json', body: '{"error":"Log in first"}' }),
  );
  await press('Import');
  await page.getByRole('dialog').getByRole('heading', { name: 'Your session has ended' }).waitFor();
  // The file and its settings stay.
  expect(await columnOf('Name').inputValue()).toBe('name');
  await page.unroute('**/api/assets/import?*');
  await page.reload();
});

itInBrowser(
  'goes on answering while it reads 20,000 rows',
  async () => {
    const { page } = opened;
    const rows = Array.from({ length: 20_000 }, (_, at) => `name ${at};BULK-${at};31.12.2026;1.234,50`);
    await page.evaluate(() => {
      const counted = window as never as { turns: number };
      counted.turns = 0;
      setInterval(() => counted.turns++, 10);
    });
    await open(
      'large.csv',
      Buffer.from(['Name;Asset tag;Purchased at;Purchase price', ...rows].join('\r\n'), 'utf16le'),
    );
    await page.getByText(/20,000 rows, UTF-16/).waitFor();
    await press('Import');
    await page.getByText('20,000 created, 0 changed').waitFor({ timeout: 150_000 });
    await press('Import 20,000 rows');
    await page.getByText('large.csv: 20000 created').waitFor({ timeout: 150_000 });
    expect(await page.evaluate(() => (window as never as { turns: number }).turns)).toBeGreaterThan(20);
    expect((await admin.get('/api/assets?assetTag__isw=BULK-&pageSize=1')).body.total).toBe(20_000);
  },
  360_000,
);
