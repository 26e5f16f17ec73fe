// Failovers of a cluster that Patroni manages: the host of the primary is killed, frozen or cut off, under 16 clients.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { checkLedger, crashes } from './crashes.mjs';
import { PatroniCluster, until } from './patroni.mjs';
import { Receiver } from './receiver.mjs';
import { Api, count, milliseconds, most, openSession, PostgresServer, startService } from './support.mjs';

const STRIKES = [
  { name: 'killed', hit: (member) => member.signal('SIGKILL'), heal: (member) => member.start() },
  { name: 'frozen', hit: (member) => member.signal('SIGSTOP'), heal: (member) => member.signal('SIGCONT') },
  { name: 'cut off', hit: (member) => member.cable('down'), heal: (member) => member.cable('up') },
];
const FAILED_LOGINS = 10;
const COUNTED = { runbooks: 'runbooks', 'known-issues': 'known_issues', assets: 'assets' };

/** Reads the feed from start to end, with the last cursor after each interruption. */
class Follower {
  created = new Map();
  cursor = 'start';
  refused = new Map();

  constructor(api) {
    this.api = api;
  }

  start() {
    this.done = this.follow();
  }

  async follow() {
    while (!this.stopped) {
      const { status, body } = await this.api
        .request('GET', `/api/changes?resource=runbooks&action=create&since=${this.cursor}&wait=1`)
        .catch(() => ({ status: 0 }));
      if (status !== 200) {
        this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
        await sleep(100);
        continue;
      }
      for (const { recordId } of body.data) this.created.set(recordId, (this.created.get(recordId) ?? 0) + 1);
      this.cursor = body.cursor;
    }
  }

  stop() {
    this.stopped = true;
    return this.done;
  }
}

/** Failed logins of an email address that nobody has. @returns the status of the last */
async function failLogins(api, email, times) {
  let status;
  for (let n = 0; n < times; n++) {
    ({ status } = await api.request('POST', '/api/auth/login', { email, password: 'a wrong password of nobody' }));
  }
  return status;
}

