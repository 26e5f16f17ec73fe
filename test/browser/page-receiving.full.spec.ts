import { itInBrowser } from '../support/browser.js';
import { admin, opened, usePage } from '../support/page.js';

/* Receiving an order: pasted units and their faults. */
usePage({ permissions: ['clipboard-read', 'clipboard-write'] });

const paste = async (text: string, label: string): Promise<void> => {
  const { page } = opened;
  await page.evaluate((given) => navigator.clipboard.writeText(given), text);
  await page.getByLabel(label, { exact: true }).click();
  await page.keyboard.press('Control+V');
};

itInBrowser('flags a tag that exists elsewhere or is given twice before anything is saved', async () => {
  const { page, show } = opened;
  await admin.make('/api/assets', { name: 'Old printer', assetTag: 'AT-900' });
  const items = [{ name: 'Printer', quantity: 4 }];
  const order = await admin.make('/api/purchase-orders', { orderNumber: 'PO-31', items, status: 'ordered' });
  await show(`/purchase-orders/${order.id}/do/receivePurchaseOrder`);
  await paste('AT-900\nAT-901\nAT-901\n', 'Asset tag of unit 1 of Printer');
  await page.getByText('AT-900 is the tag of Old printer').waitFor();
  expect(await page.getByText('AT-901 is here twice').count()).toBe(2);
  // The page warns before it sends.
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

itInBrowser('names the unit and the column of what is refused', async () => {
  const { page, show } = opened;
  const items = ['Console', 'Tray'].map((name) => ({ name, quantity: 4 }));
  const order = await admin.make('/api/purchase-orders', { orderNumber: 'PO-33', items, status: 'ordered' });
  await show(`/purchase-orders/${order.id}/do/receivePurchaseOrder`);
  await page.getByLabel('Serial number of unit 4 of Tray').fill('x'.repeat(256));
  await page.getByRole('button', { name: 'Receive 8 units' }).click();
  const failure = page.locator('main .failure');
  await failure.waitFor();
  expect((await failure.innerText()).split('\n').filter((line) => line !== '')).toEqual([
    'Nothing was received yet.',
    'Tray, unit 4: Serial number must be at most 255 characters long',
  ]);
  await page.getByLabel('Serial number of unit 4 of Tray').fill('');
});
