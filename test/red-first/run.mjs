// `npm run red-first [-- --only <text>]`: breaks one rule after another in a copy of the tree, and expects the test that
// proves the rule to fail. Prints rule, test and the first line of the failure as a table. The rules that races show need
// TEST_DATABASE_URL.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const root = fileURLToPath(new URL('../..', import.meta.url));
const mutations = JSON.parse(readFileSync(new URL('mutations.json', import.meta.url), 'utf8')).filter(({ rule }) =>
  rule.toLowerCase().includes(options.only.toLowerCase()),
);
const copy = mkdtempSync(join(tmpdir(), 'red-first-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const name of [
  'src',
  'test',
  'package.json',
  'jest.config.cjs',
  'tsconfig.json',
  'ormconfig.ts',
  'openapi.json',
]) {
  cpSync(join(root, name), join(copy, name), { recursive: true });
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

/** Runs the test of a mutation in the copy: whether it failed, and the first line of how. */
function run({ test, name, server }) {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const { stderr } = spawnSync(
    process.execPath,
    [
      ...[
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        'node_modules/jest/bin/jest.js',
        '--ci',
      ],
      ...['--json', `--outputFile=${report}`, test, ...(name ? ['-t', name] : [])],
    ],
    {
      cwd: copy,
      encoding: 'utf8',
      timeout: 180_000,
      env: { ...process.env, TEST_DATABASE_URL: server ? process.env.TEST_DATABASE_URL : '', FORCE_COLOR: '0' },
    },
  );
  let result;
  try {
    result = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { ran: 0, how: stderr.split('\n').find((line) => line.includes('Error')) ?? 'it did not end' };
  }
  const tests = result.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed');
  const lines = failed
    .flatMap(({ failureMessages }) => failureMessages)
    .join('\n')
    .split('\n');
  const how = ['Expected', 'Received']
    .map((word) => lines.find((line) => line.trim().startsWith(word) || line.startsWith(`    ${word}`)))
    .filter(Boolean)
    .map((line) => line.trim().slice(0, 100));
  return {
    ran: tests.filter(({ status }) => status === 'passed' || status === 'failed').length,
    failed: failed.length,
    title: failed[0]?.fullName,
    how: how.length > 0 ? how.join('; ') : (lines.find((line) => line.trim() !== '') ?? '').slice(0, 160),
  };
}

let survived = 0;
process.stdout.write('| Rule, broken | Test that fails | How |\n|---|---|---|\n');
for (const mutation of mutations) {
  const { rule, file, server, and = [] } = mutation;
  if (server && !process.env.TEST_DATABASE_URL) {
    process.stdout.write(`| ${rule} | not run: needs TEST_DATABASE_URL | |\n`);
    continue;
  }
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    [mutation, ...and].reduce((text, { find, replace }) => text.replace(find, () => replace), source),
  );
  const { ran, failed, title, how } = run(mutation);
  writeFileSync(path, source);
  const red = failed > 0;
  if (!red) survived++;
  const cell = (text) =>
    String(text)
      .replaceAll('|', String.raw`\|`)
      .replaceAll('\n', ' ');
  process.stdout.write(
    red
      ? `| ${cell(rule)} | ${cell(title)} (\`${mutation.test}\`${server ? ', server' : ''}) | ${cell(how)} |\n`
      : `| ${cell(rule)} | **NONE** of ${ran} in \`${mutation.test}\` | ${cell(how)} |\n`,
  );
}
process.stdout.write(`\n${mutations.length - survived} rules broken and noticed, ${survived} not.\n`);
process.exitCode = survived > 0 ? 1 : 0;
