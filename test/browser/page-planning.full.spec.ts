import { hasBrowser, itInBrowser } from '../support/browser.js';
import { axeFindings } from '../support/axe.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';
import { bar, button, planIn, said } from '../support/planning.js';

/* While a change set is open, the page shows the planned estate: new records, and places in racks. */
usePage();

let address: string;
beforeAll(async () => {
  if (!hasBrowser) return;
  const { id } = await admin.make('/api/change-sets', { name: 'New hall' });
  address = `/change-sets/${id}`;
  await planIn(opened, address);
});

interface Operation {
  op: string;
  resource: string;
  recordId: string;
  data: Record<string, unknown>;
}
const operations = async (): Promise<Operation[]> => (await admin.get(`/api${address}/operations`)).body.data;

/** Chooses a record that the change set creates. */
async function chooseNew(label: string, text: string, offered: RegExp): Promise<void> {
  const { page } = opened;
  await page.getByRole('combobox', { name: label }).fill(text);
  await page.getByRole('option', { name: offered }).waitFor();
  await page.keyboard.press('Enter');
}

itInBrowser('a field offers the records that the same change set creates, and calls them by name', async () => {
  const { page, show, complaints } = opened;
  const site = (await admin.post(`/api/sites?changeSet=${address.split('/').at(-1)}`, { name: 'Planned site' })).status;
  expect(site).toBe(202);
  await show('/racks/new');
  await page.getByLabel('Name').fill('Planned rack');
  await page.getByLabel('Units', { exact: true }).fill('12');
  await chooseNew('Site', 'planned', /^Planned site\s+· new$/);
  await button(page, 'Plan').click();
  await said(page, 'Rack Planned rack is planned');
  const { id } = await admin.make('/api/racks', { name: 'Standing rack' });
  await show(`/racks/${id}/edit`);
  await chooseNew('Site', 'planned', /^Planned site\s+· new$/);
  await button(page, 'Plan').click();
  await said(page, 'The change of Standing rack is planned');
  await show(`/racks/${id}/edit`);
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('#field-siteId')?.value === 'Planned site');
  const [made, ...added] = await operations();
  expect(added).toMatchObject([
    { op: 'create', resource: 'racks', data: { siteId: made!.recordId } },
    { op: 'update', resource: 'racks', data: { siteId: made!.recordId } },
  ]);
  await show(address);
  const changed = page.getByRole('region', { name: 'Changed: 1 rack' });
  await changed.getByText('Planned site').waitFor();
  expect(await changed.innerText()).toMatch(/Site.*becomes.*Planned site\s*\(new\)/s);
  expect(complaints).toEqual([]);
});

