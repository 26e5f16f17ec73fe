import type { Locator } from 'playwright-core';
import { Maker } from '../resources/make.js';
import { rows } from '../resources/rows.js';
import { itInBrowser } from '../support/browser.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';

/* The page at `/` in a real browser: every resource, from the declarations. */
let maker: Maker;
usePage();
beforeAll(() => {
  maker = new Maker(admin, 'page');
});
const failures = (): Promise<string[]> => opened.page.locator('main .failure').allInnerTexts();
const heading = (): Promise<string> => opened.page.locator('main h1').innerText();

itInBrowser.each(rows.map(({ path }) => path))('shows the list, the record and the forms of %s', async (path) => {
  const { page, show } = opened;
  const { path: at, id } = await maker.record(path);
  const record = at.slice(4);
  const list = record.slice(0, -id.length - 1);
  await show(list);
  await page.locator(`main tbody a[href="#${record}"]`).waitFor();
  expect(await failures()).toEqual([]);
  await show(record);
  // Empty fields are folded, so of a record without values only the facts are visible.
  await page.locator('main .fields dt').first().waitFor({ state: 'attached' });
  await page.locator('main :is(.facts, .fields) dt:visible').first().waitFor();
  expect(await heading()).not.toBe('');
  for (const tab of await page
    .locator('.tabs a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!))) {
    await show(tab.slice(1));
    await page.locator(`.tabs a[aria-current][href="${tab}"]`).waitFor();
    expect([tab, await failures()]).toEqual([tab, []]);
  }
  await show(`${list}/new`);
  await page.locator('main form.form').waitFor();
  // The service reports the faults of an empty form, unless nothing is required.
  const { required } = rows.find((row) => row.path === path)!;
  if (Object.keys(required).length > 0) {
    await page.locator('main form.form .primary').click();
    await page.locator('main .failure, main .fields').first().waitFor();
    for (const fault of await page.locator('main .fault').all()) expect(await fault.innerText()).not.toBe('');
  }
  if (await page.locator('main .failure').count())
    expect(await heading()).toMatch(/^(?:Create|Write|Add|Draw|Hand out)/);
  await show(record);
  const edit = page.locator('main .tools a', { hasText: /^Edit$/ });
  if (await edit.count()) {
    await edit.click();
    await page.locator('main form.form').waitFor();
    expect(await heading()).toMatch(/^Edit /);
  }
});

itInBrowser('shows every other list and picture', async () => {
  const { page, show } = opened;
  const links = await page.locator('nav.side a').evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
  expect(links.length).toBeGreaterThan(45);
  for (const link of links) {
    await show(link.slice(1));
    expect([link, await failures(), await heading()]).toEqual([link, [], expect.stringMatching(/\w/)]);
  }
});

itInBrowser('keeps search, filter, order and columns of a list in the address', async () => {
  const { page, show } = opened;
  await admin.make('/api/sites', { name: 'Harbour A', status: 'planned' });
  await admin.make('/api/sites', { name: 'Harbour B', status: 'active' });
  await show('/sites');
  await page.getByLabel('Search this list').fill('harbour');
  await page.waitForURL(/search=harbour/);
  await page.getByText('1 to 2 of 2').waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.locator('.new-filter').getByLabel('Field').selectOption('status');
  await page.getByLabel('Value').fill('planned');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('1 to 1 of 1').waitFor();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await page.waitForURL(/sort=name/);
  await page.locator('summary', { hasText: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Status' }).click();
  await page.waitForURL(/columns=/);
  await page.reload();
  await page.getByText('1 to 1 of 1').waitFor();
  expect(await page.locator('main tbody a.name').allInnerTexts()).toEqual(['Harbour A']);
  expect(await page.locator('main thead th').allInnerTexts()).not.toContain('Status');
  const csv = await page.getByRole('link', { name: 'CSV' }).getAttribute('href');
  const { text } = await admin.get(csv!);
  expect(text.trim().split('\n').length).toBe(2);
  expect(text).toContain('Harbour A');
});

itInBrowser('finds everything by the keyboard alone', async () => {
  const { page, show } = opened;
  const { id } = await admin.make('/api/runbooks', { name: 'Zebra failover' });
  await show('');
  await page.keyboard.press('/');
  await page.keyboard.type('zebra');
  await page.locator('#matches [role="option"]').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`#/runbooks/${id}$`));
  await page.getByRole('heading', { name: 'Zebra failover' }).waitFor();
  expect(await failures()).toEqual([]);
});

itInBrowser('says on Today that who is on call is inactive, and that nobody covers the shift', async () => {
  const { page, show } = opened;
  const onCall = async (rotation: string, status: string): Promise<void> => {
    const { id: personId } = await admin.make('/api/people', { fullName: `Person of ${rotation}`, status });
    await admin.make('/api/on-call-schedules', { name: rotation, rotation, personId, startTime: '2026-01-01' });
  };
  await onCall('Covered', 'active');
  await onCall('Left alone', 'inactive');
  await show('/people');
  await show('');
  const card = page.getByRole('region', { name: 'On call', exact: true });
  const noteOf = (roster: string): Locator => card.getByRole('listitem').filter({ hasText: roster }).locator('.note');
  expect(await noteOf('Left alone').locator('.alarm').innerText()).toBe('Person of Left alone (inactive)');
  expect(await noteOf('Covered').innerText()).toBe('Person of Covered');
  expect(await noteOf('Covered').locator('.alarm').count()).toBe(0);
});

itInBrowser('sorts the rosters of Today as people count', async () => {
  const { page, show } = opened;
  for (const rotation of ['Team 10', 'Team 2', 'Team 1'])
    await admin.make('/api/on-call-schedules', { name: rotation, rotation, startTime: '2026-01-01' });
  await show('/people');
  await show('');
  const names = page.getByRole('region', { name: 'On call', exact: true }).locator('.main', { hasText: /^Team/ });
  await names.first().waitFor();
  expect(await names.allInnerTexts()).toEqual(['Team 1', 'Team 2', 'Team 10']);
});

itInBrowser('draws the year: each month and kind leads to its entries', async () => {
  const { page, show, complaints } = opened;
  const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await admin.make('/api/contracts', {
    name: 'Transit',
    endDate: inDays(90),
    noticeDate: inDays(60),
    cost: '1',
    currency: 'EUR',
  });
  await admin.make('/api/assets', { name: 'Printer', warrantyUntil: inDays(90) });
  await show('/pictures/expirations');
  await page.getByRole('link', { name: /^Warranty, .*: 1$/ }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/kind=warranty/);
  await page.locator('main .lines').getByRole('link', { name: 'Printer' }).waitFor();
  expect(await page.locator('main .lines').getByRole('link', { name: 'Transit' }).count()).toBe(0);
  // All amounts of a month are added exactly, not as floating-point numbers.
  const data = { name: 'Small', endDate: inDays(200), cost: '0.10', currency: 'EUR' };
  const operations = Array.from({ length: 1001 }, () => ({ op: 'create', data }));
  for (const some of [operations.slice(1), operations.slice(0, 1)])
    expect((await admin.post('/api/contracts/bulk', { operations: some })).status).toBe(200);
  await show('/contracts');
  await show(`/pictures/expirations?month=${inDays(200).slice(0, 7)}`);
  await page.locator('main .card h2', { hasText: '1001' }).getByText('100.10 EUR', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

itInBrowser('draws the timeline: it moves through time and zones, and each shift is a link', async () => {
  const { page, show, complaints } = opened;
  const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
  const { id } = await admin.make('/api/people', { fullName: 'Timeline Tess' });
  await admin.make('/api/on-call-schedules', { name: 'Drawn', personId: id, startTime: at(-1), endTime: at(72) });
  await show('/pictures/on-call');
  const shift = page.locator('main .drawn').getByRole('link', { name: /^Timeline Tess, Drawn/ });
  await shift.waitFor();
  const sizes = await page
    .locator('main .drawn text')
    .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(12);
  await page.getByLabel('Time zone').selectOption('Pacific/Auckland');
  await page.locator('main .meta', { hasText: 'Pacific/Auckland' }).waitFor();
  await page.getByRole('button', { name: 'Later' }).click();
  await shift.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Today' }).click();
  await shift.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Drawn' }).waitFor();
  expect(complaints).toEqual([]);
});

itInBrowser('draws the prefixes: where each lies in the topmost one, with a list on a narrow screen', async () => {
  const { page, show, complaints } = opened;
  const of = { '10.81.0.0/16': '', '10.81.0.0/18': '', '10.81.128.0/17': '', '10.81.192.0/18': '' };
  for (const prefix of Object.keys(of))
    of[prefix as keyof typeof of] = (await admin.make('/api/prefixes', { prefix })).id;
  await show('/pictures/prefixes');
  const drawing = page.locator('main .drawn');
  const link = (prefix: string): Locator => drawing.getByRole('link', { name: `${prefix}, 0 % in use` });
  await link('10.81.192.0/18').waitFor();
  const barOf = async (prefix: string): Promise<{ x: number; width: number }> =>
    (await link(prefix).locator('.part').boundingBox())!;
  const [whole, quarter, half, last] = await Promise.all(Object.keys(of).map(barOf));
  expect(quarter!.x).toBeCloseTo(whole!.x, 0);
  expect(quarter!.width / whole!.width).toBeCloseTo(0.25, 1);
  expect((half!.x - whole!.x) / whole!.width).toBeCloseTo(0.5, 1);
  expect((last!.x - whole!.x) / whole!.width).toBeCloseTo(0.75, 1);
  const sizes = await drawing
    .locator('text')
    .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(12);
  // The keyboard also hides and shows the contents of a prefix.
  const within = drawing.getByRole('button', { name: 'Prefixes within 10.81.0.0/16' });
  await within.focus();
  await page.keyboard.press('Enter');
  await link('10.81.0.0/18').waitFor({ state: 'detached' });
  await page.keyboard.press(' ');
  await link('10.81.0.0/18').waitFor();
  const { width, height } = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height });
  await page.locator('main .as-list').getByRole('link', { name: '10.81.0.0/18' }).waitFor();
  expect(await drawing.isVisible()).toBe(false);
  await page.setViewportSize({ width, height });
  await link('10.81.128.0/17').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: '10.81.128.0/17' }).waitFor();
  expect(page.url()).toContain(of['10.81.128.0/17']);
  expect(complaints).toEqual([]);
});

