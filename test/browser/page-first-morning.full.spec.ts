import { itInBrowser } from '../support/browser.js';
import { admin, browser, openPage, opened, service, usePage } from '../support/page.js';

/* The tasks of the first day: the first steps, labels, and a calendar. */
usePage({ locale: 'en-GB' });

const TENTHS = 254 / 72;

/** The page sizes of a print, in millimetres. */
async function printed(): Promise<string[]> {
  const pdf = (await opened.page.pdf({ preferCSSPageSize: true })).toString('latin1');
  return [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) =>
    [width, height].map((one) => Math.round((Number(one) * TENTHS) / 10)).join(' × '),
  );
}

itInBrowser('an empty inventory begins with records, files, or another system', async () => {
  const { page, show } = opened;
  await show('');
  await page.getByRole('heading', { name: 'First steps' }).waitFor();
  expect(await page.locator('main section h2').allInnerTexts()).toEqual([
    'First steps',
    'Import a file',
    'Move in from NetBox or Snipe-IT',
  ]);
  expect(await page.getByLabel('NetBox', { exact: true }).inputValue()).toBe(
    `npm run move-in -- netbox dump.json.gz --url ${service.url} --dry-run --report report.jsonl`,
  );
  await page.getByRole('link', { name: 'Import devices' }).click();
  await page.getByRole('heading', { name: 'Import devices' }).waitFor();
  // A viewer sees no actions that the service would refuse.
  const viewer = await openPage(browser!, service, (await service.as('viewer')).cookie);
  await viewer.page.getByRole('heading', { name: 'First steps' }).waitFor();
  expect(await viewer.page.locator('main section').getByRole('link').count()).toBe(0);
});

itInBrowser('shows what is carved from a container, and the fullest where nothing is nearly full', async () => {
  const { page, show } = opened;
  const { id } = await admin.make('/api/prefixes', { prefix: '10.20.0.0/16', status: 'container' });
  for (const prefix of ['10.20.0.0/18', '10.20.64.0/19', '10.20.64.0/24'])
    await admin.make('/api/prefixes', { prefix });
  await admin.make('/api/ip-addresses', { address: '10.20.64.1/24' });
  await show(`/prefixes/${id}`);
  const carved = page.getByRole('region', { name: 'Carved from it' });
  await carved.getByText('2 prefixes lie directly in it.').waitFor();
  expect(await carved.locator('.meter').innerText()).toMatch(/^38\s%$/);
  await show('/pictures/prefixes');
  await page.getByRole('link', { name: /^10\.20\.0\.0\/16, 38 % taken/ }).waitFor();
  await show('/utilisation');
  const fullest = page.getByRole('region', { name: 'The fullest' });
  await fullest.getByText('These are the fullest.').waitFor();
  expect(await fullest.getByRole('link').allInnerTexts()).toEqual([
    '10.20.64.0/24',
    '10.20.64.0/19',
    '10.20.0.0/16',
    '10.20.0.0/18',
  ]);
});

itInBrowser('the address of a calendar can be opened by other programs', async () => {
  const { page, show } = opened;
  await show('/calendar-feeds/new?kind=on-call&name=On call');
  await page.locator('form.form .primary').click();
  const address = await page.getByLabel('Url').inputValue();
  expect(address).toMatch(new RegExp(`^${service.url}/calendar/\\S+\\.ics$`));
  expect((await fetch(address)).status).toBe(200);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'I have stored it' }).click();
});

itInBrowser('labels are printed on the paper that is chosen', async () => {
  const { page, show } = opened;
  const operations = Array.from({ length: 120 }, (_, at) => ({
    op: 'create',
    data: { name: `Labelled ${at}`, assetTag: `AT-${1000 + at}` },
  }));
  await admin.post('/api/assets/bulk', { operations });
  await show('/assets?pageSize=200');
  await page.locator('thead input[type=checkbox]').check();
  await page.getByRole('link', { name: 'Print labels' }).click();
  await page.getByRole('heading', { name: '120 labels' }).waitFor();
  const drawn = (): Promise<boolean> =>
    page
      .locator('img.paper')
      .evaluateAll((all) => Promise.all(all.map((one) => (one as HTMLImageElement).decode())).then(() => true));
  const ids = await page
    .locator('img.paper')
    .evaluateAll((all) => all.map((one) => new URL((one as HTMLImageElement).src).searchParams.getAll('id').length));
  expect(ids).toEqual([100, 20]);
  expect(await drawn()).toBe(true);
  expect(await printed()).toEqual(['210 × 297', '210 × 297']);
  await page.getByLabel('Paper').selectOption('US Letter');
  expect(await drawn()).toBe(true);
  expect(await printed()).toEqual(['216 × 279', '216 × 279']);
  // The next print has the last choice of paper.
  await show('/assets?assetTag=AT-1007');
  await page.locator('thead input[type=checkbox]').check();
  await page.getByRole('link', { name: 'Print labels' }).click();
  await page.getByRole('heading', { name: 'One label' }).waitFor();
  expect(await page.getByLabel('Paper').inputValue()).toBe('letter');
  await page.getByLabel('Paper').selectOption('Labels of 62 × 29 mm');
  await page.getByLabel('Code').selectOption('Code 128');
  await page.getByLabel('Content').selectOption('Inventory tag');
  expect(await page.locator('img.paper').getAttribute('src')).toMatch(
    /^\/api\/assets\/[\da-f-]{36}\/label\.svg\?code=code128&content=assetTag$/,
  );
  expect(await drawn()).toBe(true);
  expect(await printed()).toEqual(['62 × 29']);
  expect(opened.complaints).toEqual([]);
});
