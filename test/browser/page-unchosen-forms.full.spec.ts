import { itInBrowser } from '../support/browser.js';
import { admin, opened, usePage } from '../support/page.js';
import { pathOf, resources } from '../support/resources.js';

/* Every form keeps a typed name that matches no record, and does not send the form with it. */

const NOTHING = 'stands for nothing';

const ids: Record<string, string> = {};
usePage({ locale: 'en-GB' }, async () => {
  const make = async (name: string, path: string, body: object): Promise<void> =>
    void (ids[name] = (await admin.make(path, body)).id);
  await make('site', '/api/sites', { name: 'Unchosen site' });
  await make('person', '/api/people', { fullName: 'Ada Unchosen' });
  await make('asset', '/api/assets', { name: 'Unchosen asset' });
  await make('prefix', '/api/prefixes', { prefix: '10.77.0.0/24' });
  await make('change', '/api/change-requests', { name: 'Unchosen change', status: 'submitted' });
  await admin.make('/api/custom-fields', {
    key: 'keeper',
    label: 'Keeper',
    type: 'reference',
    target: 'people',
    resources: ['vendors'],
  });
});

const forms = resources.filter(({ owner }) => !owner).map((resource) => pathOf(resource).slice('/api'.length));

/** Types into each input for names in the view. @returns the labels of inputs that do not report an unknown name */
async function typeEverywhere(): Promise<{ typed: string[]; silent: string[] }> {
  const { page } = opened;
  const inputs = page.locator('main [role=combobox]:not([disabled])');
  const [typed, silent]: [string[], string[]] = [[], []];
  for (let index = 0; index < (await inputs.count()); index++) {
    const input = inputs.nth(index);
    const label = await input.evaluate(
      (element) => (element as HTMLInputElement).labels?.[0]?.textContent ?? element.id,
    );
    typed.push(label);
    await input.fill(NOTHING);
    await input.press('Tab');
    const said = input
      .locator('xpath=ancestor::*[contains(@class, "reference")]')
      .getByText(`Nothing is named “${NOTHING}”.`);
    await said.waitFor({ timeout: 5_000 }).catch(() => silent.push(label));
    if ((await input.inputValue()) !== NOTHING) silent.push(`${label} is empty`);
  }
  return { typed, silent };
}

/** Submits the form of the view. @returns the write requests */
async function sent(): Promise<string[]> {
  const { page } = opened;
  const asked: string[] = [];
  const note = (request: { method(): string; url(): string }): void => {
    if (request.method() !== 'GET' && !request.url().includes('dryRun'))
      asked.push(`${request.method()} ${request.url()}`);
  };
  page.on('request', note);
  const before = page.url();
  const button = page.locator('main form .primary').last();
  if (await button.isEnabled()) await button.click();
  // The form looks the names up again.
  await page.waitForLoadState('networkidle');
  page.off('request', note);
  return [...asked, ...(page.url() === before ? [] : [`went to ${page.url()}`])];
}

itInBrowser(
  'of a new record',
  async () => {
    const { page, show } = opened;
    page.on('dialog', (dialog) => void dialog.accept());
    const found: Record<string, unknown> = {};
    let count = 0;
    for (const path of forms) {
      await show(`${path}/new`);
      if ((await page.locator('main form').count()) === 0) continue;
      for (const required of await page.locator('main form :is(input[required], textarea[required]):not([role])').all())
        if ((await required.getAttribute('type')) === 'text' || !(await required.getAttribute('type')))
          await required.fill('Unchosen');
      const { typed, silent } = await typeEverywhere();
      if (typed.length === 0) continue;
      count += typed.length;
      const written = await sent();
      if (silent.length > 0 || written.length > 0) found[path] = { silent, written };
    }
    expect(found).toEqual({});
    expect(count).toBeGreaterThan(60);
  },
  600_000,
);

itInBrowser(
  'of an action',
  async () => {
    const { show } = opened;
    const found: Record<string, unknown> = {};
    for (const address of [
      `/assets/${ids.asset}/do/assignAsset`,
      `/people/${ids.person}/do/offboardPerson`,
      `/prefixes/${ids.prefix}/do/allocateIps`,
      '/on-call-schedules/do/rotateOnCallSchedules',
      '/cables/new',
      `/sites/${ids.site}/edit`,
      `/assets/${ids.asset}/edit`,
    ]) {
      await show(address);
      const { typed, silent } = await typeEverywhere();
      const written = await sent();
      if (typed.length === 0 || silent.length > 0 || written.length > 0) found[address] = { typed, silent, written };
    }
    expect(found).toEqual({});
  },
  300_000,
);
