import { existsSync } from 'node:fs';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { startService, type TestService } from '../support/app.js';

/* Swagger UI as people use it: in a browser. The browser is the system's own (`CHROMIUM` or one of these). */
const executablePath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path !== undefined && existsSync(path));
if (!executablePath) console.warn('SKIPPED: there is no Chromium here to open Swagger UI in; CHROMIUM names one');
const itInBrowser = executablePath ? it : it.skip;

const email = 'admin@localhost';
const password = 'a passphrase of the browser 1';

let service: TestService;
let browser: Browser | undefined;
let page: Page;
/** What the browser complained about: refused by the policy for content, not found, thrown. */
const complaints: string[] = [];

beforeAll(async () => {
  service = await startService();
  const admin = await service.as('admin');
  await admin.make('/api/profiles', { email, password, role: 'admin' });
  if (!executablePath) return;
  // As root, which is what CI is in a container, Chromium's own sandbox cannot be had.
  browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(service.url))
      complaints.push(`asked a stranger: ${request.url()}`);
  });
  await page.goto(`${service.url}/docs`);
  await page.getByRole('heading', { name: /^Runbooks/ }).waitFor();
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const unanswered = /status of 40[01]/;

/** Opens an operation and tries it out; the box of its answer. */
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

const openTag = (name: string): Promise<void> => page.getByRole('heading', { name: new RegExp(`^${name}`) }).click();
const statusOf = async (answer: Locator): Promise<string> =>
  (await answer.locator('.response-col_status').last().innerText()).trim().slice(0, 3);
const bodyOf = (answer: Locator): Promise<string> => answer.locator('.response-col_description').last().innerText();

itInBrowser('shows the families in their order, and asks to log in', async () => {
  expect(await page.locator('h2.family').allInnerTexts()).toEqual([
    'Access',
    'Operations',
    'Network and compute',
    'Procurement',
    'People and tenancy',
    'Service',
  ]);
  expect(await page.getByRole('button', { name: 'Log in' }).isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Authorize' }).count()).toBe(0);
});

itInBrowser('logs in from the page, and says so when the password is wrong', async () => {
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

itInBrowser('creates a runbook from the example as it stands, and lists it', async () => {
  await openTag('Runbooks');
  const created = await tryOut('createRunbook');
  expect(await statusOf(created)).toBe('201');
  const listed = await tryOut('listRunbooks');
  expect(await statusOf(listed)).toBe('200');
  expect(await bodyOf(listed)).toContain('Fail over the core switch');
  expect((await service.database.db.query('SELECT name FROM runbooks')).length).toBe(1);
});

itInBrowser('explains a body that is refused', async () => {
  const refused = await tryOut('createRunbook', async (operation) => {
    await operation.locator('textarea.body-param__text').fill('{"name": "", "categroy": "network"}');
  });
  expect(await statusOf(refused)).toBe('400');
  expect(await bodyOf(refused)).toMatch(/categroy is not a known property\. Did you mean 'category'\?/);
});

itInBrowser('finds operations by words of their path, and remembers the filter', async () => {
  await page.getByPlaceholder('Filter by tag').fill('ASSIGNMENTS');
  await page.getByRole('heading', { name: /^Runbooks/ }).waitFor({ state: 'detached' });
  expect(await page.locator('h2.family').allInnerTexts()).toEqual(['Procurement']);
  await page.reload();
  await page.getByRole('heading', { name: /^Assets/ }).waitFor();
  expect(await page.getByPlaceholder('Filter by tag').inputValue()).toBe('ASSIGNMENTS');
  expect(await page.getByRole('heading', { name: /^Runbooks/ }).count()).toBe(0);
  await page.getByPlaceholder('Filter by tag').fill('');
});

itInBrowser('is opened at an operation by its link', async () => {
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

itInBrowser('needs nothing that its policy for content refuses, nor anything from elsewhere', async () => {
  expect(complaints.filter((complaint) => !unanswered.test(complaint))).toEqual([]);
  const { headers } = await service.anonymous.get('/docs');
  expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:/);
});
