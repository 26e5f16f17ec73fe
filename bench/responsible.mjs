// `npm run bench -- responsible`: who is responsible for a device and whom to call about it, among 100,000 devices, 100,000 links and 2,000
// rosters. See bench/README.md.
import '../scripts/help.mjs';
import { parseArgs } from 'node:util';
import { prepareDatabase } from './database.mjs';
import { idOf } from './data.mjs';
import { build, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    devices: { type: 'string', default: '100000' },
    rosters: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '200' },
    database: { type: 'string', default: 'inventory_bench_responsible' },
  },
});
const [DEVICES, ROSTERS, ROUNDS] = ['devices', 'rosters', 'rounds'].map((name) => Number(options[name]));
const [REGIONS, SITES, LOCATIONS, RACKS, PEOPLE] = [50, 500, 2500, 5000, 1000];
const say = (line) => process.stdout.write(`${line}\n`);
const at = (numbers, share) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)];
const many = (count, name = 'i') => `generate_series(1, ${count}) ${name}`;
const roster = (i) => `'Roster ' || 1 + ${i} % ${ROSTERS}`;

/** Regions within regions, sites, locations within locations, racks and devices; two shifts a day of each roster for two months. */
async function fill(client, report) {
  const statements = {
    regions: `INSERT INTO regions (id, name, parent_id) SELECT ${idOf('region', 'i')}, 'Region ' || i, CASE WHEN i > 5 THEN ${idOf('region', '1 + i % 5')} END FROM ${many(REGIONS)} ORDER BY i`,
    sites: `INSERT INTO sites (id, name, region_id) SELECT ${idOf('site', 'i')}, 'Site ' || i, ${idOf('region', `1 + i % ${REGIONS}`)} FROM ${many(SITES)}`,
    locations: `INSERT INTO locations (id, name, site_id, parent_id) SELECT ${idOf('location', 'i')}, 'Location ' || i, ${idOf('site', `1 + i % ${SITES}`)}, CASE WHEN i > ${SITES} THEN ${idOf('location', `i - ${SITES}`)} END FROM ${many(LOCATIONS)} ORDER BY i`,
    racks: `INSERT INTO racks (id, name, site_id, location_id) SELECT ${idOf('rack', 'i')}, 'Rack ' || i, ${idOf('site', `1 + (1 + i % ${LOCATIONS}) % ${SITES}`)}, ${idOf('location', `1 + i % ${LOCATIONS}`)} FROM ${many(RACKS)}`,
    types: `INSERT INTO device_types (id, model) SELECT ${idOf('type', 'i')}, 'Model ' || i FROM ${many(60)}`,
    assets: `INSERT INTO assets (id, name, warranty_until) SELECT ${idOf('asset', 'i')}, 'Asset ' || i, now() + interval '1 year' FROM ${many(DEVICES)}`,
    devices: `INSERT INTO devices (id, name, rack_id, device_type_id, asset_id) SELECT ${idOf('device', 'i')}, 'device-' || i, ${idOf('rack', `1 + i % ${RACKS}`)}, ${idOf('type', '1 + i % 60')}, ${idOf('asset', 'i')} FROM ${many(DEVICES)}`,
    people: `INSERT INTO people (id, full_name, phone) SELECT ${idOf('person', 'i')}, 'Person ' || i, '+31 20 ' || i FROM ${many(PEOPLE)}`,
    shifts: `INSERT INTO on_call_schedules (name, rotation, person_id, start_time, end_time)
      SELECT 'Shift ' || w, 'Roster ' || r, ${idOf('person', `1 + (r + w + 1000) % ${PEOPLE}`)}, date_trunc('day', now()) + w * interval '12 hours', date_trunc('day', now()) + (w + 1) * interval '12 hours'
      FROM ${many(ROSTERS, 'r')}, generate_series(-60, 60) w`,
    contracts: `INSERT INTO contracts (id, name) SELECT ${idOf('contract', 'i')}, 'Contract ' || i FROM ${many(100)}`,
    coverage: `INSERT INTO contract_coverage (contract_id, resource, record_id) SELECT ${idOf('contract', '1 + i % 100')}, 'devices', ${idOf('device', 'i')} FROM ${many(`${DEVICES} / 2`)}`,
    'responsibilities of regions': `INSERT INTO region_responsibilities (region_id, kind, person_id) SELECT ${idOf('region', 'i')}, 'owns', ${idOf('person', 'i')} FROM ${many(REGIONS)}`,
    'responsibilities of sites': `INSERT INTO site_responsibilities (site_id, roster) SELECT ${idOf('site', 'i')}, ${roster('i')} FROM ${many(SITES)}`,
    'responsibilities of racks': `INSERT INTO rack_responsibilities (rack_id, roster) SELECT ${idOf('rack', 'i')}, ${roster('i')} FROM ${many(RACKS)} WHERE i % 2 = 0`,
    'responsibilities of devices': `INSERT INTO device_responsibilities (device_id, roster) SELECT ${idOf('device', 'i')}, ${roster('i')} FROM ${many(DEVICES)} WHERE i % 4 = 0`,
    runbooks: `INSERT INTO runbooks (id, name) SELECT ${idOf('runbook', 'i')}, 'Runbook ' || i FROM ${many(500)}`,
    'targets of types': `INSERT INTO runbook_targets (runbook_id, resource, record_id) SELECT ${idOf('runbook', 'i')}, 'device-types', ${idOf('type', '1 + i % 60')} FROM ${many(500)}`,
    'targets of devices': `INSERT INTO runbook_targets (runbook_id, resource, record_id) SELECT ${idOf('runbook', '1 + i % 500')}, 'devices', ${idOf('device', 'i')} FROM ${many(`${DEVICES} / 5`)}`,
  };
  for (const [name, statement] of Object.entries(statements)) {
    await client.query(statement);
    report(name);
  }
  await client.query('VACUUM ANALYZE');
}

build();
const url = await prepareDatabase(options.database, options, fill);
const server = await startServer('service', url);
const cookie = `session=${openSession(url)}`;
const list = await fetch(`${server.url}/api/devices?pageSize=${ROUNDS}&sort=serialNumber`, { headers: { cookie } });
const devices = (await list.json()).data.map(({ id }) => id);

const REQUESTS = {
  'who is responsible for a device': (id) => `/api/devices/${id}/responsible`,
  'the same, with all that contains it': (id) => `/api/devices/${id}/responsible?all=true`,
  'whom to call': (id) => `/api/devices/${id}/call`,
};

say('| Request | median, ms | 95 %, ms |');
say('|---|---|---|');
for (const [name, pathOf] of Object.entries(REQUESTS)) {
  const taken = [];
  for (const [n, id] of [...devices.slice(0, 20), ...devices].entries()) {
    const started = performance.now();
    const answer = await fetch(`${server.url}${pathOf(id)}`, { headers: { cookie } });
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${pathOf(id)} gave ${answer.status}: ${body}`);
    if (n >= 20) taken.push(performance.now() - started);
  }
  say(`| ${name} | ${at(taken, 0.5).toFixed(1)} | ${at(taken, 0.95).toFixed(1)} |`);
}
await server.stop();
