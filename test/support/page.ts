import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startService, type Api, type TestService } from './app.js';
import { hasBrowser, launchBrowser } from './browser.js';
import { PATIENCE_MS } from './until.js';

/** A window of the page, and its errors. */
interface Opened {
  page: Page;
  /** Violations of the content security policy, errors of scripts and on the console, requests elsewhere, and dialogs of scripts. */
  complaints: string[];
  /** Opens an address of the page, and waits until nothing is loading. */
  show(address: string): Promise<void>;
}

/** The demo estate takes a minute, and several on a busy machine. */
const PREPARING_MS = 400_000;

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
  page.setDefaultTimeout(PATIENCE_MS);
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
      // The previous view stays until the page has left it.
      await page.waitForFunction(() => document.querySelector('main')?.dataset.address === location.hash);
      await page.locator('main h1').first().waitFor();
      await page.locator('main :is(.loading, [aria-busy=true])').first().waitFor({ state: 'detached' });
    },
  };
}

/* State that the tests of a file share after calling `usePage`. Each file has its own instance of this module. */
export let service: TestService;
export let admin: Api;
/** Undefined, as is `opened`, where no browser is installed. */
export let browser: Browser | undefined;
/** The page, where `admin` is signed in. */
export let opened: Opened;

/**
 * Starts a service for the tests of a file, and opens the page in a browser.
 * @param options of the window
 * @param prepare makes records before the page is opened
 */
export function usePage(options: BrowserContextOptions = {}, prepare?: () => Promise<void>): void {
  beforeAll(async () => {
    service = await startService();
    admin = await service.as('admin');
    await prepare?.();
    if (!hasBrowser) return;
    browser = await launchBrowser();
    opened = await openPage(browser, service, admin.cookie, options);
  }, PREPARING_MS);
  afterAll(async () => {
    await browser?.close();
    await service.stop();
  });
}
