import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startService, type Api, type TestService } from '../support/app.js';
import { hasBrowser, itInBrowser, launchBrowser } from '../support/browser.js';
import { pictureOf, scanCode128, scanQr, type Picture } from '../support/scanner.js';

/* Labels and the picture of a year, in a real browser, and as screenshots that a scanner reads. */
let service: TestService;
let admin: Api;
let browser: Browser | undefined;
let context: BrowserContext;
let page: Page;
/** Violations of the content security policy, and executed scripts. */
const complaints: string[] = [];

beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  if (!hasBrowser) return;
  browser = await launchBrowser();
  context = await browser.newContext({ deviceScaleFactor: 4 });
  await context.addCookies([{ name: 'session', value: admin.cookie!, url: service.url }]);
  page = await context.newPage();
  // A hundred codes take a second, or several on a busy machine.
  page.setDefaultTimeout(100_000);
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('dialog', (dialog) => {
    complaints.push('a script ran');
    void dialog.dismiss();
  });
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

/** Opens a picture and takes a screenshot. `SCREENSHOTS` names a directory for screenshots. */
async function shoot(path: string, name: string, clip?: { x: number; y: number; width: number; height: number }) {
  await page.goto(service.url + path);
  const { width, height } = await page.evaluate(() => {
    const box = document.documentElement.getBoundingClientRect();
    return { width: Math.ceil(box.width), height: Math.ceil(box.height) };
  });
  await page.setViewportSize({ width, height });
  const png = await page.screenshot({ clip });
  if (process.env.SCREENSHOTS) {
    mkdirSync(process.env.SCREENSHOTS, { recursive: true });
    writeFileSync(join(process.env.SCREENSHOTS, `${name}.png`), png);
  }
  return png;
}
const picture = async (...of: Parameters<typeof shoot>): Promise<Picture> => pictureOf(browser!, await shoot(...of));

const NAMES = {
  long: 'Catalyst 9300-48P of the distribution layer in the second server room of the northern building, spare',
  wide: 'WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW',
  emoji: '🖥️ Łącznik 👩‍💻 漢字のラベル 🏢',
  tamil: 'தமிழ்நாடு கோயம்புத்தூர் விநியோக அடுக்கின் இரண்டாவது அறை',
  malayalam: 'മലയാളം തിരുവനന്തപുരം വിതരണ പാളിയുടെ രണ്ടാമത്തെ മുറി',
  rightToLeft: 'מתג ליבה של הקומה השנייה (Catalyst 9300)',
  markup: '</text><script>alert(1)</script><svg onload="alert(2)"> & "quoted"',
};
const asset = (name: string, more: object = {}) =>
  admin.make('/api/assets', { name, assetTag: 'AT-004217', serialNumber: 'FCW2231L0AB', ...more });

