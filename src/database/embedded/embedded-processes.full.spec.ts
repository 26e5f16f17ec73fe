import { transformSync } from '@swc/core';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { askOwner, DataDirLock } from './data-dir-lock.js';
import { EmbeddedDatabase } from './embedded-database.js';

// Program of the other processes: `hold` and `open` lock the directory, `storm` writes to it until it is killed, `break` breaks
// the engine.
const CHILD = `
const [action, dataDir] = process.argv.slice(2);
// Whoever only holds the directory needs no engine.
const { EmbeddedDatabase } = action === 'hold' ? {} : require('./embedded-database.js');
const { DataDirLock } = require('./data-dir-lock.js');
const { Pool } = require('pg');
const say = (line) => require('node:fs').writeSync(1, line + '\\n');
const wait = () => setInterval(() => {}, 1000);
const actions = {
  async hold() {
    const lock = await DataDirLock.acquire(dataDir);
    lock.onRequest(async ({ say }) => {
      if (say === 'fail') throw new Error('As you wish');
      return { said: say };
    });
    wait();
  },
  async open() {
    await EmbeddedDatabase.open({ dataDir });
    wait();
  },
  async break() {
    const embedded = await EmbeddedDatabase.open({ dataDir });
    const pool = new Pool(embedded.poolOptions()).on('error', () => {});
    const files = [];
    for (let i = 0; i < 3; i++) {
      await pool.query("COPY (SELECT 1) TO PROGRAM 'true'").catch(() => {});
      await pool.query('SELECT 1');
      files.push(require('node:fs').readdirSync('/proc/self/fd').length);
    }
    await pool.end();
    await embedded.close();
    if (files[2] > files[0]) throw new Error('Files stay open: ' + files);
  },
  async storm() {
    const embedded = await EmbeddedDatabase.open({ dataDir });
    const pool = new Pool(embedded.poolOptions());
    await pool.query('CREATE TABLE IF NOT EXISTS t (id int)');
    embedded.startMaintenance(pool, say, 50);
    say('held');
    for (let id = 1; ; id++) {
      await pool.query('INSERT INTO t VALUES ($1)', [id]);
      say(String(id));
    }
  },
};
actions[action]().then(() => say('held'), (error) => { say(error.message); process.exit(1); });
`;

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'close');
  child.kill('SIGKILL');
  await gone;
}