/** A primary whose only synchronous standby never answers: a write must not be reported as done. */
async function withoutStandby() {
  const server = await PostgresServer.make();
  const settings = { DATABASE_URL: server.url, STATEMENT_TIMEOUT_MS: '2000' };
  const service = await startService(settings);
  const api = new Api(service.url, await openSession(settings));
  const site = (await api.must('POST', '/api/sites', { name: 'before' })).data;
  await server.query(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`);
  await server.query('SELECT pg_reload_conf()');
  await sleep(500);
  const statuses = [];
  for (const [method, path, body] of [
    ['POST', '/api/sites', { name: 'after' }],
    ['PATCH', `/api/sites/${site.id}`, { name: 'changed' }],
    ['DELETE', `/api/sites/${site.id}`],
  ]) {
    statuses.push((await api.request(method, path, body)).status);
  }
  await service.end('SIGKILL');
  await server.remove();
  return statuses;
}

/** Lists whose total differs from the number of their rows. */
async function wrongTotals(api, client) {
  const wrong = [];
  for (const [path, table] of Object.entries(COUNTED)) {
    const { total } = await api.must('GET', `/api/${path}?pageSize=1`);
    const { rows } = await client.query(`SELECT count(*)::int AS n FROM ${table}`);
    if (total !== rows[0].n) wrong.push(`${path}: ${total} instead of ${rows[0].n}`);
  }
  return wrong;
}

export default async function failover({ check, say, times = 10 }) {
  const cluster = await PatroniCluster.make();
  const receiver = await Receiver.open();
  const settings = {
    DATABASE_URL: cluster.url,
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    WEBHOOK_ALLOW_HTTP: 'true',
  };
  const service = await startService(settings);
  const api = new Api(service.url, await openSession(settings));
  await api.must('POST', '/api/webhooks', {
    name: 'failover',
    url: receiver.url,
    resources: ['runbooks'],
    actions: ['create'],
  });
  const follower = new Follower(api);
  follower.start();

  const outages = [];
  const afterPromotion = [];
  const totals = [];
  let forgotten = 0;
  const result = await crashes({
    api,
    times,
    say,
    async strike(writers, n) {
      const { name, hit, heal } = STRIKES[(n - 1) % STRIKES.length];
      const email = `nobody-${n}@example.com`;
      await failLogins(api, email, FAILED_LOGINS);
      const old = await cluster.primary();
      const from = performance.now();
      hit(old);
      const primary = await cluster.primary(old);
      const promoted = performance.now();
      const first = await until(
        'a write after the failover',
        () => writers.answers.findLast(({ at, status }) => at > promoted && status === 201)?.at,
      );
      outages.push(first - from);
      afterPromotion.push(first - promoted);
      say(
        `${old.name} ${name}: ${primary.name} after ${milliseconds(promoted - from)}, a write after ${milliseconds(first - from)}`,
      );
      if ((await failLogins(api, email, 1)) !== 429) forgotten++;
      // The clients keep working until the old primary is back.
      await sleep(1_000);
      heal(old);
      await cluster.healthy();
      await writers.rest();
      const client = new Client({ connectionString: cluster.url });
      await client.connect();
      totals.push(...(await wrongTotals(api, client)));
      await client.end();
      return first - from;
    },
  });

  const creators = result.writers.clients.filter(({ created }) => created);
  const created = creators.flatMap((creator) => [...creator.created.keys()]);
  const stored = await api.all('/api/runbooks');
  await until('the feed', () => follower.created.size >= stored.size, 30_000).catch(() => {});
  await follower.stop();
  const delivered = () => new Set(receiver.received.map(({ event }) => event.data.recordId));
  await until('the webhooks', () => delivered().size >= stored.size, 60_000).catch(() => {});

  checkLedger({ check, what: `${times} failovers, the primary killed, frozen and cut off in turn`, result });
  const statuses = result.writers.statuses();
  const others = [...statuses.keys()].filter((status) => status >= 300 && status !== 503);
  check({
    what: 'Responses other than successes',
    asked: 'only 503',
    reached: `${statuses.get(503) ?? 0} × 503, others ${others.length === 0 ? 'none' : others.join(', ')}; ${result.writers.unanswered} requests without a response`,
    kept: others.length === 0 && result.writers.unanswered === 0,
  });
  check({
    what: 'First write after the failure; after Patroni has a new primary',
    asked: '15 s',
    reached: `${outages.map((ms) => (ms / 1000).toFixed(1)).join(', ')} s; ${milliseconds(most(afterPromotion))} at most`,
    kept: most(outages) < 15_000,
  });
  const twice = [...follower.created.values()].filter((n) => n > 1).length;
  const unseen = created.filter((id) => !follower.created.has(id)).length;
  const extra = [...follower.created.keys()].filter((id) => !stored.has(id)).length;
  check({
    what: 'Feed, read on from the last cursor: acknowledged creates that it does not have, that it has twice, entries of records that do not exist',
    asked: 'none',
    reached: `${unseen}, ${twice}, ${extra} of ${count(created.length)}; other statuses ${[...follower.refused].map(([status, n]) => `${n} × ${status}`).join(', ') || 'none'}`,
    kept: unseen + twice + extra === 0 && [...follower.refused.keys()].every((status) => status === 503),
  });
  const arrived = delivered();
  const missing = created.filter((id) => !arrived.has(id)).length;
  check({
    what: 'Webhooks: acknowledged creates that were not delivered',
    asked: 'none',
    reached: `${missing} of ${count(created.length)}; ${count(receiver.received.length - arrived.size)} delivered again`,
    kept: missing === 0,
  });
  check({
    what: 'Totals of lists that differ from the number of rows; failed logins that were forgotten',
    asked: 'none',
    reached: `${totals.length === 0 ? 'none' : totals.join(', ')}; ${forgotten} of ${times}`,
    kept: totals.length === 0 && forgotten === 0,
  });
  const unconfirmed = await withoutStandby();
  check({
    what: 'Create, change and delete that no synchronous standby confirms',
    asked: '503',
    reached: unconfirmed.join(', '),
    kept: unconfirmed.every((status) => status === 503),
  });
  await service.end();
  receiver.close();
  cluster.remove();
}
