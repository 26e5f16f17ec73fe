import type { Locator } from 'playwright-core';
import { hasBrowser, itInBrowser } from '../support/browser.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';

/* Restoring former values. Values that the log does not contain, and later changes of others, stay. */
usePage();
// Removes the messages of the test before.
beforeEach(async () => {
  if (hasBrowser) await opened.page.reload();
});

const LICENCES = '/api/software-licences';
const undo = (): Locator => opened.page.locator('.entry').getByRole('button', { name: 'Undo' });
const bringBack = (): Locator => opened.page.getByRole('button', { name: 'Bring this back' });
const said = (text: string): Promise<void> => opened.page.locator('.toasts').getByText(text, { exact: true }).waitFor();
const STALE = 'Somebody has changed it since it was shown. Look at it again';
/** Goes to the first state of the current record. */
async function goBack(): Promise<void> {
  await opened.page.getByLabel('Through time').fill('0');
  await opened.page.locator('.moments.past').waitFor();
  await opened.page.locator('.now').first().waitFor();
}
const valueOf = async (path: string, name: string): Promise<unknown> => (await admin.get(path)).body.data[name];
/** Creates a record and changes one field from `first` to `second`. */
async function changed(list: string, name: string, more: object): Promise<string> {
  const { id } = await admin.make(`/api${list}`, { ...more, [name]: 'first' });
  await admin.patch(`/api${list}/${id}`, { [name]: 'second' });
  return `${list}/${id}`;
}

itInBrowser('undoes a change without the secret in it, and says so', async () => {
  const { page, show, complaints } = opened;
  const { id } = await admin.make(LICENCES, { name: 'Undone', licenceKey: 'KEY-1', seats: 5 });
  const path = `${LICENCES}/${id}`;
  await admin.patch(path, { licenceKey: 'KEY-2', seats: 6 });
  await show(`/software-licences/${id}?tab=history`);
  await undo().click();
  await page.locator('.toast').waitFor();
  expect((await admin.get(path)).body.data).toMatchObject({ licenceKey: 'KEY-2', seats: 5 });
  await said('The last change is undone, but not Licence key: the log keeps no secrets');
  await admin.patch(path, { licenceKey: 'KEY-3' });
  await page.reload();
  await page.locator('.entry').nth(3).waitFor();
  expect(await undo().count()).toBe(0);
  expect(complaints).toEqual([]);
});

itInBrowser('brings back a state without the secret, and does not show that it had none', async () => {
  const { page, show, complaints } = opened;
  const { id } = await admin.make(LICENCES, { name: 'Brought', licenceKey: 'KEY-1', notes: 'first' });
  const path = `${LICENCES}/${id}`;
  await admin.patch(path, { notes: 'second' });
  await show(`/software-licences/${id}`);
  await page.getByText('KEY-1').waitFor();
  await goBack();
  const differing = await page.locator('.differs dt').allInnerTexts();
  await bringBack().click();
  await page.locator('.toast').waitFor();
  expect((await admin.get(path)).body.data).toMatchObject({ licenceKey: 'KEY-1', notes: 'first' });
  await said('Brought back, but not Licence key: the log keeps no secrets');
  expect(differing).toEqual(['Notes']);
  expect(complaints).toEqual([]);
});

itInBrowser('refuses to undo if somebody has changed the record since, and shows what it is then', async () => {
  const { page, show } = opened;
  const at = await changed('/sites', 'facility', { name: 'Contested' });
  await show(`${at}?tab=history`);
  await undo().waitFor();
  await admin.patch(`/api${at}`, { facility: 'third' });
  await undo().click();
  await said(STALE);
  expect(await valueOf(`/api${at}`, 'facility')).toBe('third');
  await page.locator('.entry').nth(2).waitFor();
  await undo().click();
  await said('The last change is undone');
  expect(await valueOf(`/api${at}`, 'facility')).toBe('second');
  await page.keyboard.press('z');
  await page.locator('.entry').nth(4).waitFor();
  expect(await valueOf(`/api${at}`, 'facility')).toBe('third');
});

itInBrowser('undoes the last change of a record that is older than the view', async () => {
  const { page, show } = opened;
  const at = await changed('/sites', 'facility', { name: 'Viewed before' });
  await show(at);
  await admin.patch(`/api${at}`, { facility: 'third' });
  await page.getByRole('link', { name: 'History' }).click();
  await page.locator('.entry').nth(2).waitFor();
  await undo().click();
  await said('The last change is undone');
  expect(await valueOf(`/api${at}`, 'facility')).toBe('second');
});

itInBrowser('undoes the last change of an order whose lines have changed since', async () => {
  const items = [{ name: 'Optic', quantity: 2 }];
  const at = await changed('/purchase-orders', 'notes', { orderNumber: 'PO-undo', items });
  const path = `/api${at}`;
  const before = await valueOf(path, 'updatedAt');
  await admin.patch(path, { items: [{ name: 'Optic', quantity: 3 }] });
  expect(await valueOf(path, 'updatedAt')).not.toBe(before);
  await opened.show(`${at}?tab=history`);
  await undo().click();
  await said('The last change is undone');
  expect(await valueOf(path, 'notes')).toBe('first');
});

