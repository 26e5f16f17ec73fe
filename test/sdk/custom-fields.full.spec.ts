import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, ok } from '../../sdk/typescript/index.js';
import { Api, startService, type TestService } from '../support/app.js';

const root = join(__dirname, '../..');
const bin = (name: string): string => join(root, 'node_modules', '.bin', name);

let service: TestService;
let admin: Api;
let directory: string;

beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  // Within the checkout, from where the compiler finds the packages.
  directory = mkdtempSync(join(root, 'test', 'sdk', 'own-'));
  const fields = {
    tier: { type: 'choice', choices: ['gold', 'silver'], required: true },
    seats: { type: 'integer' },
    price: { type: 'decimal' },
    tags: { type: 'tags' },
    contact: { type: 'reference', target: 'people' },
  };
  for (const [key, settings] of Object.entries(fields)) {
    await admin.make('/api/custom-fields', { key, resources: ['vendors'], ...settings });
  }
  writeFileSync(join(directory, 'own.json'), (await admin.get('/api/openapi.json')).text);
  const options = ['--alphabetize', '--default-non-nullable=false'];
  execFileSync(bin('openapi-typescript'), ['own.json', '-o', 'own.d.ts', ...options], { cwd: directory });
}, 120_000);
afterAll(async () => {
  if (directory) rmSync(directory, { recursive: true });
  await service?.stop();
});

/** What the compiler says of a program that uses the paths of the installation. */
function faultsIn(program: string): string[] {
  const head = `import { createClient, ok, records } from '../../../sdk/typescript/index.js';
import type { paths } from './own.js';
const client = createClient<paths>({ baseUrl: '' });\n`;
  writeFileSync(join(directory, 'program.ts'), `${head}export async function program() {\n${program}\n}\n`);
  const compilerOptions = { noEmit: true, skipLibCheck: true, types: ['node'] };
  const config = { extends: '../../../tsconfig.json', compilerOptions, include: ['program.ts'], exclude: [] };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config));
  const { stdout } = spawnSync(bin('tsc'), ['-p', '.'], { cwd: directory, encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line.includes('error TS'))
    .map((line) => line.replace(/^.*error TS\d+: /, ''));
}

it('reads, writes, filters and sums typed values with the paths of an installation', async () => {
  const program = `
    const { data: made } = await ok(client.POST('/api/vendors', { body: { name: 'a', customFields: { tier: 'gold', seats: 1, tags: ['core'] } } }));
    const tier: 'gold' | 'silver' | undefined = made.customFields.tier;
    await ok(client.PATCH('/api/vendors/{id}', { params: { path: { id: made.id } }, body: { customFields: { seats: null } } }));
    const query = { 'customFields.tier': ['gold' as const], 'customFields.tags__all': ['core'], sort: 'customFields.seats' as const };
    const { data } = await ok(client.GET('/api/vendors', { params: { query } }));
    const tags: string[] | undefined = data[0]?.customFields.tags;
    for await (const vendor of records(client, '/api/vendors', { query })) {
      const seats: number | undefined = vendor.customFields.seats;
      void seats;
    }
    const { data: groups } = await ok(client.GET('/api/vendors/summary', { params: { query: { groupBy: ['customFields.tier'], sum: ['customFields.price'] } } }));
    const of: 'gold' | 'silver' | null | undefined = groups[0]?.['customFields.tier'];
    const price: string | null | undefined = groups[0]?.sum?.['customFields.price'];
    return { tier, tags, of, price };`;
  expect(faultsIn(program)).toEqual([]);
}, 120_000);

it.each([
  [`await client.POST('/api/vendors', { body: { name: 'a', customFields: { tier: 'tin' } } });`, `"tin"`],
  [`await client.POST('/api/vendors', { body: { name: 'a', customFields: { tier: 'gold', seats: '1' } } });`, 'number'],
  [`await client.POST('/api/vendors', { body: { name: 'a' } });`, 'customFields'],
  [`await client.GET('/api/vendors', { params: { query: { 'customFields.colour': ['x'] } } });`, 'customFields.colour'],
  [`return (await ok(client.GET('/api/vendors', {}))).data[0]!.customFields.colour;`, 'colour'],
])(
  'refuses what is no value of the installation: %s',
  (program, word) => {
    const faults = faultsIn(program);
    expect(faults.join('\n')).toContain(word);
  },
  120_000,
);

it('sends and receives them', async () => {
  const client = createClient({ baseUrl: service.url, session: admin.cookie });
  const body = { name: 'a', customFields: { tier: 'gold', price: '1.50' } } as never;
  const { data } = await ok(client.POST('/api/vendors', { body }));
  expect(data).toMatchObject({ customFields: { tier: 'gold', price: '1.50' } });
});
