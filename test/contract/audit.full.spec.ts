import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cache = mkdtempSync(join(tmpdir(), 'audit-'));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

let registry: Server;
let answer: { status: number; body: object };
beforeAll(async () => {
  registry = createServer((request, response) => {
    request.resume().on('end', () => {
      const { status, body } = request.method === 'POST' ? answer : { status: 404, body: {} };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
});
afterAll(() => void registry.close());

async function audit(url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`) {
  const child = spawn(process.execPath, ['scripts/audit.mjs', '--registry', url], {
    cwd: join(__dirname, '../..'),
    // npm caches its responses.
    env: { PATH: process.env.PATH, npm_config_cache: mkdtempSync(join(cache, 'of-')) },
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const [code] = await once(child, 'close');
  return { code: code as number, output };
}

const finding = (severity: string): object => ({
  pg: [
    { id: 1, url: 'https://example.com/1', title: 'A fault', severity, vulnerable_versions: '*', cwe: [], cvss: {} },
  ],
});

it.each([
  [
    'fails for a high finding',
    200,
    finding('high'),
    1,
    /^(?:.*\n)*high: pg \(A fault https:\/\/example.com\/1.*\)\n(?:.*\n)*\d+ known .* [1-9]\d* of them high/,
  ],
  ['fails for a critical finding', 200, finding('critical'), 1, /^(?:.*\n)*critical: pg /],
  [
    'reports a finding of lower severity',
    200,
    finding('low'),
    0,
    /^(?:.*\n)*low: pg .*\n(?:.*\n)*\d+ known .* 0 of them high/,
  ],
  ['passes without findings', 200, {}, 0, /^0 known vulnerabilities/],
  ['prints SKIPPED if the registry has no audit', 405, {}, 0, /^SKIPPED/],
  ['prints SKIPPED if the registry is broken', 500, {}, 0, /^SKIPPED/],
])('the audit %s', async (_, status, body, code, output) => {
  answer = { status, body };
  expect(await audit()).toEqual({ code, output: expect.stringMatching(output) });
});

it('the audit prints SKIPPED if the registry does not respond', async () => {
  // A port that nobody listens on.
  expect(await audit('http://127.0.0.1:1/')).toEqual({ code: 0, output: expect.stringMatching(/^SKIPPED/) });
});
