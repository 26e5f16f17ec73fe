import { createWriteStream } from 'node:fs';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';

const USAGE = `Usage: npm run export -- <resource> [--format csv|ndjson] [--output <file>] [--raw] [--filter <name>=<value>]…
  --url, or INVENTORY_URL      address of the service, http://127.0.0.1:3000 by default
  --token, or INVENTORY_TOKEN  a token of the service`;

interface ExportRequest {
  url: URL;
  token: string;
  /** File to write; standard output if absent. */
  output?: string;
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function requested(): ExportRequest {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      format: { type: 'string', default: 'csv' },
      output: { type: 'string' },
      raw: { type: 'boolean', default: false },
      filter: { type: 'string', multiple: true, default: [] },
      url: { type: 'string', default: process.env.INVENTORY_URL ?? 'http://127.0.0.1:3000' },
      token: { type: 'string', default: process.env.INVENTORY_TOKEN },
    },
  });
  const { format, output, raw, filter, token } = values;
  const [resource, ...others] = positionals;
  if (resource === undefined || others.length > 0) throw new Error(USAGE);
  if (!/^[a-z\d-]+(?:\/[a-z\d-]+)*$/i.test(resource))
    throw new Error(`${resource} is not the path of a resource, such as assets or devices/<id>/ports`);
  if (!token) throw new Error('A token is needed: --token or INVENTORY_TOKEN. `npm run token` makes one');
  if (!URL.canParse(values.url)) throw new Error(`${values.url} is not the address of a service`);
  const url = new URL(`/api/${resource}`, values.url);
  url.searchParams.set('format', format);
  if (raw) url.searchParams.set('raw', 'true');
  for (const pair of filter) {
    const at = pair.indexOf('=');
    if (at < 1) throw new Error(`--filter ${pair} must be <name>=<value>`);
    url.searchParams.append(pair.slice(0, at), pair.slice(at + 1));
  }
  return { url, token, output };
}

const MEGABYTE = 1024 * 1024;
const EVERY_MS = 200;

/** Reports the bytes that have passed on standard error, if that is a terminal. */
class Progress extends Transform {
  private bytes = 0;
  private reported = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (Date.now() - this.reported > EVERY_MS) this.report();
    done(undefined, chunk);
  }

  override _flush(done: TransformCallback): void {
    this.report();
    if (process.stderr.isTTY) process.stderr.write('\n');
    done();
  }

  private report(): void {
    this.reported = Date.now();
    if (process.stderr.isTTY) process.stderr.write(`\r${(this.bytes / MEGABYTE).toFixed(1)} MB`);
  }
}

/** The sentence of a refusal; the status if the response has none. */
async function sentenceOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return (JSON.parse(text) as { error: string }).error;
  } catch {
    return `The service answered ${response.status}`;
  }
}

/** `npm run export -- assets --format csv`: writes a list of the service to a file or to standard output. */
async function run({ url, token, output }: ExportRequest): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(await sentenceOf(response));
  const target = output === undefined ? process.stdout : createWriteStream(output);
  await pipeline(Readable.fromWeb(response.body as never), new Progress(), target);
}

async function main(): Promise<void> {
  try {
    await run(requested());
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error };
    fail(cause ? `${message}: ${cause.message}` : message);
  }
}

void main();
