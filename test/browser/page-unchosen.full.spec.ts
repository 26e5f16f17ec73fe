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

itInBrowser('takes times as people write them, and nothing else', async () => {
  const { page, show } = opened;
  page.on('dialog', (dialog) => void dialog.accept());
  await show('/maintenance-windows/new');
  await page.getByLabel('Name', { exact: false }).first().fill('Typed times');
  const [start, end] = [page.getByLabel('Start time'), page.getByLabel('End time')];
  await start.fill('SRV-12');
  await end.fill('2031-01-06T10:00');
  await page.getByText('“SRV-12” is no time. Write it as 24/12/2026, 22:00.').waitFor();
  // It is neither lost nor sent.
  await save();
  expect([await start.inputValue(), await start.getAttribute('aria-invalid')]).toEqual(['SRV-12', 'true']);
  expect(await start.evaluate((one) => one === document.activeElement)).toBe(true);
  await start.fill('03/04/2026 09:00');
  expect(await page.getByText('is no time').count()).toBe(0);
  await start.press('Tab');
  expect(await start.inputValue()).toBe('03/04/2026, 09:00');
  // What a relative time means is said at once, and written when the input is left.
  await start.fill('yesterday 22:00');
  const yesterday = await page.evaluate(() => {
    const day = new Date();
    day.setDate(day.getDate() - 1);
    day.setHours(22, 0, 0, 0);
    return { iso: day.toISOString(), said: day.toLocaleDateString('en-GB') };
  });
  const [day, month] = yesterday.said.split('/');
  await page
    .getByRole('status')
    .filter({ hasText: String(Number(day)) })
    .first()
    .waitFor();
  await start.press('Tab');
  expect(await start.inputValue()).toBe(`${day}/${month}/${yesterday.said.slice(-4)}, 22:00`);
  await save();
  await page.locator('.tabs').waitFor();
  expect((await admin.get('/api/maintenance-windows?name=Typed times')).body.data).toMatchObject([
    { startTime: yesterday.iso, endTime: '2031-01-06T09:00:00.000Z' },
  ]);
});

itInBrowser('keeps all of a time that is typed faster than the page is drawn', async () => {
  const { page, show } = opened;
  await show('/maintenance-windows/new');
  const start = page.getByLabel('Start time');
  await start.evaluate(async (input: HTMLInputElement) => {
    for (const key of '2031-01-06T09:00') {
      input.value += key;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((done) => setTimeout(done));
    }
  });
  expect(await start.inputValue()).toBe('2031-01-06T09:00');
});

itInBrowser('offers the calendar of the browser for a time', async () => {
  const { page, show } = opened;
  await show('/contracts/new');
  const input = page.getByLabel('End date');
  await page.evaluate(() => {
    HTMLInputElement.prototype.showPicker = function () {
      this.value = '2031-02-03';
      this.dispatchEvent(new Event('change', { bubbles: true }));
    };
  });
  await page.locator('.control', { has: input }).getByRole('button', { name: 'Calendar' }).click();
  expect(await input.inputValue()).toBe('03/02/2031');
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
