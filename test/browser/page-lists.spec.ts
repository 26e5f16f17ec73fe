import type { Browser } from 'playwright-core';
import { startService, type Api, type TestService } from '../support/app.js';
import { hasBrowser, itInBrowser, launchBrowser } from '../support/browser.js';
import { openPage, type Opened } from '../support/page.js';

/* Lists and records show first what a person of the trade looks for. */
let service: TestService;
let admin: Api;
let browser: Browser | undefined;
let opened: Opened;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  if (!hasBrowser) return;
  browser = await launchBrowser();
  opened = await openPage(browser, service, admin.cookie);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

interface Declared {
  path: string;
  type: string;
  columns?: string[];
  order?: string;
  sort?: string[];
}

it('declares columns that the records have, and orders that the lists take', async () => {
  const { collections, types } = (await service.anonymous.get('/page/declarations.json')).body as {
    collections: Declared[];
    types: Record<string, { name: string }[]>;
  };
  const declared = collections.filter(({ columns }) => columns);
  expect(declared.length).toBeGreaterThan(25);
  for (const { path, type, columns, order, sort } of declared) {
    const names = types[type]!.map(({ name }) => name);
    expect([path, columns!.filter((one) => !names.includes(one))]).toEqual([path, []]);
    expect([path, columns!.length <= 7, sort]).toEqual([path, true, expect.arrayContaining([order!.replace('-', '')])]);
  }
});

const heads = async (): Promise<string[]> =>
  (await opened.page.locator('main thead th').allInnerTexts()).map((one) => one.trim());

itInBrowser('shows the declared columns, and incidents newest first', async () => {
  const { page, show } = opened;
  for (const [name, detectedAt] of [
    ['Older', '2026-01-01T00:00:00Z'],
    ['Newest', '2026-03-01T00:00:00Z'],
    ['Middle', '2026-02-01T00:00:00Z'],
  ])
    await admin.make('/api/incidents', { name, detectedAt });
  await show('/incidents');
  await page.locator('tbody a.name').first().waitFor();
  expect(await page.locator('tbody a.name').allInnerTexts()).toEqual(['Newest', 'Middle', 'Older']);
  expect(await heads()).toEqual(['Name', 'Severity', 'Status', 'Detected at ↓', 'Assigned to', 'Resolved at']);
  await page.getByRole('button', { name: 'Detected at' }).click();
  await page.waitForURL(/order=asc/);
  await page.waitForFunction(() => document.querySelector('tbody a.name')?.textContent === 'Older');
});

itInBrowser('shows addresses in the order of the network', async () => {
  const { page, show } = opened;
  for (const address of ['10.9.0.100/24', '10.9.0.20/24', '10.9.0.3/24'])
    await admin.make('/api/ip-addresses', { address });
  await show('/ip-addresses');
  await page.locator('tbody a.name').first().waitFor();
  expect(await page.locator('tbody a.name').allInnerTexts()).toEqual(['10.9.0.3/24', '10.9.0.20/24', '10.9.0.100/24']);
});

itInBrowser('shows a record without its empty fields, and no field twice', async () => {
  const { page, show } = opened;
  const category = await admin.make('/api/asset-categories', { name: 'Laptops' });
  const { id } = await admin.make('/api/assets', { name: 'Laptop 7', categoryId: category.id });
  await show(`/assets/${id}`);
  const labels = await page.locator('section[aria-label="Fields"] > dl dt').allInnerTexts();
  expect(labels).toEqual(expect.arrayContaining(['Name', 'Category']));
  for (const hidden of ['Category name', 'Category slug', 'Serial number']) expect(labels).not.toContain(hidden);
  await page.getByText(/\d+ empty fields/).click();
  await page.getByText('Serial number', { exact: true }).waitFor();
});
