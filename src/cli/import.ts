import { open } from 'node:fs/promises';
import { parseArgs } from 'node:util';

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

const USAGE =
  'Usage: npm run import -- <resource> <file> [--mode create|update|upsert] [--key column,…] [--on-error abort|skip] [--empty ignore|clear] [--raw] [--dry-run] [--url …] [--token …]';

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

class Refused extends Error {}

function requested(): { url: URL; token: string; file: string; type: string } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      mode: { type: 'string' },
      key: { type: 'string' },
      'on-error': { type: 'string' },
      empty: { type: 'string' },
      raw: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      url: { type: 'string', default: process.env.INVENTORY_URL ?? 'http://127.0.0.1:3000' },
      token: { type: 'string', default: process.env.INVENTORY_TOKEN },
    },
  });
  const [resource, file, ...others] = positionals;
  if (resource === undefined || file === undefined || others.length > 0) throw new Refused(USAGE);
  if (!/^[a-z-]+(?:\/[\da-f-]{36}\/[a-z-]+)?$/i.test(resource)) {
    throw new Refused(
      `'${resource}' is not a resource: expected its path below /api, such as assets or devices/<id>/ports`,
    );
  }
  const { token } = values;
  if (!token) throw new Refused('A token is required: set INVENTORY_TOKEN or --token');
  if (!URL.canParse(values.url)) throw new Refused(`'${values.url}' is not a URL`);
  const url = new URL(`/api/${resource}/import`, values.url);
  for (const [option, parameter] of Object.entries(PARAMETERS)) {
    const value = values[option as keyof typeof PARAMETERS];
    if (value !== undefined) url.searchParams.set(parameter, String(value));
  }
  const type = /\.(?:ndjson|jsonl)$/i.test(file) ? 'application/x-ndjson' : 'text/csv';
  return { url, token, file, type };
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

async function run(): Promise<void> {
  const { url, token, file, type } = requested();
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new Refused(`${file} cannot be read: ${error.code ?? error.message}`);
  });
  const { size } = await handle.stat();
  const show = progress(size);
  let sent = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of handle.createReadStream() as AsyncIterable<Buffer>) {
      yield chunk;
      sent += chunk.length;
      show(sent);
    }
  }
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: chunks() as never,
    duplex: 'half',
  } as RequestInit).catch((error: Error) => {
    throw new Refused(
      `${url.origin} cannot be reached: ${(error.cause as Error | undefined)?.message ?? error.message}`,
    );
  });
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('application/json')) {
    throw new Refused(`${url.origin} answered ${response.status}, but not as this service does`);
  }
  const { data, dryRun, error, details = [] } = JSON.parse(text) as Answer;
  const faults = data?.faults ?? details;
  if (faults.length > 0) process.stderr.write(`${tableOf(faults)}\n`);
  if (!data) throw new Refused(details.length > 0 ? `${error!.split(':')[0]}. Nothing was written` : error!);
  const { rows, created, updated, unchanged, failed } = data;
  const counts = `${rows} rows: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`;
  process.stdout.write(`${counts}${dryRun ? '. Dry run: nothing was written' : ''}\n`);
  if (failed > 0) process.exitCode = 1;
}

/** `npm run import -- assets file.csv --mode upsert --key assetTag`: imports a file through the API. */
run().catch((error: unknown) => {
  const known = error instanceof Refused || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`${known ? (error as Error).message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
});
