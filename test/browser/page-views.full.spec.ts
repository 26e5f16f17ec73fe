import { itInBrowser } from '../support/browser.js';
import { faultsOfLayout } from '../support/layout.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';

/* Personal settings of a list: its order, its page size, its saved views, and its rows on a narrow screen. */
usePage({}, async () => {
  const sites: { id: string }[] = [];
  for (const name of ['Zwolle', 'Aachen']) sites.push(await admin.make('/api/sites', { name }));
  const operations = Array.from({ length: 60 }, (_, at) => ({
    op: 'create',
    data: {
      name: `node-${String(at).padStart(2, '0')}`,
      siteId: sites[at % 2]!.id,
      status: at < 30 ? 'active' : 'planned',
    },
  }));
  await admin.post('/api/devices/bulk', { operations });
});
const names = (): Promise<string[]> => opened.page.locator('main tbody a.name').allInnerTexts();

itInBrowser('sorts by the names of what a column refers to', async () => {
  const { page, show, complaints } = opened;
  await show('/devices');
  await page.getByRole('button', { name: 'Site', exact: true }).click();
  await page.waitForURL(/sort=site\.name/);
  await page.locator('main tbody tr:first-child', { hasText: 'Aachen' }).waitFor();
  expect(await page.locator('th', { hasText: 'Site' }).getAttribute('aria-sort')).toBe('ascending');
  await page.getByRole('button', { name: 'Site', exact: true }).click();
  await page.locator('main tbody tr:first-child', { hasText: 'Zwolle' }).waitFor();
  expect(complaints).toEqual([]);
});

itInBrowser('shows as many rows on a page as somebody chooses, and exports all', async () => {
  const { page, show } = opened;
  await show('/devices');
  await page.getByText('1 to 50 of 60').waitFor();
  await page.getByLabel('Rows').selectOption('25');
  await page.getByText('1 to 25 of 60').waitFor();
  expect(await names()).toHaveLength(25);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('26 to 50 of 60').waitFor();
  const { text } = await admin.get((await page.getByRole('link', { name: 'CSV' }).getAttribute('href'))!);
  expect(text.trim().split('\n')).toHaveLength(61);
});

itInBrowser('shows the address that a device is reached at', async () => {
  const { page, show, complaints } = opened;
  const [device] = (await admin.get('/api/devices?name=node-07')).body.data;
  await admin.make('/api/ip-addresses', { address: '10.1.0.7/24', deviceId: device.id });
  await admin.make('/api/ip-addresses', { address: '2001:db8::7/64', deviceId: device.id, role: 'mgmt' });
  await show('/devices?name__isw=node-0');
  // The address with the management role, which the outputs choose too.
  await page.locator('main tbody tr', { hasText: 'node-07' }).getByText('2001:db8::7', { exact: true }).waitFor();
  await show('/devices?name__isw=node-0&columns=name,status');
  await page.locator('main tbody tr', { hasText: 'node-07' }).waitFor();
  expect(await page.getByText('2001:db8::7').count()).toBe(0);
  expect(complaints).toEqual([]);
});

itInBrowser('saves a view under a name, for this user only', async () => {
  const { page, show, complaints } = opened;
  await show('/devices');
  expect(await page.getByText('Save view').count()).toBe(0);
  await show('/devices?status=planned&sort=name&order=desc');
  await page.getByText('Save view').click();
  await page.getByLabel('Name of the view').fill('To build');
  await page.keyboard.press('Enter');
  const views = page.getByRole('navigation', { name: 'Saved views' });
  await views.getByRole('link', { name: 'To build' }).waitFor();
  await page.reload();
  await views.getByRole('link', { name: 'All' }).click();
  await page.getByText('1 to 50 of 60').waitFor();
  await views.getByRole('link', { name: 'To build' }).click();
  await page.getByText('1 to 30 of 30').waitFor();
  expect((await names())[0]).toBe('node-59');
  expect(await views.locator('[aria-current]').allInnerTexts()).toEqual(['To build']);
  const other = await openPage(browser!, service, (await service.as('viewer')).cookie, {
    storageState: await page
      .context()
      .storageState()
      .then((state) => ({ ...state, cookies: [] })),
  });
  await other.show('/devices');
  await other.page.getByText('1 to 50 of 60').waitFor();
  expect(await other.page.getByText('To build').count()).toBe(0);
  await other.page.context().close();
  await views.getByRole('button', { name: 'Remove this view' }).click();
  await views.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await views.getByRole('link', { name: 'To build' }).waitFor();
  expect(complaints).toEqual([]);
});