describe('a place in a rack', () => {
  const devices = new Map<string, string>();
  let full: string;
  beforeAll(async () => {
    const type = await admin.make('/api/device-types', { model: 'Two units', uHeight: 2 });
    full = (await admin.make('/api/racks', { name: 'Full rack', units: 8 })).id;
    for (const [index, name] of ['hv-1', 'hv-2'].entries()) {
      const place = { rackId: full, rackPosition: 1 + 2 * index, deviceTypeId: type.id };
      devices.set(name, (await admin.make('/api/devices', { name, ...place })).id);
    }
  });
  /** Plans a move of one device. @returns the unit that the page suggests */
  async function move(device: string, rack: string): Promise<string> {
    const { page, show } = opened;
    await show('/devices');
    await page.getByRole('row', { name: device }).getByRole('checkbox').check();
    await button(page, 'Move to a rack').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Rack', { exact: true }).fill(rack);
    await page.getByRole('option', { name: rack }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByLabel(`${device}, unit`).waitFor();
    const proposed = await dialog.getByLabel(`${device}, unit`).inputValue();
    await button(page, 'Plan').click();
    // The message about the previous move may still be visible.
    await dialog.waitFor({ state: 'detached' });
    await said(page, `The move of 1 device is planned in New hall`);
    return proposed;
  }

  itInBrowser('is planned in a rack that is itself planned, each above what is planned there', async () => {
    const { complaints } = opened;
    expect(await move('hv-1', 'Planned rack')).toBe('1');
    expect(await move('hv-2', 'Planned rack')).toBe('3');
    const rack = (await operations()).find(({ op, resource }) => op === 'create' && resource === 'racks')!;
    expect((await operations()).filter(({ resource }) => resource === 'devices')).toMatchObject([
      { op: 'update', recordId: devices.get('hv-1'), data: { rackId: rack.recordId, rackPosition: 1 } },
      { op: 'update', recordId: devices.get('hv-2'), data: { rackId: rack.recordId, rackPosition: 3 } },
    ]);
    expect((await admin.get(`/api/devices/${devices.get('hv-1')}`)).body.data).toMatchObject({ rackId: full });
    expect(complaints).toEqual([]);
  });

  itInBrowser('is filled from the drawing, which shows what is planned', async () => {
    const { page, show, complaints } = opened;
    await show(`/racks/${full}`);
    const drawing = page.getByRole('group', { name: 'Full rack, front, 8 units' });
    await drawing.getByRole('link', { name: 'hv-1, unit 1, planned to leave' }).waitFor();
    await drawing.getByRole('link', { name: 'Add a device in unit 7' }).click();
    await page.getByLabel('Name').fill('hv-9');
    await button(page, 'Plan').click();
    await said(page, 'Device hv-9 is planned');
    await show(`/racks/${full}`);
    await drawing.getByRole('img', { name: 'hv-9, planned for unit 7' }).waitFor();
    expect(await move('hv-2', 'Full rack')).toBe('1');
    await show(`/racks/${full}`);
    await drawing.getByRole('link', { name: 'hv-2, planned for unit 1' }).waitFor();
    expect((await admin.get('/api/devices?name=hv-9')).body.total).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe('what is done at once', () => {
  const note = () => opened.page.locator('main').getByText('Done at once, not planned');

  itInBrowser('says so where its button stands, and where it is confirmed', async () => {
    const { page, show, complaints } = opened;
    const asset = await admin.make('/api/assets', { name: 'Laptop', assetTag: 'A-1' });
    await show(`/assets/${asset.id}`);
    await page.getByRole('link', { name: 'Hand out' }).waitFor();
    expect(await note().count()).toBe(1);
    await page.getByRole('link', { name: 'Hand out' }).click();
    await page.getByRole('heading', { level: 1, name: /^Hand out/ }).waitFor();
    expect(await note().count()).toBe(1);
    const order = await admin.make('/api/purchase-orders', {
      orderNumber: 'PO-1',
      items: [{ name: 'x', quantity: 1 }],
    });
    await show(`/purchase-orders/${order.id}/do/receivePurchaseOrder`);
    expect(await note().count()).toBe(1);
    // A planned change shows no such note.
    await show(`/assets/${asset.id}/edit`);
    await button(page, 'Plan').waitFor();
    expect(await note().count()).toBe(0);
    await bar(page).getByRole('button', { name: 'Stop planning' }).click();
    await show(`/assets/${asset.id}`);
    await page.getByRole('link', { name: 'Hand out' }).waitFor();
    expect(await note().count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe('an approver sees what a change set affects', () => {
  itInBrowser(
    'what goes down with its records, what else concerns them, and the card of its change request',
    async () => {
      const { page, show, complaints } = opened;
      const rack = await admin.make('/api/racks', { name: 'Core rack', units: 10 });
      const inside = await admin.make('/api/devices', { name: 'inside-1', rackId: rack.id });
      const other = await admin.make('/api/devices', { name: 'outside-1' });
      const incident = await admin.make('/api/incidents', { name: 'Fan is loud' });
      await admin.post(`/api/incidents/${incident.id}/targets`, { resource: 'devices', recordId: inside.id });
      const request = await admin.make('/api/change-requests', { name: 'Renumber the core' });
      const set = await admin.make('/api/change-sets', { name: 'Renumber', changeRequestId: request.id });
      await admin.patch(`/api/racks/${rack.id}?changeSet=${set.id}`, { status: 'moving' });
      await admin.patch(`/api/devices/${other.id}?changeSet=${set.id}`, { status: 'moving' });
      await admin.post(`/api/devices?changeSet=${set.id}`, { name: 'new-1' });
      await show(`/change-sets/${set.id}`);
      const affected = page.getByRole('region', { name: 'What it affects' });
      await affected.getByText('What goes down with the 2 records').waitFor();
      const devicesDown = affected.getByRole('region', { name: 'Devices', exact: true });
      await devicesDown.getByRole('link', { name: 'inside-1' }).waitFor();
      expect(await devicesDown.innerText()).toMatch(/inside-1\s*with\s*Core rack/);
      // Records of the change set itself are left out.
      expect(await devicesDown.getByText(/outside-1|new-1/).count()).toBe(0);
      await affected.getByRole('link', { name: 'Fan is loud' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await affected.getByText('Card of its change request').click();
      await affected.getByRole('region', { name: 'Coverage and replacement' }).waitFor();
      expect(complaints).toEqual([]);
    },
  );
});

itInBrowser('only what lacks an approval that this person may give waits for somebody', async () => {
  const [manager, other] = await Promise.all([service.as('manager'), service.as('manager')]);
  const set = async (name: string): Promise<string> => {
    const { id } = await admin.make('/api/change-sets', { name });
    await admin.post(`/api/sites?changeSet=${id}`, { name });
    return id;
  };
  await set('Lacks an approval');
  await manager.post(`/api/sites?changeSet=${await set('Has my hand in it')}`, { name: 'mine' });
  const approved = `/api/change-sets/${await set('Is approved already')}`;
  const { digest } = (await other.post(`${approved}/preview`)).body;
  expect((await other.post(`${approved}/approvals`, { decision: 'approve', digest })).status).toBe(201);
  const { page, complaints } = await openPage(browser!, service, manager.cookie);
  const waiting = page.getByRole('region', { name: 'Waits for you' });
  await waiting.getByRole('link', { name: 'Lacks an approval' }).waitFor();
  expect(await waiting.getByText(/Has my hand in it|Is approved already/).count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.context().close();
});
