import { axeFindings } from '../support/axe.js';
import { hasBrowser, itInBrowser } from '../support/browser.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';
import { until } from '../support/until.js';

/* Messages and refusals in the views of the asset desk. */

// The content security policy of the service refuses axe, whose script comes from elsewhere.
usePage({ bypassCSP: true });

const button = (name: string) => opened.page.locator('main, dialog').getByRole('button', { name, exact: true });
const said = (text: string | RegExp) => opened.page.locator('.toasts').getByText(text).first().waitFor();

describe('letting somebody leave', () => {
  const leaver = async (fullName: string, rest: object = {}) => {
    const { id } = await admin.make('/api/people', { fullName, ...rest });
    const asset = await admin.make('/api/assets', { name: `Laptop of ${fullName}` });
    await admin.post(`/api/assets/${asset.id}/assign`, { personId: id });
    const licence = await admin.make('/api/software-licences', { name: `Suite of ${fullName}`, seats: 5 });
    await admin.make(`/api/software-licences/${licence.id}/seats`, { personId: id });
    return { id, assetId: asset.id, licenceId: licence.id };
  };
  const happening = () => opened.page.getByRole('region', { name: 'What will happen' });

  itInBrowser('leaves what is not ticked, and is taken back as a whole', async () => {
    const { page, show, complaints } = opened;
    const { id, assetId, licenceId } = await leaver('Kim Keeper');
    await show(`/people/${id}/do/offboardPerson`);
    await happening().getByText('Laptop of Kim Keeper').waitFor();
    await happening().getByLabel('Take back the assets').uncheck();
    await happening().getByText('Laptop of Kim Keeper').waitFor({ state: 'detached' });
    await button('Let Kim Keeper leave').click();
    await said('Kim Keeper has left: 2 records changed');
    const holder = async () => (await admin.get(`/api/assets/${assetId}`)).body.data.currentAssignee?.fullName;
    const seats = async () => (await admin.get(`/api/software-licences/${licenceId}/seats`)).body.total;
    expect([await holder(), await seats()]).toEqual(['Kim Keeper', 0]);
    await page.locator('.toasts').getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('Inactive').first().waitFor({ state: 'detached' });
    expect([await holder(), await seats()]).toEqual(['Kim Keeper', 1]);
    await show(`/people/${id}/do/offboardPerson`);
    await happening().getByText('Suite of Kim Keeper').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  itInBrowser('names what the caller may not change, and does nothing', async () => {
    if (!hasBrowser) return;
    const { id, assetId } = await leaver('Max Mixed');
    const hr = await openPage(browser!, service, (await service.as('editor', ['people'])).cookie);
    await hr.show(`/people/${id}/do/offboardPerson`);
    const refusal = hr.page.locator('main .failure');
    await refusal.getByText('Laptop of Max Mixed').waitFor();
    expect(await refusal.innerText()).toMatch(/This needs the area procurement[^]*Licence seat of Suite of Max Mixed/i);
    const confirm = hr.page.getByRole('button', { name: 'Let Max Mixed leave' });
    expect(await confirm.isDisabled()).toBe(true);
    expect((await admin.get(`/api/assets/${assetId}`)).body.data.currentAssignee.fullName).toBe('Max Mixed');
    // After the rest is unticked, the remaining steps need no area.
    for (const label of ['Take back the assets', 'Free the licence seats']) await hr.page.getByLabel(label).uncheck();
    await confirm.click();
    await hr.page.locator('.toasts').getByText('Max Mixed has left: 1 record changed').waitFor();
    expect(hr.complaints).toEqual([]);
    await hr.page.context().close();
  });

  itInBrowser('deactivates a login profile only where it is ticked, by an administrator', async () => {
    const viewer = await service.as('viewer');
    const profileId = (await viewer.get('/api/auth/session')).body.data.id;
    const { id } = await leaver('Pat Profile', { profileId });
    await opened.show(`/people/${id}/do/offboardPerson`);
    const tick = happening().getByLabel('Deactivate the login profile');
    expect(await tick.isChecked()).toBe(false);
    await tick.check();
    await happening().getByText('Deactivated').waitFor();
    const manager = await openPage(browser!, service, (await service.as('manager')).cookie);
    await manager.show(`/people/${id}/do/offboardPerson`);
    await manager.page.getByText('Only an administrator may do this').waitFor();
    expect(await manager.page.getByLabel('Deactivate the login profile').isDisabled()).toBe(true);
    await manager.page.context().close();
    // The ticks alone change nothing.
    opened.page.once('dialog', (dialog) => void dialog.accept());
    await opened.show('/people');
  });
});

describe('seats and bookings', () => {
  itInBrowser('a licence without a free seat says so, and names the fault', async () => {
    const { page, show, complaints } = opened;
    const licence = await admin.make('/api/software-licences', { name: 'Only one', seats: 1 });
    const [first, second] = await Promise.all(
      ['First Holder', 'Second Holder'].map((fullName) => admin.make('/api/people', { fullName })),
    );
    await admin.make(`/api/software-licences/${licence.id}/seats`, { personId: first!.id });
    await show(`/software-licences/${licence.id}`);
    await page.getByRole('region', { name: 'Seats' }).getByText('First Holder').waitFor();
    await page.getByRole('region', { name: 'Seats' }).getByRole('link', { name: 'Add' }).click();
    await page.getByText('1 of 1 seats in use').waitFor();
    await page.getByLabel('Person', { exact: true }).fill('Second Holder');
    await page.getByRole('option', { name: 'Second Holder' }).waitFor();
    await page.keyboard.press('Enter');
    await button('Hand out').click();
    await page
      .locator('main .failure')
      .getByText(/all in use/)
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await admin.patch(`/api/software-licences/${licence.id}`, { seats: 2 });
    await button('Hand out').click();
    await said('handed out to Second Holder');
    const seats = (await admin.get(`/api/software-licences/${licence.id}/seats`)).body.data;
    expect(seats.map(({ personId }: { personId: string }) => personId).toSorted()).toEqual(
      [first!.id, second!.id].toSorted(),
    );
    expect(complaints).toEqual([]);
  });

  itInBrowser('the calendar offers free days only, and a refusal names the other booking', async () => {
    const { page, show, complaints } = opened;
    const category = await admin.make('/api/asset-categories', { name: 'Camera' });
    const camera = await admin.make('/api/assets', { name: 'Camera 1', categoryId: category.id, status: 'in_stock' });
    const out = await admin.make('/api/assets', { name: 'Camera 2', categoryId: category.id, status: 'in_stock' });
    const { id: personId } = await admin.make('/api/people', { fullName: 'Ola Out' });
    await admin.post(`/api/assets/${out.id}/assign`, { personId });
    const day = (ahead: number): Date => {
      const date = new Date();
      date.setHours(0, 0, 0, 0);
      date.setDate(date.getDate() + ahead);
      return date;
    };
    const words = (date: Date): string =>
      date.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
    const noon = new Date(day(2).getTime() + 43_200_000);
    await admin.make('/api/bookings', {
      assetId: camera.id,
      startTime: noon.toISOString(),
      endTime: new Date(noon.getTime() + 3_600_000).toISOString(),
      personId,
    });
    await show(`/pictures/bookings?categoryId=${category.id}`);
    await page.getByRole('button', { name: `Book Camera 1 on ${words(day(3))}` }).waitFor();
    await page.getByRole('link', { name: /^Ola Out, Camera 1, booked/ }).waitFor();
    expect(await page.getByRole('button', { name: `Book Camera 1 on ${words(day(2))}` }).count()).toBe(0);
    // The date of its return is unknown.
    expect(await page.getByRole('button', { name: /^Book Camera 2/ }).count()).toBe(0);
    await page.getByRole('button', { name: `Book Camera 1 on ${words(day(1))}` }).click();
    expect(await axeFindings(page)).toEqual([]);
    const local = (date: Date): string =>
      `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}T00:00`;
    await page.getByLabel('Until').fill(local(day(3)));
    await button('Book').click();
    await page
      .locator('dialog .failure')
      .getByText(/overlaps/)
      .waitFor();
    await page.getByLabel('Until').fill(local(day(2)));
    await button('Book').click();
    await said('Camera 1 booked for');
    expect((await admin.get(`/api/assets/${camera.id}/bookings`)).body.total).toBe(2);
    await show(`/pictures/bookings?categoryId=${category.id}`);
    await page.getByRole('button', { name: `Book Camera 1 on ${words(day(3))}` }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe('counting', () => {
  const store = async (name: string, tags: readonly string[]) => {
    const { id: siteId } = await admin.make('/api/sites', { name });
    for (const assetTag of tags)
      await admin.make('/api/assets', { name: `Asset ${assetTag}`, assetTag, siteId, status: 'in_stock' });
    return admin.make('/api/stocktakes', { name: `Count of ${name}`, siteId });
  };
  const scan = async (code: string): Promise<void> => {
    await opened.page.getByLabel('Tag or serial number').fill(code);
    await opened.page.keyboard.press('Enter');
  };
  const result = async (id: string) => (await admin.get(`/api/stocktakes/${id}/result`)).body.data.counts;

  itInBrowser('loses no scan while the service cannot be reached, nor when the page is left', async () => {
    const { page, show, complaints } = opened;
    const { id } = await store('Cellar', ['C-1', 'C-2', 'C-3']);
    await show(`/stocktakes/${id}`);
    await page.route('**/scans', (route) => route.fulfill({ status: 503, json: { error: 'Not now' } }));
    await scan('C-1');
    await page.getByText(/They are sent again by themselves/).waitFor();
    await page.unroute('**/scans');
    await page.route('**/scans', (route) => route.abort());
    await scan('C-2');
    await scan('C-UNKNOWN');
    expect(await button('Close the stocktake').isDisabled()).toBe(true);
    expect((await result(id)).found).toBe(0);
    // A reloaded page sends the scans that it stored.
    await page.reload();
    await page.getByText('3 scans wait in this browser.').waitFor();
    await page.unroute('**/scans');
    await page.getByText('Every scan has arrived.').waitFor();
    expect(await result(id)).toMatchObject({ found: 2, missing: 1, unknown: 1 });
    await page.getByRole('button', { name: '1 Unknown' }).click();
    await page.getByRole('region', { name: 'Entries' }).getByText('C-UNKNOWN').waitFor();
    await page.getByRole('link', { name: 'Record it' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    // The browser reports only the failed requests.
    expect(complaints.splice(0).filter((one) => !one.startsWith('Failed to load resource'))).toEqual([]);
  });

  itInBrowser('says what closing does, and offers the labels of what is missing', async () => {
    const { page, show } = opened;
    const { id } = await store('Attic', ['A-1', 'A-2']);
    await show(`/stocktakes/${id}`);
    await scan('A-1');
    await page.getByRole('button', { name: '1 Found' }).waitFor();
    await button('Close the stocktake').click();
    await page.getByLabel('Missing assets become lost').check();
    await page.getByText('0 assets would be moved, and 1 asset lost.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await button('Close it').click();
    await said('Count of Attic closed, 1 asset lost');
    const sheet = page.getByRole('link', { name: 'Print their labels' });
    const labels = await page.request.get(new URL((await sheet.getAttribute('href'))!, service.url).href);
    expect(await labels.text()).toContain('A-2');
    expect((await admin.get('/api/assets?assetTag=A-2')).body.data[0].status).toBe('lost');
    expect(await page.getByLabel('Tag or serial number').count()).toBe(0);
  });

  itInBrowser('keeps the codes that come after the count was closed elsewhere', async () => {
    const { page, show } = opened;
    const { id } = await store('Shed', ['S-1']);
    await show(`/stocktakes/${id}`);
    await admin.post(`/api/stocktakes/${id}/close`, {});
    await scan('S-1');
    await page.getByText('These codes are not counted. They stay in this browser: S-1').waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await button('Forget them').click();
    await page.getByText('Every scan has arrived.').waitFor();
    expect((await result(id)).found).toBe(0);
  });
});

describe('stock', () => {
  itInBrowser('is not taken out where there is too little, and asks where from', async () => {
    const { page, show } = opened;
    const item = await admin.make('/api/stock-items', { name: 'Screw', sku: 'SC-1' });
    for (const [name, quantity] of [
      ['Left', 5],
      ['Right', 9],
    ] as const) {
      const { id: siteId } = await admin.make('/api/sites', { name });
      await admin.make(`/api/stock-items/${item.id}/movements`, { quantity, kind: 'receipt', siteId });
    }
    await show('/pictures/desk?task=out');
    const scan = async (units: string, code: string): Promise<void> => {
      await page.getByLabel('Units of each scan').fill(units);
      await page.getByLabel('SKU or name of the item').fill(code);
      await page.keyboard.press('Enter');
    };
    await scan('10', 'SC-1');
    await page.locator('main .failure').getByText('No place has 10 of Screw: the most that one has is 9').waitFor();
    await scan('1', 'SC-2');
    await page.locator('main .failure').getByText('No stock item has the SKU or the name “SC-2”').waitFor();
    await scan('2', 'SC-1');
    await page.getByRole('region', { name: 'Where from' }).getByRole('button', { name: 'From the 9 here' }).click();
    await said('2 of Screw taken out, 7 left there');
    // The next scans use the same place.
    await scan('3', 'SC-1');
    await said('3 of Screw taken out, 4 left there');
    expect(await axeFindings(page)).toEqual([]);
    await page.locator('.toasts').getByRole('button', { name: 'Undo' }).last().click();
    await until(async () => (await admin.get(`/api/stock-items/${item.id}`)).body.data.onHand === 12);
  });

  itInBrowser('an order offers the labels of what it brought last', async () => {
    const { page, show } = opened;
    const items = [{ name: 'Scanner', quantity: 2 }];
    const order = await admin.make('/api/purchase-orders', { orderNumber: 'PO-L', items, status: 'ordered' });
    const received = { itemId: order.items[0].id, quantity: 2, assets: [{}, {}] };
    await admin.post(`/api/purchase-orders/${order.id}/receive`, { items: [received] });
    await show(`/purchase-orders/${order.id}`);
    await page.getByRole('region', { name: 'Labels' }).getByRole('link', { name: 'Print labels' }).click();
    await page.getByRole('heading', { name: '2 labels' }).waitFor();
    const sheet = page.locator('img.paper');
    const labels = await page.request.get(new URL((await sheet.getAttribute('src'))!, service.url).href);
    expect([labels.status(), (await labels.text()).match(/>Scanner</g)?.length]).toEqual([200, 2]);
  });
});

describe('a rack', () => {
  itInBrowser('shows what is reserved, and refuses units that somebody else has reserved meanwhile', async () => {
    const { page, show, complaints } = opened;
    const rack = await admin.make('/api/racks', { name: 'R8', units: 8 });
    await admin.make('/api/rack-reservations', { rackId: rack.id, units: [2], description: 'Shelf' });
    await show(`/racks/${rack.id}`);
    await page.getByRole('link', { name: 'Reserved: Shelf, unit 2' }).waitFor();
    await button('Reserve units').click();
    const unit = (number: number) => page.getByRole('button', { name: `Unit ${number}`, exact: true });
    expect(await unit(2).count()).toBe(0);
    // A range of units leaves out reserved ones.
    await unit(4).click();
    await unit(1).click();
    await page.getByText('Chosen: units 1, 3, 4.').waitFor();
    await unit(3).click();
    await page.getByText('Chosen: units 1, 4.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await admin.make('/api/rack-reservations', { rackId: rack.id, units: [4] });
    await button('Reserve 2 units').click();
    await page
      .locator('main .failure')
      .getByText(/overlap/)
      .first()
      .waitFor();
    expect((await admin.get(`/api/rack-reservations?rackId=${rack.id}`)).body.total).toBe(2);
    expect(complaints).toEqual([]);
  });
});
