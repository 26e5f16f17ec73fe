// `npm run red-first [-- --only <text>]… [--new] [--most <number>] [--within <seconds>] [--timeout <seconds>] [--write]`: breaks one
// rule after another in a copy of the tree, and expects the test that proves the rule to fail. Before that the same tests run
// without the change, and must pass. Prints rule, test and the first line of the failure as a table. --write updates the rows of
// these rules in docs/red-first.md, and leaves the others. --new selects the rules without a row, --most those whose files changed
// last. After --within no further rule is begun, and --timeout limits the tests of one file (180 s). Rules that need concurrent
// requests need TEST_DATABASE_URL. A test that takes too long proves nothing and is no failure.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from 'pg';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    new: { type: 'boolean', default: false },
    most: { type: 'string' },
    workers: { type: 'string', default: String(Math.min(4, availableParallelism())) },
    within: { type: 'string', default: 'Infinity' },
    timeout: { type: 'string', default: '180' },
    write: { type: 'boolean', default: false },
  },
});
const SERVER = process.env.TEST_DATABASE_URL ?? '';
/** For the tests of one file, in milliseconds. */
const TIMEOUT = Number(options.timeout) * 1000;
/** Rules are tested on the server if there is one, because it is several times as fast as the embedded database. */
const isOnServer = ({ server, embedded }) => Boolean(server || (SERVER && !embedded));
const root = fileURLToPath(new URL('../..', import.meta.url));
const all = JSON.parse(readFileSync(new URL('mutations.json', import.meta.url), 'utf8'));

const cell = (text) =>
  String(text)
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/\s+/g, ' ');
const page = new URL('../../docs/red-first.md', import.meta.url);
const NO_RUN = ' | | |';
const HEAD = '| Rule, broken | Test that fails | How | Last run |\n|---|---|---|---|\n';
/** The page, and its rows by rule. */
function readPage() {
  const text = readFileSync(page, 'utf8');
  const rows = text
    .slice(text.indexOf(HEAD) + HEAD.length)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.endsWith(NO_RUN));
  return { text, known: new Map(rows.map((line) => [line.slice(2, line.indexOf(' | ')), line])) };
}
const { known } = readPage();

const named = all.filter(
  ({ rule }) =>
    options.only.some((text) => rule.toLowerCase().includes(text.toLowerCase())) &&
    !(options.new && known.has(cell(rule))),
);
if (named.length === 0) throw new Error(`No rule to run has '${options.only.join("' or '")}' in its name`);

/** When the file of a rule, or the test that proves it, was last changed, in seconds. */
const changedAt = ({ file, test }) =>
  Number(execFileSync('git', ['log', '-1', '--format=%ct', '--', file, test], { cwd: root, encoding: 'utf8' })) ||
  Infinity;
// A broken rule of concurrent requests needs luck to be noticed, and the check of a change must not depend on luck.
const chosen =
  options.most === undefined
    ? named
    : named
        .filter(({ server }) => !server)
        .toSorted((a, b) => changedAt(b) - changedAt(a))
        .slice(0, Number(options.most));

const work = mkdtempSync(join(tmpdir(), 'red-first-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
/** The migrated databases that all runs share, except those that break a migration. */
const templates = { embedded: join(work, 'template.tar'), server: `inventory_red_${randomBytes(5).toString('hex')}` };
const migrates = ({ file }) => file.startsWith('src/schema/migrations/');

/** A copy of the tree, in which one run at a time breaks a rule. */
function copyOfTree(name) {
  const copy = join(work, name);
  mkdirSync(copy);
  for (const entry of ['src', 'test', 'sdk', 'package.json', 'jest.config.cjs', 'tsconfig.json', 'openapi.json']) {
    cpSync(join(root, entry), join(copy, entry), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Runs jest in a copy. Returns its report, or undefined with its output if there is none. */
async function jest(copy, { server, fresh, args, files = 1 }) {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const child = spawn(
    process.execPath,
    [
      ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'],
      // A broken rule may leave something open, for which jest would wait.
      ...['--ci', '--forceExit', '--json', `--outputFile=${report}`, ...args],
    ],
    {
      cwd: copy,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        FORCE_COLOR: '0',
        TEST_FULL: 'yes',
        TEST_DATABASE_URL: server ? SERVER : '',
        TEST_DATABASE_TEMPLATE: fresh ? '' : templates[server ? 'server' : 'embedded'],
      },
    },
  );
  let said = '';
  child.stderr.on('data', (data) => (said += data));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, TIMEOUT * files);
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  try {
    return { said, results: JSON.parse(readFileSync(report, 'utf8')).testResults };
  } catch {
    return { said, results: [], isLate };
  }
}

/** The tests of a mutation that a run has executed. */
const testsOf = ({ test, name }, results) =>
  results
    .filter((result) => result.name.endsWith(`/${test}`))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, fullName }) => ['passed', 'failed'].includes(status) && new RegExp(name).test(fullName));

/** Whether tests failed because the machine is busy, which says nothing about the rule. */
const areLate = (failed) =>
  failed.every(({ failureMessages }) => failureMessages.some((text) => /Exceeded timeout of/.test(text)));

/** The first line of a test failure. */
function reasonOf(failed) {
  const lines = failed.flatMap(({ failureMessages }) => failureMessages.join('\n').split('\n'));
  const how = ['Expected', 'Received']
    .map((word) => lines.find((line) => line.trim().startsWith(word)))
    .filter(Boolean)
    .map((line) => line.trim().slice(0, 100));
  return how.length > 0 ? how.join('; ') : (lines.find((line) => line.trim() !== '') ?? '').slice(0, 160);
}

