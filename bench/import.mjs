// `npm run bench -- import`: imports and bulk creates, compared with COPY into the same tables and with single creates.
// See bench/README.md.
import '../scripts/help.mjs';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { build, cpuOf, memoryOf, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'inventory_bench_import' },
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    singles: { type: 'string', default: '300' },
  },
});
const say = (line) => process.stdout.write(`${line}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const ROWS = Number(options.rows);
const REFERENCES = 50;

build();
const url = await prepareDatabase(options.database, { keep: false }, async (client) => {
  await client.query(`INSERT INTO sites (name) SELECT 'Site ' || i FROM generate_series(1, ${REFERENCES}) i`);
  await client.query(
    `INSERT INTO asset_categories (name) SELECT 'Category ' || i FROM generate_series(1, ${REFERENCES}) i`,
  );
  await client.query(`INSERT INTO vrfs (name) SELECT 'VRF ' || i FROM generate_series(1, ${REFERENCES}) i`);
  await client.query('VACUUM ANALYZE');
});
const server = await startServer('service', url);
const cookie = `session=${openSession(url)}`;
const client = await connect(url);
const idsOf = async (table) =>
  new Map((await client.query(`SELECT name, id FROM ${table}`)).rows.map(({ name, id }) => [name, id]));
const sites = await idsOf('sites');
const categories = await idsOf('asset_categories');
const vrfs = await idsOf('vrfs');
const {
  rows: [{ id: readId }],
} = await client.query('SELECT id FROM sites LIMIT 1');

const nth = (i) => 1 + (i % REFERENCES);
const RESOURCES = {
  assets: {
    path: 'assets',
    header: 'name,assetTag,serialNumber,site.name,category.name,purchasePrice',
    copy: 'assets (name, asset_tag, serial_number, site_id, category_id, purchase_price)',
    values: (i) => [`Switch ${i}`, `AT-${i}`, `SN-${i}`, `Site ${nth(i)}`, `Category ${nth(i)}`, '120.50'],
    stored: ([name, tag, serial, site, category, price]) => [
      name,
      tag,
      serial,
      sites.get(site),
      categories.get(category),
      price,
    ],
  },
  addresses: {
    path: 'ip-addresses',
    header: 'address,vrf.name,dnsName,status',
    copy: 'ip_addresses (address, vrf_id, dns_name, status, family)',
    values: (i) => [
      `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}/24`,
      `VRF ${nth(i)}`,
      `host-${i}.example.net`,
      'active',
    ],
    stored: ([address, vrf, dnsName, status]) => [address, vrfs.get(vrf), dnsName, status, '4'],
  },
};
const linesOf = (rows) => rows.map((row) => row.join(',')).join('\n') + '\n';

const send = async (path, body, type) => {
  const started = performance.now();
  const response = await fetch(`${server.url}/api/${path}`, {
    method: 'POST',
    headers: { cookie, 'content-type': type },
    body,
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path} gave ${response.status}: ${answer.error}`);
  return { seconds: (performance.now() - started) / 1000, answer };
};

/** Hundredths of a second that a server process has worked: utime and stime. */
const workOf = (stat) =>
  stat
    .split(') ')
    .at(-1)
    .split(' ')
    .slice(11, 13)
    .reduce((total, part) => total + Number(part), 0);
