// `npm run bench -- change-log`: the cost of the change log. The service is loaded with the change log triggers enabled and disabled
// in turn. Then the context of an incident is read and explained on a log with a million entries.
import '../scripts/help.mjs';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { load } from './load.mjs';
import { operations } from './operations.mjs';
import { build, openSession, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    entries: { type: 'string', default: '1000000' },
  },
});
const say = (line) => process.stdout.write(`${line}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

build();
const url = await prepareDatabase('inventory_bench', options);
const client = await connect(url);
const service = await startServer('service', url);
const session = openSession(url);

const { rows: triggers } = await client.query(
  `SELECT tgrelid::regclass AS "table", tgname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
   WHERE EXISTS (SELECT FROM pg_trigger l WHERE l.tgrelid = c.oid AND l.tgfoid = 'log_truncate'::regproc)
     AND tgname IN (relname || '_insert', relname || '_update', relname || '_delete', relname || '_truncate')`,
);
const switchTriggers = (how) =>
  client.query(triggers.map(({ table, name }) => `ALTER TABLE ${table} ${how} TRIGGER ${name}`).join(';'));

say('| Operation | requests/s, with / without | with / without | target |');
say('|---|---|---|---|');
for (const operation of (await operations(client)).filter(({ key }) => ['create', 'patch', 'receive'].includes(key))) {
  const rates = { ENABLE: [], DISABLE: [] };
  const ratios = [];
  await load(service, [session], operation, { seconds: 1 });
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const how of round % 2 ? ['ENABLE', 'DISABLE'] : ['DISABLE', 'ENABLE']) {
      await switchTriggers(how);
      rates[how].push((await load(service, [session], operation, { seconds: Number(options.seconds) })).rate);
      await client.query(operation.after ?? 'SELECT 1');
    }
    ratios.push(rates.ENABLE.at(-1) / rates.DISABLE.at(-1));
  }
  const [on, off] = [median(rates.ENABLE), median(rates.DISABLE)].map((rate) => Math.round(rate).toLocaleString('en'));
  say(
    `| ${operation.name} | ${on} / ${off} | **${median(ratios).toFixed(2)}** | ${operation.key === 'receive' ? '' : '0.75'} |`,
  );
}
await switchTriggers('ENABLE');

// A million entries over a year, and an incident in the middle of it.
await client.query('ALTER TABLE change_log DISABLE TRIGGER change_log_keep');
await client.query('TRUNCATE change_log');
await client.query('ALTER TABLE change_log ENABLE TRIGGER change_log_keep');
await client.query(
  `INSERT INTO change_log (created_at, action, resource, area, record_id, record_name, actor, transaction_id, old_values, new_values)
   SELECT now() - (i * interval '31 seconds'), 'update', 'devices', 'network', md5((i % 5000)::text)::uuid, 'device-' || (i % 5000), 'system', i,
     '{"status": "active"}', '{"status": "offline"}' FROM generate_series(1, $1::int) i`,
  [Number(options.entries)],
);
await client.query('VACUUM ANALYZE');
const { rows } = await client.query(
  `INSERT INTO incidents (name, detected_at) VALUES ('Uplink of switch-7 drops routes', now() - interval '180 days') RETURNING id`,
);
const paths = {
  'context of an incident, 24 hours': `/api/incidents/${rows[0].id}/context`,
  'context of an incident, 7 days': `/api/incidents/${rows[0].id}/context?window=7d`,
  'changes of a record': `/api/change-log?recordId=${'cfcd2084-95d5-65ef-66e7-dff9f98764da'}&pageSize=50`,
  'page of the change log': '/api/change-log?order=desc&pageSize=50',
};
say('\n| On a log of a million entries | ms |\n|---|---|');
for (const [name, path] of Object.entries(paths)) {
  const taken = [];
  for (let i = 0; i < 40; i++) {
    const started = performance.now();
    const answer = await fetch(service.url + path, { headers: { cookie: `session=${session}` } });
    await answer.text();
    if (!answer.ok) throw new Error(`${path} gave ${answer.status}`);
    taken.push(performance.now() - started);
  }
  say(`| ${name} | ${median(taken).toFixed(1)} |`);
}
await service.stop();

say('\nPlan of the context:');
const { createRequire } = await import('node:module');
const require = createRequire(import.meta.url);
require('reflect-metadata');
const { IncidentContextService } = require('../dist/src/operations/incident/context/incident-context.service.js');
const db = {
  async query(text, values) {
    const plan = await client.query(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${text}`, values);
    for (const row of plan.rows) say(`    ${row['QUERY PLAN']}`);
    return [{}];
  },
};
await new IncidentContextService().read({ db, caller: { role: 'admin' } }, rows[0].id, 1440);
await client.end();
