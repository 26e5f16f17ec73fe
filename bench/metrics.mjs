// `npm run bench -- metrics`: what metrics cost. Two copies of the service, one of them with metrics, read a single record in turn.
import '../scripts/help.mjs';
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { load } from './load.mjs';
import { build, cpuOf, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
  },
});
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const NAME = 'inventory_bench_metrics';

build();
const url = await prepareDatabase(NAME, options, (client) => client.query(`INSERT INTO sites (name) VALUES ('one')`));
const client = await connect(url);
const { rows } = await client.query('SELECT id FROM sites LIMIT 1');
await client.end();
const token = randomBytes(32).toString('hex');
const services = {
  with: await startServer('service', url, { METRICS_TOKEN: token }),
  without: await startServer('service', url),
};
const session = openSession(url);
const operation = { name: 'read one', request: () => ({ path: `/api/sites/${rows[0].id}` }) };

const rates = { with: [], without: [] };
const cpu = { with: [], without: [] };
const ratios = [];
for (const service of Object.values(services)) await load(service, [session], operation, { seconds: 2 });
for (let round = 0; round < Number(options.rounds); round++) {
  for (const kind of round % 2 ? ['with', 'without'] : ['without', 'with']) {
    const before = cpuOf(services[kind].pid);
    const { rate, answered } = await load(services[kind], [session], operation, { seconds: Number(options.seconds) });
    rates[kind].push(rate);
    cpu[kind].push(((cpuOf(services[kind].pid) - before) * 1000) / answered);
  }
  ratios.push(rates.with.at(-1) / rates.without.at(-1));
}
const scrapes = [];
let bytes = 0;
for (let i = 0; i < 10; i++) {
  const began = performance.now();
  const response = await fetch(`${services.with.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  bytes = (await response.text()).length;
  scrapes.push(performance.now() - began);
}
const whole = (number) => Math.round(number).toLocaleString('en');
process.stdout
  .write(`read one, with / without metrics: ${whole(median(rates.with))} / ${whole(median(rates.without))} requests/s, ratio ${median(ratios).toFixed(3)}
CPU of the service per request: ${median(cpu.with).toFixed(1)} / ${median(cpu.without).toFixed(1)} microseconds
a scrape: ${median(scrapes).toFixed(1)} ms, ${whole(bytes)} bytes
`);
for (const service of Object.values(services)) await service.stop();
const admin = await connect(process.env.BENCH_DATABASE_URL);
await admin.query(`DROP DATABASE ${NAME} WITH (FORCE)`);
await admin.end();
