import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { startService, type TestService } from '../support/app.js';
import { hasBrowser, itInBrowser, launchBrowser } from '../support/browser.js';
import { PATIENCE_MS } from '../support/until.js';
import { sql } from '../../src/database/sql.js';

/* Swagger UI in a real browser. */
const email = 'admin@example.com';
const password = 'a passphrase of the browser 1';

/** The time limit for the page and its longest list, in times to parse and serialise the document. */
const WORK = 300;

interface LongList {
  operationId: string;
  tag: string;
  parameters: Record<string, unknown>[];
}

/** The list with the most parameters. */
function longestOf({ paths, components }: Record<string, Record<string, Record<string, never>>>): LongList {
  const operations = Object.values(paths!).flatMap((each) => Object.values(each)) as {
    operationId: string;
    tags: string[];
    parameters?: { $ref?: string }[];
  }[];
  const [most] = operations.toSorted((a, b) => (b.parameters?.length ?? 0) - (a.parameters?.length ?? 0));
  return {
    operationId: most!.operationId,
    tag: most!.tags[0]!,
    parameters: most!.parameters!.map(({ $ref, ...own }) =>
      $ref === undefined ? own : components!.parameters![$ref.split('/').at(-1)!]!,
    ),
  };
}

let longest: LongList;
let service: TestService;
let browser: Browser | undefined;
let page: Page;
/** Errors in the browser: violations of the content security policy, missing files, exceptions. */
const complaints: string[] = [];

