import type { Browser, Locator } from 'playwright-core';
import { Maker } from '../resources/make.js';
import { rows } from '../resources/rows.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { hasBrowser, itInBrowser, launchBrowser } from '../support/browser.js';
import { openPage, type Opened } from '../support/page.js';
import { someOf } from '../support/size.js';

/* The page at `/` in a real browser: every resource, from the declarations. */
let service: TestService;
let admin: Api;
let maker: Maker;
let browser: Browser | undefined;
let opened: Opened;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  maker = new Maker(admin, 'page');
  if (!hasBrowser) return;
  browser = await launchBrowser();
  opened = await openPage(browser, service, admin.cookie);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service.stop();
});
const failures = (): Promise<string[]> => opened.page.locator('main .failure').allInnerTexts();
const heading = (): Promise<string> => opened.page.locator('main h1').innerText();

itInBrowser.each(someOf(rows.map(({ path }) => path)))(
  'shows the list, the record and the forms of %s',
  async (path) => {
    const { page, show } = opened;
    const { path: at, id } = await maker.record(path);
    const record = at.slice(4);
    const list = record.slice(0, -id.length - 1);
    await show(list);
    await page.locator(`main tbody a[href="#${record}"]`).waitFor();
    expect(await failures()).toEqual([]);
    await show(record);
    await page.locator('main .fields dt').first().waitFor();
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
    // The service names the faults of an empty form, unless nothing is required.
    const { required } = rows.find((row) => row.path === path)!;
    if (Object.keys(required).length > 0) {
      await page.locator('main form.form .primary').click();
      await page.locator('main .failure, main .fields').first().waitFor();
      for (const fault of await page.locator('main .fault').all()) expect(await fault.innerText()).not.toBe('');
    }
    if (await page.locator('main .failure').count()) expect(await heading()).toMatch(/^(?:Create|Write|Add)/);
    await show(record);
    const edit = page.locator('main .tools a', { hasText: /^Edit$/ });
    if (await edit.count()) {
      await edit.click();
      await page.locator('main form.form').waitFor();
      expect(await heading()).toMatch(/^Edit /);
    }
  },
  60_000,
);

itInBrowser(
  'shows every other list and picture',
  async () => {
    const { page, show } = opened;
    const links = await page.locator('nav.side a').evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
    expect(links.length).toBeGreaterThan(45);
    for (const link of links) {
      await show(link.slice(1));
      expect([link, await failures(), await heading()]).toEqual([link, [], expect.stringMatching(/\w/)]);
    }
  },
  60_000,
);

itInBrowser('keeps search, filter, order and columns of a list in the address', async () => {
  const { page, show } = opened;
  await admin.make('/api/sites', { name: 'Harbour A', status: 'planned' });
  await admin.make('/api/sites', { name: 'Harbour B', status: 'active' });
  await show('/sites');
  await page.getByLabel('Search this list').fill('harbour');
  await page.waitForURL(/search=harbour/);
  await page.getByText('1 to 2 of 2').waitFor();
  await page.getByRole('button', { name: '+ Filter' }).click();
  await page.getByLabel('Field').selectOption('status');
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

itInBrowser('shows the pictures as wide as its window, and opens them by themselves', async () => {
  const { page, show } = opened;
  const inYear = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
  await admin.make('/api/software-licences', { name: 'Editor', expiryDate: inYear(40).slice(0, 10), cost: '10' });
  const dates = { endDate: inYear(90).slice(0, 10), noticeDate: inYear(60).slice(0, 10) };
  await admin.make('/api/contracts', { name: 'Transit', ...dates, cost: '1', currency: 'EUR' });
  await admin.make('/api/renewals', { name: 'Domain', renewalDate: inYear(20).slice(0, 10) });
  await admin.make('/api/assets', { name: 'Printer', warrantyUntil: inYear(20) });
  await page.setViewportSize({ width: 1000, height: 900 });
  for (const picture of ['/pictures/expirations', '/pictures/on-call']) {
    await show(picture);
    const image = page.locator('main .drawn img');
    const [natural, shown, room] = await image.evaluate(async (element) => {
      await (element as HTMLImageElement).decode();
      const around = element.closest('.drawn')!;
      return [(element as HTMLImageElement).naturalWidth, element.getBoundingClientRect().width, around.clientWidth];
    });
    expect([picture, natural! > room!, shown! <= room!, shown! > 0.9 * room!]).toEqual([picture, true, true, true]);
    const link = page.locator('main .drawn a');
    expect(await link.getAttribute('href')).toBe(await image.getAttribute('src'));
  }
  await page.setViewportSize({ width: 1280, height: 900 });
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
  await page.getByRole('heading', { name: 'Nothing is here' }).waitFor();
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