itInBrowser('shows only what the session may see and do', async () => {
  const viewer = await service.as('viewer', ['network']);
  const site = await admin.make('/api/sites', { name: 'Only to look at' });
  const { page, show, complaints } = await openPage(browser!, service, viewer.cookie);
  expect(await page.locator('nav.side').getByText('Runbooks').count()).toBe(0);
  expect(await page.locator('nav.side').getByText('Profiles').count()).toBe(0);
  await show(`/sites/${site.id}`);
  await page.getByRole('heading', { name: 'Only to look at' }).waitFor();
  expect(
    await page
      .locator('main .tools')
      .getByText(/Edit|Delete/)
      .count(),
  ).toBe(0);
  await show(`/sites/${site.id}/edit`);
  await page.getByRole('heading', { name: 'Not found' }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

itInBrowser('asks to log in without a session, and says what is wrong', async () => {
  const password = 'a passphrase of the page 1';
  await admin.make('/api/profiles', { email: 'reader@example.com', password, role: 'viewer' });
  const { page, complaints } = await openPage(browser!, service, undefined);
  await page.getByLabel('Email').fill('reader@example.com');
  await page.getByLabel('Password').fill('something else');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Wrong email or password').waitFor();
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
  await page.locator('.user summary').click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

itInBrowser('breaks no rule of its content security policy, and asks no other origin', () => {
  expect(opened.complaints).toEqual([]);
});
