import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { hasBrowser, itInBrowser } from '../support/browser.js';
import { crowd, CROWDED, ORDINARY, type Estate } from '../support/crowd.js';
import { faultsOfLayout } from '../support/layout.js';
import { admin, opened, service, usePage } from '../support/page.js';

/* Each view of the page with an empty, an ordinary and a crowded estate, on narrow and wide screens. */
usePage();

const WIDTHS = [390, 1280, 2560];
const LISTS = [
  '',
  '/sites',
  '/devices',
  '/ip-addresses',
  '/expirations?within=365',
  '/on-call',
  '/on-call/gaps',
  '/utilisation?atLeast=0',
  '/change-log?order=desc',
  '/pictures/racks',
  '/pictures/on-call',
  '/pictures/expirations',
  '/pictures/prefixes',
];
const RECORDS: Record<string, (estate: Estate) => string> = {
  'a site': ({ site }) => `/sites/${site}`,
  'the impact of a site': ({ site }) => `/sites/${site}?tab=impact`,
  'what refers to a site': ({ site }) => `/sites/${site}?tab=references`,
  'the form of a site': ({ site }) => `/sites/${site}/edit`,
  'the history of a site': ({ changed }) => `/sites/${changed}?tab=history`,
  'a rack': ({ rack }) => `/racks/${rack}`,
  'the elevation of a rack': ({ rack }) => `/racks/${rack}?tab=elevation`,
  'an order': ({ order }) => `/purchase-orders/${order}`,
  'the form of an order': ({ order }) => `/purchase-orders/${order}/edit`,
  'the children of a prefix': ({ prefix }) => `/prefixes/${prefix}?tab=children`,
};

