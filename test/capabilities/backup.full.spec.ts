import {
  cpSync,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip, gunzipSync } from 'node:zlib';
import { createTarPacker } from 'modern-tar';
import { restoreBackup } from '../../src/database/embedded/restore.js';
import { migrations } from '../../src/schema/migrations/index.js';
import { Api } from '../support/app.js';
import { runCommand, startEntry, type Outcome, type Running } from '../support/command.js';
import { onServer } from '../support/database.js';

const folder = mkdtempSync(join(tmpdir(), 'backup-'));
const live = join(folder, 'live');
const backup = join(folder, 'inventory.backup');
const PASSWORD = 'a passphrase of a backup';

/** Starts commands without the environment of the tests. */
const on = (dataDir: string): NodeJS.ProcessEnv => ({
  DATA_DIR: dataDir,
  DATABASE_URL: '',
  SECRET_KEY: '',
  ADMIN_PASSWORD: PASSWORD,
  PORT: '0',
  LOG_LEVEL: 'error',
});

interface Service extends Running {
  api: Api;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

async function start(dataDir: string): Promise<Service> {
  const running = startEntry('main', [], on(dataDir));
  let text = '';
  running.child.stdout!.on('data', (chunk) => (text += chunk));
  let ended = false;
  void running.outcome.then(() => (ended = true));
  await until(() => ended || text.includes('Swagger UI'));
  const url = /listening on (http:\S+)/.exec(text)?.[1];
  if (!url) throw new Error(`The service did not start: ${(await running.outcome).err}`);
  const { headers } = await new Api(url).post('/api/auth/login', { email: 'admin@example.com', password: PASSWORD });
  return { ...running, api: new Api(url, /session=([^;]+)/.exec(headers.get('set-cookie')!)![1]) };
}

async function stop({ child, outcome }: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  child.kill(signal);
  await outcome;
}

const restoreInto = (dataDir: string, file = backup, ...more: string[]) =>
  runCommand('restore', [file, ...more], on(dataDir));

/** Packs a file with these contents as a backup does. */
async function pack(name: string, contents: Record<string, string>): Promise<string> {
  const { readable, controller } = createTarPacker();
  const file = join(folder, name);
  const written = pipeline(Readable.fromWeb(readable as never), createGzip(), createWriteStream(file));
  for (const [path, text] of Object.entries(contents)) {
    const entry = controller.add({ name: path, size: Buffer.byteLength(text), type: 'file' }).getWriter();
    await entry.write(new Uint8Array(Buffer.from(text)));
    await entry.close();
  }
  controller.finalize();
  await written;
  return file;
}

(onServer ? describe.skip : describe)('a backup of the embedded database', () => {
  let service: Service;
  let before: string[];
  let acknowledged: string[];
  let written: Outcome;
  beforeAll(async () => {
    cpSync(process.env.TEST_DATABASE_TEMPLATE!, join(live, 'postgres'), { recursive: true });
    service = await start(live);
    const names = Array.from({ length: 20 }, (_, index) => `Before ${index}`);
    for (const name of names) await service.api.make('/api/runbooks', { name });
    await service.api.make('/api/software-licences', { name: 'Suite', licenceKey: 'AAAA-BBBB' });
    before = names;
    // Writes continue during the backup.
    acknowledged = [];
    const ended = runCommand('backup', [backup], on(live));
    const state = { isWritten: false };
    void ended.then(() => (state.isWritten = true));
    for (let index = 0; !state.isWritten; index++) {
      await service.api.make('/api/runbooks', { name: `Meanwhile ${index}` });
      acknowledged.push(`Meanwhile ${index}`);
    }
    written = await ended;
  }, 300_000);
  afterAll(async () => {
    await stop(service);
    rmSync(folder, { recursive: true });
  });

  it('is the one of which a command says that it has no such profile', async () => {
    for (const command of [['session'], ['token', '--name', 'x']]) {
      const [name, ...more] = command as [string, ...string[]];
      const { code, err } = await runCommand(name, ['--email', 'nobody@example.com', ...more], on(live));
      expect([code, err]).toEqual([1, expect.stringMatching(/^There is no profile nobody@example\.com/)]);
      expect(err).toContain(`\nDATA_DIR is ${live}\n`);
    }
  });

  it('is written while others write, for nobody else to read, and restored as of one moment', async () => {
    expect(written).toEqual({
      code: 0,
      out: expect.stringMatching(/^\S+inventory\.backup: [\d.]+ MB, with the secret key/),
      err: '',
    });
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['inventory.backup', 'live']);
    const copy = join(folder, 'copy');
    const { code, out, err } = await restoreInto(copy);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`${copy} holds the backup of `);
    expect(out).toContain(
      'It sends nothing to webhooks and serves no calendars until the service is started once with OUTBOUND=true',
    );
    expect(readFileSync(join(copy, 'secret.key'))).toEqual(readFileSync(join(live, 'secret.key')));
    const restored = await start(copy);
    try {
      const { data, total } = (await restored.api.get('/api/runbooks?pageSize=200&sort=createdAt&order=asc')).body;
      const names = (data as { name: string }[]).map(({ name }) => name);
      // The backup has every earlier write, and the first of the concurrent writes without a gap.
      const all = [...before, ...acknowledged];
      expect(names).toEqual(all.slice(0, Math.min(names.length, 200)));
      expect(total).toBeGreaterThanOrEqual(before.length);
      const licences = (await restored.api.get('/api/software-licences')).body.data;
      expect((await restored.api.get(`/api/software-licences/${licences[0].id}`)).body.data.licenceKey).toBe(
        'AAAA-BBBB',
      );
      await restored.api.make('/api/runbooks', { name: 'After' });
      const hook = await restored.api.make('/api/webhooks', { name: 'Real', url: 'https://example.com/hook' });
      expect((await restored.api.post(`/api/webhooks/${hook.id}/test`)).body.data.error).toBe('outbound_off');
    } finally {
      await stop(restored);
    }
  });

