// `npm run bench:tokens`: what a token costs. The service reads single records for clients with a session and for clients with a
// token, in turn.
import '../scripts/help.mjs';
import { parseArgs } from 'node:util';
import { connect, prepareDatabase } from './database.mjs';
import { ask, load } from './load.mjs';
import { operations } from './operations.mjs';
import { build, openSession, openToken, startServer } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
  },
});
const say = (line) => process.stdout.write(`${line}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

build();
const url = await prepareDatabase('inventory_bench', options);
const client = await connect(url);
const service = await startServer('service', url);
const credentials = { session: openSession(url), token: openToken(url) };
const operation = (await operations(client)).find(({ key }) => key === 'read');

const rates = { session: [], token: [] };
const ratios = [];
for (const credential of Object.values(credentials)) {
  const { status } = await ask(service, credential, operation.request(1));
  if (status !== 200) throw new Error(`The service answered ${status}`);
  await load(service, [credential], operation, { seconds: 1 });
}
for (let round = 0; round < Number(options.rounds); round++) {
  for (const kind of round % 2 ? ['session', 'token'] : ['token', 'session']) {
    rates[kind].push((await load(service, [credentials[kind]], operation, { seconds: Number(options.seconds) })).rate);
  }
  ratios.push(rates.token.at(-1) / rates.session.at(-1));
}
const [token, session] = [median(rates.token), median(rates.session)].map((rate) =>
  Math.round(rate).toLocaleString('en'),
);
say('| Operation | requests/s, token / session | token / session | asked |');
say('|---|---|---|---|');
say(`| read one with a token | ${token} / ${session} | **${median(ratios).toFixed(2)}** | 0.95 |`);
await client.end();
await service.stop();
