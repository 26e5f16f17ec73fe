import { itInBrowser } from '../support/browser.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';

/* The page and the API have the same numbers, dates and texts: typed values are stored, and stored values are shown. */
usePage({ timezoneId: 'Europe/Amsterdam', locale: 'en-GB' });

const save = async (): Promise<void> => {
  const { page } = opened;
  await page.locator('form.form .primary').click();
  await page.locator('.tabs').waitFor();
};

itInBrowser('stores the decimal numbers that are typed', async () => {
  const { page, show } = opened;
  await show('/sites/new');
  await page.getByLabel('Name', { exact: false }).first().fill('Decimal Harbour');
  await page.getByLabel('Latitude').pressSequentially('5.05');
  await page.getByLabel('Longitude').pressSequentially('-0.40');
  await save();
  const { data } = (await admin.get('/api/sites?name=Decimal%20Harbour')).body;
  expect(data).toMatchObject([{ latitude: 5.05, longitude: -0.4 }]);
  const type = await admin.make('/api/device-types', { model: 'Tall one' });
  await show(`/device-types/${type.id}/edit`);
  await page.getByLabel('Height (units)').pressSequentially('1.5');
  await page.getByLabel('Weight', { exact: true }).pressSequentially('4.05');
  await save();
  expect((await admin.get(`/api/device-types/${type.id}`)).body.data).toMatchObject({ uHeight: 1.5, weight: 4.05 });
});

itInBrowser('lets the service name a number that is none', async () => {
  const { page, show } = opened;
  const { id } = await admin.make('/api/sites', { name: 'Numberless', latitude: 1 });
  await show(`/sites/${id}/edit`);
  await page.getByLabel('Latitude').fill('5,05');
  await page.locator('form.form .primary').click();
  await page.locator('.fault', { hasText: 'number' }).waitFor();
  expect(await page.getByLabel('Latitude').inputValue()).toBe('5,05');
  expect((await admin.get(`/api/sites/${id}`)).body.data.latitude).toBe(1);
  await page.getByLabel('Latitude').fill('5.05');
  await save();
});

itInBrowser('takes times in the zone of the reader', async () => {
  const { page, show } = opened;
  await show('/maintenance-windows/new');
  await page.getByLabel('Name', { exact: false }).first().fill('Winter work');
  await page.getByLabel('Start time').fill('2026-12-24T22:00');
  await save();
  const { data } = (await admin.get('/api/maintenance-windows?name=Winter%20work')).body;
  expect(data).toMatchObject([{ startTime: '2026-12-24T21:00:00.000Z' }]);
});

itInBrowser('shows what a list is filtered by as it shows the values of records', async () => {
  const { page, show } = opened;
  await show('/device-ports?enabled=false&createdAt__gte=2026-12-24T21%3A00%3A00Z');
  expect(await page.locator('.filter strong').allInnerTexts()).toEqual(['No', '24 Dec 2026, 22:00']);
});

itInBrowser('filters an instant that means a day by that day, east of Greenwich too', async () => {
  const { page, show } = opened;
  for (const day of ['2026-03-01', '2026-02-28'])
    await admin.make('/api/assets', { name: 'Scanner', warrantyUntil: day });
  await show('/assets');
  await page.getByRole('button', { name: 'Filter' }).click();
  const form = page.locator('.new-filter');
  await form.getByLabel('Field').selectOption({ label: 'Warranty until' });
  await form.getByLabel('Value').fill('2026-03-01');
  await form.getByRole('button', { name: 'Add' }).click();
  await page.getByText('1 to 1 of 1').waitFor({ timeout: 15_000 });
  expect(await page.locator('.filter strong').allInnerTexts()).toEqual(['1 Mar 2026']);
});

itInBrowser('says what could not be shown, in the heading and the name of the window', async () => {
  const { id } = await admin.make('/api/incidents', { name: 'Not for all' });
  const other = await openPage(browser!, service, (await service.as('viewer', [])).cookie);
  await other.show(`/incidents/${id}`);
  await other.page.getByRole('heading', { name: 'Incident', exact: true }).waitFor();
  expect(await other.page.title()).toBe('Incident · Inventory');
  await other.page.getByText('the area operations, which you do not have').waitFor();
  await other.page.context().close();
});

