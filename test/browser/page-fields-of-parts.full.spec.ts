import type { Locator } from 'playwright-core';
import { hasBrowser, itInBrowser } from '../support/browser.js';
import { faultsOfLayout } from '../support/layout.js';
import { admin, opened, service, usePage } from '../support/page.js';

/* Custom fields of lines of orders, receipts, assignments and updates in the page: their definition, forms, and views. */
const RESOURCES = ['purchase-order-items', 'incident-updates', 'receipts', 'asset-assignments'];
let person: { id: string };
usePage({ bypassCSP: true }, async () => void (person = await admin.make('/api/people', { fullName: 'Ada Lovelace' })));

beforeAll(() => {
  // After a failed test, the next one must leave its form.
  if (hasBrowser) opened.page.on('dialog', (dialog) => void dialog.accept());
});

/** The input of a field, by its label. */
const input = (label: string): Locator => opened.page.locator('form.form').getByLabel(label, { exact: true });
const submit = (): Promise<void> => opened.page.locator('form.form .primary').click();
const saved = (): Promise<void> => opened.page.locator('.tabs').waitFor();
const line = (number: number): Locator => opened.page.getByRole('row', { name: `Items ${number}`, exact: true });
const textsOf = (of: Locator): Promise<string[]> => of.allInnerTexts();

itInBrowser('are defined for records that have no list of their own', async () => {
  const { page, show, complaints } = opened;
  await show('/custom-fields/new');
  await input('Label').fill('Cost centre');
  await page.getByLabel('Type').selectOption('text');
  for (const words of ['Purchase order items', 'Incident updates', 'Receipts', 'Asset assignments']) {
    await page.getByLabel('Records').fill(words);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Remove ${words}` }).waitFor();
  }
  await input('Searched').check();
  await submit();
  await saved();
  const [definition] = (await admin.get('/api/custom-fields')).body.data;
  expect(definition).toMatchObject({ key: 'costCentre', resources: RESOURCES, searched: true });
  for (const [key, more] of Object.entries({
    buyer: { label: 'Buyer', type: 'reference', target: 'people' },
    words: { label: 'Words', type: 'tags' },
    neededOn: { label: 'Needed on', type: 'date' },
  })) {
    await admin.make('/api/custom-fields', { key, resources: RESOURCES, ...more });
  }
  await page.goto(`${service.url}/#/`);
  await page.reload();
  expect(complaints).toEqual([]);
});

itInBrowser('are asked for in each line of an order, and shown with it', async () => {
  const { page, show, complaints } = opened;
  await show('/purchase-orders/new');
  await page.locator('#field-orderNumber').fill('PO-1');
  for (const [index, name] of ['Switch', 'Cable'].entries()) {
    await line(index + 1)
      .getByLabel('Name')
      .fill(name);
    await line(index + 1)
      .getByLabel('Quantity', { exact: true })
      .fill('1');
  }
  // The table scrolls, not the page.
  expect(await page.evaluate(faultsOfLayout)).toEqual([]);
  await line(2).getByLabel('Cost centre').fill('4711');
  await line(2).getByLabel('Buyer', { exact: true }).fill('Ada Lovelace');
  await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
  await page.keyboard.press('Enter');
  // A word that was removed leaves no empty line.
  await line(3).getByLabel('Words', { exact: true }).fill('mistaken');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove mistaken' }).click();
  await submit();
  await saved();
  const [order] = (await admin.get('/api/purchase-orders')).body.data;
  expect(order.items.map(({ customFields }: { customFields: object }) => customFields)).toEqual([
    {},
    { costCentre: '4711', buyer: person.id },
  ]);
  const table = page.locator('.fields table');
  expect(await textsOf(table.locator('th'))).toEqual(expect.arrayContaining(['Cost centre', 'Buyer']));
  await table.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  expect(await textsOf(table.locator('tbody tr').last().locator('td'))).toEqual(
    expect.arrayContaining(['Cable', '4711', 'Ada Lovelace']),
  );
  expect(complaints).toEqual([]);
});

itInBrowser('are asked for with an update of an incident, and shown with it', async () => {
  const { page, show, complaints } = opened;
  const { id } = await admin.make('/api/incidents', { name: 'Outage' });
  await show(`/incidents/${id}`);
  await page.getByLabel('New update').fill('Found it');
  await page.getByLabel('Cost centre').fill('4712');
  await page.getByRole('button', { name: 'Post' }).click();
  const entry = page.locator('.timeline li', { hasText: 'Found it' });
  await entry.locator('dt', { hasText: 'Cost centre' }).waitFor();
  expect(await textsOf(entry.locator('dd'))).toEqual(['4712']);
  expect(complaints).toEqual([]);
});

itInBrowser('are found by the search, each with words that lead to its record', async () => {
  const { page, show, complaints } = opened;
  const { id } = await admin.make('/api/assets', { name: 'Laptop' });
  await admin.post(`/api/assets/${id}/assign`, { personId: person.id, customFields: { costCentre: '4713' } });
  await show('/search?q=471');
  const found = page.locator('.results li');
  await found.first().waitFor();
  expect((await textsOf(found.locator('.found'))).toSorted()).toEqual([
    'Asset assignment by cost centre',
    'Cable by cost centre',
    'Incident update by cost centre',
  ]);
  expect((await textsOf(found.locator('.chip'))).toSorted()).toEqual([
    'Asset assignment',
    'Incident update',
    'Purchase order item',
  ]);
  await found.getByRole('link', { name: 'Asset assignment by cost centre' }).click();
  await page.getByRole('heading', { name: 'Laptop' }).waitFor();
  expect(complaints).toEqual([]);
});

itInBrowser('have their labels in the search', async () => {
  const { page, show, complaints } = opened;
  await admin.make('/api/custom-fields', {
    key: 'nr',
    label: 'Ticket at the carrier',
    type: 'text',
    resources: ['purchase-order-items', 'devices'],
    searched: true,
  });
  await admin.make('/api/devices', { name: 'edge-1', customFields: { nr: 'T-2201' } });
  await admin.make('/api/purchase-orders', {
    orderNumber: 'PO-2',
    items: [{ name: 'Lift', quantity: 1, customFields: { nr: 'T-2202' } }],
  });
  await page.goto(`${service.url}/#/`);
  await page.reload();
  await show('/search?q=T-220');
  const found = page.locator('.results li .found');
  await found.first().waitFor();
  expect((await textsOf(found)).toSorted()).toEqual([
    'Lift by ticket at the carrier',
    'edge-1 by ticket at the carrier',
  ]);
  expect(complaints).toEqual([]);
});
