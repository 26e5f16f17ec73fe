import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onServer } from '../support/database.js';

const describeEmbedded = onServer ? describe.skip : describe;

describeEmbedded('CATALOGUE=false', () => {
  const directory = mkdtempSync(join(tmpdir(), 'catalogue-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('starts a new database without the shipped catalogue', async () => {
    const credentials = { email: 'admin@example.com', password: 'without the catalogue' };
    const child = spawn(process.execPath, ['scripts/source.cjs', 'src/main.ts'], {
      cwd: join(__dirname, '../..'),
      env: {
        PATH: process.env.PATH,
        DATA_DIR: directory,
        PORT: '0',
        ADMIN_PASSWORD: credentials.password,
        CATALOGUE: 'false',
      },
    });
    const closed = once(child, 'close');
    try {
      let url: string | undefined;
      for await (const line of createInterface(child.stdout)) {
        url = /is listening on (\S+)/.exec(line)?.[1];
        if (url !== undefined) break;
      }
      const login = await fetch(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(credentials),
      });
      const headers = { cookie: login.headers.get('set-cookie')!.split(';')[0]! };
      for (const path of ['manufacturers', 'platforms', 'device-roles', 'device-types']) {
        const list = await fetch(`${url}/api/${path}?pageSize=1`, { headers });
        expect([path, ((await list.json()) as { total: number }).total]).toEqual([path, 0]);
      }
    } finally {
      child.kill();
      await closed;
    }
  }, 120_000);
});