itInBrowser.each([
  // The last Sunday of October has 25 hours, the last one of March has 23.
  { now: '2026-10-25T12:00:00Z', shown: '2026-10-25T22:30:00Z', hidden: '2026-10-25T23:30:00Z' },
  { now: '2026-03-29T12:00:00Z', shown: '2026-03-29T21:30:00Z', hidden: '2026-03-29T22:30:00Z' },
])('ends Today at midnight where the clocks change: $now', async ({ now, shown, hidden }) => {
  for (const [name, scheduledFor] of [
    [`Late on ${now}`, shown],
    [`Day after ${now}`, hidden],
  ])
    await admin.make('/api/change-requests', { name, scheduledFor });
  const day = now.slice(0, 10);
  const windows = {
    'Has no start': { endTime: shown },
    'Has no end': { startTime: shown },
    'Ends at midnight': {
      startTime: new Date(Date.parse(`${day}T00:00+01:00`) - 3_600_000).toISOString(),
      endTime: day > '2026-06' ? '2026-10-24T22:00:00Z' : '2026-03-28T23:00:00Z',
    },
    'Begins tomorrow': { startTime: hidden },
  };
  for (const [name, times] of Object.entries(windows))
    await admin.make('/api/maintenance-windows', { name: `${name} ${now}`, ...times });
  const other = await openPage(browser!, service, admin.cookie, { timezoneId: 'Europe/Amsterdam' });
  await other.page.clock.setFixedTime(new Date(now));
  await other.show('/sites');
  await other.show('');
  const changes = other.page.getByRole('region', { name: 'Changes of today', exact: true });
  await changes.getByText(`Late on ${now}`).waitFor();
  expect(await changes.getByText(`Day after ${now}`).count()).toBe(0);
  const card = other.page.getByRole('region', { name: 'Maintenance windows of today', exact: true });
  await card.getByText(`Has no end ${now}`).waitFor();
  expect((await card.locator('.main', { hasText: now }).allInnerTexts()).toSorted()).toEqual([
    `Has no end ${now}`,
    `Has no start ${now}`,
  ]);
  await other.page.context().close();
});

itInBrowser('shows an instant that means a day as that day, west of Greenwich too', async () => {
  const { id } = await admin.make('/api/assets', { name: 'Warranted', warrantyUntil: '2027-03-01' });
  const { page, show } = await openPage(browser!, service, admin.cookie, {
    timezoneId: 'America/New_York',
    locale: 'en-US',
  });
  await show(`/assets/${id}`);
  const shown = page.locator('main dl > div', { hasText: 'Warranty until' }).locator('dd');
  expect(await shown.innerText()).toBe('Mar 1, 2027');
  await show(`/assets/${id}/edit`);
  expect(await page.getByLabel('Warranty until').inputValue()).toBe('03/01/2027');
  await page.getByLabel('Warranty until').fill('2028-02-29');
  await page.locator('form.form .primary').click();
  await page.locator('.tabs').waitFor();
  expect((await admin.get(`/api/assets/${id}`)).body.data.warrantyUntil).toBe('2028-02-29T00:00:00.000Z');
  await page.context().close();
});

itInBrowser('keeps the sign of an amount, and writes numbers that are names without separators', async () => {
  const { page, show } = opened;
  const contract = await admin.make('/api/contracts', { name: 'Credit', cost: '-0.75', currency: 'EUR' });
  await show(`/contracts/${contract.id}`);
  await page.getByText('-0.75 EUR').first().waitFor();
  const vlan = await admin.make('/api/vlans', { name: 'Far', vid: 2001 });
  await show(`/vlans/${vlan.id}`);
  await page.getByText('2001', { exact: true }).waitFor();
  expect(await page.getByText('2,001').count()).toBe(0);
});