beforeAll(async () => {
  service = await startService();
  const admin = await service.as('admin');
  await admin.make('/api/profiles', { email, password, role: 'admin' });
  if (!hasBrowser) return;
  longest = longestOf((await service.anonymous.get('/openapi.json')).body);
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(PATIENCE_MS);
  page.on(
    'console',
    (message) => message.type() === 'error' && complaints.push(`${message.text()} ${message.location().url}`),
  );
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(service.url))
      complaints.push(`asked another origin: ${request.url()}`);
  });
  await page.goto(`${service.url}/docs`);
  await page.getByRole('heading', { name: /^Runbooks/ }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

/** The browser's message about the refusal of a request that was tried out. */
const refusal = /status of 4\d\d .*\/api\//;

/** Opens an operation and tries it out. Returns the box of its response. */
async function tryOut(operationId: string, fill?: (operation: Locator) => Promise<void>): Promise<Locator> {
  const operation = page.locator(`[id$="-${operationId}"]`);
  await operation.waitFor();
  if (!(await operation.getAttribute('class'))!.includes('is-open'))
    await operation.locator('.opblock-summary-control').click();
  const start = operation.getByRole('button', { name: 'Try it out' });
  await operation.locator('.try-out').waitFor();
  if (await start.isVisible()) await start.click();
  await fill?.(operation);
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.loading-container').waitFor({ state: 'detached' });
  const answer = operation.locator('.live-responses-table');
  await answer.waitFor();
  return answer;
}

const search = (phrase: string): Promise<void> =>
  page.getByRole('searchbox', { name: 'Search operations' }).fill(phrase);

const openTag = (name: string): Promise<void> => page.getByRole('heading', { name: new RegExp(`^${name}`) }).click();
const statusOf = async (answer: Locator): Promise<string> =>
  (await answer.locator('.response-col_status').last().innerText()).trim().slice(0, 3);
const bodyOf = (answer: Locator): Promise<string> => answer.locator('.response-col_description').last().innerText();

itInBrowser('shows the families in their order, and asks the user to log in', async () => {
  expect(await page.locator('h2.family').allInnerTexts()).toEqual([
    'Access',
    'Operations',
    'Network and compute',
    'Procurement',
    'People and tenancy',
    'Calendars',
    'Service',
  ]);
  expect(await page.getByRole('button', { name: 'Log in' }).isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Authorize' }).count()).toBe(0);
});

itInBrowser('logs in from the page, and reports a wrong password', async () => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Wrong email or password').waitFor();
  expect(await page.getByText(`Logged in as ${email}`).count()).toBe(0);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText(`Logged in as ${email}, admin`).waitFor();
  expect(await page.getByText('Wrong email or password').count()).toBe(0);
});

itInBrowser('accepts a token instead of a session, sends it and forgets it', async () => {
  const { token } = await (await service.as('viewer')).make('/api/tokens', { name: 'browser' });
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('or token').fill(`${token.slice(0, -1)}!`);
  await page.getByRole('button', { name: 'Use token' }).click();
  await page.getByText('Not authenticated').waitFor();
  await page.getByLabel('or token').fill(token);
  await page.getByRole('button', { name: 'Use token' }).click();
  await page.getByText(/^With a token of viewer-.*, viewer$/).waitFor();
  await openTag('Sites');
  const listed = await tryOut('listSites');
  expect(await statusOf(listed)).toBe('200');
  const command = await page.locator('[id$="-listSites"] .curl-command pre.curl').innerText();
  expect(command).toContain(`-H 'Authorization: Bearer ${token}'`);
  expect(command).not.toContain('cookies.txt');
  await openTag('Sites');
  await page.getByRole('button', { name: 'Forget the token' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText(`Logged in as ${email}, admin`).waitFor();
});

itInBrowser('creates a runbook from the unchanged example, and lists it', async () => {
  await openTag('Runbooks');
  const created = await tryOut('createRunbook');
  expect(await statusOf(created)).toBe('201');
  const listed = await tryOut('listRunbooks');
  expect(await statusOf(listed)).toBe('200');
  expect(await bodyOf(listed)).toContain('Fail over the core switch');
  expect((await service.database.db.query(sql`SELECT name FROM runbooks`)).length).toBe(1);
});

itInBrowser('explains why a body is refused', async () => {
  const refused = await tryOut('createRunbook', async (operation) => {
    await operation.locator('textarea.body-param__text').fill('{"name": "", "categroy": "network"}');
  });
  expect(await statusOf(refused)).toBe('400');
  expect(await bodyOf(refused)).toMatch(/categroy is not a known property\. Did you mean 'category'\?/);
});

itInBrowser('finds operations by words of their path, and remembers the filter', async () => {
  await search('ASSIGNMENTS');
  await page.getByRole('heading', { name: /^Runbooks/ }).waitFor({ state: 'detached' });
  expect(await page.locator('h2.family').allInnerTexts()).toEqual(['Procurement']);
  await page.reload();
  await page.getByRole('heading', { name: /^Assets/ }).waitFor();
  expect(await page.getByRole('searchbox', { name: 'Search operations' }).inputValue()).toBe('ASSIGNMENTS');
  expect(await page.getByRole('heading', { name: /^Runbooks/ }).count()).toBe(0);
  await search('');
});

itInBrowser.each([
  ['/api/devices/{deviceId}/ports', 'createDevicePort'],
  ['restore incident', 'restoreIncident'],
  ['zebras of the moon', undefined],
  ['log in', 'login'],
  ['post receive', 'receivePurchaseOrder'],
  ['who is on call now', 'listOnCall'],
  ['how do i hand out an asset', 'assignAsset'],
  ['Who is on call now?', 'listOnCall'],
  ['import csv', 'importDevices'],
  ['what goes down with a device?', 'getDeviceImpact'],
  ['Restore deleted device', 'restoreDevice'],
  ['rack picture', 'getRackElevation'],
  ['print a label', 'drawAssetLabel'],
  ['history of a device', 'listDeviceChanges'],
  ['who is on call tonight', 'listOnCall'],
  ['sso login', 'login'],
  ['undo a delete', 'restoreSite'],
])('searches paths, methods, summaries and groups for most of the words: %s', async (phrase, operationId) => {
  await search(phrase);
  // The result is visible at once, not as a collapsed group.
  const found = operationId
    ? page.locator(`[id$="-${operationId}"]`)
    : page.getByText('Nothing matches. Try fewer words');
  await found.waitFor();
  expect(await found.count()).toBe(1);
  await search('');
});

itInBrowser.each([
  ['who is on call now', 'listOnCall'],
  ['who is on call tonight', 'listOnCall'],
  ['history of a device', 'listDeviceChanges'],
])('shows operations with the most of the words first: %s', async (phrase, operationId) => {
  await search(phrase);
  await page.locator(`[id$="-${operationId}"]`).waitFor();
  expect(await page.locator('.opblock').first().getAttribute('id')).toMatch(new RegExp(`-${operationId}$`));
  await search('');
});

describe('pictures', () => {
  const shownIn = (where: Locator | Page): Promise<number> => {
    const picture = where.getByAltText('The picture');
    return picture.evaluate((image) => (image as HTMLImageElement).decode().then(() => image.clientWidth));
  };
  const choose = {
    'by the format': (operation: Locator): Promise<unknown> =>
      operation.locator('tr[data-param-name="format"] select').selectOption('svg'),
    'by the media type': (operation: Locator): Promise<unknown> =>
      operation.getByLabel('Media Type').first().selectOption('image/svg+xml'),
  };

  beforeAll(async () => {
    const admin = await service.as('admin');
    await admin.make('/api/racks', { name: 'Rack 1', siteId: (await admin.make('/api/sites', { name: 'S' })).id });
  });

  const ways = [
    ['listOnCallShifts', 'by the format'],
    ['listOnCallShifts', 'by the media type'],
    ['listExpirations', 'by the format'],
    ['listExpirations', 'by the media type'],
    ['getRackElevation', 'by the media type'],
  ] as const;
  itInBrowser.each(ways)('shows a picture, without the page that lists have: %s, %s', async (operationId, way) => {
    await page.reload();
    await search(operationId);
    const answer = await tryOut(operationId, async (operation) => {
      if (operationId === 'getRackElevation') await operation.getByLabel('Records for id').waitFor();
      await choose[way](operation);
    });
    expect(await statusOf(answer)).toBe('200');
    expect(await shownIn(answer)).toBeGreaterThan(100);
    // A request of the new window itself would have no token.
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      answer.getByRole('link', { name: 'Open the picture' }).click(),
    ]);
    expect(opened.url()).toMatch(/^blob:/);
    expect(await shownIn(opened)).toBeGreaterThan(100);
    await opened.close();
    await search('');
  });
});

itInBrowser('fills in what is required in the query', async () => {
  const admin = await service.as('admin');
  const { id } = await admin.make('/api/assets', { name: 'To be labelled' });
  await search('drawAssetLabels');
  const labels = await tryOut('drawAssetLabels', async (operation) => {
    await operation.getByLabel('Records for id').waitFor();
  });
  expect(await statusOf(labels)).toBe('200');
  const requested = (operationId: string): Promise<string> =>
    page.locator(`[id$="-${operationId}"] .request-url pre`).innerText();
  expect(await requested('drawAssetLabels')).toContain(`/labels.svg?id=${id}`);
  await search('listAssetSummary');
  const summary = await tryOut('listAssetSummary');
  expect(await statusOf(summary)).toBe('200');
  expect(await requested('listAssetSummary')).toContain('groupBy=status');
  await admin.delete(`/api/assets/${id}`);
  await search('');
});

describe('a list with many parameters', () => {
  const list = (): Locator => page.locator(`[id$="-${longest.operationId}"]`);

  itInBrowser('shows its filters, and the operators behind a single explanation', async () => {
    await search(longest.operationId);
    await list().locator('.opblock-summary-control').click();
    const names = (): Promise<string[]> =>
      list()
        .locator('tr[data-param-name]')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-param-name')!));
    await list().locator('tr[data-param-name="pageSize"]').waitFor();
    const plain = longest.parameters.filter((parameter) => !('x-operator-of' in parameter));
    expect(plain.length).toBeLessThan(longest.parameters.length / 2);
    expect(await names()).toEqual(plain.map(({ name }) => name));
    await list()
      .getByRole('button', { name: /^Show the \d+ filters with operators$/ })
      .click();
    expect(new Set(await names())).toEqual(new Set(longest.parameters.map(({ name }) => name)));
    await list()
      .getByRole('button', { name: /^Hide the/ })
      .click();
    expect(await names()).toEqual(plain.map(({ name }) => name));
  });

  itInBrowser('shows Execute without scrolling after "Try it out"', async () => {
    const start = list().getByRole('button', { name: 'Try it out' });
    await start.click();
    const [execute, cancel] = [
      await list().getByRole('button', { name: 'Execute' }).boundingBox(),
      await list().getByRole('button', { name: 'Cancel' }).boundingBox(),
    ];
    expect(execute!.y + execute!.height).toBeLessThanOrEqual(page.viewportSize()!.height);
    expect(execute!.y - cancel!.y).toBeLessThan(page.viewportSize()!.height);
    // The values of an enum can be selected.
    expect(await list().locator('tr[data-param-name="order"] option').allInnerTexts()).toEqual(['--', 'asc', 'desc']);
    await search('');
  });
});

itInBrowser('opens and shows the longest list in a fraction of the time of resolving the whole document', async () => {
  const fresh = await browser!.newPage({ viewport: { width: 1280, height: 900 } });
  const metrics = await fresh.context().newCDPSession(fresh);
  await metrics.send('Performance.enable');
  const worked = async (): Promise<number> => {
    const named = (await metrics.send('Performance.getMetrics')).metrics;
    return 1000 * named.find(({ name }) => name === 'ScriptDuration')!.value;
  };
  await fresh.goto(`${service.url}/docs#/${encodeURIComponent(longest.tag)}/${longest.operationId}`);
  await fresh.locator(`[id$="-${longest.operationId}"] tr[data-param-name="pageSize"]`).waitFor();
  const work = await worked();
  // The current speed of this machine.
  const unit = await fresh.evaluate(async () => {
    const text = await (await fetch('/openapi.json')).text();
    const start = performance.now();
    for (let i = 0; i < 10; i++) JSON.stringify(JSON.parse(text));
    return (performance.now() - start) / 10;
  });
  await fresh.close();
  console.info(`${Math.round(work)} ms of scripts, ${Math.round(unit)} ms to parse and serialise the document`);
  expect(work / unit).toBeLessThan(WORK);
});

describe('the curl command', () => {
  /** Runs the copied commands unchanged in a shell, in a directory of its own. Asynchronous, because the service must be able to respond. */
  async function paste(cwd: string, ...commands: string[]): Promise<{ status: number | null; output: string }> {
    const shell = spawn('bash', ['-eu'], { cwd });
    let output = '';
    shell.stdout.on('data', (chunk) => (output += String(chunk)));
    shell.stderr.on('data', (chunk) => (output += String(chunk)));
    shell.stdin.end(commands.join('\n'));
    const status = await new Promise<number | null>((resolve) => shell.on('close', resolve));
    return { status, output };
  }
  const commandOf = (operation: string, kind: string): Promise<string> =>
    page.locator(`[id$="-${operation}"] .curl-command pre.${kind}`).evaluate((shown) => shown.textContent!);

  const itWithTools = spawnSync('curl', ['--version']).status === 0 ? itInBrowser : it.skip;
  itWithTools('works when pasted into a shell', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'docs-'));
    try {
      await search('runbook');
      await tryOut('createRunbook', async (operation) => {
        await operation.locator('textarea.body-param__text').fill(`{"name": "It's \\"mine\\" for $5 \`a\` !b"}`);
      });
      await tryOut('listRunbooks', async (operation) => {
        await operation.locator('tr[data-param-name="search"] input').fill("it's");
      });
      const login = (await commandOf('createRunbook', 'login-command')).replace('…', password);
      expect(login).toContain(email);
      const { status, output } = await paste(
        directory,
        `${login} -sS -o /dev/null`,
        `${await commandOf('createRunbook', 'curl')} -sS`,
        `${await commandOf('listRunbooks', 'curl')} -sS`,
      );
      expect(status).toBe(0);
      const [created, listed] = output.split('}{"data":[');
      expect(JSON.parse(`${created}}`).data.name).toBe('It\'s "mine" for $5 `a` !b');
      // Execute created one record, the shell the other.
      expect(JSON.parse(`{"data":[${listed}`).total).toBe(2);
    } finally {
      rmSync(directory, { recursive: true });
      await search('');
    }
  });
});

