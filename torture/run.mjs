// `npm run torture`: stress tests of the service in a separate process. `npm run torture -- name …` runs only those; `--times n`
// sets the number of repetitions; `--only TEXT` restricts a test with a table to the rows whose name contains it, and `--of DIR` tests the
// build in another checkout, where the test can. The results of whole runs of this version go into docs/internals/reliability.md, which describes the tests.
import '../scripts/help.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './support.mjs';

const STORMS = [
  'restarts',
  'service-killed',
  'receipts',
  'server-killed',
  'server-silent',
  'shutdown',
  'slow-sockets',
  'logins',
  'feed',
  'feed-moved',
  'webhooks',
  'streams',
  'failover',
  'rolling-upgrade',
  'attacks',
];
const report = fileURLToPath(new URL('../docs/internals/reliability.md', import.meta.url));

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string' }, only: { type: 'string' }, of: { type: 'string' } },
});
const names = positionals.length > 0 ? positionals : STORMS;
const unknown = names.filter((name) => !STORMS.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no test '${unknown.join("', '")}'. Available: ${STORMS.join(', ')}\n`);
  process.exit(1);
}

const say = (line) => process.stderr.write(`  ${line}\n`);

/** Runs one test and returns its rows of the report. */
async function rowsOf(name) {
  const rows = [];
  const check = (row) => {
    rows.push(row);
    process.stdout.write(
      `${row.kept ? 'kept  ' : 'MISSED'}  ${row.what}: ${row.reached}${row.asked ? ` (limit: ${row.asked})` : ''}\n`,
    );
  };
  const { default: storm } = await import(`./${name}.mjs`);
  try {
    await storm({
      check,
      say,
      only: options.only,
      of: options.of,
      ...(options.times && { times: Number(options.times) }),
    });
  } catch (error) {
    process.stderr.write(`${error.stack}\n`);
    check({ what: 'The test ran to completion', asked: '', reached: error.message.split('\n')[0], kept: false });
  }
  return rows;
}

/** Writes the rows of a test between its markers. */
function write(name, rows, seconds) {
  const date = new Date().toISOString().slice(0, 10);
  const table = [
    `\`npm run torture -- ${name}\`, ${date}, ${seconds} s:`,
    '',
    '| | limit | measured | |',
    '|---|---|---|---|',
    ...rows.map(
      ({ what, asked, reached, kept }) => `| ${what} | ${asked} | ${reached} | ${kept ? '' : '**exceeded**'} |`,
    ),
  ].join('\n');
  const markers = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
  const text = readFileSync(report, 'utf8');
  if (!markers.test(text)) throw new Error(`docs/internals/reliability.md has no place for ${name}`);
  writeFileSync(
    report,
    text.replace(markers, (_, start, end) => `${start}\n${table}\n\n${end}`),
  );
}

build();
let missed = 0;
for (const name of names) {
  process.stdout.write(`\n${name}\n`);
  const started = performance.now();
  const rows = await rowsOf(name);
  // Results of a shortened run are not representative and are not written.
  if (Object.keys(options).length === 0) write(name, rows, Math.round((performance.now() - started) / 1000));
  missed += rows.filter(({ kept }) => !kept).length;
}
process.stdout.write(missed === 0 ? '\nAll limits were kept\n' : `\n${missed} limits were exceeded\n`);
process.exit(missed === 0 ? 0 : 1);
