// `npm run bench:ports`: traces, lists, an import and the impact of a feed on an estate of 1,000,000 ports and 500,000 cables.
// See bench/README.md.
import '../scripts/help.mjs';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { idOf, ids } from './data.mjs';
import { build, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    database: { type: 'string', default: 'inventory_bench_ports' },
    switches: { type: 'string', default: '10000' },
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '40' },
  },
});
const [SWITCHES, ROWS, ROUNDS] = ['switches', 'rows', 'rounds'].map((name) => Number(options[name]));
const say = (line) => process.stdout.write(`${line}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const SITES = 20;
/** Ports of a switch. Of each hundred the last ones are free. */
const PORTS = 100;
const CABLED = 98;
/** Panels in a row, which a trace of 512 entries passes. */
const PANELS = 170;
/** A hall: power distribution with this many outlets for racks, each with devices that have a supply from either side. */
const RACKS = 250;
const DEVICES_OF_A_RACK = 40;

const port = (...parts) => idOf('port', parts.join(` || ':' || `));
const series = (count, name) => `generate_series(1, ${count}) ${name}`;
/** Inserts cables of pairs of ports, and their ends, as the triggers would. @param pairs SELECT of `a` and `b` */
const cables = (pairs) => `
  WITH made AS (
    INSERT INTO cables (id, a_id, b_id, a_port_id, b_port_id) SELECT md5('cable' || a)::uuid, a, b, a, b FROM (${pairs}) pairs RETURNING id, a_id, b_id
  )
  INSERT INTO cable_ends (end_id, cable_id, other_id) SELECT a_id, id, b_id FROM made UNION ALL SELECT b_id, id, a_id FROM made`;

/** Removes the indexes of tables that no constraint has. @returns the statements that create them again */
async function withoutIndexes(client, tables) {
  const { rows } = await client.query(
    `SELECT i.indexrelid::regclass AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
      WHERE i.indrelid = ANY ($1::regclass[]) AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    [tables],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}

/**
 * What the statements insert is what the triggers would let pass. Without them it takes minutes and not an hour. The indexes are
 * created at the end, in a fraction of the time.
 */
