import { itInBrowser } from '../support/browser.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';

/* Typed text, choices and scroll positions stay. */
usePage();

/** Does something that makes the page ask, and answers. @returns the question */
async function answering(how: 'accept' | 'dismiss', act: () => Promise<unknown>): Promise<string> {
  // The form asks after the page has drawn the typed text.
  await opened.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));
  const [asked] = await Promise.all([
    opened.page.waitForEvent('dialog').then(async (dialog) => {
      const message = dialog.message();
      await dialog[how]();
      return message;
    }),
    act(),
  ]);
  return asked;
}
const leave = (): Promise<unknown> => opened.page.evaluate(() => void (location.hash = '/sites'));
const back = (): Promise<unknown> => opened.page.evaluate(() => history.back());
const heading = (name: string): Promise<void> => opened.page.getByRole('heading', { name, exact: true }).waitFor();

itInBrowser('a declined Back leaves the history as it is', async () => {
  const { page, show } = opened;
  await show('/sites');
  await show('/vendors');
  await show('/sites/new');
  await page.getByLabel(/^Name/).fill('Half typed');
  expect(await answering('dismiss', back)).toBe('Leave without saving what you typed?');
  await page.waitForFunction(() => location.hash === '#/sites/new');
  expect(await page.getByLabel(/^Name/).inputValue()).toBe('Half typed');
  // A declined link adds no entry to the history.
  await answering('dismiss', () => page.getByRole('link', { name: 'Devices', exact: true }).first().click());
  await page.waitForFunction(() => location.hash === '#/sites/new');
  await answering('accept', back);
  await heading('Vendors');
  await back();
  await heading('Sites');
  await page.evaluate(() => history.forward());
  await heading('Vendors');
});

itInBrowser('Back leads to where the list was', async () => {
  const { page, show } = opened;
  for (let at = 1; at <= 48; at++) await admin.make('/api/vendors', { name: `${at % 2 ? 'Kept' : 'kept'} ${at}` });
  await show('/vendors?search=Kept&sort=name');
  await page.locator('tbody tr').nth(47).waitFor();
  // Names are sorted as people count: 2 before 10, regardless of case.
  const names = (await page.locator('tbody a.name').allInnerTexts()).slice(0, 3);
  expect(names).toEqual(['Kept 1', 'kept 2', 'Kept 3']);
  const link = page.getByRole('link', { name: 'kept 30', exact: true });
  await page.waitForFunction(() => {
    scrollTo(0, 500);
    return scrollY > 100;
  });
  const height = await page.evaluate(() => scrollY);
  await link.evaluate((one) => (one as HTMLElement).click());
  await page.getByRole('heading', { name: 'kept 30' }).waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  // Going back several steps passes views that start at their top.
  for (const address of ['/sites', '/racks', '/sites']) await show(address);
  for (const name of ['Racks', 'Sites', 'kept 30']) {
    await back();
    await heading(name);
  }
  await back();
  await page.waitForFunction((was) => scrollY === was, height);
  await link.waitFor();
  const stays = (was: number): Promise<boolean> =>
    new Promise((done) => {
      let looks = 20;
      const look = setInterval(() => {
        if (scrollY === was && --looks > 0) return;
        clearInterval(look);
        done(looks === 0);
      }, 10);
    });
  expect(await page.evaluate(stays, height)).toBe(true);
});

itInBrowser('an update, a rotation and their time zone', async () => {
  const { page, show } = opened;
  const incident = await admin.make('/api/incidents', { name: 'Kept' });
  await show(`/incidents/${incident.id}`);
  await page.getByLabel('New update').fill('Half an update');
  expect(await answering('dismiss', leave)).toBe('Leave without posting what you typed?');
  await page.waitForFunction((id) => location.hash === `#/incidents/${id}`, incident.id);
  expect(await page.getByLabel('New update').inputValue()).toBe('Half an update');
  await answering('accept', leave);
  await heading('Sites');
  await show('/on-call-schedules/do/rotateOnCallSchedules');
  const ada = await admin.make('/api/people', { fullName: 'Ada Kept' });
  await page.getByLabel('Roster').fill('Far away');
  await page.getByRole('combobox', { name: /^People/ }).fill('Ada Kept');
  await page.getByRole('option', { name: 'Ada Kept' }).click();
  await page.getByLabel('From', { exact: true }).fill('2031-03-03T09:00');
  await page.getByLabel('Until', { exact: true }).fill('2031-03-10T09:00');
  await page.getByLabel('Time zone').selectOption('Pacific/Auckland');
  await page.getByRole('button', { name: 'Plan 1 shifts' }).click();
  await page.getByRole('heading', { name: 'Shifts', exact: true }).waitFor();
  const { data } = (await admin.get('/api/on-call-schedules?rotation=Far%20away')).body;
  expect(data).toMatchObject([{ personId: ada.id, startTime: '2031-03-02T20:00:00.000Z' }]);
  await show('/on-call-schedules/do/rotateOnCallSchedules');
  await page.getByLabel('Roster').fill('Far away');
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Pacific/Auckland');
  await answering('accept', leave);
  await heading('Sites');
});