describe('labels', () => {
  itInBrowser.each(Object.entries(NAMES))('are read by a scanner with a name that is %s', async (kind, name) => {
    const { id } = await asset(name);
    const path = `/api/assets/${id}/label.svg`;
    expect(scanQr(await picture(path, `label-${kind}`))).toBe(`${service.url}/api/assets/${id}`);
    const { text } = await admin.get(path);
    const shown = await page.locator('text').allTextContents();
    expect(shown.at(-1)).toBe('AT-004217');
    // A short name is complete; of a long one, the label has the beginning.
    const given = shown.slice(0, -1).join('').replace('…', '').replaceAll(' ', '');
    expect(given.length).toBeGreaterThan(10);
    expect(name.replaceAll(' ', '').startsWith(given)).toBe(true);
    expect(text).not.toContain('<script');
    expect(complaints).toEqual([]);
    for (const content of ['assetTag', 'serialNumber', 'url']) {
      const expected = { assetTag: 'AT-004217', serialNumber: 'FCW2231L0AB', url: `${service.url}/api/assets/${id}` };
      const shot = await picture(`${path}?code=code128&content=${content}`, `label-${kind}-${content}`);
      expect(scanCode128(shot)).toBe(expected[content as 'url']);
    }
  });

  itInBrowser('keep their text within the label', async () => {
    for (const name of Object.values(NAMES)) {
      const { id } = await asset(name, { assetTag: 'W'.repeat(255) });
      for (const query of ['', '?code=code128&content=serialNumber']) {
        await page.goto(`${service.url}/api/assets/${id}/label.svg${query}`);
        const right = await page.evaluate(() => document.documentElement.getBoundingClientRect().right);
        for (const text of await page.locator('text').all()) {
          const box = (await text.boundingBox())!;
          expect([name, box.x + box.width < right]).toEqual([name, true]);
        }
      }
    }
  });

  itInBrowser('fill a sheet of A4, a hundred of them too', async () => {
    const names = Object.values(NAMES);
    const ids: string[] = [];
    for (let n = 0; n < 100; n++) ids.push((await asset(names[n % names.length]!, { assetTag: `AT-${n}` })).id);
    for (const [code, content] of [
      ['qr', 'url'],
      ['code128', 'assetTag'],
    ] as const) {
      const query = `code=${code}&content=${content}&${ids.map((id) => `id=${id}`).join('&')}`;
      await shoot(`/api/assets/labels.svg?${query}`, `sheet-${code}`);
      expect(await page.content()).toContain('width="210mm" height="297mm"');
      // Each label has a frame, a code and a text.
      const cells = await page.locator('svg > svg').all();
      expect(cells).toHaveLength(300);
      const outer = await page.locator('svg > svg:has(rect)').all();
      expect(outer).toHaveLength(100);
      for (const n of [0, 4, 37, 99]) {
        const box = (await outer[n]!.boundingBox())!;
        const shot = await pictureOf(browser!, await page.screenshot({ clip: box }));
        expect((code === 'qr' ? scanQr : scanCode128)(shot)).toBe(
          code === 'qr' ? `${service.url}/api/assets/${ids[n]}` : `AT-${n}`,
        );
      }
    }
    expect(complaints).toEqual([]);
  });
});

describe('the edges of labels', () => {
  /** The number of pixels in a frame of a picture that are not white. */
  function darkIn({ data, width, height }: Picture, left: number, top: number): number {
    let dark = 0;
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const isInside = x >= left && x < width - left && y >= top && y < height - top;
        if (!isInside && data[(y * width + x) * 4]! < 250) dark++;
      }
    return dark;
  }

  itInBrowser.each([
    ['qr', 'url', 1],
    ['qr', 'url', 24],
    ['qr', 'url', 100],
    ['code128', 'assetTag', 1],
    ['code128', 'assetTag', 24],
    ['code128', 'assetTag', 100],
  ] as const)(
    '%s of the %s, %d on a sheet: quiet zone and text keep away from the cut',
    async (code, content, count) => {
      const assets = await Promise.all(Object.values(NAMES).map((name) => asset(name)));
      const ids = Array.from({ length: count }, (_, n) => assets[n % assets.length]!.id as string);
      const query = `code=${code}&content=${content}`;
      const isSheet = count > 1;
      await shoot(
        isSheet
          ? `/api/assets/labels.svg?${query}&${ids.map((id) => `id=${id}`).join('&')}`
          : `/api/assets/${ids[0]}/label.svg?${query}`,
        `edges-${code}-${count}`,
      );
      // Pixels of the page. The screenshots have four for each.
      const near = await page.evaluate(() => {
        const margin = Math.min(
          ...[...document.querySelectorAll('text')].map((text) => {
            const box = text.getBoundingClientRect();
            // The surrounding picture clips the text.
            const label = text.parentElement!.parentElement!.getBoundingClientRect();
            return Math.min(
              box.left - label.left,
              box.top - label.top,
              label.right - box.right,
              label.bottom - box.bottom,
            );
          }),
        );
        const codes = [...document.querySelectorAll<SVGSVGElement>('svg[shape-rendering]')];
        return { margin, zones: codes.map((svg) => svg.viewBox.baseVal.width), codes: codes.length };
      });
      expect(near.codes).toBe(count);
      // Half a millimetre.
      expect(near.margin).toBeGreaterThan(1.9);
      const codes = await page.locator('svg[shape-rendering]').all();
      for (const n of [0, count - 1]) {
        // The box of the dark parts. Around a QR code, four modules must be empty; beside a Code 128, ten.
        const box = (await codes[n]!.boundingBox())!;
        const quiet = code === 'qr' ? 4 : 10;
        const zone = (quiet * box.width) / (near.zones[n]! - 2 * quiet);
        const above = code === 'qr' ? zone : 0;
        // Screenshots consist of whole pixels.
        const [left, top] = [Math.ceil(box.x - zone), Math.ceil(box.y - above)];
        const [right, bottom] = [Math.floor(box.x + box.width + zone), Math.floor(box.y + box.height + above)];
        const clip = { x: left, y: top, width: right - left, height: bottom - top };
        const shot = await pictureOf(browser!, await page.screenshot({ clip }));
        const id = ids[n]!;
        expect((code === 'qr' ? scanQr : scanCode128)(shot)).toBe(
          code === 'qr' ? `${service.url}/api/assets/${id}` : 'AT-004217',
        );
        // Four pixels for each, minus two, because the edges of modules are rounded to whole pixels.
        const across = Math.floor(4 * Math.min(box.x - left, right - box.x - box.width)) - 2;
        const down = Math.floor(4 * Math.min(box.y - top, bottom - box.y - box.height)) - 2;
        expect(across).toBeGreaterThan(3 * zone - 4);
        expect(darkIn(shot, across, Math.max(0, down))).toBe(0);
      }
    },
  );
});

