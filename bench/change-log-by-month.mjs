// `npm run bench:change-log-by-month`: a log that fills one table gets its partitions while writers go on, and is read before,
// afterwards, and spread over the months. Then a month is dropped. See docs/change-log-plans.md.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { build, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    database: { type: 'string', default: 'inventory_bench_log' },
    entries: { type: 'string', default: '5000000' },
    months: { type: 'string', default: '14' },
    rounds: { type: 'string', default: '40' },
    // Directory of a built version from before the partitions, to read the one table with.
    earlier: { type: 'string' },
    plans: { type: 'boolean', default: false },
  },
});
const say = (line) => process.stdout.write(`${line}\n`);
const note = (line) => process.stderr.write(`  ${line}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const require = createRequire(import.meta.url);
const entries = Number(options.entries);
const months = Number(options.months);
const RECORDS = 50_000;
const BATCH = 250_000;
const idOf = (n) => `md5('device' || (${n}))::uuid`;

build();
const {
  ChangeLogByMonth1795370000000: ByMonth,
} = require('../dist/src/schema/migrations/20261122-change-log-by-month.js');

/** One table of entries over the months up to now. */
async function fill(client) {
  await client.query('BEGIN');
  await new ByMonth().down({ query: async (text) => (await client.query(text)).rows });
  await client.query(`DELETE FROM migrations WHERE name = 'ChangeLogByMonth1795370000000'`);
  await client.query('COMMIT');
  const { rows: indexes } = await client.query(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = 'change_log' AND indexname <> 'pk_change_log'`,
  );
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  for (let from = 1; from <= entries; from += BATCH) {
    await client.query(
      `INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor, request_id, transaction_id, old_values, new_values)
       SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(i), 15, '0'))::uuid, at, at, 'update', 'devices', 'network', ${idOf('(i::bigint * 7919) % $3')}, 'device-' || i, md5((i % 40)::text)::uuid,
         'person' || (i % 40) || '@example.com', gen_random_uuid(), i, jsonb_build_object('status', 'active', 'updated_at', at), '{"status": "offline"}'
       FROM (SELECT i, now() - ($4::int - i) * (interval '1 month' * $5::int / $4::int) AS at FROM generate_series($1::int, $2::int) i) made`,
      [from, Math.min(entries, from + BATCH - 1), RECORDS, entries, months],
    );
    note(`${Math.min(entries, from + BATCH - 1)} entries`);
  }
  for (const { definition } of indexes) await client.query(definition);
  // Older than the log, as far as it tells.
  await client.query('ALTER TABLE devices DISABLE TRIGGER devices_log_insert');
  await client.query(
    `INSERT INTO devices (id, name, created_at) SELECT ${idOf('i')}, 'device-' || i, '2020-01-01' FROM generate_series(1, 500) i`,
  );
  await client.query('ALTER TABLE devices ENABLE TRIGGER devices_log_insert');
  await client.query(
    `INSERT INTO incidents (name, detected_at) VALUES ('Uplink drops routes', now() - interval '45 days')`,
  );
  await client.query('VACUUM ANALYZE');
}

const url = await prepareDatabase(options.database, options, fill);
if (!options.earlier) note('Without --earlier the one table is not read.');
const client = await connect(url);
const one = async (text, values) => (await client.query(text, values)).rows[0];
const { id: incident } = await one('SELECT id FROM incidents ORDER BY created_at LIMIT 1');
const { rows: devices } = await client.query(`SELECT ${idOf('i')} AS id FROM generate_series(1, 500) i`);
const { rows: requests } = await client.query(
  `SELECT request_id AS id FROM change_log WHERE request_id IS NOT NULL ORDER BY created_at LIMIT 500 OFFSET ${Math.floor(entries / 2)}`,
);
const at = (days) => new Date(Date.now() - days * 86_400_000).toISOString();
const device = (n) => devices[n % devices.length].id;
const READS = {
  'a record as of 100 days ago': (n) => `/api/devices/${device(n)}?asOf=${at(100)}`,
  'changes of a record': (n) => `/api/devices/${device(n)}/changes?pageSize=50`,
  'first page': () => '/api/change-log?pageSize=50',
  'last page': () => '/api/change-log?order=desc&pageSize=50',
  'page of 1,000': () => '/api/change-log?order=desc&pageSize=1000',
  'page 2,000': (n) => `/api/change-log?pageSize=50&page=${2000 + n}`,
  'of a request': (n) => `/api/change-log?requestId=${requests[n % requests.length].id}`,
  'of a record, latest first': (n) => `/api/change-log?recordId=${device(n)}&order=desc&pageSize=50`,
  'of an hour': (n) => `/api/change-log?createdAt__gte=${at(30 + n)}&createdAt__lt=${at(30 + n - 1 / 24)}&pageSize=50`,
  'context of an incident': () => `/api/incidents/${incident}/context`,
};

async function read(server) {
  const cookie = `session=${openSession(url)}`;
  const found = {};
  for (const [name, path] of Object.entries(READS)) {
    const taken = [];
    for (let n = -10; n < Number(options.rounds); n++) {
      const started = performance.now();
      const answer = await fetch(server.url + path(n + 10), { headers: { cookie } });
      await answer.text();
      if (!answer.ok) throw new Error(`${path(n + 10)} gave ${answer.status}`);
      if (n >= 0) taken.push(performance.now() - started);
    }
    found[name] = median(taken);
  }
  return found;
}