itInBrowser('what is typed into a task, and a file that is chosen', async () => {
  const { page, show } = opened;
  const prefix = await admin.make('/api/prefixes', { prefix: '192.0.2.0/24' });
  const leaver = await admin.make('/api/people', { fullName: 'Leaver' });
  const tasks: [address: string, label: string][] = [
    [`/prefixes/${prefix.id}/do/allocateIps`, 'DNS name'],
    [`/people/${leaver.id}/do/offboardPerson`, 'Successor, who takes over shifts, runbooks and incidents'],
    ['/pictures/desk?task=seat', 'Licence'],
  ];
  for (const [address, label] of tasks) {
    await show(address);
    const input = page.getByLabel(label, { exact: true });
    await input.fill('Half');
    expect([address, await answering('dismiss', leave)]).toEqual([address, 'Leave without saving what you typed?']);
    await page.waitForFunction((was) => location.hash === `#${was}`, address);
    expect(await input.inputValue()).toBe('Half');
    await answering('accept', leave);
    await heading('Sites');
  }
  await show('/vendors/import');
  const buffer = Buffer.from('Name\nHalf\n');
  await page.locator('input[type=file]').setInputFiles({ name: 'vendors.csv', mimeType: 'text/csv', buffer });
  await page.getByText('vendors.csv: 1 row').waitFor();
  expect(await answering('dismiss', leave)).toBe('Leave without importing the file?');
  await page.waitForFunction(() => location.hash === '#/vendors/import');
  await page.getByText('vendors.csv: 1 row').waitFor();
  await answering('accept', leave);
  await heading('Sites');
});

itInBrowser('the time zone of a roster that somebody else has planned', async () => {
  for (const timeZone of ['Asia/Tokyo', 'America/New_York', 'Asia/Tokyo'])
    await admin.make('/api/sites', { name: `Site in ${timeZone}`, timeZone });
  const { id } = await admin.make('/api/people', { fullName: 'Grace' });
  const span = { startTime: '2031-01-06T09:00', until: '2031-06-02T09:00', every: 1, unit: 'week' };
  const plan = { name: 'Over there', rotation: 'Over there', personIds: [id], timeZone: 'America/New_York', ...span };
  expect((await admin.post('/api/on-call-schedules/rotation', plan)).status).toBe(201);
  const other = await openPage(browser!, service, admin.cookie, { timezoneId: 'Europe/Berlin' });
  await other.show('/on-call-schedules/do/rotateOnCallSchedules');
  const zone = other.page.getByLabel('Time zone');
  expect(await zone.inputValue()).toBe('Europe/Berlin');
  await other.page.getByLabel('Roster').fill('Over there');
  await other.page.locator('.instant', { hasText: 'America/New_York' }).first().waitFor();
  expect(await zone.inputValue()).toBe('America/New_York');
  await other.page.context().close();
});

itInBrowser('half a name in a row, when the row before it goes', async () => {
  const { page, show } = opened;
  await show('/purchase-orders/new');
  const rows = page.locator('table.entry-rows tbody tr');
  await rows.nth(0).getByLabel('Name').fill('First');
  await rows.nth(1).getByLabel('Name').fill('Second');
  const half = rows.nth(1).getByRole('combobox').first();
  await half.fill('half a na');
  await page.getByRole('button', { name: 'Remove items 1' }).click();
  expect(await rows.nth(0).getByLabel('Name').inputValue()).toBe('Second');
  expect(await rows.nth(0).getByRole('combobox').first().inputValue()).toBe('half a na');
  await answering('accept', leave);
  await heading('Sites');
});

