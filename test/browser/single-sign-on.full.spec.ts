import type { Browser, Page } from 'playwright-core';
import { startService, type TestService } from '../support/app.js';
import { hasBrowser, itInBrowser, launchBrowser } from '../support/browser.js';
import { startCertifiedProvider, trusting, type CertifiedProvider } from '../support/single-sign-on.js';
import { PATIENCE_MS } from '../support/until.js';

/* Single sign-on from Swagger UI and from the page, with a certified provider and its own pages. */

const email = 'ada@example.com';

let provider: CertifiedProvider;
let service: TestService;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  provider = await startCertifiedProvider();
  service = await startService(
    trusting(provider.issuer, {
      OIDC_LABEL: 'Sign in with Acme',
      OIDC_CREATE_PROFILES: 'true',
      OIDC_ROLE_MAP: 'editor=netops',
      OIDC_DEFAULT_AREAS: 'network',
    }),
  );
  browser = await launchBrowser();
  page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
}, 120_000);
afterAll(async () => {
  if (!hasBrowser) return;
  await browser?.close();
  provider?.stop();
  await service?.stop();
});

itInBrowser('signs a person in, shows who it is, and signs out', async () => {
  await page.goto(`${service.url}/docs`);
  const link = page.getByRole('link', { name: 'Sign in with Acme' });
  await link.click();
  await page.waitForURL(`${provider.issuer}/interaction/**`);
  await page.locator('input[name=login]').fill(`ada;${email};verified;netops`);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.waitForURL(`${service.url}/docs`);
  await page.getByText(`Logged in as ${email}, editor`).waitFor();
  expect(await link.isVisible()).toBe(false);
  const names = (await page.context().cookies(`${service.url}/api/auth/oidc`)).map(({ name }) => name);
  expect(names).toContain('session');
  expect(names.filter((name) => name.startsWith('sign_in'))).toEqual([]);

  await page.getByRole('button', { name: 'Log out' }).click();
  await link.waitFor();
  const left = await page.context().cookies(service.url);
  expect(left.map(({ name }) => name)).not.toContain('session');
  expect(await page.evaluate(async () => (await fetch('/api/auth/session')).status)).toBe(401);
});

itInBrowser('explains a sign-in that was cancelled or is over, and leads to another try', async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  tab.setDefaultTimeout(PATIENCE_MS);
  // Two tabs start a sign-in. The second does not replace the state of the first.
  await tab.goto(`${service.url}/#/sites`);
  await tab.getByRole('link', { name: 'Sign in with Acme' }).click();
  await tab.waitForURL(`${provider.issuer}/interaction/**`);
  const other = await context.newPage();
  await other.goto(`${service.url}/api/auth/oidc/login?returnTo=/docs`);
  await other.waitForURL(`${provider.issuer}/interaction/**`);
  await other.getByRole('link', { name: 'Cancel' }).click();
  await other.getByRole('heading', { name: 'You are not signed in' }).waitFor();
  await other.getByText('The provider refused the sign-in: access_denied').waitFor();
  const refused = other.url();
  await other.getByRole('link', { name: 'Try again' }).click();
  await other.waitForURL(`${provider.issuer}/interaction/**`);
  // The back button leads to a sign-in that has ended.
  await other.goto(refused);
  await other.getByText('does not belong to a sign-in that this browser began').waitFor();
  await other.getByRole('link', { name: 'Try again' }).click();
  await other.waitForURL(`${provider.issuer}/interaction/**`);

  await tab.locator('input[name=login]').fill('joan;joan@example.com;verified;netops');
  await tab.locator('input[name=password]').fill('any');
  await tab.locator('button[type=submit]').click();
  await tab.getByRole('heading', { name: 'Sites', exact: true }).waitFor();
  expect(tab.url()).toBe(`${service.url}/#/sites`);
  await context.close();
});

itInBrowser('signs a person in from the page, and shows the address of the page that was asked for', async () => {
  const context = await browser.newContext();
  const asked = await context.newPage();
  asked.setDefaultTimeout(PATIENCE_MS);
  const address = `${service.url}/#/sites?search=harbour&sort=name`;
  await asked.goto(address);
  await asked.getByRole('link', { name: 'Sign in with Acme' }).click();
  await asked.waitForURL(`${provider.issuer}/interaction/**`);
  await asked.locator('input[name=login]').fill('grace;grace@example.com;verified;netops');
  await asked.locator('input[name=password]').fill('any');
  await asked.locator('button[type=submit]').click();
  await asked.getByRole('heading', { name: 'Sites', exact: true }).waitFor();
  expect(asked.url()).toBe(address);

  // The session ends while a form is filled in. The sign-in happens in a separate window.
  await asked.goto(`${service.url}/#/sites/new`);
  await asked.getByLabel(/^Name/).fill('Typed for an hour');
  await context.clearCookies({ name: 'session' });
  await asked.getByRole('button', { name: 'Create' }).click();
  await asked.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  const opening = context.waitForEvent('page');
  await asked.getByRole('dialog').getByRole('link', { name: 'Sign in with Acme' }).click();
  const other = await opening;
  await other.waitForLoadState();
  if (other.url().startsWith(provider.issuer)) {
    await other.locator('input[name=login]').fill('grace;grace@example.com;verified;netops');
    await other.locator('input[name=password]').fill('any');
    await other.locator('button[type=submit]').click();
  }
  await other.getByRole('heading', { name: 'Today', exact: true }).waitFor();
  await asked.getByRole('button', { name: 'I have logged in' }).click();
  await asked.getByRole('dialog').waitFor({ state: 'detached' });
  await asked.getByRole('button', { name: 'Create' }).click();
  await asked.getByRole('heading', { name: 'Typed for an hour' }).waitFor();
  await context.close();
});
