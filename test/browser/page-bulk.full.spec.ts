import { axeFindings } from '../support/axe.js';
import { itInBrowser } from '../support/browser.js';
import { countClicks } from '../support/clicks.js';
import { admin, opened, usePage } from '../support/page.js';

/* One field of all ticked rows: first a preview of the changes, then one request. */
usePage({}, async () => {
  for (const name of ['one', 'two', 'three'])
    await admin.make('/api/assets', { name, assetTag: name, status: name === 'two' ? 'retired' : 'in_stock' });
});

const statuses = async (): Promise<[string, string][]> =>
  (await admin.get('/api/assets?sort=createdAt')).body.data.map(({ name, status }: Record<string, string>) => [
    name,
    status,
  ]);

itInBrowser('changes one field of the ticked rows, after a dry run, in one request', async () => {
  const { page, show, complaints } = opened;
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') requests.push(new URL(request.url()).pathname + new URL(request.url()).search);
  });
  await show('/assets');
  for (const name of ['one', 'two']) await page.getByRole('row', { name }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Change a field' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change a field of 2 records' });
  await dialog.getByLabel('Field', { exact: true }).selectOption('status');
  await dialog.getByRole('radio', { name: 'Retired' }).check();
  await dialog.getByText('1 of 2 would change. Nothing is written yet.').waitFor();
  expect(await statuses()).toEqual([
    ['one', 'in_stock'],
    ['two', 'retired'],
    ['three', 'in_stock'],
  ]);
  expect(await axeFindings(page, 'dialog')).toEqual([]);
  await dialog.getByRole('button', { name: 'Change 1 record' }).click();
  await page.getByText('Status of 1 record changed').waitFor();
  expect(await statuses()).toEqual([
    ['one', 'retired'],
    ['two', 'retired'],
    ['three', 'in_stock'],
  ]);
  expect(requests).toEqual(['/api/assets/bulk?dryRun=true', '/api/assets/bulk']);
  expect(await page.getByRole('button', { name: 'Change a field' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

itInBrowser('changes a field of twelve ticked records in three clicks', async () => {
  const { page, show } = opened;
  const operations = Array.from({ length: 12 }, (_, at) => ({ op: 'create', data: { name: `clicked-${at}` } }));
  expect(
    (
      await admin.post('/api/vlans/bulk', {
        operations: operations.map(({ op, data }, at) => ({ op, data: { ...data, vid: at + 2 } })),
      })
    ).status,
  ).toBe(200);
  await show('/vlans?search=clicked-');
  await page.getByLabel('Tick all of this page').check();
  const clicks = await countClicks(page);
  await page.getByRole('button', { name: 'Change a field' }).click();
  await page.getByRole('radio', { name: 'Deprecated' }).click();
  await page.getByText('12 of 12 would change. Nothing is written yet.').waitFor();
  await page.getByRole('button', { name: 'Change 12 records' }).click();
  await page.getByText('Status of 12 records changed').waitFor();
  expect(await clicks()).toBe(3);
  expect((await admin.get('/api/vlans?search=clicked-&status=deprecated')).body.total).toBe(12);
});

itInBrowser('empties a field, and does not take the choice of none for one', async () => {
  const { page, show } = opened;
  await show('/vlans?search=clicked-1');
  for (const { id } of (await admin.get('/api/vlans?search=clicked-1')).body.data)
    await admin.patch(`/api/vlans/${id}`, { description: 'in the way' });
  await page.getByLabel('Tick all of this page').check();
  await page.getByRole('button', { name: 'Change a field' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Field', { exact: true }).selectOption('description');
  expect(await dialog.getByRole('button', { name: /^Change/ }).isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Empty it' }).click();
  await dialog.getByRole('button', { name: 'Change 3 records' }).click();
  await page.getByText('Description of 3 records changed').waitFor();
  expect((await admin.get('/api/vlans?search=clicked-1&description__empty=true')).body.total).toBe(3);
});

itInBrowser('selects all records of a filter over its pages, as many as one request changes', async () => {
  const { page, show, complaints } = opened;
  const operations = Array.from({ length: 217 }, (_, at) => ({ op: 'create', data: { name: `all-${at}` } }));
  expect((await admin.post('/api/regions/bulk', { operations })).status).toBe(200);
  await admin.make('/api/regions', { name: 'not among them' });
  await show('/regions?search=all-');
  await page.getByLabel('Tick all-0', { exact: true }).check();
  expect(await page.getByRole('button', { name: /^Select all/ }).count()).toBe(0);
  await page.getByLabel('Tick all of this page').check();
  await page.getByText('50 ticked').waitFor();
  await page.getByRole('button', { name: 'Select all 217' }).click();
  await page.getByText('217 ticked').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('51 to 100 of 217').waitFor();
  expect(await page.locator('tbody input:not(:checked)').count()).toBe(0);
  await page.getByRole('button', { name: 'Change a field' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change a field of 217 records' });
  await dialog.getByLabel('Field', { exact: true }).selectOption('description');
  await dialog.getByLabel('Description', { exact: true }).fill('of all');
  await dialog.getByRole('button', { name: 'Change 217 records' }).click();
  await page.getByText('Description of 217 records changed').waitFor();
  expect((await admin.get('/api/regions?description=of all')).body.total).toBe(217);
  // All of them are deleted and restored.
  await page.getByLabel('Tick all of this page').check();
  await page.getByRole('button', { name: 'Select all 217' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete 217 records' }).click();
  await page.getByText('217 records deleted').waitFor();
  expect((await admin.get('/api/regions')).body.data).toMatchObject([{ name: 'not among them' }]);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('of 217').waitFor();
  // A list that is too long for one request says so.
  const more = Array.from({ length: 800 }, (_, at) => ({ op: 'create', data: { name: `all-more-${at}` } }));
  expect((await admin.post('/api/regions/bulk', { operations: more })).status).toBe(200);
  await show('/regions?search=all-&sort=name');
  await page.getByLabel('Tick all of this page').check();
  await page.getByText('The list has 1,017, and a request changes at most 1,000').waitFor();
  expect(await page.getByRole('button', { name: /^Select all/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

itInBrowser('moves through rows with j and k, ticks with x, and opens with Enter', async () => {
  const { page, show } = opened;
  await show('/vendors?search=nothing');
  for (const name of ['k1', 'k2', 'k3', 'k4']) await admin.make('/api/vrfs', { name });
  await show('/vrfs?search=k&sort=name');
  const key = (...keys: string[]): Promise<void[]> =>
    keys.reduce<Promise<void[]>>(
      async (before, one) => [...(await before), await page.keyboard.press(one)],
      Promise.resolve([]),
    );
  const focused = (): Promise<string> => page.evaluate(() => (document.activeElement as HTMLElement).innerText);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await key('j', 'j');
  expect(await focused()).toBe('k2');
  await key('x', 'j', 'j', 'Shift+X');
  await page.getByText('3 ticked').waitFor();
  await key('k', 'x');
  await page.getByText('2 ticked').waitFor();
  expect(await focused()).toBe('k3');
  // At the end of the list, `j` does nothing. In an input, it is a letter.
  await key('j', 'j', 'j');
  expect(await focused()).toBe('k4');
  await page.getByRole('searchbox', { name: 'Search this list' }).focus();
  await key('j');
  expect(await page.getByRole('searchbox', { name: 'Search this list' }).inputValue()).toBe('kj');
  await show('/vrfs?search=k&sort=name');
  await page.getByRole('link', { name: 'k1' }).focus();
  await key('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  for (const one of ['j k', 'x', 'F1']) await keys.getByText(one, { exact: true }).waitFor();
  await key('Escape');
  await page.waitForFunction(() => (document.activeElement as HTMLElement).innerText === 'k1');
  await key('j', 'Enter');
  await page.getByRole('heading', { name: 'k2' }).waitFor();
});

itInBrowser('names the record that a value is refused for', async () => {
  const { page, show } = opened;
  await show('/people');
  const people = ['Ada', 'Grace'];
  for (const fullName of people) await admin.make('/api/people', { fullName });
  await page.reload();
  for (const name of people) await page.getByRole('row', { name }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Change a field' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Field', { exact: true }).selectOption('email');
  await dialog.getByLabel('Email', { exact: true }).fill('same@example.com');
  await dialog.getByText(/Grace: email/).waitFor();
  expect((await admin.get('/api/people?email__empty=false')).body.total).toBe(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
});

itInBrowser('means the ticked rows that the list shows, and no others', async () => {
  const { page, show } = opened;
  await show('/assets');
  for (const name of ['one', 'two']) await page.getByRole('row', { name }).getByRole('checkbox').check();
  await page.getByText('2 ticked').waitFor();
  await show('/assets?name=two');
  await page.getByText('1 ticked').waitFor();
  await show('/assets?name=three');
  await page.getByRole('row', { name: 'three' }).waitFor();
  expect(await page.getByRole('button', { name: 'Change a field' }).count()).toBe(0);
});

itInBrowser('ticks a range with Shift, keeps ticks over pages, and deletes all of them with one Undo', async () => {
  const { page, show, complaints } = opened;
  for (let at = 1; at <= 12; at++)
    await admin.make('/api/vendors', { name: `Bulk vendor ${String(at).padStart(2, '0')}` });
  const { data } = (await admin.get('/api/vendors?search=Bulk vendor 02')).body;
  for (const name of ['one', 'two']) await admin.make('/api/contracts', { name, vendorId: data[0].id });
  const tick = (at: string) => page.getByLabel(`Tick Bulk vendor ${at}`, { exact: true });
  await show('/vendors?search=Bulk vendor&pageSize=10');
  await tick('02').click();
  await tick('05').click({ modifiers: ['Shift'] });
  await page.getByText('4 ticked').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await tick('12').click();
  await page.getByText('5 ticked').waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 5 records' });
  const row = dialog.getByRole('row', { name: /Contracts/ });
  await row.getByRole('cell', { name: '2', exact: true }).waitFor();
  expect(await axeFindings(page, 'dialog')).toEqual([]);
  await dialog.getByRole('button', { name: 'Delete 5 records' }).click();
  await page.getByText('5 records deleted').waitFor();
  const total = async (): Promise<number> => (await admin.get('/api/vendors?search=Bulk vendor')).body.total;
  expect(await total()).toBe(7);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('1 to 10 of 12').or(page.getByText('11 to 12 of 12')).waitFor();
  expect(await total()).toBe(12);
  // Another filter starts without ticks.
  await show('/vendors?search=Bulk vendor 0');
  expect(await page.locator('tbody input:checked').count()).toBe(0);
  expect(complaints).toEqual([]);
});

itInBrowser('asks for the name of what much refers to', async () => {
  const { page, show } = opened;
  const { id: siteId } = await admin.make('/api/sites', { name: 'Much referred to' });
  const operations = Array.from({ length: 50 }, (_, at) => ({ op: 'create', data: { name: `of-much-${at}`, siteId } }));
  expect((await admin.post('/api/devices/bulk', { operations })).status).toBe(200);
  await show(`/sites/${siteId}`);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete' });
  const name = dialog.getByLabel(/50 records refer to it/);
  await name.waitFor();
  const erase = dialog.getByRole('button', { name: 'Delete', exact: true });
  expect(await erase.isDisabled()).toBe(true);
  await name.fill('Much referred to');
  expect(await erase.isDisabled()).toBe(false);
  await dialog.getByRole('button', { name: 'Keep it' }).click();
});
