import { hasBrowser, itInBrowser } from '../support/browser.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';

/* Earlier defects of the page: things that people could not do or see. */

/** The questions of the browser, and whether a view that asks may be left. */
const asked: string[] = [];
let isLeaving = true;
usePage({ permissions: ['clipboard-read', 'clipboard-write'] });
beforeAll(() => {
  if (!hasBrowser) return;
  opened.page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void (isLeaving ? dialog.accept() : dialog.dismiss());
  });
});

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/i;
const submit = (): Promise<void> => opened.page.locator('form.form .primary').click();
/** The text of the view, without the addresses of the test people, which contain an id. */
const shownText = async (): Promise<string> =>
  (await opened.page.locator('main').innerText()).replaceAll(/\S+@example\.com/g, '');
const heading = (name: string): Promise<void> => opened.page.getByRole('heading', { name, exact: true }).waitFor();

itInBrowser.each([
  { list: 'tokens', secret: 'Token', fill: { Name: 'nightly job' } },
  { list: 'calendar-feeds', secret: 'URL', fill: { Name: 'my shifts' }, kind: 'my_shifts' },
  { list: 'webhooks', secret: 'Secret', fill: { Name: 'chat', URL: 'https://hooks.example.com/1' } },
])('shows the secret of $list once, to copy, and asks before it is left', async ({ list, secret, fill, kind }) => {
  const { page, show, complaints } = opened;
  await show(`/${list}/new`);
  for (const [label, value] of Object.entries(fill)) await page.getByLabel(label).first().fill(value);
  if (kind) await page.getByLabel('Kind', { exact: false }).first().selectOption({ index: 1 });
  await submit();
  const once = page.getByLabel(secret, { exact: true });
  await once.waitFor();
  const value = await once.inputValue();
  expect(value.length).toBeGreaterThan(20);
  await page.getByText('Store it now').waitFor();
  isLeaving = false;
  const asking = page.waitForEvent('dialog');
  await page.evaluate(() => (location.hash = ''));
  await asking;
  await page.waitForURL(new RegExp(`#/${list}/new$`));
  isLeaving = true;
  expect(asked.at(-1)).toContain('not shown again');
  expect(await once.inputValue()).toBe(value);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.locator('.tabs').waitFor();
  expect(await shownText()).not.toContain(value);
  expect(complaints).toEqual([]);
});

itInBrowser('shows the new secret of a webhook', async () => {
  const { page, show } = opened;
  const { id, secret } = await admin.make('/api/webhooks', { name: 'pager', url: 'https://hooks.example.com/2' });
  await show(`/webhooks/${id}`);
  await page.getByRole('link', { name: 'Replace the secret' }).click();
  await submit();
  const once = page.getByLabel('Secret', { exact: true });
  await once.waitFor();
  expect(await once.inputValue()).not.toBe(secret);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.locator('.tabs').waitFor();
});

