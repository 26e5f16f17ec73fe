import { createWriteStream } from 'node:fs';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
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

const USAGE = `Usage: npm run export -- <resource> [--format csv|ndjson] [--output <file>] [--raw] [--filter <name>=<value>]…
${CONNECTION_USAGE}`;

interface ExportRequest {
  list: Target;
  /** File to write; standard output if absent. */
  output?: string;
}

function requested(): ExportRequest {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      format: { type: 'string', default: 'csv' },
      output: { type: 'string' },
      raw: { type: 'boolean', default: false },
      filter: { type: 'string', multiple: true, default: [] },
      ...connectionOptions,
    },
  });
  const { format, output, raw, filter } = values;
  const [resource, ...others] = positionals;
  if (resource === undefined || others.length > 0) throw new CommandError(USAGE);
  const list = targetOf(values, resource);
  const { searchParams } = list.url;
  searchParams.set('format', format);
  if (raw) searchParams.set('raw', 'true');
  for (const pair of filter) {
    const at = pair.indexOf('=');
    if (at < 1) throw new CommandError(`--filter ${pair} must be <name>=<value>`);
    searchParams.append(pair.slice(0, at), pair.slice(at + 1));
  }
  return { list, output };
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

helpWith(USAGE);
/** `npm run export -- assets --format csv`: writes a list of the service to a file or to standard output. */
command(async () => {
  const { list, output } = requested();
  const response = await send(list);
  if (!response.ok) throw new CommandError((await jsonOf<{ error: string }>(response)).error);
  const target = output === undefined ? process.stdout : createWriteStream(output);
  await pipeline(Readable.fromWeb(response.body as ReadableStream), new Progress(), target);
});
