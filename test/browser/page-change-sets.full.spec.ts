import type { Page } from 'playwright-core';
import { hasBrowser, itInBrowser } from '../support/browser.js';
import { axeFindings } from '../support/axe.js';
import { countClicks } from '../support/clicks.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';
import { bar, button, said } from '../support/planning.js';

/* Planning in the page: writing while a change set is open, and reading, approving, merging and reverting the change set. */
usePage();

const DEVICES = ['hv-1', 'hv-2', 'hv-3'];
const devices = new Map<string, string>();
const racks = new Map<string, string>();
let setId: string;

beforeAll(async () => {
  const type = await admin.make('/api/device-types', { model: 'Two units', uHeight: 2 });
  for (const name of ['Old rack', 'New rack'])
    racks.set(name, (await admin.make('/api/racks', { name, units: 12 })).id);
  const rackId = racks.get('Old rack');
  for (const [index, name] of DEVICES.entries()) {
    const place = { rackId, rackPosition: 1 + 2 * index, deviceTypeId: type.id };
    devices.set(name, (await admin.make('/api/devices', { name, ...place })).id);
  }
});

const placesOf = async (): Promise<unknown[]> =>
  Promise.all(
    DEVICES.map(async (name) => {
      const { rackId, rackPosition } = (await admin.get(`/api/devices/${devices.get(name)}`)).body.data;
      return [[...racks].find(([, id]) => id === rackId)?.[0], rackPosition];
    }),
  );

