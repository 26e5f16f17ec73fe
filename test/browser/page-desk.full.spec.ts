import { axeFindings } from '../support/axe.js';
import { hasBrowser, itInBrowser } from '../support/browser.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';
import { until } from '../support/until.js';

/* What the views of the asset desk say, and what they refuse. */

// The policy of the service refuses axe, whose script is not its own.
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
    // What may be done without the area is offered once the rest is unticked.
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
    // Nobody knows when it comes back.
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
    // The next ones come from the same place.
    await scan('3', 'SC-1');
    await said('3 of Screw taken out, 4 left there');
    expect(await axeFindings(page)).toEqual([]);
    await page.locator('.toasts').getByRole('button', { name: 'Undo' }).last().click();
    await until(async () => (await admin.get(`/api/stock-items/${item.id}`)).body.data.onHand === 12);
  });
});
