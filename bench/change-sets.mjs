// `npm run bench -- change-sets`: preview, merge and revert of large change sets, and a nightly file that is reconciled. See bench/README.md.
import '../scripts/help.mjs';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { build, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '20000' },
    only: { type: 'string', default: 'preview,merge,limit,reconcile' },
  },
});
const ROUNDS = Number(options.rounds);
const ROWS = Number(options.rows);
const RACKS = 6000;
const [NEW, CHANGED, MISSING] = [150, 90, 40];
const only = new Set(options.only.split(','));
const say = (line) => process.stdout.write(`${line}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const inMs = (milliseconds) => Math.round(milliseconds).toLocaleString('en');
const row = (name, runs) => say(`| ${name} | ${inMs(median(runs))} | ${inMs(Math.max(...runs))} |`);

build();
const url = await prepareDatabase('inventory_bench_change_sets', options, async (client) => {
  for (const statement of [
    `INSERT INTO sites (name) SELECT 'Site ' || i FROM generate_series(1, 20) i`,
    `INSERT INTO racks (name, units, site_id) SELECT 'Rack ' || i, 48, s.id
      FROM generate_series(1, ${RACKS}) i JOIN sites s ON s.name = 'Site ' || (1 + i % 20)`,
    `INSERT INTO device_types (model, u_height) VALUES ('One unit', 1)`,
    `INSERT INTO devices (device_type_id, name, rack_id, rack_position, status) SELECT (SELECT id FROM device_types WHERE model = 'One unit'), 'Device ' || i || '-' || n, r.id, n, 'active'
      FROM generate_series(1, ${RACKS}) i JOIN racks r ON r.name = 'Rack ' || i, generate_series(1, 2) n`,
    `INSERT INTO assets (name, asset_tag, serial_number, site_id, status) SELECT 'Asset ' || i, 'AT-' || i, 'SN-' || i, s.id, 'in_use'
      FROM generate_series(1, ${ROWS}) i JOIN sites s ON s.name = 'Site 1'`,
    `INSERT INTO assets (name, asset_tag, site_id) SELECT 'Elsewhere ' || i, 'EW-' || i, s.id
      FROM generate_series(1, 5000) i JOIN sites s ON s.name = 'Site 2'`,
  ]) {
    await client.query(statement);
  }
  await client.query('VACUUM ANALYZE');
});
const client = await connect(url);
const server = await startServer('service', url);
const cookie = `session=${openSession(url)}`;

/** @returns the duration of a request in milliseconds, and its response */
async function send(method, path, body, type = 'application/json') {
  const started = performance.now();
  const response = await fetch(`${server.url}/api/${path}`, {
    method,
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': type }) },
    body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    ms: performance.now() - started,
    status: response.status,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  };
}
async function must(...request) {
  const answer = await send(...request);
  if (answer.status >= 300)
    throw new Error(`${request[0]} ${request[1]} gave ${answer.status}: ${answer.text.slice(0, 500)}`);
  return answer;
}
const openSet = async (name) => (await must('POST', 'change-sets', { name })).body.data.id;
async function plan(set, resource, operations) {
  let ms = 0;
  for (let at = 0; at < operations.length; at += 1000) {
    const some = operations.slice(at, at + 1000);
    ms += (await must('POST', `${resource}/bulk?changeSet=${set}`, { operations: some })).ms;
  }
  return ms;
}
const idsOf = async (table, more = '') =>
  (await client.query(`SELECT id FROM ${table} ${more} ORDER BY name`)).rows.map(({ id }) => id);

/** The three kinds of operations of a large change set: devices that move, racks that are relabelled, new devices. */
async function writeDown(set, count, label) {
  const racks = await idsOf('racks');
  const [deviceTypeId] = (await client.query(`SELECT id FROM device_types WHERE model = 'One unit'`)).rows.map(
    ({ id }) => id,
  );
  const devices = await idsOf('devices', `WHERE name LIKE 'Device %'`);
  const third = Math.floor(count / 3);
  const update = (id, data) => ({ op: 'update', id, data });
  // Into another rack, as when a room is cleared. A tenth moves within its rack, where the order matters.
  const moves = devices.slice(0, third).map((id, i) =>
    update(id, {
      ...(i % 10 === 0 ? {} : { rackId: racks[(i + 3000) % racks.length] }),
      rackPosition: 10 + (i % 4),
      status: label,
    }),
  );
  const labels = racks.slice(0, third).map((id, i) => update(id, { status: `${label} ${i}` }));
  const made = Array.from({ length: count - 2 * third }, (_, i) => ({
    op: 'create',
    data: {
      name: `${label} ${i}`,
      deviceTypeId,
      rackId: racks[i % racks.length],
      rackPosition: 30 + Math.floor(i / racks.length),
    },
  }));
  return (await plan(set, 'devices', moves)) + (await plan(set, 'racks', labels)) + (await plan(set, 'devices', made));
}

const isSlow = (name, runs, limit) => {
  if (median(runs) <= limit) return;
  say(`${name}: slower than ${inMs(limit)} ms`);
  process.exitCode = 1;
};

say('| | median, ms | longest, ms |');
say('|---|---|---|');
if (only.has('preview')) {
  const set = await openSet('One thousand');
  await writeDown(set, 1000, 'previewed');
  const runs = [];
  for (let round = 0; round < ROUNDS; round++) runs.push((await must('POST', `change-sets/${set}/preview`)).ms);
  const conflicts = (await must('POST', `change-sets/${set}/preview`)).body.data.conflicts.length;
  row(`preview of 1,000 operations (${conflicts} conflicts)`, runs);
  isSlow('preview', runs, 2000);
  // Half of the operations have conflicts.
  await client.query(`UPDATE racks SET status = 'theirs ' || name WHERE id = ANY($1)`, [
    (await idsOf('racks')).slice(0, 333),
  ]);
  await client.query(
    `UPDATE devices SET rack_position = 30 WHERE name LIKE 'Device %-1' AND rack_id IN (SELECT id FROM racks ORDER BY name LIMIT 170)`,
  );
  const clashing = [];
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const answer = await must('POST', `change-sets/${set}/preview`);
    found = answer.body.data.conflicts.length;
    clashing.push(answer.ms);
  }
  row(`the same with ${found} conflicts`, clashing);
  await must('POST', `change-sets/${set}/discard`);
}
if (only.has('merge')) {
  const [writing, merging, reverting, back] = [[], [], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    const set = await openSet('Ten thousand');
    writing.push(await writeDown(set, 10_000, `round ${round}`));
    merging.push((await must('POST', `change-sets/${set}/merge`)).ms);
    const revert = await must('POST', `change-sets/${set}/revert`);
    reverting.push(revert.ms);
    back.push((await must('POST', `change-sets/${revert.body.data.id}/merge`)).ms);
    await client.query('VACUUM ANALYZE');
  }
  row('writing 10,000 operations down, in 11 requests', writing);
  row('merge of 10,000 operations', merging);
  row('revert of it', reverting);
  row('merge of the revert', back);
  isSlow('merge', merging, 10_000);
}
if (only.has('limit')) {
  // A preview that times out, because another transaction has locked one of its records.
  const set = await openSet('Late');
  await writeDown(set, 10_000, 'late');
  const [rack] = await idsOf('racks');
  const preview = send('POST', `change-sets/${set}/preview`);
  // A writer of a record that the preview locks, and a reader of the feed, during the preview.
  let [writer, feed] = [0, 0];
  const running = new AbortController();
  const beside = (async () => {
    while (!running.signal.aborted) {
      writer = Math.max(writer, (await send('PATCH', `racks/${rack}`, { status: `beside ${performance.now()}` })).ms);
      const { ms: read } = await must('GET', 'change-log?pageSize=1&sort=createdAt&order=desc');
      feed = Math.max(feed, read);
    }
  })();
  const { status, ms } = await preview;
  running.abort();
  await beside;
  say(`| preview of 10,000 operations, ${status} | ${inMs(ms)} | |`);
  say(`| a writer of one of its records beside it | | ${inMs(writer)} |`);
  say(`| a read of the log beside it | | ${inMs(feed)} |`);
  await must('POST', `change-sets/${set}/discard`);
}
if (only.has('reconcile')) {
  const within = encodeURIComponent(
    `siteId=${(await client.query(`SELECT id FROM sites WHERE name = 'Site 1'`)).rows[0].id}`,
  );
  const lines = [];
  for (let i = 1 + MISSING; i <= ROWS + NEW; i++) {
    lines.push(`AT-${i},${i <= MISSING + CHANGED ? `Renamed ${i}` : `Asset ${i}`},Site 1`);
  }
  const file = `assetTag,name,site.name\n${lines.join('\n')}\n`;
  const [first, second] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const set = await openSet('Nightly');
    const path = `assets/import?changeSet=${set}&mode=reconcile&key=assetTag&within=${within}`;
    const made = await must('POST', path, file, 'text/csv');
    first.push(made.ms);
    const { rows } = await client.query(
      'SELECT op, count(*)::int AS count FROM change_set_operations WHERE change_set_id = $1 GROUP BY op ORDER BY op',
      [set],
    );
    const shown = rows.map(({ op, count }) => `${count} ${op}`).join(', ');
    if (shown !== `${NEW} create, ${MISSING} delete, ${CHANGED} update`) throw new Error(`The file gave ${shown}`);
    const again = await must('POST', path, file, 'text/csv');
    if (again.body.data.operations.length > 0) throw new Error('The second run added operations');
    second.push(again.ms);
    await must('POST', `change-sets/${set}/discard`);
  }
  row(`reconcile of ${ROWS.toLocaleString('en')} rows: ${NEW} new, ${CHANGED} changed, ${MISSING} missing`, first);
  row('the same file again, which adds nothing', second);
}
await client.end();
await server.stop();