/** Finds mutations whose tests do not pass without a change, and creates the databases that the other runs share. */
async function unbroken(copy, mutations) {
  const faults = new Map();
  for (const server of [false, true]) {
    const here = mutations.filter((mutation) => isOnServer(mutation) === server);
    if (here.length === 0) continue;
    const files = [...new Set(here.map(({ test }) => test))];
    const names = [...new Set(here.map(({ name }) => name))].join('|');
    const args = [`--maxWorkers=${options.workers}`, ...files, '-t', names];
    const { results, said, isLate } = await jest(copy, { server, args, files: files.length });
    for (const mutation of here) {
      const tests = testsOf(mutation, results);
      const failed = tests.filter(({ status }) => status === 'failed');
      if (isLate) faults.set(mutation, { how: 'it took too long without the change', isLate });
      else if (tests.length === 0) {
        faults.set(mutation, { how: `no test of this name has run. ${said.trim().slice(-300)}` });
      } else if (failed.length > 0) {
        faults.set(mutation, { how: `it fails without the change: ${reasonOf(failed)}`, isLate: areLate(failed) });
      }
    }
  }
  return faults;
}

/** Breaks a rule in a copy. Returns the failed test and its failure; without `title`, the reason why none failed. */
async function broken(copy, mutation) {
  const { file, test, name, and = [] } = mutation;
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  const edited = [mutation, ...and].reduce((text, { find, replace }) => text.replace(find, () => replace), source);
  writeFileSync(path, edited);
  const { results, said, isLate } = await jest(copy, {
    server: isOnServer(mutation),
    fresh: migrates(mutation),
    args: ['--runInBand', test, '-t', name],
  });
  writeFileSync(path, source);
  const tests = testsOf(mutation, results);
  const failed = tests.filter(({ status }) => status === 'failed');
  const telling = failed.filter((one) => !areLate([one]));
  if (telling.length > 0) return { title: telling[0].fullName, how: reasonOf(telling) };
  if (failed.length > 0) return { how: `it took too long: ${reasonOf(failed)}`, isLate: true };
  if (tests.length > 0) return { how: `none of ${tests.length} failed`, unnoticed: true };
  return isLate ? { how: 'it took too long', isLate } : { how: `none has run. ${said.trim().slice(-300)}` };
}

const started = performance.now();
const runnable = chosen.filter(({ server }) => !server || SERVER);
const copies = Array.from({ length: Number(options.workers) }, (_, i) => copyOfTree(`copy-${i}`));
process.stderr.write(`The tests of ${runnable.length} rules, without changes…\n`);
const faults = await unbroken(copies[0], runnable);
const outcomes = new Map(faults);
const seconds = () => (performance.now() - started) / 1000;
const today = new Date().toISOString().slice(0, 10);
function rowOf(mutation) {
  const { rule, test, server } = mutation;
  const where = `\`${test}\`${server ? ', server' : ''}`;
  const outcome = outcomes.get(mutation);
  if (!outcome) {
    const why = server && !SERVER ? 'needs TEST_DATABASE_URL' : 'no time left';
    return `| ${cell(rule)} | not run: ${why} (${where})${NO_RUN}`;
  }
  const title = outcome.title ? cell(outcome.title) : '**NONE**';
  return `| ${cell(rule)} | ${title} (${where}) | ${cell(outcome.how)} | ${today} |`;
}

/** Puts the row of a rule into the page, and leaves the others. A run that proves nothing leaves the former row too. */
function save(mutation) {
  const { title, unnoticed } = outcomes.get(mutation);
  if (!options.write || !(title || unnoticed)) return;
  const { text, known: present } = readPage();
  present.set(cell(mutation.rule), rowOf(mutation));
  const lines = all.map(({ rule }) => present.get(cell(rule)) ?? `| ${cell(rule)} | not run yet${NO_RUN}`);
  const none = lines.filter((line) => line.includes('| **NONE** (')).length;
  const missing = lines.filter((line) => line.endsWith(NO_RUN)).length;
  writeFileSync(
    page,
    `${text.slice(0, text.indexOf(HEAD))}${HEAD}${lines.join('\n')}\n\n` +
      `${lines.length - none - missing} rules broken and noticed, ${none} not, ${missing} not run.\n`,
  );
}

const rest = runnable.filter((mutation) => !faults.has(mutation));
let done = 0;
await Promise.all(
  copies.map(async (copy) => {
    while (rest.length > 0 && seconds() < Number(options.within)) {
      const mutation = rest.shift();
      const outcome = await broken(copy, mutation);
      outcomes.set(mutation, outcome);
      save(mutation);
      process.stderr.write(
        `${Math.round(seconds())} s, ${++done}: ${mutation.rule}: ${outcome.title ? 'noticed' : outcome.how}\n`,
      );
    }
  }),
);
if (SERVER) {
  const client = new Client(SERVER);
  await client.connect();
  const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
    templates.server,
  ]);
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  await client.end();
}

const rows = chosen.map(rowOf);
const results = [...outcomes.values()];
const noticed = results.filter(({ title }) => title).length;
const failures = results.filter(({ title, isLate }) => !title && !isLate).length;
process.stdout.write(
  `${HEAD}${rows.join('\n')}\n\n` +
    `${noticed} rules broken and noticed, ${failures} not, ${chosen.length - noticed - failures} not run or too slow.\n`,
);
process.exitCode = failures === 0 ? 0 : 1;