itInBrowser('rounds hours that were computed, and shows shares in percent', async () => {
  const { page, show } = opened;
  const at = (minutes: number): string => new Date(Date.UTC(2027, 2, 1, 8, minutes)).toISOString();
  for (const [name, from, to] of [
    ['Ada Rounded', 0, 80],
    ['Ben Rounded', 80, 120],
  ] as const) {
    const { id: personId } = await admin.make('/api/people', { fullName: name });
    const times = { startTime: at(from), endTime: at(to) };
    await admin.make('/api/on-call-schedules', { name, rotation: 'Rounded', personId, ...times });
  }
  await show(`/on-call/load?roster=Rounded&from=${at(0)}&to=${at(120)}`);
  const row = page.getByRole('row', { name: /Ada Rounded/ });
  await row.getByRole('cell', { name: '1.3', exact: true }).waitFor();
  await row.getByRole('cell', { name: '67%', exact: true }).waitFor();
  expect(await row.getByText('1.3', { exact: true }).getAttribute('title')).toMatch(/^1\.333/);
});

itInBrowser('sends no empty entries of a list of texts', async () => {
  const { page, show } = opened;
  const { id } = await admin.make('/api/device-roles', { name: 'Compliant' });
  await show(`/device-roles/${id}/edit`);
  const lines = page.getByLabel('Compliance baselines');
  await lines.pressSequentially('PCI\nSOC 2\n\n');
  expect(await lines.inputValue()).toBe('PCI\nSOC 2\n\n');
  await save();
  expect((await admin.get(`/api/device-roles/${id}`)).body.data.complianceBaselines).toEqual(['PCI', 'SOC 2']);
});

itInBrowser('keeps what is typed into a search while earlier letters are being answered', async () => {
  const { page, show } = opened;
  for (const name of ['router-1', 'switch-1']) await admin.make('/api/devices', { name });
  await show('/devices');
  const search = page.getByLabel('Search this list');
  await search.pressSequentially('router', { delay: 300 });
  await page.waitForURL(/search=router$/);
  expect(await search.inputValue()).toBe('router');
  // Another address has its own search text.
  await show('/devices?search=switch');
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('.bar [type=search]')?.value === 'switch');
});

itInBrowser('saves and deletes behind a proxy that makes entity tags weak', async () => {
  const { page, show, complaints } = await openPage(browser!, service, admin.cookie);
  await page.route('**/api/sites/*', async (route) => {
    const response = await route.fetch();
    const { etag, ...headers } = response.headers();
    await route.fulfill({ response, headers: { ...headers, ...(etag && { etag: `W/${etag}` }) } });
  });
  const { id } = await admin.make('/api/sites', { name: 'Compressed' });
  await show(`/sites/${id}/edit`);
  await page.getByLabel('Facility').fill('C1');
  await page.locator('form.form .primary').click();
  await page.locator('.tabs').waitFor();
  expect((await admin.get(`/api/sites/${id}`)).body.data.facility).toBe('C1');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Sites', exact: true }).waitFor();
  expect((await admin.get(`/api/sites/${id}`)).status).toBe(404);
  expect(complaints).toEqual([]);
  await page.context().close();
});

itInBrowser('says in sentences what happens to the records that refer to one', async () => {
  const { page, show } = opened;
  const site = await admin.make('/api/sites', { name: 'Referred to' });
  await admin.make('/api/locations', { name: 'Room', siteId: site.id });
  await show(`/sites/${site.id}?tab=references`);
  const cells = page.getByRole('region', { name: 'References' }).locator('tbody td:last-child');
  await cells.first().waitFor();
  expect(await cells.allInnerTexts()).toEqual(['The reference is cleared']);
});

