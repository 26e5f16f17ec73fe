import { itInBrowser } from '../support/browser.js';
import { admin, opened, service, usePage } from '../support/page.js';

/* Lists and records first show what professionals look for. */
usePage();

interface Declared {
  path: string;
  type: string;
  resource?: string;
  columns?: string[];
  order?: string;
  groups?: Record<string, string[]>;
  sort?: string[];
}

it('declares columns that the records have, and orders that the lists take', async () => {
  const { collections, types } = (await service.anonymous.get('/page/declarations.json')).body as {
    collections: Declared[];
    types: Record<string, { name: string }[]>;
  };
  const declared = collections.filter(({ columns }) => columns);
  expect(declared.length).toBeGreaterThan(25);
  for (const { path, type, resource, columns, order, groups, sort } of declared) {
    const names = types[type]!.map(({ name }) => name);
    const grouped = Object.values(groups ?? {}).flat();
    expect([path, grouped.filter((one, at) => !names.includes(one) || grouped.indexOf(one) !== at)]).toEqual([
      path,
      [],
    ]);
    expect([path, columns!.filter((one) => !names.includes(one))]).toEqual([path, []]);
    expect([path, columns!.length <= 7]).toEqual([path, true]);
    // Computed lists may have their own order. Lists of records need a default order.
    if (resource !== undefined || order !== undefined)
      expect([path, sort]).toEqual([path, expect.arrayContaining([order?.replace('-', '')])]);
  }
});

/** Names of the columns, without the column of ticks. */
const heads = async (): Promise<string[]> =>
  (await opened.page.locator('main thead th').allInnerTexts()).map((one) => one.trim()).filter((one) => one !== '');

itInBrowser('shows the declared columns, and incidents newest first', async () => {
  const { page, show } = opened;
  for (const [name, detectedAt] of [
    ['Older', '2026-01-01T00:00:00Z'],
    ['Newest', '2026-03-01T00:00:00Z'],
    ['Middle', '2026-02-01T00:00:00Z'],
  ])
    await admin.make('/api/incidents', { name, detectedAt });
  await show('/incidents');
  await page.locator('tbody a.name').first().waitFor();
  expect(await page.locator('tbody a.name').allInnerTexts()).toEqual(['Newest', 'Middle', 'Older']);
  // Nobody is assigned to any, and none is resolved.
  expect(await heads()).toEqual(['Name', 'Severity', 'Status', 'Detected at ↓']);
  await page.getByRole('button', { name: 'Detected at' }).click();
  await page.waitForURL(/order=asc/);
  await page.waitForFunction(() => document.querySelector('tbody a.name')?.textContent === 'Older');
});

itInBrowser('shows addresses in the order of the network', async () => {
  const { page, show } = opened;
  for (const address of ['10.9.0.100/24', '10.9.0.20/24', '10.9.0.3/24'])
    await admin.make('/api/ip-addresses', { address });
  await show('/ip-addresses');
  await page.locator('tbody a.name').first().waitFor();
  expect(await page.locator('tbody a.name').allInnerTexts()).toEqual(['10.9.0.3/24', '10.9.0.20/24', '10.9.0.100/24']);
});

itInBrowser('shows a record without its empty fields, and no field twice', async () => {
  const { page, show } = opened;
  const category = await admin.make('/api/asset-categories', { name: 'Laptops' });
  const { id } = await admin.make('/api/assets', { name: 'Laptop 7', categoryId: category.id });
  await show(`/assets/${id}`);
  const labels = await page.locator('main :is(.facts, .grouped section) dt').allInnerTexts();
  expect(labels).toEqual(['Category']);
  for (const hidden of ['Category name', 'Category slug', 'Serial number']) expect(labels).not.toContain(hidden);
  await page.getByText(/\d+ empty fields/).click();
  await page.getByText('Serial number', { exact: true }).waitFor();
});

itInBrowser('shows the change log in sentences, the newest first', async () => {
  const { page, show, complaints } = opened;
  const site = await admin.make('/api/sites', { name: 'Logged', status: 'planned' });
  const incident = await admin.make('/api/incidents', { name: 'Logged too' });
  await admin.make(`/api/incidents/${incident.id}/updates`, { message: 'It is mended' });
  await admin.patch(`/api/sites/${site.id}`, { status: 'active' });
  await show('/change-log');
  const entries = page.locator('main .entry');
  await entries.first().waitFor();
  const said = (await entries.allInnerTexts()).slice(0, 4).map((text) => text.replaceAll(/\s+/g, ' '));
  expect(said).toEqual([
    expect.stringMatching(/ changed the site Logged .* Status Planned .*Active$/),
    expect.stringMatching(/ created an incident update /),
    expect.stringMatching(/ created the incident Logged too /),
    expect.stringMatching(/ created the site Logged /),
  ]);
  expect(await entries.first().locator('time').count()).toBe(1);
  expect(await page.locator('main table').count()).toBe(0);
  expect(complaints).toEqual([]);
});

itInBrowser('cuts no column of the devices at 1440 pixels', async () => {
  const { page, show } = opened;
  const site = await admin.make('/api/sites', { name: 'Amsterdam DC1' });
  const place = { siteId: site.id };
  const location = await admin.make('/api/locations', { name: 'Meet-me room', ...place });
  const rack = await admin.make('/api/racks', { name: 'AMS-M1', units: 42, locationId: location.id, ...place });
  const role = await admin.make('/api/device-roles', { name: 'Data Centre Interconnect Router' });
  const type = await admin.make('/api/device-types', { model: 'DCS-7050SX3-48YC8', uHeight: 1 });
  const device = await admin.make('/api/devices', {
    ...place,
    name: 'ams-border-leaf-01',
    deviceRoleId: role.id,
    deviceTypeId: type.id,
    rackId: rack.id,
    rackPosition: 32,
  });
  await admin.make('/api/ip-addresses', { address: '10.10.100.104/24', deviceId: device.id });
  await page.setViewportSize({ width: 1440, height: 900 });
  await show('/devices');
  const row = page.locator('main tbody tr', { hasText: 'ams-border-leaf-01' });
  await row.getByText('10.10.100.104', { exact: true }).waitFor();
  // The site has its own column.
  await row.getByText('· Meet-me room', { exact: true }).waitFor();
  const scroll = page.getByRole('region', { name: 'Devices' });
  expect(await scroll.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});
