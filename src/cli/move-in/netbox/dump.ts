import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { streamArray } from 'stream-json/streamers/stream-array.js';
import { CommandError } from '../../remote.js';
import type { SourceObject } from '../model.js';
import { isObject, textOf } from '../shapes.js';

/** An object as `dumpdata` writes it. With `--natural-primary` some have no key. */
interface Dumped {
  model: string;
  pk?: string | number;
  fields: Record<string, unknown>;
}

/** Fields that identify an object of a kind without a key. */
const NATURAL: Readonly<Record<string, (fields: Record<string, unknown>) => unknown>> = {
  'contenttypes.contenttype': ({ app_label, model }) => `${String(app_label)}.${String(model)}`,
  'extras.tag': ({ name }) => name,
  'extras.taggeditem': ({ content_type, object_id, tag }) =>
    `${String(content_type)}/${String(object_id)}/${String(tag)}`,
};

/**
 * The objects of a file that `dumpdata` has written, compressed or not, in its order.
 * @throws CommandError if it is not such a file
 */
export async function* readDump(path: string): AsyncGenerator<SourceObject> {
  const isGzip = await isCompressed(path);
  const parser = streamArray.withParserAsStream();
  const file = createReadStream(path);
  const fail = (error: Error | null | undefined): void => void (error && parser.destroy(error));
  if (isGzip) pipeline(file, createGunzip(), parser, fail);
  else pipeline(file, parser, fail);
  try {
    let isDump = false;
    let count = 0;
    for await (const { value } of parser as AsyncIterable<{ value: unknown }>) {
      count++;
      const { model, pk, fields } = (isObject(value) ? value : {}) as Partial<Dumped>;
      const name = textOf(model)?.toLowerCase();
      const given = isObject(fields) ? fields : {};
      isDump ||= name !== undefined && isObject(fields);
      const key = textOf(pk) ?? (name === undefined ? undefined : NATURAL[name]?.(given));
      if (name === undefined) yield { model: 'unknown', pk: `entry ${count}`, fields: {}, fault: 'it has no model' };
      else if (isObject(fields)) yield { model: name, pk: String(key ?? JSON.stringify(fields)), fields };
      else yield { model: name, pk: String(key ?? `entry ${count}`), fields: {}, fault: 'it has no fields' };
    }
    if (!isDump && count > 0)
      throw new CommandError(`${path} is not an output of dumpdata: no entry has a model and fields`);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

async function isCompressed(path: string): Promise<boolean> {
  try {
    const file = await open(path);
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0).finally(() => file.close());
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(`${path} cannot be read: ${code ?? message}`);
  }
}