/** CPU seconds of the database connections of the service; 0 if the server runs on another machine. */
async function cpuOfConnections() {
  const { rows } = await client.query(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  return rows.reduce((total, { pid }) => {
    try {
      return total + workOf(readFileSync(`/proc/${pid}/stat`, 'utf8')) / 100;
    } catch {
      return total;
    }
  }, 0);
}

/** Seconds of COPY through psql, with all triggers and indexes, and CPU seconds of its server process. */
function copy({ copy: target }, text) {
  const started = performance.now();
  const out = execFileSync(
    'psql',
    [
      ...[url, '-qAt', '-v', 'ON_ERROR_STOP=1', '-c', `\\copy ${target} FROM STDIN WITH (FORMAT csv)`],
      ...['-c', `SELECT pg_read_file('/proc/self/stat')`],
    ],
    { input: text, maxBuffer: 2 ** 30, encoding: 'utf8' },
  );
  return { seconds: (performance.now() - started) / 1000, cpu: workOf(out.trim()) / 100 };
}

/** Reads one record over and over while `work` runs. Returns the 99th percentile in milliseconds. */
async function meanwhile(work) {
  const taken = [];
  const running = new AbortController();
  const reading = (async () => {
    while (!running.signal.aborted) {
      const started = performance.now();
      await (await fetch(`${server.url}/api/sites/${readId}`, { headers: { cookie } })).arrayBuffer();
      taken.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const result = await work();
  running.abort();
  await reading;
  return { result, p99: taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)] };
}

say(
  `| ${ROWS.toLocaleString('en')} rows | import, s | COPY, s | rate of import / COPY | p99 of reads meanwhile, ms | CPU of the service, s | CPU of its connections, s | CPU of the connection of COPY, s |`,
);
say('|---|---|---|---|---|---|---|---|');
for (const [name, resource] of Object.entries(RESOURCES)) {
  const rows = Array.from({ length: ROWS }, (_, i) => resource.values(i));
  const [file, stored] = [`${resource.header}\n${linesOf(rows)}`, linesOf(rows.map(resource.stored))];
  const table = resource.copy.split(' ')[0];
  const clear = async () => {
    await client.query(`DELETE FROM ${table}`);
    await client.query(
      'SET session_replication_role = replica; TRUNCATE change_log; SET session_replication_role = DEFAULT',
    );
    await client.query(`VACUUM ANALYZE ${table}`);
  };
  const times = { import: [], copy: [], p99: [], service: [], connections: [], copying: [] };
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const what of round % 2 ? ['import', 'copy'] : ['copy', 'import']) {
      if (what === 'copy') {
        const { seconds, cpu } = copy(resource, stored);
        times.copy.push(seconds);
        times.copying.push(cpu);
      } else {
        const before = [cpuOf(server.pid) / 1000, await cpuOfConnections()];
        const { result, p99 } = await meanwhile(() => send(`${resource.path}/import`, file, 'text/csv'));
        if (result.answer.data.created !== ROWS) throw new Error(JSON.stringify(result.answer).slice(0, 300));
        times.import.push(result.seconds);
        times.p99.push(p99);
        times.service.push(cpuOf(server.pid) / 1000 - before[0]);
        times.connections.push((await cpuOfConnections()) - before[1]);
      }
      await clear();
    }
  }
  const ratio = median(times.copy.map((seconds, i) => seconds / times.import[i]));
  say(
    `| ${name} | ${median(times.import).toFixed(2)} | ${median(times.copy).toFixed(2)} | **${ratio.toFixed(2)}** | ${median(times.p99).toFixed(1)} | ${median(times.service).toFixed(2)} | ${median(times.connections).toFixed(2)} | ${median(times.copying).toFixed(2)} |`,
  );
}

const bulks = [];
for (let round = 0; round < 5; round++) {
  const operations = Array.from({ length: 1000 }, (_, i) => ({
    op: 'create',
    data: { name: `Bulk ${round} ${i}`, assetTag: `B-${round}-${i}` },
  }));
  bulks.push(1000 / (await send('assets/bulk', JSON.stringify({ operations }), 'application/json')).seconds);
}
const started = performance.now();
const singles = Number(options.singles);
for (let i = 0; i < singles; i++)
  await send('assets', JSON.stringify({ name: `Single ${i}`, assetTag: `S-${i}` }), 'application/json');
const single = singles / ((performance.now() - started) / 1000);
say(
  `\nBulk of 1,000 creates: ${Math.round(median(bulks))} records per second, single creates ${Math.round(single)}: **${(median(bulks) / single).toFixed(1)}** times`,
);
say(`Peak RSS of the service: ${Math.round(memoryOf(server.pid).peak)} MiB`);
await server.stop();
await client.end();

// The same file on the embedded database, which runs in the process of the service.
const directory = mkdtempSync(join(tmpdir(), 'bench-import-'));
try {
  const settings = { DATABASE_URL: '', DATA_DIR: directory };
  const EMBEDDED = 20_000;
  // The first start makes the database, which takes more memory than anything later.
  const first = await startServer('service', '', settings);
  const session = openSession('', settings);
  await first.stop();
  const embedded = await startServer('service', '', settings);
  const headers = { cookie: `session=${session}`, 'content-type': 'text/csv' };
  const rows = Array.from({ length: EMBEDDED }, (_, i) => `Switch ${i},AT-${i},SN-${i},120.50`).join('\n');
  const before = memoryOf(embedded.pid).peak;
  const began = performance.now();
  const response = await fetch(`${embedded.url}/api/assets/import`, {
    method: 'POST',
    headers,
    body: `name,assetTag,serialNumber,purchasePrice\n${rows}\n`,
  });
  const answer = await response.json();
  if (answer.data?.created !== EMBEDDED) throw new Error(JSON.stringify(answer).slice(0, 300));
  say(
    `Embedded database, ${EMBEDDED.toLocaleString('en')} assets: ${((performance.now() - began) / 1000).toFixed(1)} s, peak RSS ${Math.round(memoryOf(embedded.pid).peak)} MiB, before the import ${Math.round(before)} MiB`,
  );
  await embedded.stop();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
