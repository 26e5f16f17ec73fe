// Writers whose transactions overlap in every way, and readers of the feed that are restarted at random: each reader must see each
// committed entry exactly once, in the same order as all the others.
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Api, openSession, PostgresServer, startService } from './support.mjs';

const WRITERS = 16;
const READERS = 4;
const SECONDS = 120;
/** Milliseconds that a transaction takes, at the least and at the most. */
const SHORTEST = 1;
const LONGEST = 5_000;

/** Writes in transactions of its own length, some of which are rolled back. */
async function write(url, until, committed) {
  const client = new Client({ connectionString: url });
  await client.connect();
  while (Date.now() < until) {
    const names = Array.from({ length: randomInt(1, 4) }, () => randomUUID());
    // Most are short, as in practice; one in twenty is long.
    const duration = randomInt(20) === 0 ? randomInt(SHORTEST, LONGEST) : randomInt(SHORTEST, 50);
    await client.query('BEGIN');
    for (const name of names) {
      await client.query('INSERT INTO vrfs (name) VALUES ($1)', [name]);
      await sleep(duration / names.length);
    }
    const kept = randomInt(5) > 0;
    await client.query(kept ? 'COMMIT' : 'ROLLBACK');
    if (kept) for (const name of names) committed.add(name);
  }
  await client.end();
}

/** Reads the feed. After an interruption, it continues with the cursor of the last page that it has processed. */
class Reader {
  seen = [];
  restarts = 0;

  constructor(api, cursor, wait) {
    this.api = api;
    this.cursor = cursor;
    this.wait = wait;
  }

  /** @param isOver whether everything was read */
  async run(isOver) {
    while (!isOver(this.seen)) {
      if (randomInt(10) === 0) {
        // A restart during a request: its response is lost, and so are unprocessed entries.
        this.restarts++;
        const request = this.read(AbortSignal.timeout(randomInt(1, 300)));
        await request.catch(() => {});
        continue;
      }
      const { data, cursor } = await this.read();
      for (const { recordName } of data) this.seen.push(recordName);
      this.cursor = cursor;
      if (!this.wait) await sleep(randomInt(1, 200));
    }
  }

  async read(signal) {
    const query = `since=${this.cursor}&resource=vrfs&limit=${randomInt(1, 200)}&wait=${this.wait ? randomInt(1, 5) : 0}`;
    const headers = { cookie: `session=${this.api.cookie}` };
    const response = await fetch(`${this.api.url}/api/changes?${query}`, { headers, signal });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    return JSON.parse(text);
  }
}

export default async function feed({ check, say, times = SECONDS }) {
  const server = await PostgresServer.make();
  const settings = { DATABASE_URL: server.url };
  const service = await startService(settings);
  const api = new Api(service.url, await openSession(settings));
  const start = await (await fetch(`${api.url}/api/changes`, { headers: { cookie: `session=${api.cookie}` } })).json();
  const committed = new Set();
  const until = Date.now() + times * 1000;
  let written = false;
  // Readers go on until the last commit has had time to arrive.
  const deadline = until + LONGEST + 30_000;
  const isOver = (seen) => written && (seen.length >= committed.size || Date.now() > deadline);
  const readers = Array.from({ length: READERS }, (_, index) => new Reader(api, start.cursor, index % 2 === 0));
  const reading = Promise.all(readers.map((reader) => reader.run(isOver)));
  await Promise.all(Array.from({ length: WRITERS }, () => write(server.url, until, committed)));
  written = true;
  await reading;
  say(`${committed.size} entries, ${readers.map(({ restarts }) => restarts).join(', ')} restarts`);
  for (const [index, { seen, wait }] of readers.entries()) {
    const distinct = new Set(seen);
    const missed = [...committed].filter((name) => !distinct.has(name)).length;
    const extra = [...distinct].filter((name) => !committed.has(name)).length;
    check({
      what: `Entries that reader ${index + 1} (${wait ? 'with' : 'without'} wait) missed, saw twice, or saw though they were rolled back`,
      asked: '0, 0, 0',
      reached: `${missed}, ${seen.length - distinct.size}, ${extra} of ${committed.size}`,
      kept: missed === 0 && seen.length === distinct.size && extra === 0,
    });
  }
  const orders = new Set(readers.map(({ seen }) => seen.join(' ')));
  check({
    what: 'Orders in which the readers saw them',
    asked: '1',
    reached: String(orders.size),
    kept: orders.size === 1,
  });
  await service.end();
  await server.remove();
}
