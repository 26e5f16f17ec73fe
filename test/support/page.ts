import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestService } from './app.js';

/** A window of the page, and what the browser complained of in it. */
export interface Opened {
  page: Page;
  /** Violations of the content security policy, errors of scripts and on the console, requests elsewhere, and dialogs of scripts. */
  complaints: string[];
  /** Opens an address of the page, and waits until nothing is loading. */
  show(address: string): Promise<void>;
}

/** The browser's own message about a refused request. */
const REFUSAL = /status of 4\d\d/;

/** Opens the page in a window of its own. @param cookie of the session; undefined for none */
export async function openPage(
  browser: Browser,
  service: TestService,
  cookie: string | undefined,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  if (cookie !== undefined) await context.addCookies([{ name: 'session', value: cookie, url: service.url }]);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !REFUSAL.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(service.url))
      complaints.push(`asked another origin: ${request.url()}`);
  });
  await page.goto(service.url);
  await page.locator('h1').first().waitFor();
  return {
    page,
    complaints,
    async show(address) {
      await page.evaluate((hash) => (location.hash = hash), address);
      await page.locator('main h1').first().waitFor();
      await page.locator('main .loading').first().waitFor({ state: 'detached' });
    },
  };
}