itInBrowser('shows all that a search finds on pages, and of one kind', async () => {
  const { page, show, complaints } = opened;
  await admin.make('/api/runbooks', { name: 'Restart node-00' });
  await show('');
  await page.keyboard.press('/');
  await page.keyboard.type('node-');
  await page.getByRole('option', { name: 'All 61 results' }).click();
  await page.getByRole('heading', { level: 1, name: 'Search: node-' }).waitFor();
  await page.getByText('1 to 50 of 61').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('51 to 61 of 61').waitFor();
  await page.getByLabel('Kind').selectOption({ label: 'Runbook' });
  await page.getByText('1 to 1 of 1').waitFor();
  await page.locator('.results').getByRole('link', { name: 'Restart node-00' }).click();
  await page.getByRole('heading', { level: 1, name: 'Restart node-00' }).waitFor();
  await show('/search?q=no-such-thing');
  await page.getByText('Nothing found.').waitFor();
  expect(complaints).toEqual([]);
});

itInBrowser('shows the addresses of a device under it, wherever the search finds both', async () => {
  const { page, show, complaints } = opened;
  const device = await admin.make('/api/devices', { name: 'fold-leaf-01' });
  const make = (at: number, deviceId?: string): Promise<unknown> =>
    admin.make('/api/ip-addresses', {
      address: `10.99.0.${at}/24`,
      dnsName: `fold-leaf-01-${at}.example.com`,
      deviceId,
    });
  for (const at of [1, 2, 3]) await make(at, device.id);
  await make(4);
  await show('/search?q=fold-leaf');
  const rows = page.locator('.results > li');
  await rows.first().waitFor();
  expect(await rows.locator('> a .found > bdi').allInnerTexts()).toEqual(['fold-leaf-01', '10.99.0.4/24']);
  const under = page.getByRole('list', { name: 'Addresses of fold-leaf-01' });
  expect(await under.getByRole('link').allInnerTexts()).toEqual(['10.99.0.1/24', '10.99.0.2/24', '10.99.0.3/24']);
  await page.getByText('1 to 5 of 5').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('fold-leaf');
  const offer = page.getByRole('option', { name: 'fold-leaf-01' }).first();
  await offer.getByText('10.99.0.1/24, 10.99.0.2/24 and 1 more').waitFor();
  await page.keyboard.press('Escape');
  await under.getByRole('link', { name: '10.99.0.2/24' }).click();
  await page.getByRole('heading', { level: 1, name: '10.99.0.2/24' }).waitFor();
  expect(complaints).toEqual([]);
});

itInBrowser('shows each row of a list whole on a narrow screen', async () => {
  const { page, show } = opened;
  await page.setViewportSize({ width: 390, height: 844 });
  await show('/devices?sort=site.name&status=active');
  const row = page.locator('main tbody tr').first();
  await row.waitFor();
  for (const text of [/node-\d\d/, 'Aachen', 'active']) {
    const box = await row.getByText(text).first().boundingBox();
    expect([text, box!.x >= 0 && box!.x + box!.width <= 390]).toEqual([text, true]);
  }
  const scroll = page.locator('main .scroll');
  expect(await scroll.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  // The order can still be chosen, and rows can be ticked.
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await page.waitForURL(/sort=name/);
  // The first tick loads the module with the actions. Before and after, the page is as wide as the screen.
  let read: () => void = () => undefined;
  const mayBeRead = new Promise<void>((resolve) => (read = resolve));
  await page.route('**/bulk/bulk-edit.js', async (route) => {
    await mayBeRead;
    await route.continue();
  });
  await page
    .getByLabel(/^Tick node-/)
    .first()
    .check();
  await page.evaluate(() => scrollTo(0, 0));
  expect(await page.evaluate(faultsOfLayout)).toEqual([]);
  read();
  await page.getByRole('button', { name: 'Change a field' }).waitFor();
  expect(await page.evaluate(faultsOfLayout)).toEqual([]);
});
