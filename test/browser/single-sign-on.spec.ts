import type { Browser, Page } from 'playwright-core';
import { startService, type TestService } from '../support/app.js';
import { hasBrowser, itInBrowser, launchBrowser } from '../support/browser.js';
import { startCertifiedProvider, trusting, type CertifiedProvider } from '../support/single-sign-on.js';

/* Single sign-on from Swagger UI, with a certified provider and its own pages. */

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
    }),
  );
  browser = await launchBrowser();
  page = await browser.newPage();
  page.setDefaultTimeout(20_000);
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
  expect(names).not.toContain('sign_in');

  await page.getByRole('button', { name: 'Log out' }).click();
  await link.waitFor();
  const left = await page.context().cookies(service.url);
  expect(left.map(({ name }) => name)).not.toContain('session');
  expect(await page.evaluate(async () => (await fetch('/api/auth/session')).status)).toBe(401);
});
