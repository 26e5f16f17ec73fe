import { itInBrowser } from '../support/browser.js';
import { admin, opened, usePage } from '../support/page.js';

/* Names that were typed but not chosen, pasted times, and keys of input methods. */
let berlin: string;
usePage({ timezoneId: 'Europe/Amsterdam', locale: 'en-GB' }, async () => {
  for (const name of ['Amsterdam', 'Berlin East']) await admin.make('/api/sites', { name });
  berlin = (await admin.make('/api/sites', { name: 'Berlin' })).id;
  await admin.make('/api/custom-fields', { resources: ['sites'], key: 'marks', label: 'Marks', type: 'tags' });
});

const save = (): Promise<void> => opened.page.locator('form.form .primary').click();

itInBrowser('stops the save for a name that stands for nothing, and keeps it', async () => {
  const { page, show } = opened;
  await show('/devices/new');
  await page.getByLabel('Name', { exact: false }).first().fill('unchosen-1');
  const site = page.getByRole('combobox', { name: 'Site' });
  await site.fill('ams-leaf-99');
  await site.press('Tab');
  await page.getByText('Nothing is named “ams-leaf-99”.').waitFor();
  expect(await site.inputValue()).toBe('ams-leaf-99');
  expect(await site.getAttribute('aria-invalid')).toBe('true');
  await save();
  expect(await site.inputValue()).toBe('ams-leaf-99');
  expect((await admin.get('/api/devices?name=unchosen-1')).body.total).toBe(0);
  // Of several matches, the exact one is chosen.
  await site.fill('berlin');
  await save();
  await page.locator('.tabs').waitFor();
  expect((await admin.get('/api/devices?name=unchosen-1')).body.data).toMatchObject([{ siteId: berlin }]);
});

itInBrowser('takes the only system that a text means', async () => {
  const { page, show } = opened;
  await show('/incidents/new');
  await page.getByLabel('Name', { exact: false }).first().fill('Power lost');
  await page.getByRole('combobox', { name: 'Systems' }).fill('Amsterdam');
  await save();
  await page.locator('.tabs').waitFor();
  const [{ id }] = (await admin.get('/api/incidents?name=Power%20lost')).body.data;
  expect((await admin.get(`/api/incidents/${id}/targets`)).body.data).toMatchObject([{ resource: 'sites' }]);
});

itInBrowser('takes pasted times in the order of the language, and nothing else', async () => {
  const { page, show } = opened;
  page.on('dialog', (dialog) => void dialog.accept());
  await show('/maintenance-windows/new');
  const input = page.getByLabel('Start time');
  const paste = (text: string): Promise<void> =>
    input.evaluate((element, given) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', given);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  await paste('SRV-12');
  await page.getByText('is no time').waitFor();
  expect(await input.inputValue()).toBe('');
  await paste('03/04/2026 09:00');
  await page.getByText('is no time').waitFor({ state: 'detached' });
  expect(await input.inputValue()).toBe('2026-04-03T09:00');
});

itInBrowser('leaves the keys of a word that an input method composes alone', async () => {
  const { page, show } = opened;
  const session = await page.context().newCDPSession(page);
  const compose = (text: string): Promise<unknown> =>
    session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  /** Enter accepts the composed word. Safari sends this key with code 229 after the word is accepted. */
  const taking = async (text: string): Promise<void> => {
    const enter = { type: 'rawKeyDown', key: 'Enter', code: 'Enter' } as const;
    await session.send('Input.dispatchKeyEvent', { ...enter, windowsVirtualKeyCode: 13 });
    await session.send('Input.insertText', { text });
    await session.send('Input.dispatchKeyEvent', { ...enter, windowsVirtualKeyCode: 229 });
  };
  await admin.make('/api/regions', { name: 'Berlin' });
  await show('/sites/new');
  const marks = page.getByLabel('Marks', { exact: true });
  await marks.focus();
  await compose('はくりん');
  await taking('伯林');
  expect([await marks.inputValue(), await page.getByRole('button', { name: /^Remove / }).count()]).toEqual(['伯林', 0]);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove 伯林' }).waitFor();
  // Nor does it choose a suggested record or open a search result.
  const region = page.getByRole('combobox', { name: 'Region' });
  await region.focus();
  await compose('Berlin');
  await page.getByRole('option', { name: 'Berlin' }).waitFor();
  await taking('Berlin');
  await page.getByRole('option', { name: 'Berlin' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'Berlin' }).waitFor({ state: 'hidden' });
  const search = page.getByRole('combobox', { name: 'Search everything' });
  await search.focus();
  await compose('Amsterdam');
  await page.getByRole('option', { name: /Amsterdam/ }).waitFor();
  await taking('Amsterdam');
  await page.getByRole('option', { name: /Amsterdam/ }).waitFor();
  expect([await search.inputValue(), await page.evaluate(() => location.hash)]).toEqual(['Amsterdam', '#/sites/new']);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Amsterdam' }).waitFor();
});
