import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type Api, type TestService } from '../support/app.js';
import { runCommand, type Outcome } from '../support/command.js';

jest.setTimeout(120_000);

let service: TestService;
let admin: Api;
let token: string;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
  service = await startService();
  admin = await service.as('admin');
  ({ token } = await admin.make('/api/tokens', { name: 'commands' }));
  await admin.make('/api/assets', { name: '=cell', status: 'retired' });
  await admin.make('/api/assets', { name: 'other' });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const run = (command: string, args: string[], env: Record<string, string> = {}): Promise<Outcome> =>
  runCommand(command, args, { INVENTORY_URL: service.url, INVENTORY_TOKEN: token, ...env });

it.each([
  'backup',
  'catalogue',
  'demo',
  'export',
  'import',
  'migrate',
  'move-in',
  'move',
  'openapi',
  'restore',
  'session',
  'token',
] as const)('%s --help prints its usage', async (command) => {
  const { code, out, err } = await run(command, ['--help'], { DATA_DIR: join(folder, 'data') });
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(new RegExp(`^Usage: npm run ${command}`));
});

it('inventory has each of them as a subcommand, and refuses others with the nearest name', async () => {
  const { out } = await run('inventory', ['session', '--help']);
  expect(out).toMatch(/^Usage: inventory session --email/);
  expect(await run('inventory', ['sesion'])).toEqual({
    code: 1,
    out: '',
    err: "inventory: there is no command 'sesion'. Did you mean 'session'?\n",
  });
  const { out: list } = await run('inventory', []);
  for (const name of Object.keys(scripts).filter((one) => scripts[one]!.startsWith('node scripts/run.mjs cli/')))
    if (name !== 'cli') expect(list).toContain(`\n  ${name} `);
});

// These commands are for contributors. Running them takes long or leaves files.
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const tools = Object.entries(scripts).flatMap(([name, line]) => {
  const [, file] =
    /^node (?:\S+ )*?(?!scripts\/(?:run\.mjs|source\.cjs)$)((?:bench|scripts|torture|test|src)\/\S+)$/.exec(line) ?? [];
  return file === undefined ? [] : [[name, file] as const];
});

it.each(tools)('npm run %s -- --help says what it does', (name, file) => {
  const by = file.endsWith('.ts') ? ['scripts/source.cjs', file] : [file];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...by, '--help'], { encoding: 'utf8' });
  expect([status, stderr, stdout]).toEqual([0, '', expect.stringContaining(`npm run ${name}`)]);
});

it.each([
  ['session', ['--email', 'admin@example.com', '--role', 'admin']],
  ['token', ['--email', 'admin@example.com', '--name', 'x']],
  ['catalogue', []],
])('%s creates no database in a directory without one', async (command, args) => {
  const directory = join(folder, 'none');
  const env = { DATA_DIR: directory, DATABASE_URL: '' };
  expect(await run(command, args, env)).toEqual({
    code: 1,
    out: '',
    err: `There is no database. Start the service first, or set DATA_DIR to the directory of its database\nDATA_DIR is ${directory}\n`,
  });
  expect(existsSync(directory)).toBe(false);
});

it.each(['backup', 'catalogue', 'export', 'import', 'move', 'restore', 'session', 'token'])(
  '%s refuses an option that it does not have in one line',
  async (command) => {
    const { code, out, err } = await run(command, ['--libary', 'x']);
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^Unknown option '--libary'.*\n$/)]);
  },
);

it('writes a list to standard output', async () => {
  const { code, out, err } = await run('export', ['assets', '--filter', 'status=retired']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toBe((await admin.get('/api/assets?status=retired&format=csv')).text);
  expect(out).toContain(`,'=cell,`);
});

it('writes a list to a file', async () => {
  const output = join(folder, 'assets.ndjson');
  expect(await run('export', ['assets', '--format', 'ndjson', '--output', output, '--filter', 'sort=name'])).toEqual({
    code: 0,
    out: '',
    err: '',
  });
  const lines = readFileSync(output, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(['=cell', 'other']);
});

it('imports a file', async () => {
  const file = join(folder, 'new.csv');
  writeFileSync(file, 'name,assetTag\nScanner,C-1\nPrinter,C-2\n');
  const twice = ['assets', file, '--mode', 'upsert', '--key', 'assetTag'];
  expect(await run('import', [...twice, '--dry-run'])).toEqual({
    code: 0,
    out: '2 rows: 2 created, 0 updated, 0 unchanged, 0 failed. Dry run: nothing was written\n',
    err: '',
  });
  expect((await run('import', twice)).out).toBe('2 rows: 2 created, 0 updated, 0 unchanged, 0 failed\n');
  expect((await run('import', twice)).out).toBe('2 rows: 0 created, 0 updated, 2 unchanged, 0 failed\n');
});

it('shows the faults of a file as a table', async () => {
  const file = join(folder, 'faulty.ndjson');
  writeFileSync(file, '{"name":"Scanner","siteId":"none"}\n{"assetTag":"C-3"}\n{"name":"Good","assetTag":"C-4"}\n');
  const { code, out, err } = await run('import', ['assets', file]);
  expect([code, out]).toEqual([1, '']);
  expect(err.split('\n')).toEqual([
    'Row  Line  Column  Fault',
    '1    1     siteId  must be a uuid',
    '2    2     name    is required',
    '2 of 3 rows failed. Nothing was written',
    '',
  ]);
  const skipping = await run('import', ['assets', file, '--on-error', 'skip']);
  expect([skipping.code, skipping.out]).toEqual([1, '3 rows: 1 created, 0 updated, 0 unchanged, 2 failed\n']);
});

it.each([
  ['export', [], {}, /^Usage: npm run export/],
  ['export', ['assets'], { INVENTORY_TOKEN: '' }, /^A token is required/],
  ['export', ['assets', '--format', 'xml'], {}, /^format must be one of csv, ndjson$/m],
  ['export', ['nothing'], {}, /^No such path: \/api\/nothing$/m],
  ['export', ['../profiles?x'], {}, /is not the path of a resource/],
  ['export', ['assets', '--filter', 'x'], {}, /must be <name>=<value>/],
  ['export', ['assets', '--unknown'], {}, /--unknown/],
  ['import', ['assets', 'nowhere.csv', '--token', 'nonsense'], {}, /^nowhere\.csv cannot be read: ENOENT$/m],
  ['import', ['assets', 'package.json', '--token', 'nonsense'], {}, /^Not authenticated/],
  ['import', ['assets', 'package.json', '--url', 'http://127.0.0.1:1'], {}, /cannot be reached/],
  [
    'import',
    ['assets', 'package.json', '--mode', 'merge'],
    {},
    /^mode must be one of create, update, upsert, reconcile$/m,
  ],
] as const)('%s %j fails with a sentence', async (command, args, env, sentence) => {
  const { code, out, err } = await run(command, [...args], env as Record<string, string>);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(sentence);
  expect(err).not.toContain('    at ');
});