itInBrowser('refuses to bring back a state if somebody has changed the record since', async () => {
  const at = await changed('/sites', 'facility', { name: 'Contested too' });
  await opened.show(at);
  await goBack();
  await admin.patch(`/api${at}`, { facility: 'third' });
  await bringBack().click();
  await said(STALE);
  expect(await valueOf(`/api${at}`, 'facility')).toBe('third');
  // By then the page shows the value that would be replaced.
  await opened.page.locator('.now', { hasText: 'third' }).waitFor();
  await bringBack().click();
  await said('Brought back');
  expect(await valueOf(`/api${at}`, 'facility')).toBe('first');
});

itInBrowser('does not approve a change that somebody has rejected', async () => {
  const { page, show } = opened;
  const { id } = await admin.make('/api/change-requests', { name: 'Disputed', status: 'submitted' });
  await show(`/change-requests/${id}`);
  await page.getByRole('button', { name: 'Approve' }).click();
  await admin.patch(`/api/change-requests/${id}`, { status: 'rejected' });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await said(STALE);
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' });
  expect(await valueOf(`/api/change-requests/${id}`, 'status')).toBe('rejected');
});

itInBrowser('offers no way back to a secret that the user could not read', async () => {
  const { id } = await admin.make(LICENCES, { name: 'Sealed', licenceKey: 'KEY-1' });
  const { page, show } = await openPage(browser!, service, (await service.as('editor')).cookie);
  await show(`/software-licences/${id}/edit`);
  await page.getByLabel('Licence key').fill('KEY-2');
  await page.locator('form.form .primary').click();
  const toast = page.locator('.toast', { hasText: 'Sealed saved' });
  await toast.waitFor();
  expect(await valueOf(`${LICENCES}/${id}`, 'licenceKey')).toBe('KEY-2');
  expect(await toast.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await page.context().close();
});

describe('a request that wrote many records', () => {
  /** Creates a device with a range of ports in the page. */
  async function ranged(): Promise<string> {
    const { id } = await admin.make('/api/devices', { name: 'Of a range' });
    const { page, show } = opened;
    await show(`/devices/${id}/ports/new`);
    await page.locator('form.form').getByLabel('Name').first().fill('eth[1-3]');
    await page.locator('form.form .primary').click();
    await said('3 ports created');
    return `/api/devices/${id}/ports`;
  }
  const countOf = async (path: string): Promise<number> => (await admin.get(path)).body.total;

  itInBrowser('is taken back by its note', async () => {
    const ports = await ranged();
    expect(await countOf(ports)).toBe(3);
    await opened.page.locator('.toast', { hasText: '3 ports created' }).getByRole('button', { name: 'Undo' }).click();
    await opened.page.getByText('There are no ports yet.').waitFor();
    expect(await countOf(ports)).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  itInBrowser('is one entry of the change log, and is taken back from there', async () => {
    const { page, show, complaints } = opened;
    const ports = await ranged();
    await show('/change-log');
    const entry = page.locator('.history.card > .entry', { hasText: 'created 3' }).first();
    await entry.getByText('3 entries').click();
    await entry.getByText('eth2').waitFor();
    await entry.getByRole('button', { name: 'Undo' }).first().click();
    await said('Taken back');
    expect(await countOf(ports)).toBe(0);
    await page.locator('.history.card > .entry', { hasText: 'deleted 3' }).first().waitFor();
    await page.locator('.toast', { hasText: 'Taken back' }).getByRole('button', { name: 'Undo' }).click();
    await page.locator('.history.card > .entry').first().filter({ hasText: 'created 3' }).waitFor();
    expect(await countOf(ports)).toBe(3);
    expect(complaints).toEqual([]);
  });

  itInBrowser('stays as it is if one of them was changed since, and the page says which', async () => {
    const { page } = opened;
    const ids = await Promise.all(
      ['one', 'two'].map(async (name) => (await admin.make('/api/vrfs', { name, description: 'first' })).id as string),
    );
    await admin.post('/api/vrfs/bulk', {
      operations: ids.map((id) => ({ op: 'update', id, data: { description: 'second' } })),
    });
    await admin.patch(`/api/vrfs/${ids[0]}`, { description: 'third' });
    // The page may still show the change log from before.
    await opened.show('/');
    await opened.show('/change-log');
    const entry = page.locator('.history.card > .entry', { hasText: 'changed 2' }).first();
    await entry.getByRole('button', { name: 'Undo' }).first().click();
    await page.locator('.toast.faulty', { hasText: 'description' }).waitFor();
    expect(await valueOf(`/api/vrfs/${ids[1]}`, 'description')).toBe('second');
  });
});
