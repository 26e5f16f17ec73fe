// `npm run bench -- <name>` runs one of the benchmarks.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The benchmarks by name, each with what it measures. Options go to the benchmark; `--help` tells them. */
const BENCHMARKS = {
  compare: 'the service and two reference servers, operation by operation: the table of the README',
  growth: 'the same requests on 10,000 and on 10,000,000 addresses, with query plans',
  'change-log': 'throughput with and without the change log, and its queries on a million entries',
  metrics: 'reading one record with and without metrics',
  allocation: 'allocation of addresses, the cost of the kept hosts, pages of nested prefixes',
  import: 'imports and COPY, bulk creates and single ones, an import on the embedded database',
  conflicts: 'conflicts of a maintenance window while the past grows, and the impact of a large site',
  responsible: 'who is responsible for a device and whom to call, among 100,000 devices',
  'change-sets': 'preview, merge and revert of large change sets, and a reconciled file of 20,000 rows',
  'custom-fields': 'changes of definitions beside writers, filters and reads, on 10,000,000 addresses',
};

const [name, ...options] = process.argv.slice(2);
if (name === undefined || name === '--help' || name === '-h') {
  const width = Math.max(...Object.keys(BENCHMARKS).map((one) => one.length));
  const lines = Object.entries(BENCHMARKS).map(([one, about]) => `  ${one.padEnd(width)}  ${about}`);
  process.stdout.write(`Usage: npm run bench -- <name> [options]\n${lines.join('\n')}\n`);
} else if (!Object.hasOwn(BENCHMARKS, name)) {
  process.stderr.write(`There is no benchmark '${name}'. npm run bench lists them\n`);
  process.exitCode = 1;
} else {
  const file = join(dirname(fileURLToPath(import.meta.url)), `${name}.mjs`);
  process.exitCode = spawnSync(process.execPath, [file, ...options], { stdio: 'inherit' }).status ?? 1;
}