describe('the embedded database and other processes', () => {
  let compiled: string;
  let folder: string;
  let children: ChildProcess[] = [];

  beforeAll(() => {
    compiled = mkdtempSync(join(tmpdir(), 'compiled-'));
    for (const file of readdirSync(__dirname).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))) {
      const { code } = transformSync(readFileSync(join(__dirname, file), 'utf8'), {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
      });
      writeFileSync(join(compiled, file.replace(/ts$/, 'js')), code);
    }
    writeFileSync(join(compiled, 'child.cjs'), CHILD);
  });
  afterAll(() => rmSync(compiled, { recursive: true, force: true }));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'embedded-'));
  });
  afterEach(async () => {
    for (const child of children) await kill(child);
    children = [];
    rmSync(folder, { recursive: true, force: true });
  });

  /** Spares the process that opens the database first its creation, which other tests are about. */
  function prepare(): void {
    const template = process.env.TEST_DATABASE_TEMPLATE ?? '';
    // On a server it is the name of a database.
    if (!existsSync(template)) return;
    const files = join(folder, 'postgres');
    cpSync(template, files, { recursive: true });
    // As the service configures it, without the settings that make other tests faster.
    const configuration = join(files, 'postgresql.conf');
    const lines = readFileSync(configuration, 'utf8').split('\n');
    const kept = lines.filter((line) => !/^(?:shared_buffers = 16MB|full_page_writes = off)$/.test(line));
    expect(kept).toHaveLength(lines.length - 2);
    writeFileSync(configuration, kept.join('\n'));
  }

  /** Starts a process and resolves with its first line: `held`, or the reason of the refusal. */
  async function start(action: 'hold' | 'open' | 'storm' | 'break', dataDir = folder) {
    const child = spawn(process.execPath, [join(compiled, 'child.cjs'), action, dataDir], {
      env: { ...process.env, NODE_PATH: join(process.cwd(), 'node_modules'), NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    while (!output.includes('\n')) await once(child.stdout, 'data');
    return { child, answer: output.split('\n')[0], lines: () => output.split('\n').slice(1, -1) };
  }

  it('refuses a second process, by any path, until the first has been killed', async () => {
    prepare();
    const first = await start('open');
    expect(first.answer).toBe('held');
    const alias = `${folder}-alias`;
    symlinkSync(folder, alias);
    for (const path of [folder, alias, join(folder, '..', folder.split('/').at(-1)!)]) {
      await expect(EmbeddedDatabase.open({ dataDir: path })).rejects.toThrow(
        `is in use by another process (pid ${first.child.pid}). Stop it first, or give this one its own DATA_DIR.`,
      );
    }
    rmSync(alias);
    await kill(first.child);
    await (await EmbeddedDatabase.open({ dataDir: folder })).close();
  });

  it('has every acknowledged row after kill -9 during writes', async () => {
    prepare();
    for (const round of [1, 2]) {
      const storm = await start('storm');
      expect(storm.answer).toBe('held');
      while (storm.lines().length < 300) await once(storm.child.stdout!, 'data');
      await kill(storm.child);
      const acknowledged = storm.lines().length;

      const embedded = await EmbeddedDatabase.open({ dataDir: folder });
      const pool = new Pool(embedded.poolOptions());
      const { rows } = await pool.query('SELECT id FROM t ORDER BY id');
      const ids = rows.map(({ id }) => id as number);
      // One more row may have been written without an acknowledgement.
      expect([acknowledged, acknowledged + 1]).toContain(ids.length);
      expect(ids).toEqual(ids.map((_, i) => i + 1));
      await pool.query('TRUNCATE t');
      await pool.end();
      await embedded.close();
      expect(round).toBeLessThan(3);
    }
  });

  it('exits with nothing left open after the engine broke and was restarted', async () => {
    prepare();
    const { child, answer } = await start('break');
    expect(answer).toBe('held');
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(0);
  });

  it('lets exactly one of two concurrent processes win, whatever stale locks exist', async () => {
    for (let round = 0; round < 5; round++) {
      const both = await Promise.all([start('hold'), start('hold')]);
      const answers = both.map(({ answer }) => answer);
      expect(answers).toContain('held');
      expect(answers).toContainEqual(expect.stringContaining('is in use by another process'));
      for (const { child } of both) await kill(child);
    }
  });

  it('lets exactly one of many processes win with the sockets alone, as between containers', async () => {
    const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
    Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' });
    try {
      for (let round = 0; round < 20; round++) {
        const locks = await Promise.allSettled(Array.from({ length: 8 }, () => DataDirLock.acquire(folder)));
        const held = locks.filter((lock) => lock.status === 'fulfilled');
        expect(held).toHaveLength(1);
        const refusals = locks.flatMap((lock) => (lock.status === 'rejected' ? [String(lock.reason)] : []));
        expect(refusals).toEqual(Array(7).fill(expect.stringContaining('is in use by another process')));
        await held[0].value.release();
        expect(readdirSync(join(folder, 'lock'))).toEqual([String(round + 1)]);
      }
    } finally {
      Object.defineProperty(process, 'platform', platform);
    }
  });

  it('works in a directory whose path is too long for a socket, and admits only the owner', async () => {
    const deep = join(folder, ...Array<string>(8).fill('a-long-name-'.repeat(4)));
    mkdirSync(deep, { recursive: true });
    const { child, answer } = await start('hold', deep);
    expect(answer).toBe('held');
    await expect(DataDirLock.acquire(deep)).rejects.toThrow(`(pid ${child.pid})`);
    expect(await askOwner(deep, { say: 'hello' })).toEqual({ said: 'hello' });
    expect([modeOf(join(deep, 'lock')), modeOf(join(deep, 'lock', '1'))]).toEqual(['700', '600']);
    await kill(child);
    expect(await askOwner(deep, { say: 'hello' })).toBeNull();
  });

  it('responds on the control channel, whatever it receives', async () => {
    expect(await askOwner(folder, {})).toBeNull();
    expect(await askOwner(join(folder, 'missing'), {})).toBeNull();
    await start('hold');
    expect(await askOwner(folder, { say: 'a\nb' })).toEqual({ said: 'a\nb' });
    await expect(askOwner(folder, { say: 'fail' })).rejects.toThrow('As you wish');

    const send = async (bytes: string | Buffer) => {
      const socket = net.connect(join(folder, 'lock', '1'));
      let answer = '';
      socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
      socket.on('error', () => {});
      socket.write(bytes);
      await new Promise((resolve) => socket.on('close', resolve));
      return answer;
    };
    expect(JSON.parse(await send('{nonsense\n'))).toMatchObject({ ok: false });
    expect(JSON.parse(await send('42\n'))).toEqual({ ok: false, error: 'A request must be an object' });
    expect(await send('x'.repeat(2 * 1024 * 1024))).toBe('');
    expect(JSON.parse(await send(Buffer.from([0xff, 0x00, 0x0a])))).toMatchObject({ ok: false });
    net.connect(join(folder, 'lock', '1')).end();
    expect(await askOwner(folder, { say: 'still here' })).toEqual({ said: 'still here' });
  });

  it('stops waiting for an owner that does not respond', async () => {
    const lock = await DataDirLock.acquire(folder);
    lock.onRequest(() => new Promise(() => {}));
    await expect(askOwner(folder, {}, 50)).rejects.toThrow('No response arrived in time');
    await lock.release();
  });
});
