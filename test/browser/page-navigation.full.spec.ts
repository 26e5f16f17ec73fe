import { itInBrowser } from '../support/browser.js';
import { admin, browser, opened, openPage, service, usePage } from '../support/page.js';

/* Navigation: some ten destinations, and one menu for the user's own things. */
usePage();

itInBrowser('has some ten destinations, and the lists of the one that is shown', async () => {
  const { page, show } = opened;
  await show('');
  const shown = page.locator('nav.side a:visible');
  expect(await shown.count()).toBeLessThanOrEqual(11);
  await page.getByRole('link', { name: 'Addresses', exact: true }).click();
  await page.getByRole('heading', { name: 'Prefixes', exact: true }).waitFor();
  await page.locator('nav.side').getByRole('link', { name: 'VLANs', exact: true }).click();
  await page.getByRole('heading', { name: 'VLANs', exact: true }).waitFor();
  expect(await page.locator('nav.side [aria-current="page"]').allInnerTexts()).toEqual(['VLANs']);
  // Every list has a place in the navigation.
  const links = await page.locator('nav.side a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  expect(links).toEqual(expect.arrayContaining(['#/webhooks', '#/calendar-feeds', '#/device-types', '#/expirations']));
});

itInBrowser('has each list where its family is', async () => {
  await opened.show('/devices');
  const lists = (name: string): Promise<string[]> =>
    opened.page
      .locator('nav.side .groups > li', { has: opened.page.getByText(name, { exact: true }) })
      .evaluate((one) => [...one.querySelectorAll('a')].map((link) => link.getAttribute('href')!));
  expect(await lists('Devices')).toEqual(expect.arrayContaining(['#/cables', '#/circuits', '#/device-ports']));
  expect(await lists('People')).toContain('#/tenant-groups');
  expect((await lists('Settings')).length).toBeLessThan(14);
});

itInBrowser('goes to a destination with two keys, and names the keys', async () => {
  const { page, show, complaints } = opened;
  await show('');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.getByRole('heading', { name: 'Devices', exact: true }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('g d').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

itInBrowser('Ctrl+Enter saves a form of a record, and of a task, as its button does', async () => {
  const { page, show, complaints } = opened;
  await show('/sites/new');
  await page.getByLabel('Name').first().fill('Saved by a key');
  await page.getByLabel('Description').fill('typed in a text of several lines');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Saved by a key' }).waitFor();
  const { id } = await admin.make('/api/software-licences', { name: 'Suite', seats: 1 });
  await admin.make('/api/people', { fullName: 'Ada Lovelace' });
  await show(`/software-licences/${id}/seats/new`);
  // Ctrl+Enter first takes the choice in the field, then sends it.
  const person = page.getByLabel('Person', { exact: true });
  const refusal = page.locator('main .failure');
  await person.press('Control+Enter');
  await refusal.waitFor();
  expect(await refusal.innerText()).toMatch(/^One field needs another look\.\s+Person must be given/);
  await person.fill('Ada');
  await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
  await person.press('ArrowDown');
  await person.press('Control+Enter');
  await page.locator('.toasts').getByText('A seat of Suite handed out to Ada Lovelace').waitFor();
  // If the button is disabled, the key does nothing.
  await show('/on-call-schedules/do/rotateOnCallSchedules');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.method()));
  await page.getByLabel('Roster').fill('Half');
  await page.getByLabel('Roster').press('Control+Enter');
  expect(await page.getByRole('button', { name: 'Plan the rotation' }).isDisabled()).toBe(true);
  expect(asked).not.toContain('POST');
  expect(complaints).toEqual([]);
});

itInBrowser('keeps the theme that somebody has chosen', async () => {
  const { page, complaints } = opened;
  const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await paper();
  await page.locator('.user summary').click();
  await page.getByLabel('Theme').selectOption('dark');
  const dark = await paper();
  expect(dark).not.toBe(light);
  await page.reload();
  await page.locator('main h1').waitFor();
  expect(await paper()).toBe(dark);
  await page.locator('.user summary').click();
  await page.getByLabel('Theme').selectOption('system');
  expect(await paper()).toBe(light);
  expect(complaints).toEqual([]);
});

itInBrowser('reaches tokens, feeds, webhooks and users from the menu, and changes the own password', async () => {
  const old = 'a passphrase of the menu 1';
  const fresh = 'another passphrase of the menu 2';
  await admin.make('/api/profiles', { email: 'menu@example.com', password: old, role: 'admin' });
  const { page } = await openPage(browser!, service, undefined);
  const log = async (password: string): Promise<void> => {
    await page.getByLabel('Email').fill('menu@example.com');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
  };
  await log(old);
  await page.locator('.user summary').click();
  const links = await page.locator('.user .sheet a').allInnerTexts();
  expect(links).toEqual(expect.arrayContaining(['Your account', 'Tokens', 'Calendar feeds', 'Webhooks', 'Profiles']));
  await page.getByRole('link', { name: 'Your account' }).click();
  await page.getByLabel('Current password').fill(old);
  await page.getByLabel('New password').fill(fresh);
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('The password is changed').waitFor();
  await page.context().clearCookies();
  await page.reload();
  await log(fresh);
  await page.context().close();
});

itInBrowser('shows a view whose module another view was waiting for', async () => {
  const [first, second] = [
    await admin.make('/api/vendors', { name: 'Asked first' }),
    await admin.make('/api/vendors', { name: 'Asked second' }),
  ];
  const { page, complaints } = await openPage(browser!, service, admin.cookie);
  let answer!: () => void;
  const asked = new Promise<string>((arrived) => {
    void page.route('**/page/record-*.js', (route) => {
      answer = () => void route.continue();
      arrived(route.request().url());
    });
  });
  await page.evaluate((id) => (location.hash = `/vendors/${id}`), first.id);
  const module = await asked;
  // The second view is drawn. Its effects wait until the module is loaded.
  await page.evaluate((id) => {
    const held: Array<() => void> = [];
    const own = { requestAnimationFrame, setTimeout };
    const hold = (work: () => void): number => held.push(work);
    Object.assign(window, { requestAnimationFrame: hold, setTimeout: hold });
    Object.assign(window, {
      goOn: () => {
        Object.assign(window, own);
        held.forEach((work) => work());
      },
    });
    location.hash = `/vendors/${id}`;
  }, second.id);
  await page.waitForFunction(() => document.querySelector('main')!.dataset.address === location.hash, undefined, {
    polling: 50,
  });
  answer();
  // As text, because the compiler would replace the import of the browser.
  await page.evaluate(`import('${module}').then(() => goOn())`);
  await page.getByRole('heading', { name: 'Asked second' }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});
