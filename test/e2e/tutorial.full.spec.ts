import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { loadCatalogue } from '../../src/app/startup/load-catalogue.js';
import { makeFirstAdministrator } from '../../src/app/startup/first-administrator.js';
import { WebhookWorker } from '../../src/webhooks/webhook-worker.js';
import { startService, type TestService } from '../support/app.js';
import { itInBrowser, launchBrowser } from '../support/browser.js';
import { openPage } from '../support/page.js';

// Follows the tutorial as a user does: pastes the commands into one shell, and saves files where the page says.

const root = join(__dirname, '../..');
const present = (command: string): boolean => spawnSync(command, ['--version']).status === 0;
const missing = ['bash', 'curl'].filter((command) => !present(command));

interface Block {
  language: string;
  text: string;
  line: number;
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(({ 1: language, 2: text, index }) => ({
    language: language!,
    text: text!,
    line: markdown.slice(0, index).split('\n').length,
  }));
}

/** Checks the output against the page; `…` matches anything. */
function expectShown(output: string, shown: Block): void {
  const escaped = shown.text.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`^${escaped.join('.*')}$`);
  if (!pattern.test(output)) {
    // The comparison failed: this assertion shows the difference.
    expect(`line ${shown.line}\n${output}`).toBe(`line ${shown.line}\n${shown.text}`);
  }
  expect(output).toMatch(pattern);
}

// The receiver of its webhook runs on this machine.
const environment = { WEBHOOK_ALLOW_LOOPBACK: 'true', WEBHOOK_ALLOW_HTTP: 'true' };

