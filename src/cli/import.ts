import { open } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { helpWith } from './help.js';
import {
  command,
  CONNECTION_USAGE,
  connectionOptions,
  jsonOf,
  CommandError,
  send,
  targetOf,
  type Target,
} from './remote.js';

interface Fault {
  row: number;
  line: number;
  field: string;
  message: string;
}

interface Summary {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  faults: Fault[];
}

interface Answer {
  data?: Summary;
  dryRun?: boolean;
  error?: string;
  details?: (Partial<Fault> & { field: string; message: string })[];
}

const USAGE = `Usage: npm run import -- <resource> <file> [--mode create|update|upsert] [--key column,…] [--on-error abort|skip]
    [--empty ignore|clear] [--raw] [--dry-run]
${CONNECTION_USAGE}`;

/** Options that the service takes, by their names here. */
const PARAMETERS = {
  mode: 'mode',
  key: 'key',
  'on-error': 'onError',
  empty: 'empty',
  raw: 'raw',
  'dry-run': 'dryRun',
} as const;

/** Progress is shown at most this often, in milliseconds. */
const REDRAW = 100;
const BAR = 30;

function requested(): { target: Target; file: string; type: string } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      mode: { type: 'string' },
      key: { type: 'string' },
      'on-error': { type: 'string' },
      empty: { type: 'string' },
      raw: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      ...connectionOptions,
    },
  });
  const [resource, file, ...others] = positionals;
  if (resource === undefined || file === undefined || others.length > 0) throw new CommandError(USAGE);
  const target = targetOf(values, resource, '/import');
  for (const [option, parameter] of Object.entries(PARAMETERS)) {
    const value = values[option as keyof typeof PARAMETERS];
    if (value !== undefined) target.url.searchParams.set(parameter, String(value));
  }
  const type = /\.(?:ndjson|jsonl)$/i.test(file) ? 'application/x-ndjson' : 'text/csv';
  return { target, file, type };
}

/** Draws a progress bar on a terminal; nothing elsewhere. */
function progress(total: number): (sent: number) => void {
  let last = 0;
  return (sent) => {
    if (!process.stderr.isTTY || (Date.now() - last < REDRAW && sent < total)) return;
    last = Date.now();
    const share = total === 0 ? 1 : sent / total;
    const filled = Math.round(share * BAR);
    const what = sent < total ? `${Math.round(share * 100)} %` : 'sent, waiting for the answer';
    process.stderr.write(`\r[${'#'.repeat(filled)}${' '.repeat(BAR - filled)}] ${what}\u001B[K`);
    if (sent >= total) process.stderr.write('\n');
  };
}

/** Faults as a table with a column for each of their properties. */
function tableOf(faults: NonNullable<Answer['details']>): string {
  const rows = [
    ['Row', 'Line', 'Column', 'Fault'],
    ...faults.map(({ row = '', line = '', field, message }) => [
      String(row),
      String(line),
      field.replace(/^rows\[\d+\]\.?/, ''),
      message,
    ]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => row.map((cell, column) => (column < 3 ? cell.padEnd(widths[column]!) : cell)).join('  '))
    .join('\n');
}

helpWith(USAGE);
/** `npm run import -- assets file.csv --mode upsert --key assetTag`: imports a file through the API. */
command(async () => {
  const { target, file, type } = requested();
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read: ${error.code ?? error.message}`);
  });
  const { size } = await handle.stat();
  const show = progress(size);
  let sent = 0;
  const chunks = (handle.createReadStream() as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const body = new ReadableStream<Buffer>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) return controller.close();
      controller.enqueue(value);
      show((sent += value.length));
    },
  });
  const response = await send(target, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
    duplex: 'half',
  } as RequestInit);
  const { data, dryRun, error, details = [] } = await jsonOf<Answer>(response);
  // Faults of the request itself have no row, and the sentence names them.
  const faults = data?.faults ?? details.filter(({ row }) => row !== undefined);
  if (faults.length > 0) process.stderr.write(`${tableOf(faults)}\n`);
  if (!data) throw new CommandError(faults.length > 0 ? `${error!.split(':')[0]}. Nothing was written` : error!);
  const { rows, created, updated, unchanged, failed } = data;
  const counts = `${rows} rows: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`;
  process.stdout.write(`${counts}${dryRun ? '. Dry run: nothing was written' : ''}\n`);
  if (failed > 0) process.exitCode = 1;
});
