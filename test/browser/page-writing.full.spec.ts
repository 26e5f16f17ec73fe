import { axeFindings } from '../support/axe.js';
import { itInBrowser } from '../support/browser.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';

/* Writing in the page at `/`, and its use by others. */
usePage();

itInBrowser('shows both versions to the second of two people, and saves what she decides', async () => {
  const { page, show } = opened;
  const site = await admin.make('/api/sites', { name: 'Depot', facility: 'D1' });
  await show(`/sites/${site.id}/edit`);
  await page.getByLabel('Facility').fill('mine');
  await admin.patch(`/api/sites/${site.id}`, { facility: 'theirs' });
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('theirs', { exact: true }).waitFor();
  expect((await admin.get(`/api/sites/${site.id}`)).body.data.facility).toBe('theirs');
  await dialog.getByRole('button', { name: 'Continue with my values' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.tabs').waitFor();
  expect((await admin.get(`/api/sites/${site.id}`)).body.data.facility).toBe('mine');
});

itInBrowser.each([
  { choice: 'Continue with my values', kept: { facility: 'mine', description: 'typed', timeZone: 'Europe/Oslo' } },
  { choice: 'Take theirs', kept: { facility: 'theirs', description: null, timeZone: 'Europe/Oslo' } },
])('fills the form with the values of the choice "$choice", and saves only then', async ({ choice, kept }) => {
  const { page, show, complaints } = opened;
  const { id } = await admin.make('/api/sites', { name: `Depot of ${choice}`, facility: 'D1' });
  const shown = async (): Promise<object> => ({
    facility: await page.getByLabel('Facility').inputValue(),
    description: (await page.getByLabel('Description').inputValue()) || null,
    timeZone: (await page.getByLabel('Time zone').inputValue()) || null,
  });
  await show(`/sites/${id}/edit`);
  await page.getByLabel('Facility').fill('mine');
  await page.getByLabel('Description').fill('typed');
  await admin.patch(`/api/sites/${id}`, { facility: 'theirs', timeZone: 'Europe/Oslo' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: choice }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await shown()).toEqual(kept);
  const theirs = { facility: 'theirs', description: null, timeZone: 'Europe/Oslo' };
  expect((await admin.get(`/api/sites/${id}`)).body.data).toMatchObject(theirs);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.tabs').waitFor();
  expect((await admin.get(`/api/sites/${id}`)).body.data).toMatchObject(kept);
  expect(complaints).toEqual([]);
});

itInBrowser('receives an order with what is left of it', async () => {
  const { page, show } = opened;
  const items = [{ name: 'Access switch', quantity: 2 }];
  const order = await admin.make('/api/purchase-orders', { orderNumber: 'PO-77', items, status: 'ordered' });
  await show(`/purchase-orders/${order.id}`);
  await page.getByRole('link', { name: 'Receive', exact: true }).click();
  await page.locator('form.form .primary').click();
  await page.locator('main a.button.primary, main .tabs, main .failure').first().waitFor();
  expect(await page.locator('main .failure, main .faulty').allInnerTexts()).toEqual([]);
  expect((await admin.get(`/api/purchase-orders/${order.id}`)).body.data.status).toBe('received');
});

itInBrowser('deletes a record, and restores it', async () => {
  const { page, show, complaints } = opened;
  const site = await admin.make('/api/sites', { name: 'Annex' });
  const { id } = await admin.make('/api/people', { fullName: 'Mary Jackson', siteId: site.id });
  await show(`/people/${id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Nothing refers to it').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'People', exact: true }).waitFor();
  expect((await admin.get(`/api/people/${id}`)).status).toBe(404);
  await show(`/people/${id}`);
  await page.getByRole('button', { name: 'Restore it' }).click();
  await page.getByRole('heading', { name: 'Mary Jackson' }).waitFor();
  expect((await admin.get(`/api/people/${id}`)).body.data.siteId).toBe(site.id);
  expect(complaints).toEqual([]);
});

itInBrowser('does not delete what somebody has changed meanwhile', async () => {
  const { page, show } = opened;
  const { id } = await admin.make('/api/people', { fullName: 'Ada Changed' });
  await show(`/people/${id}`);
  await page.getByRole('heading', { name: 'Ada Changed' }).waitFor();
  await admin.patch(`/api/people/${id}`, { jobTitle: 'Engineer' });
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('Somebody has changed it').waitFor();
  expect((await admin.get(`/api/people/${id}`)).status).toBe(200);
});

itInBrowser('hands out an asset, and allocates an address', async () => {
  const { page, show } = opened;
  const person = await admin.make('/api/people', { fullName: 'Katherine Johnson' });
  const asset = await admin.make('/api/assets', { name: 'Laptop 12' });
  await show(`/assets/${asset.id}`);
  await page.getByRole('link', { name: 'Hand out', exact: true }).click();
  await page.getByLabel('Person').first().fill('Katherine');
  await page.getByRole('option', { name: 'Katherine Johnson' }).click();
  await page.locator('form.form .primary').click();
  await page.locator('main a.button.primary, main .tabs, main .failure').first().waitFor();
  expect(await page.locator('main .failure, main .faulty').allInnerTexts()).toEqual([]);
  const { data } = (await admin.get(`/api/assets/${asset.id}/assignments`)).body;
  expect(data).toMatchObject([{ personId: person.id }]);

  const prefix = await admin.make('/api/prefixes', { prefix: '192.0.2.0/29' });
  await show(`/prefixes/${prefix.id}`);
  await page
    .locator('main a.button', { hasText: /address/i })
    .first()
    .click();
  await page.locator('form.form .primary').click();
  await page.locator('main a.button.primary, main .tabs, main .failure').first().waitFor();
  expect(await page.locator('main .failure, main .faulty').allInnerTexts()).toEqual([]);
  expect((await admin.get('/api/ip-addresses?within=192.0.2.0/29')).body.total).toBe(1);
});

itInBrowser('covers a part of a shift', async () => {
  const { page, show } = opened;
  const [own, other] = [
    await admin.make('/api/people', { fullName: 'Dorothy Vaughan' }),
    await admin.make('/api/people', { fullName: 'Christine Darden' }),
  ];
  const shift = { startTime: '2030-01-07T08:00:00.000Z', endTime: '2030-01-08T08:00:00.000Z' };
  const { id } = await admin.make('/api/on-call-schedules', { name: 'Network', personId: own.id, ...shift });
  await show(`/on-call-schedules/${id}`);
  await page.getByRole('link', { name: 'Swap or cover', exact: true }).click();
  await page.getByLabel('Person').first().fill('Christine');
  await page.getByRole('option', { name: 'Christine Darden' }).click();
  await page.getByLabel('Start time').fill('2030-01-07T20:00');
  await page.locator('form.form .primary').click();
  await page.locator('main a.button.primary, main .tabs, main .failure').first().waitFor();
  expect(await page.locator('main .failure, main .faulty').allInnerTexts()).toEqual([]);
  const { data } = (await admin.get('/api/on-call-schedules?name=Network&sort=startTime')).body;
  expect(data.map((each: { personId: string; startTime: string }) => [each.personId, each.startTime])).toEqual([
    [own.id, shift.startTime],
    [other.id, new Date('2030-01-07T20:00').toISOString()],
  ]);
});

itInBrowser('tells who makes a person inactive of the shifts ahead', async () => {
  const { page, show, complaints } = opened;
  const { id: personId } = await admin.make('/api/people', { fullName: 'Leaving Soon' });
  const names = ['First week', 'Second week'];
  for (const [n, name] of names.entries()) {
    const startTime = new Date(Date.now() + n * 86_400_000).toISOString();
    const endTime = new Date(Date.now() + (n + 1) * 86_400_000).toISOString();
    await admin.make('/api/on-call-schedules', { name, rotation: 'Leaving', personId, startTime, endTime });
  }
  await show(`/people/${personId}/edit`);
  await page.getByLabel('Status').selectOption('inactive');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: '2 shifts ahead' }).click();
  await page.getByRole('heading', { name: 'Shifts', exact: true }).waitFor();
  for (const name of names) await page.locator('main tbody').getByText(name, { exact: true }).waitFor();
  // A save without further messages returns at once.
  await show(`/people/${personId}/edit`);
  await page.getByLabel('Full name').fill('Has Left');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Has Left', exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

itInBrowser('loses nothing that was typed when the session ends', async () => {
  const password = 'a passphrase of the page 2';
  const email = 'typist@example.com';
  await admin.make('/api/profiles', { email, password, role: 'editor', areas: ['network'] });
  const { page, show } = await openPage(browser!, service, undefined);
  const log = async (): Promise<void> => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
  };
  await log();
  await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
  await show('/sites/new');
  await page.getByLabel('Name', { exact: false }).first().fill('Typed for an hour');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await log();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Typed for an hour' }).waitFor();
  expect((await admin.get('/api/sites?name=Typed%20for%20an%20hour')).body.total).toBe(1);
  await page.context().close();
});

itInBrowser('shows hostile names as text', async () => {
  const { page, show, complaints } = opened;
  const name = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  const { id } = await admin.make('/api/sites', { name });
  await show(`/sites/${id}`);
  expect(await page.locator('main h1').innerText()).toBe(name);
  expect(await page.locator('main img[src="x"], main script').count()).toBe(0);
  expect(complaints).toEqual([]);
});

itInBrowser.each(['light', 'dark'] as const)(
  'has no fault that axe finds, in %s',
  async (colorScheme) => {
    const { page, show } = opened;
    const site = await admin.make('/api/sites', { name: `Axe in ${colorScheme}` });
    await admin.patch(`/api/sites/${site.id}`, { facility: 'A1' });
    const rack = await admin.make('/api/racks', { name: 'R1', units: 42, siteId: site.id });
    const addresses = [
      ...[
        '',
        '/sites',
        '/sites/new',
        '/pictures/prefixes',
        '/change-log',
        `/sites/${site.id}`,
        `/sites/${site.id}/edit`,
      ],
      ...[
        `/sites/${site.id}?tab=history`,
        `/sites/${site.id}?tab=impact`,
        `/racks/${rack.id}`,
        `/racks/${rack.id}?tab=elevation`,
      ],
    ];
    await page.emulateMedia({ colorScheme });
    try {
      const faults: Record<string, unknown> = {};
      for (const address of addresses) {
        await show(address);
        faults[address] = await axeFindings(page);
      }
      await show(`/sites/${site.id}`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').waitFor();
      faults.dialog = await axeFindings(page);
      expect(faults).toEqual(Object.fromEntries([...addresses, 'dialog'].map((name) => [name, []])));
    } finally {
      await page.emulateMedia({ colorScheme: null });
    }
  },
  120_000,
);

itInBrowser(
  'is used with the keyboard alone: searches, opens, edits and saves a record, and closes a dialog',
  async () => {
    const { page, show } = opened;
    const { id } = await admin.make('/api/sites', { name: 'Keyboard Harbour', facility: 'K1' });
    const { keyboard } = page;
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const { activeElement: element } = document;
        return (element?.getAttribute('aria-label') ?? (element as HTMLElement | null)?.innerText ?? '').trim();
      });
    /** Presses Tab until the element with this name has the focus. */
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 80; presses++) {
        if ((await focused()) === name) return;
        await keyboard.press('Tab');
      }
      throw new Error(`${name} is not reached with Tab; the focus is at ${await focused()}`);
    };
    await show('');
    await keyboard.press('/');
    await keyboard.type('Keyboard Harb');
    await page.getByRole('option', { name: 'Keyboard Harbour' }).first().waitFor();
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Keyboard Harbour' }).waitFor();
    expect(page.url()).toContain(`/sites/${id}`);
    await tabTo('Edit');
    await keyboard.press('Enter');
    await page.getByLabel('Facility').waitFor();
    for (let presses = 0; presses < 80; presses++) {
      if (await page.getByLabel('Facility').evaluate((element) => element === document.activeElement)) break;
      await keyboard.press('Tab');
    }
    await keyboard.press('Control+A');
    await keyboard.type('K2');
    await keyboard.press('Enter');
    await page.locator('.tabs').waitFor();
    expect((await admin.get(`/api/sites/${id}`)).body.data.facility).toBe('K2');
    await tabTo('Delete');
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The focus returns to the button.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Delete');
    expect((await admin.get(`/api/sites/${id}`)).status).toBe(200);
  },
);