async function fill(client, report) {
  const steps = {
    devices: `
      INSERT INTO devices (id, name, site_id) SELECT ${idOf('switch', 'i')}, 'switch-' || i, ${idOf('site', `1 + i % ${SITES}`)} FROM ${series(SWITCHES, 'i')}`,
    ports: `
      INSERT INTO device_ports (id, device_id, name, enabled, mgmt_only) SELECT ${port("'s'", 'i', 'n')}, ${idOf('switch', 'i')}, 'Ethernet1/' || n, true, false
      FROM ${series(SWITCHES, 'i')}, ${series(PORTS, 'n')}`,
    cables: cables(`
      SELECT ${port("'s'", 'i', 'n')} AS a, ${port("'s'", `1 + i % ${SWITCHES}`, `n + ${CABLED / 2}`)} AS b
      FROM ${series(SWITCHES, 'i')}, ${series(CABLED / 2, 'n')}`),
    panels: `
      INSERT INTO devices (id, name, site_id) SELECT ${idOf('panel', 'i')}, 'panel-' || i, ${idOf('site', '1')} FROM ${series(PANELS, 'i')}`,
    'ports of panels': `
      INSERT INTO device_ports (id, device_id, kind, name, positions, rear_port_id, rear_position)
      SELECT ${port("'r'", 'i')}, ${idOf('panel', 'i')}, 'rear', 'R', 1, NULL::uuid, NULL::int FROM ${series(PANELS, 'i')}
      UNION ALL SELECT ${port("'f'", 'i')}, ${idOf('panel', 'i')}, 'front', 'F', NULL, ${port("'r'", 'i')}, 1 FROM ${series(PANELS, 'i')}`,
    // The first one hangs on the last port of a switch; from front to rear and on to the next.
    'cables of panels': cables(`
      SELECT ${port("'s'", '1', PORTS)} AS a, ${port("'f'", '1')} AS b
      UNION ALL SELECT ${port("'r'", 'i')}, ${port("'f'", 'i + 1')} FROM ${series(PANELS - 1, 'i')}
      UNION ALL SELECT ${port("'r'", PANELS)}, ${port("'s'", '2', PORTS)}`),
    racks: `
      INSERT INTO racks (id, name, site_id) SELECT ${idOf('rack', 'r')}, 'rack-' || r, ${idOf('site', '2')} FROM ${series(RACKS, 'r')}`,
    hall: `
      INSERT INTO devices (id, name, site_id, rack_id)
      SELECT ${idOf('server', "r || ':' || n")}, 'server-' || r || '-' || n, ${idOf('site', '2')}, ${idOf('rack', 'r')} FROM ${series(RACKS, 'r')}, ${series(DEVICES_OF_A_RACK, 'n')}
      UNION ALL SELECT ${idOf('pdu', "side || ':' || r")}, 'pdu-' || side || '-' || r, ${idOf('site', '2')}, ${idOf('rack', 'r')}
      FROM unnest(ARRAY['A', 'B']) side, generate_series(0, ${RACKS}) r`,
    'ports of the hall': `
      INSERT INTO device_ports (id, device_id, kind, name, allocated_draw_w)
      SELECT ${port("'ps'", 'side', 'r', 'n')}, ${idOf('server', "r || ':' || n")}, 'power', 'PS-' || side, 200
      FROM unnest(ARRAY['A', 'B']) side, ${series(RACKS, 'r')}, ${series(DEVICES_OF_A_RACK, 'n')}
      UNION ALL SELECT ${port("'in'", 'side', 'r')}, ${idOf('pdu', "side || ':' || r")}, 'power', 'IN', NULL FROM unnest(ARRAY['A', 'B']) side, generate_series(0, ${RACKS}) r
      UNION ALL SELECT ${port("'out'", 'side', 'r', 'n')}, ${idOf('pdu', "side || ':' || r")}, 'outlet', 'OUT' || n, NULL
      FROM unnest(ARRAY['A', 'B']) side, generate_series(0, ${RACKS}) r, LATERAL generate_series(1, CASE r WHEN 0 THEN ${RACKS} ELSE ${DEVICES_OF_A_RACK} END) n`,
    // The first of either side distributes to those of the racks.
    'cables of the hall': cables(`
      SELECT ${port("'out'", 'side', '0', 'r')} AS a, ${port("'in'", 'side', 'r')} AS b FROM unnest(ARRAY['A', 'B']) side, ${series(RACKS, 'r')}
      UNION ALL SELECT ${port("'out'", 'side', 'r', 'n')}, ${port("'ps'", 'side', 'r', 'n')}
      FROM unnest(ARRAY['A', 'B']) side, ${series(RACKS, 'r')}, ${series(DEVICES_OF_A_RACK, 'n')}`),
    feeds: `
      INSERT INTO power_feeds (id, name, site_id, voltage_v, amperage_a) SELECT ${idOf('feed', 'side')}, 'feed-' || side, ${idOf('site', '2')}, 400, 6000 FROM unnest(ARRAY['A', 'B']) side`,
    'cables of feeds': `
      WITH made AS (
        INSERT INTO cables (id, a_resource, a_id, a_feed_id, b_id, b_port_id)
        SELECT ${idOf('feeding', 'side')}, 'power-feeds', ${idOf('feed', 'side')}, ${idOf('feed', 'side')}, ${port("'in'", 'side', '0')}, ${port("'in'", 'side', '0')}
        FROM unnest(ARRAY['A', 'B']) side RETURNING id, a_id, b_id
      )
      INSERT INTO cable_ends (end_id, cable_id, other_id) SELECT a_id, id, b_id FROM made UNION ALL SELECT b_id, id, a_id FROM made`,
  };
  await client.query(
    `INSERT INTO sites (id, name) SELECT ${idOf('site', 'i')}, 'Site ' || i FROM ${series(SITES, 'i')}`,
  );
  await client.query('SET session_replication_role = replica');
  const indexes = await withoutIndexes(client, ['device_ports', 'cables', 'cable_ends']);
  for (const [name, statement] of Object.entries(steps)) {
    await client.query(statement);
    report(name);
  }
  await client.query(`SET maintenance_work_mem = '256MB'`);
  for (const statement of indexes) await client.query(statement);
  report('indexes');
  await client.query('RESET session_replication_role');
  await client.query(`INSERT INTO free_ports (port_id, device_id) SELECT p.id, p.device_id FROM device_ports p
    WHERE NOT EXISTS (SELECT FROM cable_ends e WHERE e.end_id = p.id)`);
  for (const table of ['devices', 'device_ports', 'cables', 'racks', 'power_feeds']) {
    await client.query(`DELETE FROM record_counts WHERE table_name = '${table}'`);
    await client.query(`INSERT INTO record_counts SELECT '${table}', count(*) FROM ${table}`);
  }
  // For the import: devices without ports.
  await client.query(`INSERT INTO devices (name) SELECT 'imported-' || i FROM ${series(2000, 'i')}`);
  await client.query('VACUUM ANALYZE');
}

