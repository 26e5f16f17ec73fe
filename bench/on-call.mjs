// `npm run bench:on-call`: who is on call of 500 rosters, with 100,000 past shifts and without them. See bench/README.md.
import '../scripts/help.mjs';
import { parseArgs } from 'node:util';
import { prepareDatabase } from './database.mjs';
import { idOf } from './data.mjs';
import { build, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    rosters: { type: 'string', default: '500' },
    past: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    database: { type: 'string', default: 'inventory_bench_on_call' },
  },
});
const say = (line) => process.stdout.write(`${line}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const PEOPLE = 200;
const COMING_WEEKS = 26;
const rosters = Number(options.rosters);

/** Weekly shifts of all rosters: the current one, those of half a year to come, and past ones. */
const filler = (past) => async (client, report) => {
  await client.query(
    `INSERT INTO people (id, full_name, email) SELECT ${idOf('person', 'i')}, 'Person ' || i, 'person' || i || '@example.net' FROM generate_series(1, ${PEOPLE}) i`,
  );
  await client.query(
    `INSERT INTO on_call_schedules (name, rotation, person_id, start_time, end_time)
     SELECT 'Roster ' || r || ', week ' || w, 'Roster ' || r, ${idOf('person', `1 + (r + w + ${past}) % ${PEOPLE}`)}, start + w * interval '7 days', start + (w + 1) * interval '7 days'
     FROM generate_series(1, ${rosters}) r CROSS JOIN generate_series(${-past / rosters}, ${COMING_WEEKS}) w
       CROSS JOIN (SELECT date_trunc('week', now()) AS start) week`,
  );
  await client.query('VACUUM ANALYZE');
  report(`${past} past shifts`);
};

build();
const sizes = { none: 0, past: Number(options.past) };
const services = {};
for (const [name, past] of Object.entries(sizes)) {
  const url = await prepareDatabase(`${options.database}_${name}`, options, filler(past));
  services[name] = { server: await startServer('service', url), cookie: `session=${openSession(url)}` };
}

const REQUESTS = {
  'who is on call': '',
  'who is on call, one roster': '?roster=Roster 7',
  'shifts of 30 days, page of 50': '/shifts?pageSize=50',
  'gaps of 30 days': '/gaps',
  'overlaps of 30 days': '/overlaps',
  'load of 30 days, page of 50': '/load?timeZone=Europe/Paris&pageSize=50',
};

/** Median of some sequential requests, in milliseconds. */
async function time({ server, cookie }, path, times) {
  const taken = [];
  for (let n = 0; n < times; n++) {
    const started = performance.now();
    const answer = await fetch(`${server.url}/api/on-call${path}`, { headers: { cookie } });
    const body = await answer.text();
    taken.push(performance.now() - started);
    if (!answer.ok) throw new Error(`${path} gave ${answer.status}: ${body}`);
  }
  return median(taken);
}

say(`| ${rosters} rosters | no past, ms | ${sizes.past.toLocaleString('en')} past shifts, ms | ratio |`);
say('|---|---|---|---|');
for (const [name, path] of Object.entries(REQUESTS)) {
  const rounds = { none: [], past: [] };
  const ratios = [];
  for (const service of Object.values(services)) await time(service, path, 5);
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const size of round % 2 ? ['none', 'past'] : ['past', 'none']) {
      rounds[size].push(await time(services[size], path, 10));
    }
    ratios.push(rounds.past.at(-1) / rounds.none.at(-1));
  }
  say(
    `| ${name} | ${median(rounds.none).toFixed(1)} | ${median(rounds.past).toFixed(1)} | **${median(ratios).toFixed(2)}** |`,
  );
}
for (const { server } of Object.values(services)) await server.stop();