/** Runs some work while four connections write and two read the log. Returns its duration, and the longest of their statements. */
async function meanwhile(work) {
  const others = { run: true };
  const loop = async (statement, values) => {
    const other = await connect(url);
    let longest = 0;
    while (others.run) {
      const started = performance.now();
      await other.query(statement, values());
      longest = Math.max(longest, performance.now() - started);
    }
    await other.end();
    return longest;
  };
  const writing = Array.from({ length: 4 }, () => loop('INSERT INTO vrfs (name) VALUES ($1)', () => [randomUUID()]));
  const reading = Array.from({ length: 2 }, () =>
    loop('SELECT * FROM change_log WHERE record_id = $1 ORDER BY id', () => [device(Math.floor(Math.random() * 500))]),
  );
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const started = performance.now();
  await work();
  const took = performance.now() - started;
  others.run = false;
  return { took, write: Math.max(...(await Promise.all(writing))), read: Math.max(...(await Promise.all(reading))) };
}
const ms = (number) => (number < 100 ? number.toFixed(1) : Math.round(number).toLocaleString('en'));
const told = ({ took, write, read: longest }) =>
  `${ms(took)} ms; longest write ${ms(write)} ms, longest read ${ms(longest)} ms`;

const columns = {};
if (options.earlier) {
  const server = await startServer('service', url, {}, options.earlier);
  columns['one table'] = await read(server);
  await server.stop();
}
say(`nothing for 10 s: ${told(await meanwhile(() => new Promise((resolve) => setTimeout(resolve, 10_000))))}`);
let service;
say(
  `migration of ${entries.toLocaleString('en')} entries, with the start: ${told(await meanwhile(async () => (service = await startServer('service', url))))}`,
);
columns['one old partition'] = await read(service);

const { name: past } = await one(`SELECT name::text FROM change_log_partitions() WHERE starts = '-infinity'`);
await client.query(`ALTER TABLE change_log DETACH PARTITION ${past}`);
const { rows: made } = await client.query(
  `SELECT 'change_log_' || to_char(month, 'YYYY_MM') AS name, month::text AS starts, (month + interval '1 month')::text AS ends
   FROM generate_series(date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 month' * $1::int, date_trunc('month', now() AT TIME ZONE 'UTC'), interval '1 month') month`,
  [months],
);
await client.query(`SET TimeZone = 'UTC'`);
for (const { name, starts, ends } of made) {
  await client.query(`CREATE TABLE IF NOT EXISTS ${name} (LIKE change_log INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
  await client.query(
    `INSERT INTO ${name} SELECT * FROM ${past} WHERE created_at >= $1 AND created_at < $2 ORDER BY created_at, id`,
    [starts, ends],
  );
  await client.query(
    `CREATE TRIGGER change_log_keep BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${name} FOR EACH STATEMENT EXECUTE FUNCTION keep_change_log_partition()`,
  );
  await client.query(`ALTER TABLE change_log ATTACH PARTITION ${name} FOR VALUES FROM ('${starts}') TO ('${ends}')`);
  note(name);
}
await client.query(`DROP TABLE ${past}`);
await client.query('VACUUM ANALYZE change_log');
columns[`${made.length + 4} partitions`] = await read(service);

say(`\n| On ${entries.toLocaleString('en')} entries, ms | ${Object.keys(columns).join(' | ')} |`);
say(`|---|${'---|'.repeat(Object.keys(columns).length)}`);
for (const name of Object.keys(READS))
  say(
    `| ${name} | ${Object.values(columns)
      .map((found) => found[name].toFixed(2))
      .join(' | ')} |`,
  );

const sizes = await one(
  `SELECT count(*)::int AS n, pg_size_pretty(avg(pg_table_size(name))::bigint) AS table, pg_size_pretty(avg(pg_indexes_size(name))::bigint) AS indexes
   FROM change_log_partitions() WHERE ends <= now() AND starts > now() - interval '1 month' * $1::int`,
  [months],
);
say(
  `\na full month: ${Math.round(entries / months).toLocaleString('en')} entries, table ${sizes.table}, indexes ${sizes.indexes}`,
);
const steps = await meanwhile(async () => {
  for (let step = 0; step < 20; step++) {
    await client.query('BEGIN');
    await client.query(`SET LOCAL inventory.pruning = 'on'`);
    await client.query(
      `DELETE FROM change_log USING (SELECT id, created_at FROM change_log ORDER BY created_at, id LIMIT 1000) old
       WHERE change_log.id = old.id AND change_log.created_at = old.created_at`,
    );
    await client.query('COMMIT');
  }
});
say(`deleting 20,000 entries in steps of 1,000: ${told(steps)}`);
let dropped;
const drop = await meanwhile(async () => {
  for (let n = 0; !dropped && n < 100; n++)
    ({ dropped } = await one(
      `SELECT drop_change_log_month(date_trunc('month', now()) - interval '1 month' * $1::int) AS dropped`,
      [months - 2],
    ));
});
say(`dropping a month (${dropped}): ${told(drop)}`);

if (options.plans) {
  const PLANS = {
    asOf: [
      `SELECT id, action, old_values FROM change_log WHERE record_id = $1 AND resource = 'devices' AND created_at > now() - interval '100 days'`,
      [device(1)],
    ],
    changes: [
      `SELECT t.id FROM change_log t WHERE record_id = $1 AND resource = 'devices' ORDER BY t.created_at, t.id LIMIT 50`,
      [device(1)],
    ],
    'a page by its keys': [
      `SELECT count(*) FROM change_log t WHERE (t.created_at, t.id) IN (SELECT created_at, id FROM unnest(ARRAY(SELECT ROW(t.created_at, t.id)::change_log_key FROM change_log t ORDER BY t.created_at DESC, t.id DESC LIMIT 50)))`,
      [],
    ],
  };
  for (const [name, [text, values]] of Object.entries(PLANS)) {
    say(`\n${name}:`);
    for (const row of (await client.query(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${text}`, values)).rows)
      say(`    ${row['QUERY PLAN']}`);
  }
}
await service.stop();
await client.end();