itInBrowser('a page past the end says so, and leads to the last one', async () => {
  const { page, show } = opened;
  await show('/vendors?search=Kept&page=9');
  await page.getByText('This page is past the end: the list has one page.').waitFor();
  expect(await page.getByText(/There are no|Nothing matches/).count()).toBe(0);
  await page.getByRole('button', { name: 'Go to the last page' }).click();
  await page.locator('tbody tr').first().waitFor();
});

itInBrowser('a CSV begins with a byte-order mark', async () => {
  const { page, show } = opened;
  await show('/vendors?search=Kept');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV', exact: true }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  expect([bytes.subarray(0, 6).toString('hex'), download.suggestedFilename()]).toEqual(['efbbbf69642c', 'vendors.csv']);
});

itInBrowser(
  'Today tells an empty inventory from a log of profiles, and a name that could not be read from one that is gone',
  async () => {
    const { page, show } = opened;
    const site = await admin.make('/api/sites', { name: 'Harbour' });
    const [profile] = (await admin.get('/api/change-log?resource=profiles&pageSize=1')).body.data;
    for (const data of [[], Array.from({ length: 50 }, (_, at) => ({ ...profile, id: String(at) }))]) {
      await page.route('**/api/change-log?*', (route) =>
        route.fulfill({ json: { data, total: data.length, page: 1, pageSize: 50, hasMore: false } }),
      );
      await show('/vendors');
      await show('');
      await page.getByRole('region', { name: 'Last changes' }).waitFor();
      expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0);
      await page.unroute('**/api/change-log?*');
    }
    for (const status of [503, 429, undefined]) {
      await page.route('**/api/sites?*', (route) =>
        status ? route.fulfill({ status, json: { error: 'busy' } }) : route.abort(),
      );
      await show('/racks');
      await show(`/racks?siteId=${site.id}`);
      await page.getByText('a site', { exact: true }).first().waitFor();
      expect(await page.getByText(/deleted site/).count()).toBe(0);
      await page.unroute('**/api/sites?*');
    }
    await admin.delete(`/api/sites/${site.id}`);
    await show('/racks');
    await show(`/racks?siteId=${site.id}`);
    await page.getByText('a deleted site', { exact: true }).first().waitFor();
  },
);

itInBrowser('a form is sent again after its answer was lost, as it was or changed', async () => {
  const { page, show } = opened;
  const lost = '**/api/vendors';
  let isLost = true;
  await page.route(lost, async (route) => {
    if (!isLost || route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    await route.abort();
  });
  const create = (): Promise<void> => page.getByRole('button', { name: 'Create', exact: true }).click();
  const stored = async (): Promise<string[]> =>
    (await admin.get('/api/vendors?name__isw=Lost&sort=name')).body.data.map(({ name }: { name: string }) => name);
  const doubt = page.getByText('An earlier attempt may have succeeded: look before you change what you send.');
  for (const [sent, again, expected] of [
    ['Lost one', 'Lost one', ['Lost one']],
    ['Lost three', 'Lost two', ['Lost one', 'Lost three', 'Lost two']],
  ] as const) {
    isLost = true;
    await show('/vendors/new');
    await page.getByLabel(/^Name/).fill(sent);
    await create();
    await doubt.waitFor();
    isLost = false;
    await page.getByLabel(/^Name/).fill(again);
    await create();
    await page.getByRole('heading', { name: again, exact: true }).waitFor();
    expect(await stored()).toEqual(expected);
  }
  await page.unroute(lost);
});

itInBrowser('dates are in English, as the page is, in a browser that is not', async () => {
  const german = await openPage(browser!, service, admin.cookie, { locale: 'de-DE', timezoneId: 'Europe/Berlin' });
  const contract = await admin.make('/api/contracts', { name: 'Kept until', endDate: '2031-03-09' });
  await german.show(`/contracts/${contract.id}`);
  await german.page.getByText('9 Mar 2031').waitFor();
  await german.show('');
  const today = new Date().toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
  expect(await german.page.locator('main .meta').innerText()).toBe(today);
  await german.page.context().close();
});
