import { axeFindings } from '../support/axe.js';
import type { Locator } from 'playwright-core';
import { hasBrowser, itInBrowser } from '../support/browser.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';

/* Custom fields in the page: their definition, forms, lists, history, imports, and deletion. */
const devices: { id: string; name: string }[] = [];
usePage({ bypassCSP: true }, async () => {
  for (let number = 1; number <= 10; number++)
    devices.push(await admin.make('/api/devices', { name: `switch-${number}` }));
  await admin.make('/api/people', { fullName: 'Ada Lovelace' });
});
beforeAll(() => {
  // After a failed test, the next one must leave its form.
  if (hasBrowser) opened.page.on('dialog', (dialog) => void dialog.accept());
});

type Values = Record<string, unknown>;
const valuesOf = async (name: string): Promise<Values> =>
  (await admin.get(`/api/devices?name=${name}`)).body.data[0].customFields;
const definitionOf = async (key: string): Promise<Values & { id: string }> =>
  (await admin.get(`/api/custom-fields?key=${key}`)).body.data[0];
const define = (key: string, type: string, more: object = {}): Promise<{ id: string }> =>
  admin.make('/api/custom-fields', { key, type, resources: ['devices'], ...more });

/** The input of a field, by its label. */
const input = (label: string): Locator => opened.page.locator('form.form').getByLabel(label, { exact: true });
const submit = (): Promise<void> => opened.page.locator('form.form .primary').click();
const saved = (): Promise<void> => opened.page.locator('.tabs').waitFor();
/** Reloads the page, which then knows fields that were defined elsewhere, and opens an address. */
async function showAnew(address: string): Promise<void> {
  await opened.page.goto(`${service.url}/#/`);
  await opened.page.reload();
  await opened.show(address);
}

itInBrowser('defines a field, with the sentences of the service at what is wrong', async () => {
  const { page, show, complaints } = opened;
  await show('/custom-fields/new');
  await input('Label').fill('Service tier');
  await submit();
  await page.getByText('fields need another look').waitFor();
  expect(await page.locator('.control.faulty > label').allInnerTexts()).toEqual([
    expect.stringMatching(/^Type \*/),
    expect.stringMatching(/^Records \*/),
  ]);
  await page.getByLabel('Type').selectOption({ label: 'One of several choices' });
  await page.getByLabel('Choices').fill('gold\ngold\nsilver');
  await page.getByLabel('Records').fill('devices');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove Devices' }).waitFor();
  await submit();
  await page.locator('.control.faulty', { hasText: 'Choices' }).getByText('Must not have an entry twice').waitFor();
  await page.getByLabel('Choices').fill('gold\nsilver');
  await submit();
  await saved();
  expect(await definitionOf('serviceTier')).toMatchObject({
    label: 'Service tier',
    type: 'choice',
    choices: ['gold', 'silver'],
    resources: ['devices'],
  });
  expect(complaints).toEqual([]);
});

itInBrowser('asks for what the type has, and sends nothing else', async () => {
  const { page, show } = opened;
  await show('/custom-fields/new');
  await input('Label').fill('Grösse in kg');
  await page.getByLabel('Type').selectOption('text');
  await input('Pattern').fill('(a');
  await page.getByLabel('Type').selectOption('decimal');
  expect(await input('Pattern').count()).toBe(0);
  await input('Minimum').fill('0.5');
  await page.getByLabel('Records').fill('Devices');
  await page.keyboard.press('Enter');
  await submit();
  await saved();
  expect(await definitionOf('grosseInKg')).toMatchObject({ minimum: '0.5', maximum: null, pattern: null });
});

