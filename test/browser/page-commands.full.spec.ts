import { itInBrowser } from '../support/browser.js';
import { admin, openPage, opened, browser, service, usePage } from '../support/page.js';

/* Commands in the search. */
const PREFIX = '10.10.30.0/24';
let ids: { prefix: string; asset: string };
usePage({ locale: 'en-GB' }, async () => {
  const prefix = await admin.make('/api/prefixes', { prefix: PREFIX });
  const asset = await admin.make('/api/assets', { name: 'Laptop 12', assetTag: 'AT-9101' });
  await admin.make('/api/people', { fullName: 'Daan Visser', email: 'daan@example.com' });
  await admin.make('/api/incidents', { name: 'New rack without power' });
  ids = { prefix: prefix.id, asset: asset.id };
});

const box = () => opened.page.getByRole('combobox', { name: 'Search everything' });
const offers = () => opened.page.locator('#matches').getByRole('option');
const at = (): Promise<string> => opened.page.evaluate(() => location.hash);

/** Types a text, waits for a suggestion, and takes the first one. */
async function say(text: string, first: RegExp): Promise<void> {
  await opened.page.keyboard.press('Control+k');
  await box().fill(text);
  await offers().first().filter({ hasText: first }).waitFor();
  await box().press('Enter');
}

itInBrowser('begins a new record', async () => {
  await opened.show('/sites');
  // The text typed so far is enough, even if it is itself a word.
  await say('new in', /New incident/);
  expect(await at()).toBe('#/incidents/new');
  await opened.show('/sites');
  await say('create device role', /New device role/);
  expect(await at()).toBe('#/device-roles/new');
});

itInBrowser('does something with a record that the rest of the text finds', async () => {
  await opened.show('/sites');
  await say('allocate an address in 10.10.30.0/24', /^Allocate an address: 10\.10\.30\.0\/24.*Action/);
  expect(await at()).toBe(`#/prefixes/${ids.prefix}/do/allocateIps`);
  await opened.show('/sites');
  await say('hand out at-9101', /^Hand out: Laptop 12/);
  expect(await at()).toBe(`#/assets/${ids.asset}/do/assignAsset`);
});

itInBrowser('offers only what the state of the record admits', async () => {
  await opened.show('/sites');
  await box().fill('take back at-9101');
  await opened.page.getByText('Nothing found').waitFor();
  const { data } = (await admin.get('/api/people?email=daan@example.com')).body;
  expect((await admin.post(`/api/assets/${ids.asset}/assign`, { personId: data[0].id })).status).toBe(200);
  await say('take back AT-9101', /^Take back: Laptop 12/);
  expect(await at()).toBe(`#/assets/${ids.asset}/do/returnAsset`);
});

itInBrowser('leads to a list, after the records of that name', async () => {
  await opened.show('/sites');
  await box().fill('incidents');
  await offers().filter({ hasText: 'Go to' }).first().waitFor();
  expect(await offers().allInnerTexts()).toEqual([expect.stringContaining('Incidents')]);
  await box().fill('new rack');
  await offers().filter({ hasText: 'without power' }).waitFor();
  expect((await offers().allInnerTexts()).map((text) => text.split('\n')[0]!.trim())).toEqual([
    'New rack',
    'New rack reservation',
    'New rack without power',
  ]);
  await box().press('Escape');
});

itInBrowser('offers nobody what they may not do', async () => {
  const viewer = await service.as('viewer');
  const other = await openPage(browser!, service, viewer.cookie);
  const input = other.page.getByRole('combobox', { name: 'Search everything' });
  await input.fill('new inc');
  await other.page.getByText('Nothing found').waitFor();
  await input.fill('hand out at-9101');
  await other.page.getByText('Nothing found').waitFor();
  await input.fill('asset desk');
  await other.page
    .locator('#matches')
    .getByRole('option', { name: /Asset desk/ })
    .waitFor();
  expect([...opened.complaints, ...other.complaints]).toEqual([]);
});
