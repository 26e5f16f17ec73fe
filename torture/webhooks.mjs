// Deliveries while the two replicas that make them are killed in turn; with an endpoint that is down; and a thousand a second.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Receiver } from './receiver.mjs';
import { Api, count, milliseconds, most, openSession, percentile, PostgresServer, startService } from './support.mjs';

const CHANGES = 10_000;
const RECORDS = 500;
const KILLS = 10;
/** Milliseconds from one kill to the next. A replica that dies keeps its webhooks for 30 s. */
const BETWEEN = 12_000;
const LONGEST_WAIT = 120_000;

const PER_SECOND = 1_000;
const PER_TRANSACTION = 10;
const SECONDS = 20;

const settingsFor = ({ url }) => ({ DATABASE_URL: url, WEBHOOK_ALLOW_LOOPBACK: 'true', WEBHOOK_ALLOW_HTTP: 'true' });

async function until(met) {
  const deadline = Date.now() + LONGEST_WAIT;
  while (!met() && Date.now() < deadline) await sleep(100);
}

/** Starts a service on a server, with an administrator. */
async function serve(server) {
  const settings = settingsFor(server);
  const service = await startService(settings);
  return { service, api: new Api(service.url, await openSession(settings)) };
}

const subscribe = (api, name, { url }) =>
  api.must('POST', '/api/webhooks', { name, url, resources: ['vrfs'], actions: ['update'] });

/** Changes of a record that arrived in another order, never, or again with another id. */
function faultsOf(received, changes) {
  const idOf = new Map();
  const last = new Map();
  let disordered = 0;
  let renamed = 0;
  for (const { id, event } of received) {
    const { recordId, after } = event.data;
    const n = Number(after.description);
    const known = idOf.get(n);
    if (known !== undefined) {
      if (known !== id) renamed++;
      continue;
    }
    idOf.set(n, id);
    if (n < (last.get(recordId) ?? 0)) disordered++;
    last.set(recordId, n);
  }
  return { missing: changes - idOf.size, disordered, renamed, repeated: received.length - idOf.size };
}

/** A connection that changes records by SQL, so that no change is lost with a replica. The description is the number of the change. */
class Writer {
  /** When the transaction of each change was committed. */
  committed = new Map();

  static async on({ url }) {
    const writer = new Writer();
    writer.client = new Client({ connectionString: url });
    await writer.client.connect();
    await writer.client.query(
      `INSERT INTO vrfs (name) SELECT 'record ' || n FROM generate_series(0, ${RECORDS - 1}) n ON CONFLICT DO NOTHING`,
    );
    return writer;
  }

  /** @param pause milliseconds from the start of one transaction to that of the next */
  async write(first, changes, pause) {
    const began = performance.now();
    for (let n = first; n < first + changes; n += PER_TRANSACTION) {
      await this.client.query(
        `UPDATE vrfs SET description = n FROM generate_series($1::int, $1::int + ${PER_TRANSACTION - 1}) n
         WHERE name = 'record ' || n % ${RECORDS}`,
        [n],
      );
      const now = performance.now();
      for (let one = n; one < n + PER_TRANSACTION; one++) this.committed.set(one, now);
      const ahead = began + ((n - first) / PER_TRANSACTION + 1) * pause - now;
      if (ahead > 0) await sleep(ahead);
    }
  }

  end() {
    return this.client.end();
  }
}

async function killed({ check, say }, kills) {
  const server = await PostgresServer.make();
  const settings = settingsFor(server);
  const { service: first, api } = await serve(server);
  const replicas = [first, await startService(settings)];
  const receiver = await Receiver.open();
  await subscribe(api, 'receiver', receiver);
  const changes = Math.round((CHANGES * kills) / KILLS);
  const writer = await Writer.on(server);
  const writing = writer.write(1, changes, (kills * BETWEEN * PER_TRANSACTION) / changes);
  for (let n = 0; n < kills; n++) {
    await sleep(BETWEEN);
    const which = n % 2;
    await replicas[which].end('SIGKILL');
    replicas[which] = await startService(settings);
    say(`kill ${n + 1}: ${receiver.received.length} requests so far, of ${writer.committed.size} changes`);
  }
  await writing;
  await until(() => new Set(receiver.received.map(({ id }) => id)).size >= changes);
  const { missing, disordered, renamed, repeated } = faultsOf(receiver.received, changes);
  check({
    what: `${kills} × kill -9 of two replicas in turn, ${count(changes)} changes of ${RECORDS} records: changes that never arrived, that arrived before an earlier one of their record, or again with another \`webhook-id\``,
    asked: 'none',
    reached: `${missing}, ${disordered}, ${renamed}; ${repeated} arrived again with the same id`,
    kept: missing + disordered + renamed === 0,
  });
  for (const replica of replicas) await replica.end();
  await writer.end();
  receiver.close();
  await server.remove();
}

const residentOf = ({ pid }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

async function timed({ check, say }, seconds) {
  const server = await PostgresServer.make();
  const { service, api } = await serve(server);
  const receiver = await Receiver.open();
  await subscribe(api, 'receiver', receiver);
  const writer = await Writer.on(server);
  const changes = PER_SECOND * seconds;
  const began = performance.now();
  await writer.write(1, changes, (1_000 * PER_TRANSACTION) / PER_SECOND);
  const rate = (1_000 * changes) / (performance.now() - began);
  await until(() => receiver.received.length >= changes);
  const times = receiver.received.map(
    ({ event, at }) => at - writer.committed.get(Number(event.data.after.description)),
  );
  const p99 = percentile(times, 0.99);
  check({
    what: `${count(changes)} changes at ${Math.round(rate)} a second: p50, p99 and longest time from commit to receipt; missing`,
    asked: '2 s for p99; none',
    reached: `${milliseconds(percentile(times, 0.5))}, ${milliseconds(p99)}, ${milliseconds(most(times))}; ${changes - times.length}`,
    kept: p99 < 2_000 && times.length === changes && rate > PER_SECOND * 0.95,
  });

  // An endpoint that takes requests and never answers them.
  const before = residentOf(service);
  say(`${Math.round(before)} MiB resident`);
  const silent = await Receiver.open(() => {});
  const { id } = (await subscribe(api, 'silent', silent)).data;
  const from = receiver.received.length;
  await writer.write(changes + 1, CHANGES, (1_000 * PER_TRANSACTION) / PER_SECOND);
  await until(() => receiver.received.length >= from + CHANGES);
  const waiting = await api.must('GET', `/api/webhooks/${id}/deliveries?status=pending&pageSize=1`);
  const later = receiver.received
    .slice(from)
    .map(({ event, at }) => at - writer.committed.get(Number(event.data.after.description)));
  const grown = residentOf(service) - before;
  check({
    what: `The same for ${count(CHANGES)} changes while another endpoint never answers: p99; deliveries that wait for that one; growth of the process`,
    asked: `2 s; ${count(CHANGES)}; 32 MiB`,
    reached: `${milliseconds(percentile(later, 0.99))}; ${count(waiting.total)}; ${Math.round(grown)} MiB`,
    kept: percentile(later, 0.99) < 2_000 && waiting.total === CHANGES && grown < 32,
  });
  await service.end();
  await writer.end();
  for (const endpoint of [receiver, silent]) endpoint.close();
  await server.remove();
}

export default async function webhooks({ check, say, times = KILLS }) {
  await timed({ check, say }, Math.max(5, Math.round((SECONDS * times) / KILLS)));
  await killed({ check, say }, times);
}