itInBrowser('fills it in for ten devices at once, and leads everybody with its address to them', async () => {
  const { page, show, complaints } = opened;
  await show('/devices');
  await page.getByLabel('Tick all of this page').check();
  await page.getByRole('button', { name: 'Change a field' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Field', { exact: true }).selectOption({ label: 'Service tier' });
  await dialog.getByRole('radio', { name: 'gold' }).check();
  await dialog.getByText('10 of 10 would change').waitFor();
  await dialog.getByRole('button', { name: 'Change 10 records' }).click();
  await page.getByText('Service tier of 10 records changed').waitFor();
  await admin.patch(`/api/devices/${devices[3]!.id}`, { customFields: { serviceTier: 'silver' } });
  await page.locator('summary', { hasText: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Service tier' }).check();
  await page.getByRole('columnheader', { name: 'Service tier' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.locator('.new-filter select').first().selectOption({ label: 'Service tier' });
  await page.locator('.new-filter select').last().selectOption('gold');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.locator('.filter', { hasText: 'Service tier is gold' }).waitFor();
  await page.getByText('1 to 9 of 9').waitFor();
  await page.locator('th button', { hasText: 'Service tier' }).click();
  await page.waitForURL(/sort=customFields.serviceTier/);
  const other = await openPage(browser!, service, (await service.as('viewer')).cookie);
  await other.page.goto(page.url());
  await other.page.getByText('1 to 9 of 9').waitFor();
  expect(await other.page.locator('tbody td', { hasText: 'gold' }).count()).toBe(9);
  expect([...complaints, ...other.complaints]).toEqual([]);
  await other.page.context().close();
});

itInBrowser('has the right input for each type, and stores what is entered', async () => {
  const { page, complaints } = opened;
  await define('labels', 'tags', { label: 'Tags', position: 1 });
  await define('contact', 'reference', { label: 'Support contact', target: 'people' });
  await define('costCentre', 'text', { label: 'Cost centre', pattern: '^[0-9]{4}$' });
  await define('story', 'text', { label: 'Story' });
  await define('seats', 'integer', { label: 'Seats', minimum: 1 });
  await define('auditedOn', 'date', { label: 'Audited on' });
  await define('critical', 'boolean', { label: 'Critical' });
  await define('manual', 'url', { label: 'Manual' });
  await define('zones', 'tags', { label: 'Zones', choices: ['inner_zone', 'outer'] });
  await admin.patch(`/api/devices/${devices[1]!.id}`, { customFields: { labels: ['core', 'edge'] } });
  await showAnew(`/devices/${devices[0]!.id}/edit`);
  expect(await page.locator('.section > h2').last().innerText()).toBe('Custom fields');
  await input('Tags').click();
  await page.locator('datalist option[value="edge"]').waitFor({ state: 'attached' });
  await input('Tags').pressSequentially('core,lab');
  await page.keyboard.press('Enter');
  await input('Tags').pressSequentially('mistaken');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove mistaken' }).waitFor();
  await page.keyboard.press('Backspace');
  await input('Support contact').fill('Ada Lovelace');
  await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
  await page.keyboard.press('Enter');
  await input('Cost centre').fill('12');
  await input('Story').fill('Bought\nand kept');
  await input('Seats').fill('0');
  await input('Audited on').fill('2026-03-01');
  await input('Critical').selectOption('Yes');
  await input('Manual').fill('example.com');
  await page.getByLabel('inner_zone').check();
  await submit();
  await page.getByText('3 fields need another look').waitFor();
  const faultOf = (label: string): Promise<string> =>
    page.locator('.control.faulty', { hasText: label }).locator('.fault').innerText();
  expect(await faultOf('Cost centre')).toBe('Must match ^[0-9]{4}$');
  expect(await faultOf('Seats')).toBe('Must be an integer between 1 and 2147483647');
  expect(await faultOf('Manual')).toBe('Must be an absolute http or https address');
  await input('Cost centre').fill('4711');
  await input('Seats').fill('24');
  await input('Manual').fill('https://example.com/manual');
  await submit();
  await saved();
  const { id } = (await admin.get('/api/people?fullName=Ada%20Lovelace')).body.data[0];
  expect(await valuesOf('switch-1')).toEqual({
    serviceTier: 'gold',
    labels: ['core', 'lab'],
    contact: id,
    costCentre: '4711',
    story: 'Bought\nand kept',
    seats: 24,
    auditedOn: '2026-03-01',
    critical: true,
    manual: 'https://example.com/manual',
    zones: ['inner_zone'],
  });
  const card = page.getByRole('region', { name: 'Custom fields' });
  await card.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  expect(await card.locator('dt').allInnerTexts()).not.toContain('Contact');
  await card.getByRole('link', { name: 'lab', exact: true }).click();
  await page.locator('.filter', { hasText: 'Tags has lab' }).waitFor();
  await page.getByText('1 to 1 of 1').waitFor();
  expect(complaints).toEqual([]);
});

itInBrowser('shows what became of values in the history, and brings them back', async () => {
  const { page, show } = opened;
  const { id } = devices[0]!;
  await admin.patch(`/api/devices/${id}`, { customFields: { serviceTier: 'silver', costCentre: null } });
  await show(`/devices/${id}?tab=history`);
  const first = page.locator('.entry').first();
  await first.getByText('Service tier').waitFor();
  expect((await first.locator('li').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    'Cost centre 4711 → became –',
    'Service tier gold → became silver',
  ]);
  await first.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The last change is undone').waitFor();
  expect(await valuesOf('switch-1')).toMatchObject({ serviceTier: 'gold', costCentre: '4711' });
});

itInBrowser('undoes a value that was given to a record without one', async () => {
  const { page, show } = opened;
  await show(`/devices/${devices[4]!.id}/edit`);
  await input('Seats').fill('7');
  await submit();
  await saved();
  expect(await valuesOf('switch-5')).toMatchObject({ seats: 7 });
  await page.locator('.toast', { hasText: 'switch-5 saved' }).getByRole('button', { name: 'Undo' }).click();
  await page.locator('dt', { hasText: 'Seats' }).and(page.locator('.empties dt')).waitFor({ state: 'attached' });
  expect(await valuesOf('switch-5')).not.toHaveProperty('seats');
});

itInBrowser('names the records that stand against a change of the definition', async () => {
  const { page, show } = opened;
  const { id } = await definitionOf('serviceTier');
  await show(`/custom-fields/${id}/edit`);
  expect(await input('Key').count()).toBe(0);
  await page.getByLabel('Choices').fill('gold');
  await submit();
  const banner = page.locator('form .failure');
  await banner.getByText('1 record has a value that would not be allowed').waitFor();
  await banner.getByRole('link', { name: 'switch-4' }).waitFor();
  await page.getByLabel('Choices').fill('gold\nsilver\nbronze');
  await submit();
  await saved();
  expect(await definitionOf('serviceTier')).toMatchObject({ choices: ['gold', 'silver', 'bronze'] });
});

itInBrowser('imports its column', async () => {
  const { page, show } = opened;
  await show('/devices/import');
  await page.locator('input[type=file]').setInputFiles({
    name: 'devices.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Name,Service tier,Audited on,Support contact\nimported-1,bronze,31.03.2026,Ada Lovelace\n'),
  });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('1 created, 0 changed, 0 unchanged, 0 with faults').waitFor();
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await page.getByText('devices.csv: 1 created').waitFor();
  expect(await valuesOf('imported-1')).toMatchObject({ serviceTier: 'bronze', auditedOn: '2026-03-31' });
  expect(await valuesOf('imported-1')).toHaveProperty('contact');
});

itInBrowser('receives assets and allocates addresses that need values', async () => {
  const { page, complaints } = opened;
  await define('keeper', 'text', { label: 'Keeper', required: true, resources: ['assets'] });
  await define('erpNumber', 'integer', { label: 'ERP number', unique: true, resources: ['assets'] });
  await define('stage', 'choice', { label: 'Stage', choices: ['new', 'used'], default: 'new', resources: ['assets'] });
  await define('purpose', 'text', { label: 'Purpose', required: true, resources: ['ip-addresses'] });
  const items = [{ name: 'Switch', quantity: 2 }];
  const order = await admin.make('/api/purchase-orders', { orderNumber: 'PO-own', status: 'ordered', items });
  await showAnew(`/purchase-orders/${order.id}/do/receivePurchaseOrder`);
  await page.getByLabel('ERP number of unit 1 of Switch').fill('4711');
  await page.getByLabel('ERP number of unit 2 of Switch').fill('4712');
  await page.getByRole('button', { name: 'Receive 2 units' }).click();
  // A missing value that all units share is reported once.
  await page.locator('.failure li', { hasText: 'Keeper is required' }).waitFor();
  expect(await page.locator('.failure li').count()).toBe(1);
  expect(await page.locator('.control.faulty > label').innerText()).toMatch(/^Keeper \*/);
  await page.locator('form.form').getByLabel('Keeper').fill('Ada');
  await input('Stage').selectOption('');
  await page.getByRole('button', { name: 'Receive 2 units' }).click();
  await page.getByText('2 units received').waitFor();
  const { data: assets } = (await admin.get('/api/assets?sort=customFields.erpNumber')).body;
  expect(assets.map(({ customFields }: Values) => customFields)).toEqual([
    { keeper: 'Ada', erpNumber: 4711 },
    { keeper: 'Ada', erpNumber: 4712 },
  ]);
  const prefix = await admin.make('/api/prefixes', { prefix: '198.51.100.0/28' });
  for (const [address, at] of [
    ['198.51.100.1/28', ''],
    ['198.51.100.7/28', '?address=198.51.100.7/28'],
  ] as const) {
    await opened.show(`/prefixes/${prefix.id}/do/allocateIps${at}`);
    await page.getByRole('button', { name: 'Allocate', exact: true }).click();
    await page.locator('.failure li', { hasText: 'Purpose is required' }).waitFor();
    await page.locator('form.form').getByLabel('Purpose').fill('Printers');
    await page.getByRole('button', { name: 'Allocate', exact: true }).click();
    await page.getByText(`${address} allocated`).waitFor();
    const { data } = (await admin.get(`/api/ip-addresses?address=${encodeURIComponent(address)}`)).body;
    expect(data[0].customFields).toEqual({ purpose: 'Printers' });
  }
  expect(complaints).toEqual([]);
});

itInBrowser.each(['light', 'dark'] as const)(
  'axe has no finding in the %s theme, and nothing is wider than a phone',
  async (colorScheme) => {
    const { page, show } = opened;
    await page.emulateMedia({ colorScheme });
    const { id } = await definitionOf('labels');
    for (const address of [
      '/custom-fields',
      '/custom-fields/new',
      `/custom-fields/${id}`,
      `/custom-fields/${id}/edit`,
      `/devices/${devices[0]!.id}`,
      `/devices/${devices[0]!.id}/edit`,
      '/devices?columns=name,customFields.labels,customFields.serviceTier&customFields.labels=core',
    ]) {
      await show(address);
      await page.waitForLoadState('networkidle');
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        expect([address, width, await axeFindings(page)]).toEqual([address, width, []]);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([address, width, overflow]).toEqual([address, width, 0]);
      }
    }
    await page.emulateMedia({ colorScheme: null });
  },
  240_000,
);

itInBrowser('deletes it after it has said what is lost', async () => {
  const { page, show } = opened;
  const { id } = await definitionOf('serviceTier');
  await show(`/custom-fields/${id}`);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete' });
  await dialog.getByText('It cannot be restored.').waitFor();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByText('The values of 11 records are lost with it.').waitFor();
  await dialog.getByRole('link', { name: 'switch-1', exact: true }).waitFor();
  expect(await definitionOf('serviceTier')).toBeDefined();
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Delete it with the values of 11 records' }).click();
  await page.getByText('serviceTier deleted').waitFor();
  expect(await definitionOf('serviceTier')).toBeUndefined();
  expect(await valuesOf('switch-1')).not.toHaveProperty('serviceTier');
  await show(`/devices/${devices[0]!.id}`);
  await page.getByText('Cost centre', { exact: true }).waitFor();
  await page.getByText('Service tier', { exact: true }).waitFor({ state: 'detached' });
});