  it('refuses a directory that is in use, or that is not empty', async () => {
    const used = await restoreInto(live);
    expect([used.code, used.out]).toEqual([1, '']);
    expect(used.err).toContain(`The data directory ${live} is in use by another process (pid ${service.child.pid})`);
    const filled = join(folder, 'filled');
    cpSync(join(live, 'secret.key'), join(filled, 'secret.key'));
    const { code, err } = await restoreInto(filled);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('is not empty: it has secret.key. Give another DATA_DIR, or --replace'),
    ]);
    expect((await restoreInto(filled, backup, '--replace')).code).toBe(0);
    expect(readdirSync(filled).toSorted()).toEqual(['lock', 'postgres', 'secret.key', 'secret.key.replaced']);
  });

  it('refuses a file that is no backup, and leaves the directory as it is', async () => {
    const whole = readFileSync(backup);
    const half = Math.floor(whole.length / 2);
    writeFileSync(join(folder, 'half'), whole.subarray(0, half));
    const damaged = Buffer.from(whole);
    damaged.fill(0x55, half, half + 64);
    writeFileSync(join(folder, 'damaged'), damaged);
    const notes = { format: 1, version: '9.0.0', migration: 'Later9999999999999', madeAt: '2030-01-01T00:00:00.000Z' };
    const label = { 'postgres/backup_label': 'x' };
    const files: [string, RegExp][] = [
      ['package.json', /is not a backup of this service$/m],
      [join(folder, 'nowhere'), /cannot be restored: ENOENT/],
      [join(folder, 'half'), /is damaged or not complete/],
      [join(folder, 'damaged'), /is damaged or not complete/],
      [await pack('other', { 'readme.txt': 'hello' }), /is not a backup of this service: it contains readme\.txt$/m],
      [await pack('outside', { 'postgres/../../x': 'hello' }), /is not a backup of this service: it contains/],
      [await pack('cut', { 'backup.json': JSON.stringify(notes) }), /is not complete$/m],
      [
        await pack('format', { 'backup.json': JSON.stringify({ ...notes, format: 2 }), ...label }),
        /by version 9\.0\.0, in a format/,
      ],
      [
        await pack('later', { 'backup.json': JSON.stringify(notes), ...label }),
        /by version 9\.0\.0, whose database this version does not know/,
      ],
    ];
    const empty = join(folder, 'empty');
    const known = new Set(migrations.map(({ name }) => name));
    for (const [file, sentence] of files) {
      const restoring = restoreBackup(file, empty, { replace: false, knows: (migration) => known.has(migration) });
      await expect(restoring).rejects.toThrow(sentence);
      expect(readdirSync(empty)).toEqual(['lock']);
    }
    const { code, out, err } = await restoreInto(empty, join(folder, 'half'));
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^\S+ is damaged or not complete.*\n$/);
    expect(readdirSync(empty)).toEqual(['lock']);
  });

  it('refuses to restore the files of another version of PostgreSQL', async () => {
    const migration = /"migration": "(\w+)"/.exec(gunzipSync(readFileSync(backup)).subarray(0, 4096).toString())![1];
    const notes = { format: 1, version: '0.9.0', migration, madeAt: '2030-01-01T00:00:00.000Z' };
    const file = await pack('former', {
      'backup.json': JSON.stringify(notes),
      'postgres/PG_VERSION': '12\n',
      'postgres/backup_label': 'x',
    });
    const { code, err } = await restoreInto(join(folder, 'former-data'), file);
    expect([code, err]).toEqual([1, expect.stringContaining('did not start')]);
    expect(readdirSync(join(folder, 'former-data'))).toEqual(['lock']);
  });

  it('that is killed while it is restored leaves no database, and is restored again', async () => {
    const killed = join(folder, 'killed');
    for (let tries = 0; ; tries++) {
      const running = startEntry('cli/restore', [backup], on(killed));
      const hasBegun = (): boolean => existsSync(join(killed, 'restore.incomplete', 'postgres', 'base'));
      await until(() => hasBegun() || running.child.exitCode !== null);
      await stop(running, 'SIGKILL');
      if ((await running.outcome).code === null) break;
      // On a busy machine, the command may end before it is killed.
      expect([(await running.outcome).code, tries < 10]).toEqual([0, true]);
      rmSync(killed, { recursive: true });
    }
    expect(readdirSync(killed).toSorted()).toEqual(['lock', 'restore.incomplete']);
    expect((await restoreInto(killed)).code).toBe(0);
    expect(readdirSync(killed).toSorted()).toEqual(['lock', 'postgres', 'secret.key']);
    // The restore was killed after it had moved the former database. The start must not create an empty one in its place.
    renameSync(join(killed, 'postgres'), join(killed, 'postgres.replaced'));
    const { code, err } = await startEntry('main', [], on(killed)).outcome;
    expect([code, err]).toEqual([1, expect.stringMatching(/A restore into \S+ was interrupted/)]);
    expect((await restoreInto(killed, backup, '--replace')).code).toBe(0);
    expect(readdirSync(killed).toSorted()).toEqual([
      'lock',
      'postgres',
      'postgres.replaced',
      'secret.key',
      'secret.key.replaced',
    ]);
  });

  it('that is killed while it is written leaves the former one', async () => {
    const copy = join(folder, 'copy-of-service');
    expect((await restoreInto(copy)).code).toBe(0);
    let whole: Buffer;
    let outcome: Outcome;
    // On a busy machine, the command may end before the service is killed.
    for (let tries = 0; tries < 10; tries++) {
      whole = readFileSync(backup);
      const running = await start(copy);
      const writing = startEntry('cli/backup', [backup], on(copy));
      await until(() => existsSync(`${backup}.incomplete`) || writing.child.exitCode !== null);
      await stop(running, 'SIGKILL');
      outcome = await writing.outcome;
      if (outcome.code !== 0) break;
    }
    expect([outcome!.code, outcome!.err]).toEqual([1, expect.stringContaining('The connection was closed')]);
    expect(readFileSync(backup).equals(whole!)).toBe(true);
    // The next backup runs without the service, and replaces the incomplete file.
    expect((await runCommand('backup', [backup], on(copy))).code).toBe(0);
    expect(readFileSync(backup).equals(whole!)).toBe(false);
    expect(existsSync(`${backup}.incomplete`)).toBe(false);
  });

  it('is not made where there is nothing to back up, or nowhere to write it', async () => {
    const outcomes = [
      await runCommand('backup', [join(folder, 'x')], on(join(folder, 'nothing'))),
      await runCommand('backup', [join(folder, 'no', 'folder', 'x')], on(live)),
      await runCommand('backup', [join(folder, 'x')], { ...on(live), DATABASE_URL: 'postgres://127.0.0.1/x' }),
    ];
    expect(outcomes.map(({ code, err }) => [code, err.trim()])).toEqual([
      [1, `There is no database in ${join(folder, 'nothing')}`],
      [1, expect.stringContaining('ENOENT')],
      [1, expect.stringMatching(/^DATABASE_URL is set: back up a PostgreSQL server with pg_dump/)],
    ]);
    expect(existsSync(join(folder, 'nothing'))).toBe(false);
  });
});