/** Shows a view at every width. `SCREENSHOTS` names a directory for screenshots. */
async function look(state: string, address: string): Promise<void> {
  const { page, show } = opened;
  await show(address);
  await page.waitForLoadState('networkidle');
  const name = `${state}-${
    address
      .split('/')
      .map((part) => part.replace(/^[\da-f-]{36}/, ''))
      .join('_')
      .replaceAll(/[?=&]/g, '_') || 'today'
  }`;
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    if (process.env.SCREENSHOTS) {
      mkdirSync(process.env.SCREENSHOTS, { recursive: true });
      for (const colorScheme of width === 1280 ? (['dark', 'light'] as const) : (['light'] as const)) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}-${width}-${colorScheme}.png`) });
      }
    }
    expect([address, width, await page.evaluate(faultsOfLayout)]).toEqual([address, width, []]);
  }
  expect([address, await page.locator('main .failure').allInnerTexts()]).toEqual([address, []]);
}

describe('an empty service', () => {
  itInBrowser.each(LISTS)('shows #%s', (address) => look('empty', address));
});

describe.each([['ordinary', ORDINARY] as const, ['crowded', CROWDED] as const])('an %s service', (state, size) => {
  let estate: Estate;
  beforeAll(async () => {
    if (hasBrowser) estate = await crowd(service, admin, size);
  }, 120_000);

  itInBrowser.each(LISTS)('shows #%s', (address) => look(state, address));

  itInBrowser.each(Object.entries(RECORDS))('shows %s', (_name, addressOf) => look(state, addressOf(estate)));
});

describe('of a crowd', () => {
  const countOf = (selector: string): Promise<number> => opened.page.locator(selector).count();
  const idOf = async (path: string): Promise<string> => (await admin.get(path)).body.data[0].id;

  itInBrowser('a list shows a page of fifty, and how many there are', async () => {
    await opened.show('/ip-addresses');
    const addresses = CROWDED.addresses + ORDINARY.addresses;
    await opened.page.getByText(`1 to 50 of ${addresses.toLocaleString('en')}`).waitFor();
    expect(await countOf('main tbody tr')).toBe(50);
  });

  itInBrowser('a card of Today shows eight, and how many more there are', async () => {
    await opened.show('');
    const card = opened.page.getByRole('region', { name: 'On call', exact: true });
    await card.getByRole('link', { name: /^\d+ more$/ }).waitFor();
    expect(await card.locator('.lines > li').count()).toBe(8);
  });

  itInBrowser('an order shows all of its items', async () => {
    await opened.show(`/purchase-orders/${await idOf('/api/purchase-orders?sort=createdAt&order=desc&pageSize=1')}`);
    await opened.page.locator('main .fields table').waitFor();
    expect(await countOf('main .fields tbody tr')).toBe(CROWDED.items);
  });

  itInBrowser('a history shows the last fifty changes', async () => {
    await opened.show(`/sites/${await idOf('/api/sites?name=Changed%20often')}?tab=history`);
    await opened.page.locator('.history .entry').first().waitFor();
    expect(await countOf('.history .entry')).toBe(50);
    await opened.page.getByRole('button', { name: 'Older' }).waitFor();
  });

  itInBrowser(
    'an impact shows what has to do with the record, with its conflicts, and what goes down by kind',
    async () => {
      const [{ siteId }] = (await admin.get('/api/racks?name=B1')).body.data;
      await opened.show(`/sites/${siteId}?tab=impact`);
      const { page } = opened;
      const headings = (await page.locator('.impact h2').allInnerTexts()).map((one) => one.replaceAll(/\s+/g, ' '));
      expect(headings).toEqual([
        'Incidents 12',
        'Maintenance windows 12',
        'Change requests 12',
        'Racks 12',
        'Devices 40',
      ]);
      await page.locator('.beside a', { hasText: 'conflict' }).first().waitFor();
      const devices = page.getByRole('region', { name: 'Devices' });
      expect(await devices.locator('li').count()).toBe(25);
      await devices.getByRole('button', { name: '15 more' }).click();
      expect(await devices.locator('li').count()).toBe(40);
    },
  );
});

describe('a print', () => {
  const SHEET = { width: 718, height: 1000 };
  let estate: Estate;
  let asset: string;
  beforeAll(async () => {
    if (!hasBrowser) return;
    const [rack] = (await admin.get('/api/racks?pageSize=1&sort=createdAt&order=asc')).body.data;
    estate = { ...({} as Estate), rack: rack.id, site: rack.siteId };
    asset = (await admin.make('/api/assets', { name: 'Printed', assetTag: 'A-1' })).id;
    await opened.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await opened.page.setViewportSize(SHEET);
  });
  afterAll(() => opened?.page.emulateMedia({ media: 'screen', colorScheme: 'light' }));

  itInBrowser.each([
    ['Today', () => ''],
    ['a list', () => '/expirations?within=365'],
    ['a record with an elevation', () => `/racks/${estate.rack}`],
    ['a record with a label', () => `/assets/${asset}`],
    ['an impact', () => `/sites/${estate.site}?tab=impact`],
    ['racks', () => '/pictures/racks'],
    ['the timeline', () => '/pictures/on-call'],
    ['the year', () => '/pictures/expirations'],
  ])('of %s has no navigation, is black on white, and has room for its pictures', async (name, address) => {
    const { page, show } = opened;
    await show(address());
    await page.waitForLoadState('networkidle');
    if (process.env.SCREENSHOTS) {
      mkdirSync(process.env.SCREENSHOTS, { recursive: true });
      await page.pdf({ path: join(process.env.SCREENSHOTS, `print-${name.replaceAll(' ', '-')}.pdf`), format: 'A4' });
    }
    const hidden = page.locator('.top, .side, .tabs, main .tools, main button:not(.sort), .skip');
    for (const one of await hidden.all())
      expect([await one.innerText(), await one.isVisible()]).toEqual([expect.anything(), false]);
    const colours = await page
      .locator('main')
      .evaluate((main) =>
        [main, main.querySelector('h1')!, main.querySelector('a')!].map((element) => getComputedStyle(element).color),
      );
    expect(colours).toEqual(colours.map(() => 'rgb(0, 0, 0)'));
    const paper = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(paper).toBe('rgb(255, 255, 255)');
    expect(await page.evaluate(faultsOfLayout)).toEqual([]);
    for (const { width, height } of await page
      .locator('main img')
      .evaluateAll((images) => images.map((image) => image.getBoundingClientRect().toJSON()))) {
      expect(width).toBeLessThanOrEqual(SHEET.width);
      expect(height).toBeLessThanOrEqual(SHEET.height);
    }
  });
});

itInBrowser('complains of nothing', () => expect(opened.complaints).toEqual([]));