describe('the picture of a rack', () => {
  itInBrowser('cuts no letter in half, whatever the names are', async () => {
    const names = Object.values(NAMES);
    const site = await admin.make('/api/sites', { name: NAMES.long });
    const { id } = await admin.make('/api/racks', { name: NAMES.wide, units: 20, siteId: site.id });
    const roles = await Promise.all(
      names.map((name, n) => admin.make('/api/device-roles', { name, color: `#${n}${n}aa${n}${n}` })),
    );
    for (const [index, uHeight] of [1, 0.5].entries()) {
      const type = await admin.make('/api/device-types', { model: `${uHeight} U`, uHeight, isFullDepth: true });
      for (const [n, name] of names.entries()) {
        await admin.make('/api/devices', {
          name,
          rackId: id,
          rackPosition: 1 + n + index * names.length,
          rackFace: n % 2 ? 'rear' : 'front',
          status: ['active', 'decommissioning'][n % 2],
          deviceTypeId: type.id,
          deviceRoleId: roles[n]!.id,
        });
      }
    }
    await admin.make('/api/devices', { name: NAMES.long, rackId: id });
    await shoot(`/api/racks/${id}/elevation?format=svg`, 'rack');
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll<SVGTextElement>('svg > text:not(.n)')]
        .map((text) => {
          const box = text.getBoundingClientRect();
          const room = (text.parentNode as SVGSVGElement).getBoundingClientRect();
          const frame = (text.parentNode as SVGSVGElement).width.baseVal.value;
          return { shown: text.textContent, over: text.getBBox().width - frame, below: box.bottom - room.bottom };
        })
        .filter(({ over, below }) => over > 0.5 || below > 0.5),
    );
    expect(cut).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe('the picture of a summary', () => {
  itInBrowser('keeps its texts within it, and its bars within their room', async () => {
    for (const [index, name] of Object.values(NAMES).entries()) {
      const cost = index % 2 === 0 ? `-${'9'.repeat(20)}.99` : `${'9'.repeat(20)}.9999999999`;
      await admin.make('/api/contracts', { name, cost });
    }
    for (const [kind, query] of Object.entries({
      empty: 'groupBy=status&name=nothing',
      counts: 'groupBy=name',
      headings: 'groupBy=name,status,vendorId',
      sums: 'groupBy=name&sum=cost',
    })) {
      await page.emulateMedia({ colorScheme: kind === 'counts' ? 'dark' : 'light' });
      await shoot(`/api/contracts/summary?${query}&format=svg`, `summary-${kind}`);
      const outside = await page.evaluate(() => {
        const { right } = document.documentElement.getBoundingClientRect();
        return [...document.querySelectorAll('text, .bar, .minus')]
          .map((each) => ({ ...each.getBoundingClientRect().toJSON(), text: each.textContent }))
          .filter((box) => box.left < 20 || box.right > right - 4)
          .map(({ text }) => text as string);
      });
      expect([kind, outside]).toEqual([kind, []]);
    }
    expect(complaints).toEqual([]);
  });
});

describe('the picture of a year', () => {
  itInBrowser('is readable in light, dark and print', async () => {
    const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    for (const [index, name] of Object.values(NAMES).entries()) {
      for (let n = 0; n < 4; n++) {
        const at = day(-30 + index * 70 + n * 11);
        await admin.make('/api/software-licences', { name, expiryDate: at, cost: '48000.00' });
        await admin.make('/api/contracts', { name, endDate: at, noticeDate: at, cost: '1234567.89', currency: 'EUR' });
        await admin.make('/api/renewals', { name, renewalDate: at, amount: '7.50' });
        await admin.make('/api/purchase-orders', {
          orderNumber: randomUUID(),
          expectedDate: at,
          items: [{ name: 'A', quantity: 1 }],
        });
        await admin.make('/api/assets', { name, warrantyUntil: at });
      }
    }
    const backgrounds: Record<string, string> = {};
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await shoot('/api/expirations?format=svg', `year-${colorScheme}`);
      backgrounds[colorScheme] = await paperOf();
      await expectContrast();
    }
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    backgrounds.print = await paperOf();
    await expectContrast();
    expect(backgrounds).toEqual({ light: 'rgb(255, 255, 255)', dark: 'rgb(13, 17, 23)', print: 'rgb(255, 255, 255)' });
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    // No text reaches into the next column, over an amount, or out of the picture.
    const columns = await page.locator('rect[height="4"]').all();
    const starts = await Promise.all(columns.map(async (column) => (await column.boundingBox())!.x));
    expect(starts).toHaveLength(6);
    const overlapping = await page.evaluate((edges) => {
      const boxes = [...document.querySelectorAll('text')].map((text) => text.getBoundingClientRect());
      const touching = boxes.filter((box, index) =>
        boxes
          .slice(index + 1)
          .some(
            (other) => Math.abs(other.top - box.top) < 3 && other.left < box.right - 1 && box.left < other.right - 1,
          ),
      );
      const over = [...document.querySelectorAll('g text')].filter((text) => {
        const { left, right } = text.getBoundingClientRect();
        return edges.some((edge) => left < edge - 1 && right > edge);
      });
      const { right } = document.documentElement.getBoundingClientRect();
      return [touching.length, over.length, boxes.filter((box) => box.right > right).length];
    }, starts);
    expect(overlapping).toEqual([0, 0, 0]);
    // The picture is as wide as its window.
    await page.setViewportSize({ width: 700, height: 400 });
    const { width, height } = (await page.locator('.paper').boundingBox())!;
    expect([Math.round(width), height > 500]).toEqual([700, true]);
    expect(complaints).toEqual([]);
  });

  const paperOf = (): Promise<string> => page.evaluate(() => getComputedStyle(document.querySelector('.paper')!).fill);

  /** The contrast of every text with its background is at least 4.5, as WCAG 2 requires. */
  async function expectContrast(): Promise<void> {
    const faint = await page.evaluate(() => {
      const luminance = (color: string): number => {
        const [red, green, blue] = color.match(/\d+/g)!.map((part) => {
          const value = Number(part) / 255;
          return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
      };
      const fillOf = (selector: string): number => luminance(getComputedStyle(document.querySelector(selector)!).fill);
      const papers = ['.paper', '.band'].map(fillOf);
      return [...document.querySelectorAll('text')].filter((text) => {
        const ink = luminance(getComputedStyle(text).fill);
        return papers.some((paper) => (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05) < 4.5);
      }).length;
    });
    expect(faint).toBe(0);
  }
});