build();
const url = await prepareDatabase(options.database, options, fill);
const client = await connect(url);
const server = await startServer('service', url);
const cookie = `session=${openSession(url)}`;

/** Sends a request and reads its answer. */
async function send(path, init = {}) {
  const answer = await fetch(`${server.url}${path}`, { ...init, headers: { cookie, ...init.headers } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} gave ${answer.status}: ${text}`);
  return text;
}

/** Median and 95th percentile of sequential requests, in milliseconds. */
async function time(path, times = ROUNDS) {
  const taken = [];
  // What takes long is not made warm.
  const warming = times > 1 ? 3 : 0;
  for (let n = 0; n < times + warming; n++) {
    const started = performance.now();
    await send(path);
    if (n >= warming) taken.push(performance.now() - started);
  }
  return [median(taken), taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.95)]];
}

const one = async (statement) => (await client.query(statement)).rows[0].id;
const first = await one(`SELECT ${port("'s'", '1', PORTS)} AS id`);
const plain = await one(`SELECT ${port("'s'", '7', '7')} AS id`);
const [siteId] = await ids(client, 'site', 1);
const feed = await one(`SELECT ${idOf('feed', `'A'`)} AS id`);
const { rows: counted } = await client.query(
  'SELECT (SELECT count(*) FROM device_ports)::int AS ports, (SELECT count(*) FROM cables)::int AS cables',
);
say(`${counted[0].ports.toLocaleString('en')} ports, ${counted[0].cables.toLocaleString('en')} cables\n`);

const { path: entries } = JSON.parse(await send(`/api/device-ports/${first}/trace`)).data;
if (entries.length !== 512) throw new Error(`The trace has ${entries.length} entries`);
const reached = JSON.parse(await send(`/api/power-feeds/${feed}/impact`)).data.counts.devices;

say('| Request | median, ms | 95 %, ms |');
say('|---|---|---|');
const free = `/api/device-ports?siteId=${siteId}&kind=network&isConnected=false`;
for (const [name, path, times] of [
  ['trace of 512 entries', `/api/device-ports/${first}/trace`],
  ['trace of three entries', `/api/device-ports/${plain}/trace`],
  ['a port, with its cable', `/api/device-ports/${plain}`],
  ['free network ports of a site, page of 50', `${free}&pageSize=50`],
  ['the same by name', `${free}&pageSize=50&sort=name`],
  ['the same as one page', free],
  ['the same as CSV', `${free}&format=csv`],
  ['all ports, page of 50 by name', '/api/device-ports?pageSize=50&sort=name'],
  ['all ports as CSV', '/api/device-ports?format=csv', 1],
  [
    `impact of one of two feeds, ${reached.toLocaleString('en')} devices reached`,
    `/api/power-feeds/${feed}/impact`,
    10,
  ],
]) {
  const [mid, high] = await time(path, times);
  say(`| ${name} | ${mid.toFixed(1)} | ${high.toFixed(1)} |`);
}

/** A file with the ports of all devices that have none. */
const file = (of) => {
  const lines = ['device.name,kind,name,speedMbps'];
  for (let row = 0; row < ROWS; row++) lines.push(of(`imported-${1 + (row % 2000)}`, row));
  return `${lines.join('\n')}\n`;
};
const upload = async (content, query) => {
  const started = performance.now();
  const text = await send(`/api/device-ports/import${query}`, {
    method: 'POST',
    body: content,
    headers: { 'content-type': 'text/csv' },
  }).catch(({ message }) => message);
  return [text, (performance.now() - started) / 1000];
};
say('');
// What an earlier run has imported.
await client.query(`DELETE FROM device_ports WHERE device_id IN (SELECT id FROM devices WHERE name LIKE 'imported-%')`);
// A speed that is none in every hundredth row, and a device that does not exist in another.
const wrong = file((name, row) =>
  row % 100 === 7
    ? `${name},network,Port${row},fast`
    : row % 100 === 9
      ? `nobody-${row},network,Port${row},1`
      : `${name},network,Port${row},1000`,
);
const [refused, refusing] = await upload(wrong, '');
say(`Import of ${ROWS.toLocaleString('en')} ports with faults: ${refusing.toFixed(1)} s, ${refused.slice(0, 160)}`);
const [stored, storing] = await upload(
  file((name, row) => `${name},network,Port${row},1000`),
  '',
);
say(`Import of ${ROWS.toLocaleString('en')} ports: ${storing.toFixed(1)} s, ${stored.slice(0, 160)}`);
await client.end();
await server.stop();
