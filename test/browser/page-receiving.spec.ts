import type { Browser } from 'playwright-core';
import { startService, type Api, type TestService } from '../support/app.js';
import { hasBrowser, itInBrowser, launchBrowser } from '../support/browser.js';
import { openPage, type Opened } from '../support/page.js';

/* Receiving an order: three clicks and a paste, whatever the number of units. */
let service: TestService;
let admin: Api;
let browser: Browser | undefined;
let opened: Opened;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  if (!hasBrowser) return;
  browser = await launchBrowser();
  opened = await openPage(browser, service, admin.cookie, { permissions: ['clipboard-read', 'clipboard-write'] });
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

/** Counts the clicks that the page gets. */
const clicks = (): Promise<number> =>
  opened.page.evaluate(() => {
    const counted = window as never as { clicks?: number };
    const before = counted.clicks;
    counted.clicks = 0;
    if (before === undefined) addEventListener('click', () => counted.clicks!++, true);
    return before ?? 0;
  });
const paste = async (text: string, label: string): Promise<void> => {
  const { page } = opened;
  await page.evaluate((given) => navigator.clipboard.writeText(given), text);
  await page.getByLabel(label, { exact: true }).click();
  await page.keyboard.press('Control+V');
};
const rows = (from: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `SN${from + at}\tAT-${from + at}`).join('\r\n');

itInBrowser('receives 30 units with their serial numbers and tags', async () => {
  const { page, show, complaints } = opened;
  const items = [{ name: 'Catalyst', quantity: 30 }];
  const order = await admin.make('/api/purchase-orders', { orderNumber: 'PO-30', items, status: 'ordered' });
  await show(`/purchase-orders/${order.id}`);
  await clicks();
  await page.getByRole('link', { name: 'Receive', exact: true }).click();
  await page.getByRole('heading', { name: 'Receive PO-30' }).waitFor();
  await paste(`${rows(100, 30)}\n`, 'Serial number of unit 1 of Catalyst');
  expect(await page.getByLabel('Asset tag of unit 30 of Catalyst').inputValue()).toBe('AT-129');
  await page.getByRole('button', { name: 'Receive 30 units' }).click();
  await page.getByText('30 units received').waitFor();
  expect(await clicks()).toBeLessThanOrEqual(3);
  const { data } = (await admin.get('/api/assets?pageSize=50&sort=assetTag')).body;
  expect(data.map((one: Record<string, string>) => [one.name, one.serialNumber, one.assetTag])).toEqual(
    Array.from({ length: 30 }, (_, at) => ['Catalyst', `SN${100 + at}`, `AT-${100 + at}`]),
  );
  expect((await admin.get(`/api/purchase-orders/${order.id}`)).body.data.status).toBe('received');
  expect(complaints).toEqual([]);
});

itInBrowser('flags a tag that exists elsewhere or is given twice before anything is saved', async () => {
  const { page, show } = opened;
  await admin.make('/api/assets', { name: 'Old printer', assetTag: 'AT-900' });
  const items = [{ name: 'Printer', quantity: 4 }];
  const order = await admin.make('/api/purchase-orders', { orderNumber: 'PO-31', items, status: 'ordered' });
  await show(`/purchase-orders/${order.id}/do/receivePurchaseOrder`);
  await paste('AT-900\nAT-901\nAT-901\n', 'Asset tag of unit 1 of Printer');
  await page.getByText('AT-900 is the tag of Old printer').waitFor();
  expect(await page.getByText('AT-901 is here twice').count()).toBe(2);
  // Nothing is sent before somebody has been told.
  await page.getByRole('button', { name: 'Receive 4 units' }).click();
  await page.locator('main .failure').waitFor();
  expect(await page.locator('main .failure').innerText()).toContain('3 units have tags of another one');
  await page.getByRole('button', { name: 'Receive 4 units all the same' }).waitFor();
  expect((await admin.get(`/api/purchase-orders/${order.id}`)).body.data.status).toBe('ordered');
  await page.getByLabel('Asset tag of unit 1 of Printer').fill('AT-902');
  await page.getByLabel('Asset tag of unit 3 of Printer').fill('AT-903');
  await page.getByLabel('Units received').fill('3');
  expect(await page.getByLabel('Asset tag of unit 4 of Printer').count()).toBe(0);
  await page.getByRole('button', { name: 'Receive 3 units' }).click();
  await page.getByText('3 units received').waitFor();
  const received = (await admin.get(`/api/purchase-orders/${order.id}`)).body.data;
  expect([received.status, received.items[0].quantityRemaining]).toEqual(['partially_received', 1]);
});

itInBrowser('says how many pasted rows have no unit', async () => {
  const { page, show } = opened;
  const items = [{ name: 'Cable', quantity: 2 }];
  const order = await admin.make('/api/purchase-orders', { orderNumber: 'PO-32', items, status: 'ordered' });
  await show(`/purchase-orders/${order.id}/do/receivePurchaseOrder`);
  await paste('A\nB\nC\nD', 'Serial number of unit 1 of Cable');
  await page.getByText('2 pasted rows have no unit here.').waitFor();
  expect(await page.getByLabel('Serial number of unit 2 of Cable').inputValue()).toBe('B');
  await page.getByLabel('Serial number of unit 1 of Cable').fill('');
  await page.getByLabel('Serial number of unit 2 of Cable').fill('');
});