describe('actions offer ids of existing records', () => {
  const idOf = (operationId: string): Promise<string> =>
    page.locator(`[id$="-${operationId}"] tr[data-param-name="id"] input`).inputValue();
  /** Waits until the choice of records is loaded. */
  const offered = async (operation: Locator): Promise<void> => {
    await operation.getByLabel('Records for id').waitFor();
  };

  itInBrowser('receive: of an open order and a missing item', async () => {
    const admin = await service.as('admin');
    const items = [{ name: 'Access switch', quantity: 1 }];
    const order = await admin.make('/api/purchase-orders', { orderNumber: 'PO-1', items });
    await admin.make('/api/purchase-orders', { orderNumber: 'PO-2', items, status: 'draft' });
    await search('receive');
    const answer = await tryOut('receivePurchaseOrder', async (operation) => {
      await offered(operation);
      await page.waitForFunction(
        (id) => document.querySelector<HTMLTextAreaElement>('textarea.body-param__text')?.value.includes(id),
        order.items[0].id as string,
      );
    });
    expect([await idOf('receivePurchaseOrder'), await statusOf(answer)]).toEqual([order.id, '200']);
  });

  itInBrowser('assign: to a person, of an asset that nobody has', async () => {
    const admin = await service.as('admin');
    const free = await admin.make('/api/assets', { name: 'Laptop 1' });
    const taken = await admin.make('/api/assets', { name: 'Laptop 2' });
    const person = await admin.make('/api/people', { fullName: 'Ada Lovelace' });
    expect((await admin.post(`/api/assets/${taken.id}/assign`, { personId: person.id })).status).toBe(200);
    await search('assign');
    const answer = await tryOut('assignAsset', async (operation) => {
      await offered(operation);
      await page.waitForFunction(
        (id) => document.querySelector<HTMLTextAreaElement>('textarea.body-param__text')?.value.includes(id),
        person.id as string,
      );
    });
    expect([await idOf('assignAsset'), await statusOf(answer)]).toEqual([free.id, '200']);
  });

  itInBrowser('restore: of a deleted record', async () => {
    const admin = await service.as('admin');
    const gone = await admin.make('/api/sites', { name: 'Old site' });
    await admin.delete(`/api/sites/${gone.id}`);
    const back = await admin.make('/api/sites', { name: 'Site that came back' });
    await admin.delete(`/api/sites/${back.id}`);
    await admin.post(`/api/sites/${back.id}/restore`);
    await search('restore site');
    const answer = await tryOut('restoreSite', offered);
    expect([await idOf('restoreSite'), await statusOf(answer)]).toEqual([gone.id, '200']);
  });

  itInBrowser('delete requires a choice', async () => {
    await search('delete site');
    const answer = await tryOut('deleteSite', offered);
    expect(await statusOf(answer)).toBe('404');
    await search('');
  });
});

