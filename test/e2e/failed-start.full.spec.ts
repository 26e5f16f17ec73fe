import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onServer } from '../support/database.js';

const describeEmbedded = onServer ? describe.skip : describe;

describeEmbedded('a first start on a port that is in use', () => {
  const directory = mkdtempSync(join(tmpdir(), 'failed-start-'));
  const other = createServer();
  let port: number;
  beforeAll(async () => {
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    ({ port } = other.address() as AddressInfo);
  });
  afterAll(() => {
    other.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function start(): Promise<{ code: number; out: string; err: string }> {
    const child = spawn(process.execPath, ['scripts/source.cjs', 'src/main.ts'], {
      cwd: join(__dirname, '../..'),
      env: { PATH: process.env.PATH, HOST: '127.0.0.1', DATA_DIR: join(directory, 'data'), PORT: String(port) },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    const [code] = (await once(child, 'close')) as [number];
    return { code, out, err };
  }

  it('says what to do, and shows the password that no later start can show', async () => {
    const first = await start();
    expect(first).toMatchObject({ code: 1, err: `Port ${port} of 127.0.0.1 is in use. Set PORT to a free one\n` });
    expect(first.out).toMatch(
      /^Creating the database in \S+\. This takes some seconds, at the first start only\.\nCreating its tables\.\nLoading the catalogue that is shipped\.\n/,
    );
    expect(first.out).toMatch(
      /The first administrator is admin@example\.com with the password [\w-]{20}, which is shown only once\./,
    );
    const second = await start();
    expect([second.code, /password|Creating|Loading/.test(second.out)]).toEqual([1, false]);
    // Background work ends before its database closes.
    for (const { out } of [first, second]) expect(out).not.toContain('pool');
  }, 120_000);
});
