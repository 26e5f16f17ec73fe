import { parseArgs } from 'node:util';
import { helpWith } from '../../src/cli/help.js';
import { Fuzzer, OPERATIONS, type FuzzResult } from './fuzzer.js';
import { startServiceProcess } from './service-process.js';

/*
 * `npm run check -- fuzz --requests 100000 --seed 1` sends many requests. `--only <number>` repeats one request of a seed. The service runs
 * on the embedded database, or on the PostgreSQL server of DATABASE_URL or TEST_DATABASE_URL, in a database that is created and dropped.
 */
const LATENCY_MS = 2000;

helpWith(`Usage: npm run check -- fuzz [-- --requests <number>] [--seed <number>] [--only <number>]
Sends hostile requests to a service of its own. With --only, sends one request of a seed again.`);
const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});

function natural(name: 'requests' | 'seed' | 'only'): number {
  const value = Number(options[name]);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} must be a number, for example 1`);
  return value;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function tally(counts: Record<string, number>): string {
  const entries = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  return entries.map(([name, count]) => `${name} ${count}`).join(', ');
}

/** Groups kinds such as `body: a byte order mark` by the word before the colon. */
function families(counts: Record<string, number>): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [kind, count] of Object.entries(counts)) {
    const family = kind.split(':')[0]!;
    sums[family] = (sums[family] ?? 0) + count;
  }
  return sums;
}

/** Returns whether all requests passed. */
export async function main(): Promise<boolean> {
  const [requests, seed] = [natural('requests'), natural('seed')];
  const [from, to] = options.only === undefined ? [0, requests] : [natural('only'), natural('only') + 1];
  const service = await startServiceProcess(process.env.DATABASE_URL || process.env.TEST_DATABASE_URL || undefined);
  const started = performance.now();
  let told = 0;
  const tell = ({ failures }: FuzzResult): void => {
    for (const { number, request, problem } of failures.slice(told)) {
      say(`FAILED --seed ${seed} --only ${number}\n  ${request}\n  ${problem}`);
    }
    told = failures.length;
  };
  try {
    const fuzzer = new Fuzzer({
      url: service.url,
      cookie: service.cookie,
      seed,
      latency: LATENCY_MS,
      report(progress) {
        tell(progress);
        const seconds = Math.round((performance.now() - started) / 1000);
        say(`${progress.requests} of ${to - from} in ${seconds} s: ${tally(progress.byStatus)}`);
      },
    });
    const result = await fuzzer.run(from, to);
    tell(result);
    const { slowest } = result;
    say(`\n${result.requests} requests of seed ${seed}, and ${result.besides} to read back and to tidy up`);
    say(`by status: ${tally(result.byStatus)}`);
    say(`by kind: ${tally(families(result.byKind))}`);
    const missed = OPERATIONS.map(({ method, template }) => `${method} ${template}`).filter(
      (name) => !result.succeeded.has(name),
    );
    say(`operations that succeeded: ${OPERATIONS.length - missed.length} of ${OPERATIONS.length}`);
    if (missed.length > 0 && options.only === undefined) say(`  not: ${missed.slice(0, 20).join(', ')}`);
    say(`slowest: ${Math.round(slowest.ms)} ms, number ${slowest.number}: ${slowest.request}`);
    const complaints = service.complaints();
    say(`warnings and errors in the log of the service: ${complaints.length}`);
    for (const line of complaints.slice(0, 10)) say(`  ${line.slice(0, 1000)}`);
    say(`failures: ${result.failures.length}`);
    return result.failures.length === 0 && complaints.length === 0;
  } finally {
    await service.stop();
  }
}