let service: TestService;
let directory: string;
const password = 'a-password-that-npm-start-printed';
const requests: { method: string; url: string; status: number }[] = [];
beforeAll(async () => {
  const log = new Writable({
    write(chunk, _encoding, done) {
      const entry = JSON.parse(String(chunk)) as (typeof requests)[number] & { msg: string };
      if (entry.msg === 'request') requests.push(entry);
      done();
    },
  });
  service = await startService(environment, [], pino({ level: 'info' }, log));
  service.app.get(WebhookWorker).start();
  const { db } = service.database;
  await makeFirstAdministrator(db, { adminEmail: 'admin@example.com', adminPassword: password });
  await loadCatalogue(db);
  // The parts of the service's directory that the tutorial uses.
  directory = mkdtempSync(join(tmpdir(), 'tutorial-'));
  for (const part of ['sdk', 'docs/samples']) cpSync(join(root, part), join(directory, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
});
afterAll(async () => {
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Pastes the blocks into one shell. Returns the output of each. */
async function paste(blocks: readonly Block[]): Promise<string[]> {
  const end = '--- end of block ---';
  const script = blocks.map(({ text }) => `${text}echo '${end}'\n`).join('');
  // Warnings of npm depend on the machine, not on the page.
  const env = { ...process.env, npm_config_loglevel: 'error' };
  const shell = spawn('bash', ['-eu', '-o', 'pipefail'], { cwd: directory, env });
  let output = '';
  let errors = '';
  shell.stdout.on('data', (chunk) => (output += String(chunk)));
  shell.stderr.on('data', (chunk) => (errors += String(chunk)));
  shell.stdin.end(script);
  const code = await new Promise((resolve) => shell.on('close', resolve));
  expect({ code, errors, output: code === 0 ? '' : output }).toEqual({ code: 0, errors: '', output: '' });
  return output.split(`${end}\n`).slice(0, -1);
}

if (missing.length > 0) console.warn(`SKIPPED: the tutorial needs ${missing.join(' and ')}, which are not installed`);

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

const itWithTools = missing.length > 0 ? it.skip : it;

itWithTools(
  'the tutorial works as written',
  async () => {
    const page = readFileSync(join(root, 'docs/tutorial.md'), 'utf8')
      .replaceAll('http://127.0.0.1:3000', service.url)
      .replaceAll('8474', String(await freePort()))
      .replaceAll('…as printed…', password);
    const blocks = blocksOf(page);
    expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['sh', 'ts', 'text']));
    const program = blocks.filter(({ language }) => language === 'ts').map(({ text }) => text);
    writeFileSync(join(directory, 'tour.mts'), program.join('\n'));
    const commands = blocks.filter(({ language }) => language === 'sh');
    const outputs = await paste(commands);
    expect(outputs).toHaveLength(commands.length);
    for (const [index, block] of commands.entries()) {
      const shown = blocks[blocks.indexOf(block) + 1];
      if (shown?.language === 'text') expectShown(outputs[index]!, shown);
      // A block without an output block must print nothing.
      else expect(outputs[index]).toBe('');
    }
    const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
    const saved = readdirSync(directory).filter((name) => !['sdk', 'docs', 'node_modules'].includes(name));
    expect(saved.filter((name) => !ignored.some((line) => [`/${name}`, `${name}/`].includes(line)))).toEqual([]);
    const refused = requests.filter(({ status }) => status >= 400);
    expect(refused.map(({ method, url, status }) => [method, url, status])).toEqual([
      ['POST', '/api/devices', 400],
      ['POST', '/api/assets/import?dryRun=true', 400],
      ['POST', '/api/devices', 409],
      ['GET', '/api/outputs/prometheus?status=aktive', 503],
      ['POST', '/api/change-requests', 400],
      ['PATCH', expect.stringMatching(/^\/api\/assets\//), 400],
      ['POST', '/api/bookings', 409],
      ['POST', expect.stringMatching(/^\/api\/change-sets\/.*\/merge$/), 409],
    ]);
  },
  300_000,
);

/** The buttons of a section of the page, in order. */
function pressedIn(heading: string): string[] {
  const page = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');
  const [section] = page.split(`### ${heading}\n`)[1]!.split(/^#|^\[/m);
  return [...section!.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => name!);
}

itInBrowser(
  'and its move of three devices in the page too',
  async () => {
    // The test before creates the records.
    if (missing.length > 0) return;
    const admin = await service.as('admin');
    const browser = await launchBrowser();
    const pressed: string[] = [];
    try {
      const { page, show, complaints } = await openPage(browser, service, admin.cookie);
      const press = async (name: string): Promise<void> => {
        pressed.push(name);
        const named = { name, exact: true };
        const within = (await page.getByRole('dialog').count()) > 0 ? page.getByRole('dialog') : page;
        await within.getByRole('button', named).or(within.getByRole('link', named)).first().click();
      };
      const rackOf = async (name: string): Promise<string> => {
        const { rackId } = (await admin.get(`/api/devices?name=${name}`)).body.data[0];
        return (await admin.get(`/api/racks/${rackId}`)).body.data.name;
      };
      const devices = ['ams-move-01', 'ams-move-02', 'ams-move-03'];
      const racks = async (): Promise<string[]> => [...new Set(await Promise.all(devices.map(rackOf)))];

      await show('/change-sets');
      await press('New change set');
      await page.getByLabel('Name').fill('Empty rack B7 again');
      await press('Start planning');
      const bar = page.getByRole('complementary', { name: 'Open change set' });
      await bar.getByText('Empty rack B7 again: 0 changes').waitFor();
      await show('/devices?name__isw=ams-move');
      for (const name of devices) await page.getByRole('row', { name }).getByRole('checkbox').check();
      await press('Move to a rack');
      await page.getByRole('dialog').getByLabel('Rack', { exact: true }).fill('B8');
      await page.getByRole('option', { name: 'B8' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByLabel('ams-move-03, unit').waitFor();
      await press('Plan');
      await bar.getByText(': 3 changes').waitFor();
      await press('Review');
      await page.getByText('It changes 3 devices.').waitFor();
      await page.getByRole('region', { name: 'What it affects' }).waitFor();
      await page.getByText('No conflicts', { exact: true }).waitFor();
      expect(await racks()).toEqual(['B7']);
      await press('Merge');
      await press('Merge');
      await page.getByRole('region', { name: 'What it did' }).waitFor();
      expect(await racks()).toEqual(['B8']);
      await press('Revert');
      await page.getByText('It changes 3 devices.').waitFor();
      await press('Merge');
      await press('Merge');
      await page.getByRole('region', { name: 'What it did' }).waitFor();
      expect(await racks()).toEqual(['B7']);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
    expect(pressedIn('The same in the page')).toEqual(pressed);
  },
  120_000,
);