itInBrowser('shows what an update and a delivery say, and no id', async () => {
  const { page, show } = opened;
  const { id: webhook } = await admin.make('/api/webhooks', {
    name: 'deliveries',
    url: 'https://hooks.example.com/4',
    resources: ['devices'],
  });
  const device = await admin.make('/api/devices', { name: 'Delivered switch' });
  const incident = await admin.make('/api/incidents', { name: 'Power cut' });
  await admin.make(`/api/incidents/${incident.id}/updates`, { message: 'The fuse was replaced' });
  await show(`/incidents/${incident.id}?tab=updates`);
  await page.locator('tbody').getByText('The fuse was replaced').waitFor();
  expect(await shownText()).not.toMatch(UUID);
  await admin.post(`/api/webhooks/${webhook}/test`, {});
  await show(`/webhooks/${webhook}?tab=deliveries`);
  await page.locator('tbody tr').first().waitFor();
  expect(await shownText()).not.toMatch(UUID);
  const links = await page.locator('tbody a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  for (const link of links.filter((one) => one?.startsWith('#/devices/'))) expect(link).toBe(`#/devices/${device.id}`);
});

itInBrowser('names everything by its name: prefixes, ports, people, shifts', async () => {
  const { page, show } = opened;
  await admin.make('/api/prefixes', { prefix: '10.44.0.0/16' });
  const child = await admin.make('/api/prefixes', { prefix: '10.44.1.0/24' });
  await show(`/prefixes/${child.id}`);
  await page.locator('main dl').getByText('10.44.0.0/16').waitFor();
  const device = await admin.make('/api/devices', { name: 'Ported' });
  const port = await admin.make(`/api/devices/${device.id}/ports`, { name: 'xe-0/0/1' });
  await show('/ip-addresses/new');
  await page.getByLabel('Address', { exact: false }).first().fill('10.44.1.9/24');
  await page.getByLabel('Device', { exact: true }).fill('Ported');
  await page.getByRole('option', { name: 'Ported' }).click();
  await page.getByLabel('Interface', { exact: true }).fill('xe-0');
  await page.getByRole('option', { name: 'xe-0/0/1' }).click();
  await submit();
  await heading('10.44.1.9/24');
  const { data } = (await admin.get('/api/ip-addresses?address=10.44.1.9/24')).body;
  expect(data).toMatchObject([{ deviceId: device.id, interfaceId: port.id }]);
  await page.locator('main dl').getByText('xe-0/0/1').waitFor();
  expect(await shownText()).not.toMatch(UUID);
});

itInBrowser('plans a rotation with people by their names', async () => {
  const { page, show } = opened;
  const people = [];
  for (const fullName of ['Ada Rota', 'Grace Rota']) people.push(await admin.make('/api/people', { fullName }));
  await show('/on-call-schedules');
  await page.getByRole('link', { name: /rotation/i }).click();
  await page.getByLabel('Roster').fill('Weekly');
  for (const name of ['Grace Rota', 'Ada Rota']) {
    await page.getByRole('combobox', { name: /^People/ }).fill(name);
    await page.getByRole('option', { name }).click();
  }
  await page.getByLabel('From', { exact: true }).fill('2031-03-03T09:00');
  await page.getByLabel('Until', { exact: true }).fill('2031-03-17T09:00');
  await page.getByRole('region', { name: 'Preview' }).getByText('Ada Rota').waitFor();
  expect(await shownText()).not.toMatch(UUID);
  await page.getByRole('button', { name: 'Plan 2 shifts' }).click();
  await heading('Shifts');
  expect(await shownText()).not.toMatch(UUID);
  const { data } = (await admin.get('/api/on-call-schedules?rotation=Weekly&sort=startTime')).body;
  expect(data.map(({ personId }: { personId: string }) => personId)).toEqual([people[1].id, people[0].id]);
});

itInBrowser('hides passwords that are typed', async () => {
  const { page, show } = opened;
  await show('/profiles/new');
  expect(await page.getByLabel('Password').getAttribute('type')).toBe('password');
});

itInBrowser('offers the known words of a status, and asks about one that is nearly known', async () => {
  const { page, show } = opened;
  const { id } = await admin.make('/api/assets', { name: 'Old server', status: 'in_stock' });
  await show(`/assets/${id}/edit`);
  const status = page.getByLabel('Status', { exact: true });
  const words = await status.locator('option').allInnerTexts();
  expect(words).toEqual(expect.arrayContaining(['Retired', 'Other…']));
  await status.selectOption('Other…');
  await page.getByLabel('Status, another word').fill('retierd');
  await page.getByRole('button', { name: 'retired', exact: true }).click();
  expect(await status.inputValue()).toBe('retired');
  await submit();
  await page.locator('.tabs').waitFor();
  expect((await admin.get(`/api/assets/${id}`)).body.data.status).toBe('retired');
  await show(`/assets/${id}/edit`);
  await status.selectOption('Other…');
  await page.getByLabel('Status, another word').fill('on loan');
  await submit();
  await page.locator('.tabs').waitFor();
  expect((await admin.get(`/api/assets/${id}`)).body.data.status).toBe('on loan');
});

itInBrowser('takes a time that is pasted as ISO 8601, and now', async () => {
  const other = await openPage(browser!, service, admin.cookie, {
    timezoneId: 'Asia/Tokyo',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page, show } = other;
  await show('/incidents/new');
  await page.getByText('Asia/Tokyo').first().waitFor();
  await page.evaluate(() => navigator.clipboard.writeText('2031-05-01T12:00:00Z'));
  await page.getByLabel('Detected at').focus();
  await page.keyboard.press('Control+V');
  expect(await page.getByLabel('Detected at').inputValue()).toMatch(/^05\/01\/2031, 09:00\sPM$/);
  await page
    .locator('.control', { has: page.getByLabel('Detected at') })
    .getByRole('button', { name: 'Now' })
    .click();
  expect(await page.getByLabel('Detected at').inputValue()).toContain(`/${new Date().getFullYear()}, `);
  await page.context().close();
});

itInBrowser('shows a condition with nothing in it, on Today, in lists and in the history', async () => {
  const { page, show, complaints } = opened;
  const conditions = { resources: ['devices'], where: { after: { status: [null, 'active'] } } };
  const { id } = await admin.make('/api/webhooks', {
    name: 'conditional',
    url: 'https://hooks.example.com/3',
    ...conditions,
  });
  await admin.patch(`/api/webhooks/${id}`, { where: { after: { status: [null] } } });
  for (const address of ['', '/webhooks', `/webhooks/${id}`, `/webhooks/${id}?tab=history`, '/change-log?order=desc']) {
    await show(address);
    expect([address, await page.locator('main .failure').allInnerTexts()]).toEqual([address, []]);
  }
  expect(complaints).toEqual([]);
});

itInBrowser('allocates the addresses that are described, and offers only what the state allows', async () => {
  const { page, show } = opened;
  const prefix = await admin.make('/api/prefixes', { prefix: '10.45.0.0/24' });
  await show(`/prefixes/${prefix.id}/do/allocateIps`);
  await page.getByLabel('DNS name').fill('printer.example.com');
  await submit();
  await heading('10.45.0.0/24');
  const { data } = (await admin.get('/api/ip-addresses?within=10.45.0.0/24')).body;
  expect(data).toMatchObject([{ dnsName: 'printer.example.com' }]);
  await page.getByRole('status').getByText(data[0].address).waitFor();

  const { id } = await admin.make('/api/assets', { name: 'Tablet' });
  const person = await admin.make('/api/people', { fullName: 'Holder' });
  const actions = (): Promise<string[]> => page.locator('main .title .tools a').allInnerTexts();
  await show(`/assets/${id}`);
  expect(await actions()).toEqual(['Hand out', 'Edit']);
  await admin.post(`/api/assets/${id}/assign`, { personId: person.id });
  await show('/sites');
  await show(`/assets/${id}`);
  expect(await actions()).toEqual(['Take back', 'Edit']);
  const items = [{ name: 'Cable', quantity: 1 }];
  const order = await admin.make('/api/purchase-orders', { orderNumber: 'PO-45', items, status: 'ordered' });
  await admin.post(`/api/purchase-orders/${order.id}/receive`, {
    items: [{ itemId: order.items[0].id, quantity: 1, assets: [{}] }],
  });
  await show(`/purchase-orders/${order.id}`);
  expect(await actions()).toEqual(['Edit']);
});

itInBrowser('takes an exact name on Tab, offers more, the beginning first, and what is at the site', async () => {
  const { page, show } = opened;
  const [here, there] = [
    await admin.make('/api/sites', { name: 'Here' }),
    await admin.make('/api/sites', { name: 'There' }),
  ];
  await admin.make('/api/locations', { name: 'Zeta hall', siteId: here.id });
  await admin.make('/api/locations', { name: 'Zeta attic', siteId: there.id });
  for (let n = 1; n <= 26; n++) await admin.make('/api/manufacturers', { name: `Maker ${String(n).padStart(2, '0')}` });
  await admin.make('/api/manufacturers', { name: 'The Maker' });
  await show('/devices/new');
  await page.getByLabel('Name', { exact: false }).first().fill('Picky');
  const site = page.getByLabel('Site', { exact: true });
  await site.pressSequentially('here');
  await page.keyboard.press('Tab');
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.id !== 'field-siteId');
  await page.waitForFunction(() => (document.querySelector('#field-siteId') as HTMLInputElement).value === 'Here');
  await page.getByLabel('Location', { exact: true }).fill('zeta');
  await page.getByRole('option', { name: 'Zeta hall' }).waitFor();
  expect(await page.getByRole('option', { name: 'Zeta attic' }).count()).toBe(0);
  await page.getByRole('option', { name: 'Zeta hall' }).click();
  await submit();
  await heading('Picky');
  expect((await admin.get('/api/devices?name=Picky')).body.data[0].siteId).toBe(here.id);

  await show('/device-types/new');
  const maker = page.getByLabel('Manufacturer', { exact: true });
  await maker.fill('maker');
  const options = page.locator('#field-manufacturerId-found [role="option"]');
  await page.getByText(/\d+ more/).waitFor();
  expect((await options.allInnerTexts())[0]).toMatch(/^Maker/);
  await page.getByText(/\d+ more/).dispatchEvent('mousedown');
  await page.waitForFunction(
    () => document.querySelectorAll('#field-manufacturerId-found [role="option"]').length > 15,
  );
  await maker.fill('No such maker');
  await page.keyboard.press('Tab');
  await page.getByText('Nothing is named “No such maker”.').waitFor();
  await maker.fill('');
  await page.keyboard.press('Tab');
});

itInBrowser('says what was done, and takes it back', async () => {
  const { page, show, complaints } = opened;
  await show('/sites/new');
  await page.getByLabel('Name', { exact: false }).first().fill('Toasted');
  await submit();
  await heading('Toasted');
  const said = page.getByRole('status').filter({ hasText: 'Toasted' });
  await said.getByText('Site Toasted created').waitFor();
  const [{ id }] = (await admin.get('/api/sites?name=Toasted')).body.data;
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Facility').fill('T1');
  await submit();
  const undone = page.waitForResponse((response) => response.request().method() !== 'GET');
  await page.locator('.toast', { hasText: 'Toasted saved' }).getByRole('button', { name: 'Undo' }).click();
  await undone;
  await page.locator('.toast', { hasText: 'Toasted saved' }).waitFor({ state: 'detached' });
  await page.waitForFunction(() => !document.querySelector('main dl')?.textContent?.includes('T1'));
  expect((await admin.get(`/api/sites/${id}`)).body.data.facility).toBeNull();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await heading('Sites');
  await page.locator('.toast', { hasText: 'Toasted deleted' }).getByRole('button', { name: 'Undo' }).click();
  await heading('Toasted');
  expect((await admin.get(`/api/sites/${id}`)).status).toBe(200);
  expect(complaints).toEqual([]);
});

itInBrowser('goes on with the owner after a part was added', async () => {
  const { page, show } = opened;
  const device = await admin.make('/api/devices', { name: 'Growing' });
  await show(`/devices/${device.id}/ports/new`);
  await page.getByLabel('Name', { exact: false }).first().fill('eth7');
  await submit();
  await heading('Growing');
  await page.locator('.tabs a[aria-current]', { hasText: 'Ports' }).waitFor();
  await page.locator('tbody').getByText('eth7').waitFor();
  expect(page.url()).toMatch(new RegExp(`#/devices/${device.id}\\?tab=ports$`));
});

itInBrowser('says so if a new incident could not get its systems', async () => {
  const { page, show, complaints } = opened;
  await admin.make('/api/devices', { name: 'db-without-incident' });
  await page.route('**/targets/bulk', (route) =>
    route.fulfill({ status: 409, contentType: 'application/json', body: '{"error":"The systems are locked"}' }),
  );
  await show('/incidents/new');
  await page.getByLabel('Name').first().fill('Half an incident');
  await page.getByLabel('Systems', { exact: true }).fill('db-without');
  await page.getByRole('option', { name: 'db-without-incident' }).click();
  await submit();
  await heading('Half an incident');
  await page
    .getByText('Incident Half an incident created, but its systems could not be added: The systems are locked')
    .waitFor();
  await page.unroute('**/targets/bulk');
  expect((await admin.get('/api/incidents?name=Half an incident')).body.total).toBe(1);
  // The note stays until somebody closes it.
  await page.locator('.toast.faulty').getByRole('button', { name: 'Close' }).click();
  expect(await page.locator('.toast.faulty').count()).toBe(0);
  expect(complaints).toEqual([]);
});

itInBrowser('calls a record by its new name once it is changed', async () => {
  const { page, show } = opened;
  const site = await admin.make('/api/sites', { name: 'Before' });
  const filter = page.locator('.filter');
  await show(`/racks?siteId=${site.id}`);
  await filter.getByText('Before').waitFor();
  await show(`/sites/${site.id}/edit`);
  await page.getByLabel('Name').first().fill('After');
  await submit();
  await heading('After');
  await show(`/racks?siteId=${site.id}`);
  await filter.getByText('After').waitFor();
  expect(await filter.getByText('Before').count()).toBe(0);
});
