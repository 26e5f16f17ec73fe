// `npm run bench:move-in`: dumps of a NetBox of several sizes are moved in, and moved in again. See bench/README.md.
import '../scripts/help.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { prepareDatabase } from './database.mjs';
import { build, environment, memoryOf, openToken, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'inventory_bench_move_in' },
    interfaces: { type: 'string', default: '50000,500000' },
  },
});
const say = (line) => process.stdout.write(`${line}\n`);
const n = (value) => Math.round(value).toLocaleString('en');
const COMMAND = fileURLToPath(new URL('../dist/src/cli/move-in.js', import.meta.url));
const PORTS = 48;
const IN_A_RACK = 40;

/** An estate in the shapes of 4.2: switches with 48 ports each in racks. Every port has an address, and two thirds of them a cable. */
function* estate(interfaces) {
  const object = (model, pk, fields) => ({ model: `dcim.${model}`, pk, fields });
  const devices = Math.ceil(interfaces / PORTS);
  yield object('manufacturer', 1, { name: 'Acme', slug: 'acme' });
  yield object('devicetype', 1, { model: 'Switch 48', slug: 'switch-48', manufacturer: 1, u_height: '1.0' });
  yield object('devicerole', 1, { name: 'Leaf', slug: 'leaf', color: '4caf50', vm_role: false });
  yield object('site', 1, { name: 'Site', slug: 'site', status: 'active' });
  for (let rack = 1; rack <= Math.ceil(devices / IN_A_RACK); rack++)
    yield object('rack', rack, { name: `R${rack}`, site: 1, u_height: 42, form_factor: '', status: 'active' });
  for (let device = 1; device <= devices; device++) {
    const place = { rack: Math.ceil(device / IN_A_RACK), position: `${1 + (device % IN_A_RACK)}.0`, face: 'front' };
    const fields = { name: `switch-${device}`, device_type: 1, role: 1, site: 1, ...place, status: 'active' };
    yield object('device', device, fields);
  }
  for (let port = 1; port <= interfaces; port++) {
    const device = Math.ceil(port / PORTS);
    const fields = { device, name: `Ethernet${port % PORTS}`, type: '1000base-t', enabled: true, mtu: 1500 };
    yield object('interface', port, { ...fields, primary_mac_address: port, description: `Port ${port}` });
    const address = port
      .toString(16)
      .padStart(12, '0')
      .toUpperCase()
      .replaceAll(/(..)(?=.)/g, '$1:');
    yield object('macaddress', port, { mac_address: address });
  }
  for (let cable = 1; cable <= interfaces / 3; cable++) {
    yield object('cable', cable, { type: 'cat6', status: 'connected', length: '2', length_unit: 'm' });
    for (const [at, cable_end] of ['A', 'B'].entries()) {
      const end = { cable, cable_end, termination_type: ['dcim', 'interface'], termination_id: 2 * cable - 1 + at };
      yield object('cabletermination', 2 * cable - 1 + at, end);
    }
  }
}

/** Writes a dump. @returns number of its objects */
async function writeDump(path, interfaces) {
  let objects = 0;
  const lines = function* () {
    for (const one of estate(interfaces)) yield `${objects++ === 0 ? '[' : ','}${JSON.stringify(one)}\n`;
    yield ']';
  };
  await pipeline(Readable.from(lines()), createGzip({ level: 1 }), createWriteStream(path));
  return objects;
}

/** Runs the command. @returns seconds, memory in MiB at its peak and in the middle of the run, and what the command says */
async function move(dump, report, env) {
  const started = performance.now();
  const child = spawn(process.execPath, [COMMAND, 'netbox', dump, '--report', report], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const samples = [];
  let peak = 0;
  const sampling = setInterval(() => {
    try {
      const { rss, peak: highest } = memoryOf(child.pid);
      samples.push(rss);
      peak = highest;
    } catch {
      // It has just ended.
    }
  }, 200);
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (out += chunk));
  const [code] = await once(child, 'close');
  clearInterval(sampling);
  if (code !== 0) throw new Error(`move-in ended with ${code}:\n${out}`);
  return { seconds: (performance.now() - started) / 1000, peak, half: samples[samples.length >> 1], out };
}

/** The counts of all kinds in a report. */
async function countsOf(report) {
  const sums = { read: 0, created: 0, updated: 0, unchanged: 0, leftOut: 0 };
  for await (const line of createInterface({ input: createReadStream(report) })) {
    const counts = JSON.parse(line);
    if (counts.read === undefined) break;
    for (const key of Object.keys(sums)) sums[key] += counts[key];
  }
  return sums;
}

build();
const folder = mkdtempSync(join(tmpdir(), 'bench-move-in-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
say(
  '| interfaces | objects | first run, s | objects/s | command: peak RSS, MiB | half-way, MiB | service: peak RSS, MiB | second run, s | changed by it |',
);
say('|---|---|---|---|---|---|---|---|---|');
for (const interfaces of options.interfaces.split(',').map(Number)) {
  const [dump, report] = [join(folder, 'dump.json.gz'), join(folder, 'report.jsonl')];
  const objects = await writeDump(dump, interfaces);
  const url = await prepareDatabase(options.database, { keep: false }, async () => {});
  const server = await startServer('service', url);
  const env = environment(url, { INVENTORY_URL: server.url, INVENTORY_TOKEN: openToken(url), TMPDIR: folder });
  const first = await move(dump, report, env);
  const created = await countsOf(report);
  if (created.created !== objects) throw new Error(`${objects} objects, but ${JSON.stringify(created)}`);
  const second = await move(dump, report, env);
  const { created: more, updated } = await countsOf(report);
  say(
    `| ${n(interfaces)} | ${n(objects)} | ${n(first.seconds)} | ${n(objects / first.seconds)} | ${n(first.peak)} | ${n(first.half)} | ${n(memoryOf(server.pid).peak)} | ${n(second.seconds)} | ${more + updated} |`,
  );
  await server.stop();
}
const [load] = loadavg();
say(`\nOn ${cpus().length} processors, load ${load.toFixed(1)} at the end`);
