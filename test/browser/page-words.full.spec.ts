import { labelOfValue } from '../../src/fields/labels.js';
import { loadCatalogue } from '../../src/app/startup/load-catalogue.js';
import { fillDemo } from '../../src/cli/demo/fill.js';
import { publishedDocument } from '../../src/openapi/document/published.js';
import { hasBrowser, itInBrowser } from '../support/browser.js';
import { admin, opened, service, usePage } from '../support/page.js';
import { faultsOfWords } from '../support/words.js';

/* What the screens of the page show of the demo estate. */
/** The requests of the page that have no response yet. */
const waiting = new Set<object>();
usePage({ viewport: { width: 1440, height: 900 } }, async () => {
  if (!hasBrowser) return;
  await loadCatalogue(service.database.db);
  await fillDemo(service.app, service.database.db);
  // The demo has none of these.
  const events = { resources: ['devices', 'incident-updates'], actions: ['update'], fields: ['status', 'siteId'] };
  await admin.make('/api/webhooks', { name: 'Tickets', url: 'https://hooks.example.com/tickets', ...events });
  await admin.make('/api/tokens', { name: 'Backup script', role: 'viewer', areas: ['network'] });
  await admin.make('/api/calendar-feeds', { name: 'On call', kind: 'on-call' });
});
beforeAll(() => {
  if (!hasBrowser) return;
  opened.page.on('request', (request) => waiting.add(request));
  opened.page.on('requestfinished', (request) => waiting.delete(request));
  opened.page.on('requestfailed', (request) => waiting.delete(request));
});

/** Opens an address of the page, and waits until each of its parts has what it asked for. */
async function show(address: string): Promise<void> {
  await opened.show(address);
  do await opened.page.waitForTimeout(15);
  while (waiting.size > 0);
}

/** The addresses that some links lead to. */
const linksIn = (selector: string): Promise<string[]> =>
  opened.page
    .locator(selector)
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!.slice(1)))
    // The references of all records look alike, and the form of a record looks like that of a new one.
    .then((addresses) => addresses.filter((address) => !/(?:\?tab=references|\/edit)$/.test(address)));

/** All enumerated values of the API that have other words in the page. */
function rawValues(): string[] {
  const found = new Set<string>();
  JSON.stringify(publishedDocument().components!.schemas, (key, value: unknown) => {
    if (key === 'enum') for (const one of value as unknown[]) if (typeof one === 'string') found.add(one);
    return value;
  });
  return [...found].filter((value) => labelOfValue(value) !== value);
}

itInBrowser(
  'shows people no words of the API, no ids and no columns without a value, on any screen',
  async () => {
    const { page } = opened;
    const raw = rawValues();
    const seen = new Map<string, string[]>();
    const look = async (address: string): Promise<void> => {
      if (seen.has(address)) return;
      await show(address);
      const failures = await page.locator('main .failure').allInnerTexts();
      seen.set(address, [...failures, ...(await page.evaluate(faultsOfWords, raw))]);
    };
    for (const list of [...(await linksIn('nav.side a')), '/account', '/search?q=ams']) {
      await look(list);
      const tasks = await linksIn('main .title a.button[href^="#"]');
      const [record] = await linksIn('main tbody td.lead a.name[href^="#"]');
      for (const task of tasks) await look(task);
      // Several lists may show the same record.
      if (record === undefined || seen.has(record)) continue;
      await look(record);
      for (const one of await linksIn('main :is(.title a.button, .tabs a)[href^="#"]')) await look(one);
    }
    expect(seen.size).toBeGreaterThan(300);
    expect([...seen].filter(([, faults]) => faults.length > 0)).toEqual([]);
  },
  400_000,
);
