import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type Api, type TestService } from '../support/app.js';

jest.setTimeout(120_000);

let service: TestService;
let admin: Api;
let token: string;
let folder: string;
beforeAll(async () => {
  spawnSync(process.execPath, ['scripts/run.mjs']);
  folder = mkdtempSync(join(tmpdir(), 'export-'));
  service = await startService();
  admin = await service.as('admin');
  ({ token } = await admin.make('/api/tokens', { name: 'export' }));
  await admin.make('/api/assets', { name: '=cell', status: 'retired' });
  await admin.make('/api/assets', { name: 'other' });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

const run = (args: string[], env: Record<string, string> = {}): Promise<Outcome> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['scripts/run.mjs', 'cli/export', ...args], {
      env: { ...process.env, INVENTORY_URL: service.url, INVENTORY_TOKEN: token, ...env },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    child.once('close', (code) => resolve({ code, out, err }));
  });

it('writes a list to standard output', async () => {
  const { code, out, err } = await run(['assets', '--filter', 'status=retired']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toBe((await admin.get('/api/assets?status=retired&format=csv')).text);
  expect(out).toContain(`,'=cell,`);
});

it('writes a list to a file', async () => {
  const output = join(folder, 'assets.ndjson');
  expect(await run(['assets', '--format', 'ndjson', '--output', output, '--filter', 'sort=name'])).toEqual({
    code: 0,
    out: '',
    err: '',
  });
  const lines = readFileSync(output, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(['=cell', 'other']);
});

it.each([
  [[], {}, /^Usage: npm run export/],
  [['assets'], { INVENTORY_TOKEN: '' }, /^A token is needed/],
  [['assets', '--format', 'xml'], {}, /^format must be one of csv, ndjson$/m],
  [['nothing'], {}, /^No such path: \/api\/nothing$/m],
  [['../profiles?x'], {}, /is not the path of a resource/],
  [['assets', '--filter', 'x'], {}, /must be <name>=<value>/],
  [['assets', '--token', 'nonsense'], {}, /^Not authenticated|token/],
  [['assets', '--url', 'http://127.0.0.1:1'], {}, /ECONNREFUSED|bad port/],
])('%j fails with a sentence', async (args, env, sentence) => {
  const { code, out, err } = await run(args, env as Record<string, string>);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(sentence);
  expect(err).not.toContain('    at ');
});
