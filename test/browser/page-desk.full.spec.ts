import { axeFindings } from '../support/axe.js';
import { hasBrowser, itInBrowser } from '../support/browser.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';

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
