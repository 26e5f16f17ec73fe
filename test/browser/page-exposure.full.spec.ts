import { itInBrowser } from '../support/browser.js';
import { admin, opened, service, usePage } from '../support/page.js';

/* The reach of a change, and gaps in coverage: the card, exposure, the refresh plan, and Today. */
const ids = { change: '', covered: '', lapsed: '' };
const DAY = 86_400_000;
const dayAt = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

usePage({}, async () => {
  const site = await admin.make('/api/sites', { name: 'Harbour' });
  const rack = await admin.make('/api/racks', { name: 'H1', siteId: site.id });
  const person = await admin.make('/api/people', { fullName: 'Ada Lovelace', phone: '+31 20 1234567' });
  await admin.make('/api/on-call-schedules', { name: 'all', rotation: 'Network', personId: person.id });
  await admin.make(`/api/racks/${rack.id}/responsibilities`, { roster: 'Network' });
  const order = await admin.make('/api/purchase-orders', {
    orderNumber: 'PO-1',
    currency: 'EUR',
    items: [{ name: 'Switch', quantity: 1 }],
  });
  const type = await admin.make('/api/device-types', { model: 'Switch' });
  const device = async (name: string, price: string | null): Promise<string> => {
    const asset = await admin.make('/api/assets', { name, purchasePrice: price, purchaseOrderId: order.id });
    const made = await admin.make('/api/devices', {
      name,
      siteId: site.id,
      rackId: rack.id,
      deviceTypeId: type.id,
      assetId: asset.id,
    });
    return made.id as string;
  };
  ids.covered = await device('core', '1200.00');
  ids.lapsed = await device('edge', null);
  const contract = await admin.make('/api/contracts', { name: 'Gold support' });
  const days = { startDate: dayAt(-400), endDate: dayAt(60) };
  await admin.make(`/api/contracts/${contract.id}/coverage`, { resource: 'devices', recordId: ids.covered, ...days });
  const old = await admin.make('/api/contracts', {
    name: 'Old support',
    startDate: '2024-01-01',
    endDate: '2024-05-31',
  });
  await admin.make(`/api/contracts/${old.id}/coverage`, { resource: 'devices', recordId: ids.lapsed });
  const issue = await admin.make('/api/known-issues', { name: 'Leak', severity: 'high', workaround: 'Reload it' });
  await admin.make(`/api/known-issues/${issue.id}/targets`, { resource: 'device-types', recordId: type.id });
  const scheduledFor = new Date(Date.now() + DAY).toISOString();
  const change = await admin.make('/api/change-requests', { name: 'Move the rack', scheduledFor, status: 'submitted' });
  await admin.make(`/api/change-requests/${change.id}/targets`, { resource: 'racks', recordId: rack.id });
  const window = await admin.make('/api/maintenance-windows', { name: 'Power work', startTime: scheduledFor });
  await admin.make(`/api/maintenance-windows/${window.id}/targets`, { resource: 'devices', recordId: ids.covered });
  ids.change = change.id as string;
});

const part = (name: string) => opened.page.getByRole('region', { name, exact: true });

itInBrowser('a change has its card, which is one sheet of paper', async () => {
  const { page, show, complaints } = opened;
  await show(`/change-requests/${ids.change}`);
  await page.getByRole('link', { name: 'Card', exact: true }).click();
  await part('Systems').getByRole('link', { name: 'H1' }).waitFor();
  const call = part('On call meanwhile');
  expect(await call.getByRole('link', { name: '+31 20 1234567' }).getAttribute('href')).toBe('tel:+31201234567');
  expect(await part('Coverage and replacement').innerText()).toMatch(/2,400\.00 EUR\s+to replace 2\s/);
  expect(await part('Without coverage').getByRole('link').allInnerTexts()).toEqual(['edge']);
  expect(await part('Conflicts').getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^Power work\s+Inside target/),
  ]);
  expect(await part('Devices that go down').getByRole('link').allInnerTexts()).toEqual(['core', 'edge']);
  expect(await part('Known issues').innerText()).toContain('Reload it');
  const asked = page.waitForRequest(/\/card\?minutes=30$/);
  await page.getByLabel('Duration in minutes').fill('30');
  await page.getByLabel('Duration in minutes').press('Tab');
  await asked;
  await part('Systems').waitFor();
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(true);
  const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g);
  expect(sheets).toHaveLength(1);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
  expect(await part('Without coverage').isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen' });
  expect(complaints).toEqual([]);
});

itInBrowser('Today has what is not covered any more in 90 days, and leads to all of it', async () => {
  const { page, show } = opened;
  await show('/');
  await show('');
  const card = part('Coverage ends within 90 days');
  await card.getByRole('link', { name: 'core' }).waitFor();
  expect(await card.getByRole('listitem').count()).toBe(1);
  expect(await card.innerText()).toMatch(/Gold support\s*·\s*1,200\.00 EUR/);
  await card.getByRole('link', { name: 'Coverage ends within 90 days' }).click();
  const rows = page.locator('main tbody tr');
  await rows.first().waitFor();
  expect(await rows.first().innerText()).toMatch(/core.*Gold support.*1,200\.00 EUR.*Network/s);
  await page.getByRole('button', { name: '30 days' }).click();
  await page.getByText('Nothing matches.').waitFor();
});

itInBrowser('exposure is sorted by what its columns show', async () => {
  const { page, show } = opened;
  await show('/exposure');
  const rows = page.locator('main tbody tr');
  expect(await rows.allInnerTexts()).toEqual([expect.stringMatching(/edge.*Harbour.*Old support/s)]);
  const asked = page.waitForRequest(/sort=amount/);
  await page.getByRole('button', { name: 'Replacement' }).click();
  await asked;
  await page.locator('th[aria-sort=ascending]').getByText('Replacement').waitFor();
  expect(await rows.first().getByRole('link', { name: 'edge' }).getAttribute('href')).toBe(`#/devices/${ids.lapsed}`);
  expect(await rows.first().getByRole('link', { name: 'Harbour' }).getAttribute('href')).toMatch(/^#\/sites\//);
});

itInBrowser('the refresh plan has bars by quarter and currency, and what they are made of', async () => {
  const { page, show } = opened;
  await show('/pictures/refresh-plan');
  const rows = page.locator('main tbody tr');
  expect(await rows.allInnerTexts()).toEqual([expect.stringMatching(/^2024-Q2\s+1\s+1,200\.00 EUR$/)]);
  const picture = page.getByRole('img', { name: 'What it costs, as bars' });
  expect(await picture.evaluate((image) => (image as HTMLImageElement).decode().then(() => true))).toBe(true);
  const drawn = await (await page.request.get(service.url + (await picture.getAttribute('src'))!)).text();
  expect(drawn).toMatch(/2024-Q2.*EUR/s);
  await page.getByLabel('By').selectOption('year');
  await page.getByLabel('and').selectOption('siteId');
  await rows.getByRole('link', { name: 'Harbour' }).waitFor();
  expect(await rows.allInnerTexts()).toEqual([expect.stringMatching(/^2024\s+Harbour\s+1\s+1,200\.00 EUR$/)]);
  // The picture reads the chosen number of groups.
  const asked = page.waitForRequest(/\/summary\?.*pageSize=25/);
  await show('/pictures/refresh-plan?pageSize=25');
  await asked;
});