describe('records of one name', () => {
  const RACK = 'A1';
  let site: { id: string };
  let rack: { id: string };
  beforeAll(async () => {
    for (const name of ['Delft', 'Gouda']) {
      site = await admin.make('/api/sites', { name });
      const hall = await admin.make('/api/locations', { name: 'Hall', siteId: site.id });
      rack = await admin.make('/api/racks', { name: RACK, siteId: site.id, locationId: hall.id, units: 42 });
    }
  });

  itInBrowser('are told apart where one is chosen, and in the form of who refers to it', async () => {
    const { page, show } = opened;
    await show('/devices/new');
    await page.getByLabel('Name', { exact: false }).first().fill('Chooser');
    await page.getByLabel('Rack', { exact: true }).fill(RACK);
    const options = page.locator('#field-rackId-found [role="option"]');
    await options.nth(1).waitFor();
    expect((await options.allInnerTexts()).toSorted()).toEqual(['A1 · Hall · Delft', 'A1 · Hall · Gouda']);
    await options.filter({ hasText: 'Gouda' }).click();
    expect(await page.getByLabel('Rack', { exact: true }).inputValue()).toBe('A1 · Hall · Gouda');
    await save();
    const [device] = (await admin.get('/api/devices?name=Chooser')).body.data;
    expect(device.rackId).toBe(rack.id);
    await page.locator('main a', { hasText: /^A1$/ }).first().waitFor();
    // The device also refers to the hall and the site. Each appears only once.
    for (const place of [/^Gouda$/, /^Hall$/, /^A1$/]) await page.locator('main dd', { hasText: place }).waitFor();
    await show(`/devices/${device.id}/edit`);
    await page.waitForFunction(
      () => (document.querySelector('#field-rackId') as HTMLInputElement | null)?.value === 'A1 · Hall · Gouda',
    );
  });

  itInBrowser('are told apart in lists, the change log and the search of everything', async () => {
    const { page, show } = opened;
    await admin.make('/api/power-feeds', { name: 'Feed of A1', siteId: site.id, rackId: rack.id });
    await show('/power-feeds');
    await page
      .locator('main td .muted', { hasText: /^· Hall$/ })
      .first()
      .waitFor();
    await page
      .locator('main td', { hasText: /^Gouda$/ })
      .first()
      .waitFor();
    await show('/change-log?resource=racks');
    await page.locator('main .muted', { hasText: '· Hall · Delft' }).first().waitFor();
    await page.locator('main .muted', { hasText: '· Hall · Gouda' }).first().waitFor();
    await page.getByRole('combobox', { name: 'Search everything' }).fill(RACK);
    const found = page.locator('#matches .found');
    await found.filter({ hasText: '· Hall · Delft' }).waitFor();
    await found.filter({ hasText: '· Hall · Gouda' }).waitFor();
    expect(await found.filter({ hasText: /^A1 · Hall · (?:Delft|Gouda)$/ }).count()).toBe(2);
    await page.keyboard.press('Escape');
  });
});

itInBrowser('offers the names of time zones, and takes another text', async () => {
  const { page, show } = opened;
  await show('/sites/new');
  await page.getByLabel('Name', { exact: false }).first().fill('Zoned');
  const zone = page.getByLabel('Time zone');
  expect(await page.locator('datalist option[value="Europe/Amsterdam"]').count()).toBe(1);
  await zone.fill('Europe/Amsterdm');
  await page.getByText('No time zone has this name. It is stored as it is.').waitFor();
  await zone.fill('Europe/Amsterdam');
  await page.getByText('No time zone has this name.').waitFor({ state: 'detached' });
  await save();
  expect((await admin.get('/api/sites?name=Zoned')).body.data).toMatchObject([{ timeZone: 'Europe/Amsterdam' }]);
});

itInBrowser('says that a record cannot be deleted because of others', async () => {
  const { page, show } = opened;
  const vrf = await admin.make('/api/vrfs', { name: 'Kept' });
  for (const vrfId of [vrf.id, null]) await admin.make('/api/prefixes', { prefix: '10.43.9.0/24', vrfId });
  await show(`/vrfs/${vrf.id}?tab=references`);
  const cells = page.getByRole('region', { name: 'References' }).locator('tbody td:last-child');
  await cells.first().waitFor();
  expect(await cells.allInnerTexts()).toEqual(['It cannot be deleted because of these']);
});