describe('a move of three devices', () => {
  let approver: Awaited<ReturnType<typeof openPage>>;
  beforeAll(async () => {
    if (hasBrowser) approver = await openPage(browser!, service, (await service.as('manager')).cookie);
  });
  afterAll(() => approver?.page.context().close());

  itInBrowser('is planned with 12 clicks at most', async () => {
    const { page, show, complaints } = opened;
    await show('/change-sets');
    const clicks = await countClicks(page);
    await page.getByRole('link', { name: 'New change set' }).click();
    await page.getByRole('heading', { level: 1, name: 'Plan changes' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.matches('input'));
    await page.keyboard.type('Move to the new rack');
    await button(page, 'Start planning').click();
    await bar(page).getByText(': 0 changes').waitFor();
    setId = new URL(page.url()).hash.split('/').at(-1)!;
    await page.getByRole('navigation', { name: 'Estate' }).getByRole('link', { name: 'Devices' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
    for (const name of DEVICES) await page.getByRole('row', { name }).getByRole('checkbox').click();
    await button(page, 'Move to a rack').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Rack', { exact: true }).click();
    await page.keyboard.type('New');
    await page.getByRole('option', { name: 'New rack' }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByLabel('hv-3, unit').waitFor();
    expect(await dialog.getByLabel('hv-3, unit').inputValue()).toBe('5');
    await button(page, 'Plan').click();
    await said(page, 'The move of 3 devices is planned in Move to the new rack');
    await bar(page).getByText(': 3 changes').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(12);
    expect(await placesOf()).toEqual([1, 3, 5].map((at) => ['Old rack', at]));
    expect(complaints).toEqual([]);
  });

  itInBrowser('is read without ids or JSON', async () => {
    const { page, show, complaints } = opened;
    await show(`/change-sets/${setId}`);
    await page.getByText('It changes 3 devices.').waitFor();
    const changes = page.getByRole('region', { name: 'Changed: 3 devices' });
    await changes.getByText('New rack').first().waitFor();
    const text = await page.getByRole('region', { name: 'Changes', exact: true }).innerText();
    expect(text).toMatch(/Rack Old rack\s*→\s*becomes\s*New rack/);
    expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}|[{}]|rackId/);
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  itInBrowser('is approved by somebody else with 2 clicks from Today', async () => {
    const { page, complaints } = approver;
    await page.reload();
    const clicks = await countClicks(page);
    const waiting = page.getByRole('region', { name: 'Waits for you' });
    await waiting.getByRole('link', { name: 'Move to the new rack' }).click();
    await button(page, 'Approve').click();
    await said(page, 'Move to the new rack approved');
    await page.getByRole('region', { name: 'Approvals' }).getByText('approved').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(2);
    const { data } = (await admin.get(`/api/change-sets/${setId}/approvals`)).body;
    expect(data).toMatchObject([{ decision: 'approve', isCurrent: true }]);
    await approver.show('/');
    await page.getByRole('link', { name: 'Nothing waits for your approval' }).waitFor();
    expect(complaints).toEqual([]);
  });

  itInBrowser('is not approved by who planned it', async () => {
    await opened.show(`/change-sets/${setId}`);
    await button(opened.page, 'Merge').waitFor();
    expect(await button(opened.page, 'Approve').count()).toBe(0);
  });

  itInBrowser('is merged with 2 clicks', async () => {
    const { page, show, complaints } = opened;
    await show(`/change-sets/${setId}`);
    const clicks = await countClicks(page);
    await button(page, 'Merge').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await said(page, 'Merged');
    await page.getByRole('region', { name: 'What it did' }).getByText('hv-1').first().waitFor();
    expect(await clicks()).toBeLessThanOrEqual(2);
    expect(await placesOf()).toEqual([1, 3, 5].map((at) => ['New rack', at]));
    // The page has stopped planning in it.
    await bar(page).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  itInBrowser('is reverted with 3 clicks', async () => {
    const { page, show, complaints } = opened;
    await show(`/change-sets/${setId}`);
    const clicks = await countClicks(page);
    await button(page, 'Revert').click();
    await page.getByText('It changes 3 devices.').waitFor();
    await button(page, 'Merge').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await said(page, 'Merged');
    expect(await clicks()).toBeLessThanOrEqual(3);
    expect(await placesOf()).toEqual([1, 3, 5].map((at) => ['Old rack', at]));
    expect(complaints).toEqual([]);
  });
});

describe('while a change set is open', () => {
  let address: string;
  beforeAll(async () => {
    if (!hasBrowser) return;
    const { id } = await admin.make('/api/change-sets', { name: 'Everything' });
    address = `/change-sets/${id}`;
    await opened.show(address);
    await button(opened.page, 'Plan in it').click();
    await bar(opened.page).getByText(': 0 changes').waitFor();
  });
  const operations = async () =>
    (await admin.get(`/api${address}/operations`)).body.data as {
      op: string;
      resource: string;
      recordId: string;
      data: object;
    }[];

  itInBrowser('a form plans a new record, and a change of one', async () => {
    const { page, show, complaints } = opened;
    await show('/sites/new');
    await page.getByLabel('Name').fill('Planned site');
    await button(page, 'Plan').click();
    await said(page, 'Site Planned site is planned');
    const { id } = await admin.make('/api/sites', { name: 'Standing', facility: 'first' });
    await show(`/sites/${id}/edit`);
    await page.getByLabel('Facility').fill('second');
    await button(page, 'Plan').click();
    await said(page, 'The change of Standing is planned');
    expect((await admin.get(`/api/sites/${id}`)).body.data.facility).toBe('first');
    // The form shows the planned value.
    await show(`/sites/${id}/edit`);
    expect(await page.getByLabel('Facility').inputValue()).toBe('second');
    expect(await operations()).toMatchObject([
      { op: 'create', resource: 'sites', data: { name: 'Planned site' } },
      { op: 'update', resource: 'sites', data: { facility: 'second' } },
    ]);
    expect(complaints).toEqual([]);
  });

  itInBrowser('a deletion, a change of many and an import are planned', async () => {
    const { page, show, complaints } = opened;
    const before = (await operations()).length;
    const { id } = await admin.make('/api/vendors', { name: 'Leaving' });
    await show(`/vendors/${id}`);
    await button(page, 'Delete').click();
    await button(page, 'Plan the deletion').click();
    await said(page, 'Deleting Leaving is planned');
    await admin.make('/api/vrfs', { name: 'ticked' });
    await show('/vrfs');
    await page.getByRole('row', { name: 'ticked' }).getByRole('checkbox').check();
    await button(page, 'Change a field').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Field', { exact: true }).selectOption({ label: 'Description' });
    await dialog.getByLabel('Description').fill('of many');
    await button(page, 'Plan').click();
    await said(page, 'Description of 1 record is planned');
    await show('/regions/import');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'regions.csv', mimeType: 'text/csv', buffer: Buffer.from('name\nNorth\nSouth\n') });
    await button(page, 'Import').click();
    await page.getByText('2 created').waitFor();
    await button(page, 'Plan').click();
    await said(page, 'The import of regions.csv is planned');
    expect((await operations()).slice(before).map(({ op, resource }) => [op, resource])).toEqual([
      ['delete', 'vendors'],
      ['update', 'vrfs'],
      ['create', 'regions'],
      ['create', 'regions'],
    ]);
    expect((await admin.get(`/api/vendors/${id}`)).status).toBe(200);
    expect((await admin.get('/api/regions')).body.total).toBe(0);
    expect(complaints).toEqual([]);
  });

  itInBrowser('what is planned is taken out again', async () => {
    const { page, show } = opened;
    await show(address);
    const before = (await operations()).length;
    await page.getByRole('button', { name: 'Take the change of Planned site out' }).click();
    await said(page, 'The change is taken out');
    expect((await operations()).length).toBe(before - 1);
  });

  itInBrowser('a change stops being planned', async () => {
    const { page, show } = opened;
    await bar(page).getByRole('button', { name: 'Stop planning' }).click();
    await bar(page).waitFor({ state: 'detached' });
    await show('/sites/new');
    await button(page, 'Create').waitFor();
    expect(await button(page, 'Plan').count()).toBe(0);
    await show('/');
  });
});

describe('a conflict', () => {
  /** A change set that updates the facility of a site. Meanwhile the site has a third facility. */
  async function conflicting(name: string): Promise<{ site: string; set: string }> {
    const site = `/api/sites/${(await admin.make('/api/sites', { name, facility: 'first', description: 'old' })).id}`;
    const { id } = await admin.make('/api/change-sets', { name: `Conflict of ${name}` });
    await admin.patch(`${site}?changeSet=${id}`, { facility: 'ours', description: 'new' });
    await (await service.as('editor')).patch(site, { facility: 'theirs' });
    return { site, set: id };
  }
  const shown = async (set: string): Promise<Page> => {
    await opened.show(`/change-sets/${set}`);
    const conflicts = opened.page.getByRole('region', { name: 'Conflicts' });
    await conflicts.getByRole('row', { name: /Facility.*first.*theirs.*editor.*ours/ }).waitFor();
    expect(await button(opened.page, 'Merge').isDisabled()).toBe(true);
    return opened.page;
  };
  const merged = async (page: Page): Promise<void> => {
    await page.getByText('No conflicts', { exact: true }).waitFor();
    await button(page, 'Merge').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await said(page, 'Merged');
  };

  itInBrowser.each([
    ['Keep theirs', 'theirs'],
    ['Keep ours', 'ours'],
  ])('is solved by: %s', async (choice, facility) => {
    const { site, set } = await conflicting(choice);
    const page = await shown(set);
    await button(page, choice).click();
    await merged(page);
    expect((await admin.get(site)).body.data).toMatchObject({ facility, description: 'new' });
    expect(opened.complaints).toEqual([]);
  });

  itInBrowser('with a rule is said in words, and its change is taken out', async () => {
    const { page, show, complaints } = opened;
    const { id } = await admin.make('/api/change-sets', { name: 'Too close' });
    const [one, other] = [devices.get('hv-1'), devices.get('hv-2')];
    await admin.patch(`/api/devices/${one}?changeSet=${id}`, { rackPosition: 3 });
    await show(`/change-sets/${id}`);
    await page.getByText(/^Unit overlaps 'hv-2'/).waitFor();
    await button(page, 'Take it out').click();
    await page.getByText('Nothing is planned yet').waitFor();
    expect(other).toBeDefined();
    expect(complaints).toEqual([]);
  });
});