itInBrowser('fits a telephone: nothing is wider than the screen', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  const tooWide = (): Promise<string[]> =>
    page.evaluate(() =>
      document.documentElement.scrollWidth <= innerWidth
        ? []
        : [...document.querySelectorAll('main *')]
            .filter((element) => element.getBoundingClientRect().right > innerWidth)
            .map((element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40)}`),
    );
  expect(await tooWide()).toEqual([]);
  for (const operationId of [longest.operationId, 'createPurchaseOrder', 'getDevice']) {
    await search(operationId);
    await tryOut(operationId);
    expect([operationId, await tooWide()]).toEqual([operationId, []]);
  }
  await search('');
  await page.setViewportSize({ width: 1280, height: 900 });
});

itInBrowser("uses the reader's preferred colours, and prints without its controls", async () => {
  const background = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  // A script of the page applies the setting.
  const dark = page.locator('html.dark-mode');
  await page.emulateMedia({ colorScheme: 'light' });
  await dark.waitFor({ state: 'detached' });
  const light = await background();
  await page.emulateMedia({ colorScheme: 'dark' });
  await dark.waitFor();
  expect(await background()).not.toBe(light);
  await page.emulateMedia({ colorScheme: 'light', media: 'print' });
  expect(await page.locator('header.session').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
});

itInBrowser('opens at an operation by its link', async () => {
  await page.goto(`${service.url}/docs#/Runbooks/listRunbooks`);
  await page.reload();
  await page.locator('[id$="-listRunbooks"].is-open').waitFor();
  expect(await page.locator('[id$="-listRunbooks"].is-open').count()).toBe(1);
});

itInBrowser('logs out, and the next request is refused', async () => {
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  const refused = await tryOut('listRunbooks');
  expect(await statusOf(refused)).toBe('401');
});

itInBrowser('loads nothing that its content security policy refuses, and nothing from elsewhere', async () => {
  expect(complaints.filter((complaint) => !refusal.test(complaint))).toEqual([]);
  const { headers } = await service.anonymous.get('/docs');
  expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:/);
});
