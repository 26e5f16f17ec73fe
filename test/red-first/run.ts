// `npm run check -- rules [-- --only <text>] [--part <n>/<of>] [--output <file>]`: breaks each rule of rules.ts, one after another,
// and expects its test to fail. Before that the same tests run unchanged and must pass. With `--part 2/3` every third rule is broken.
// The table of the rules goes to red-first.md, or to --output. Rules run on the server of TEST_DATABASE_URL if there is one.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { helpWith } from '../../src/cli/help.js';
import { rules, type Rule } from './rules.js';

helpWith(`Usage: npm run check -- rules [-- --only <text>] [--part <n>/<of>] [--output <file>]
Breaks each rule of test/red-first/rules.ts, one after another, and expects its test to fail.`);
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    part: { type: 'string', default: '1/1' },
    output: { type: 'string', default: 'red-first.md' },
  },
});
const ROOT = join(__dirname, '../..');
const JEST = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
/** For the tests of one file. One that takes longer proves nothing. */
const TIMEOUT_MS = 180_000;

interface TestResult {
  status: string;
  fullName: string;
  failureMessages: string[];
}

const work = mkdtempSync(join(tmpdir(), 'red-first-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

/**
 * Runs the tests of rules, one of which may be broken.
 * @returns the tests that have run, by their file; undefined if it took too long
 */
async function run(tested: readonly Rule[], broken?: Rule): Promise<Map<string, TestResult[]> | undefined> {
  const report = join(work, 'report.json');
  rmSync(report, { force: true });
  const files = [...new Set(tested.map(({ test }) => test))];
  const names = [...new Set(tested.map(({ name }) => name))].join('|');
  const setUp = ['test/support/assertions.ts', 'test/red-first/break.ts'].map((file) => `<rootDir>/${file}`);
  const args = ['--ci', '--forceExit', '--json', `--outputFile=${report}`, ...(broken ? ['--runInBand'] : [])];
  const child = spawn(
    process.execPath,
    [...JEST, ...args, '--setupFilesAfterEnv', ...setUp, '-t', names, '--runTestsByPath', ...files],
    { cwd: ROOT, stdio: 'ignore', env: { ...process.env, BROKEN_RULE: broken?.rule ?? '', TEST_FULL: 'yes' } },
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS * files.length);
  await new Promise((done) => child.once('close', done));
  clearTimeout(timer);
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { name: string; assertionResults: TestResult[] }[];
    };
    return new Map(testResults.map(({ name, assertionResults }) => [relative(ROOT, name), assertionResults]));
  } catch {
    return undefined;
  }
}

/** The tests of a rule that have run. */
const testsOf = ({ test, name }: Rule, results: Map<string, TestResult[]> | undefined): TestResult[] =>
  (results?.get(test) ?? []).filter(
    ({ status, fullName }) => ['passed', 'failed'].includes(status) && new RegExp(name, 'i').test(fullName),
  );

/** The first line of a failure. */
const reasonOf = (failed: TestResult): string =>
  failed.failureMessages[0]!.split('\n')
    .find((line) => line.trim() !== '')!
    .slice(0, 120);

/** What came of a rule: the failure that noticed it, or why it proves nothing. */
async function outcomeOf(rule: Rule, unchanged: readonly TestResult[]): Promise<{ isNoticed: boolean; says: string }> {
  if (unchanged.length === 0) return { isNoticed: false, says: 'no test of this name has run' };
  const fault = unchanged.find(({ status }) => status === 'failed');
  if (fault) return { isNoticed: false, says: `it fails unchanged: ${reasonOf(fault)}` };
  const results = await run([rule], rule);
  const failed = testsOf(rule, results).find(({ status }) => status === 'failed');
  if (failed) return { isNoticed: true, says: `${failed.fullName}: ${reasonOf(failed)}` };
  return { isNoticed: false, says: results ? 'no test failed' : 'it took too long' };
}

/** The rules of one part: neighbours, which often have one test file, go to different ones. */
function ofPart(part: string): Rule[] {
  const [, number, count] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(part) ?? [];
  if (!count || Number(number) > Number(count)) throw new Error(`--part must be such as 2/3, and is '${part}'`);
  return rules.filter((_, at) => at % Number(count) === Number(number) - 1);
}

async function main(): Promise<void> {
  const chosen = ofPart(options.part).filter(
    ({ rule, server }) =>
      rule.toLowerCase().includes(options.only.toLowerCase()) && (!server || process.env.TEST_DATABASE_URL),
  );
  if (chosen.length === 0) throw new Error(`No rule has '${options.only}' in its name`);
  const unchanged = await run(chosen);
  const lines = ['| Rule, broken | Noticed by |', '|---|---|'];
  let [noticed, missed] = [0, 0];
  for (const rule of chosen) {
    const { isNoticed, says } = await outcomeOf(rule, testsOf(rule, unchanged));
    if (isNoticed) noticed++;
    else missed++;
    process.stderr.write(`${isNoticed ? 'noticed' : 'MISSED'}: ${rule.rule}${isNoticed ? '' : `: ${says}`}\n`);
    lines.push(`| ${rule.rule} | ${isNoticed ? '' : '**nothing**: '}${says.replaceAll('|', String.raw`\|`)} |`);
  }
  writeFileSync(resolve(ROOT, options.output), `${lines.join('\n')}\n`);
  process.stdout.write(`${noticed} rules broken and noticed, ${missed} not\n`);
  process.exitCode = missed === 0 ? 0 : 1;
}

void main();
