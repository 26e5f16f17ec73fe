import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceProcess, type ServiceProcess } from '../hostile/service-process.js';
import { Maker, type Made } from '../resources/make.js';
import { rows } from '../resources/rows.js';
import { Api } from '../support/app.js';
import { document, type Json, isStream } from '../support/document.js';

/* The built service, as it is shipped. jest resolves modules differently from Node, so a package may work in only one of them. */

const directory = mkdtempSync(join(tmpdir(), 'inventory-built-'));
/** On SIGUSR2, the service rejects a promise that nothing awaits. */
const preload = join(directory, 'preload.cjs');
writeFileSync(preload, `process.on('SIGUSR2', () => void Promise.reject(new Error('stray')));`);

let service: ServiceProcess;
let admin: Api;
let maker: Maker;
beforeAll(async () => {
  const { TEST_DATABASE_URL: server, TEST_DATABASE_TEMPLATE: files } = process.env;
  // test/e2e/secrets.spec.ts tests that the built service creates a database of its own.
  service = await startServiceProcess(server || undefined, { NODE_OPTIONS: `--require ${preload}` }, files);
  admin = new Api(service.url, service.cookie);
  maker = new Maker(admin, 'built');
}, 300_000);
afterAll(async () => {
  await service.stop();
  rmSync(directory, { recursive: true });
});

/** Paths with a GET, each with the collection of its record. */
const reads = Object.entries(document.paths as Record<string, Json>)
  .filter(([path, { get }]) => get && path.startsWith('/api/') && !isStream(path))
  .map(([path]) => ({ path, collection: rows.find((row) => path.startsWith(`${row.path}/{`))?.path }));

/** Reads that need a special record, or that redirect. */
const needsMore = (path: string): boolean =>
  path.includes('{', path.indexOf('{') + 1) || path.startsWith('/api/auth/oidc');

it('reads everything that the document lists', async () => {
  const made = new Map<string, Made>();
  const failed: string[] = [];
  let answered = 0;
  for (const { path, collection } of reads.filter((read) => !needsMore(read.path))) {
    if (path.includes('{') && collection === undefined) continue;
    if (collection && !made.has(collection)) made.set(collection, await maker.record(collection));
    // The test has no device that could be a target.
    const query = path.endsWith('/prometheus') ? '?minTargets=0' : '';
    const at = collection ? path.replace(/\{.*?\}/, made.get(collection)!.id) : path + query;
    const { status, text } = await admin.get(at);
    if (status === 200) answered++;
    if (status >= 500) failed.push(`${status} ${path}: ${text}`);
  }
  expect(failed).toEqual([]);
  expect(answered).toBeGreaterThan(150);
  expect(service.complaints()).toEqual([]);
}, 300_000);

it('has the schemas and operations of the document', async () => {
  const served = (await (await fetch(`${service.url}/openapi.json`)).json()) as Json;
  const namesOf = ({ components, paths }: Json): string[] => [
    ...Object.keys(components.schemas),
    ...Object.values(paths as Record<string, Json>).flatMap((path) =>
      Object.values(path).map((operation) => (operation as Json).operationId),
    ),
  ];
  expect(namesOf(served)).toEqual(namesOf(document));
});

it('draws both codes of a label', async () => {
  const { id } = await admin.make('/api/assets', { name: 'Rack scanner', assetTag: 'A-1' });
  for (const code of ['qr', 'code128']) {
    const answer = await admin.get(`/api/assets/${id}/label.svg?code=${code}&content=assetTag`);
    expect([answer.status, answer.text.slice(0, 4)]).toEqual([200, '<svg']);
  }
});

it('survives a promise that nothing awaits, and logs it', async () => {
  service.signal('SIGUSR2');
  while (service.complaints().length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(service.complaints().join()).toContain('stray');
  expect((await admin.get('/api/sites')).status).toBe(200);
});
