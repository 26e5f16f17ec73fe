import { createReadStream, createWriteStream, rmSync, type WriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SourceObject } from './model.js';
import { Numbers } from './numbers.js';

/**
 * The objects of a source in files, one for each kind. The order of a source differs from the order in which records refer to each
 * other, and a large estate does not fit into memory.
 */
export class Spool {
  readonly counts = new Map<string, number>();
  private readonly files = new Map<string, { path: string; stream: WriteStream }>();

  private readonly removeNow = (): void => rmSync(this.folder, { recursive: true, force: true });

  private constructor(private readonly folder: string) {
    process.once('exit', this.removeNow);
  }

  static async create(): Promise<Spool> {
    return new Spool(await mkdtemp(join(tmpdir(), 'move-in-')));
  }

  /** The path of a file that goes with the spool. */
  pathOf(name: string): string {
    return join(this.folder, `${name}.ndjson`);
  }

  async add(object: SourceObject): Promise<void> {
    const { model } = object;
    this.counts.set(model, (this.counts.get(model) ?? 0) + 1);
    let file = this.files.get(model);
    if (!file) {
      const path = this.pathOf(String(this.files.size));
      this.files.set(model, (file = { path, stream: createWriteStream(path) }));
    }
    if (!file.stream.write(`${JSON.stringify(object)}\n`)) await once(file.stream, 'drain');
  }

  /** Must be called when all objects have been added. */
  async complete(): Promise<void> {
    for (const { stream } of this.files.values()) {
      if (stream.closed) continue;
      stream.end();
      await once(stream, 'close');
    }
  }

  async *read(model: string): AsyncGenerator<SourceObject> {
    const file = this.files.get(model);
    if (!file) return;
    const lines = createInterface({ input: createReadStream(file.path), crlfDelay: Infinity });
    for await (const line of lines) yield JSON.parse(line) as SourceObject;
  }

  /**
   * The same, but each object follows the objects of its kind that it refers to. In a circle of references one object cannot: it gets
   * the keys of the objects that lead back to it.
   * @param fields hold the keys of other objects
   */
  async *inOrder(model: string, fields: readonly string[]): AsyncGenerator<SourceObject> {
    const seen = new Numbers();
    const waiting: SourceObject[] = [];
    const keysOf = ({ fields: given }: SourceObject): string[] =>
      fields.flatMap((field) => (given[field] == null ? [] : [String(given[field])]));
    for await (const object of this.read(model)) {
      if (keysOf(object).every((key) => seen.get(model, key) > 0)) {
        seen.set(model, object.pk, 1);
        yield object;
      } else waiting.push(object);
    }
    // Sorted, so that a circle is cut at the same object whatever the order of the source.
    waiting.sort((a, b) => Number(a.pk) - Number(b.pk) || 0);
    const byKey = new Map(waiting.map((object) => [object.pk, object]));
    const before = (object: SourceObject): SourceObject[] => keysOf(object).flatMap((key) => byKey.get(key) ?? []);
    const begun = new Set<SourceObject>();
    const done = new Set<SourceObject>();
    for (const first of waiting) {
      // A loop instead of recursion, because the references of a damaged source may form a chain of a million objects.
      const path = begun.has(first) ? [] : [first];
      for (let object = path.at(-1); object; object = path.at(-1)) {
        begun.add(object);
        const next = before(object).find((one) => !begun.has(one));
        if (next) {
          path.push(next);
          continue;
        }
        const circular = before(object).flatMap((one) => (done.has(one) ? [] : [one.pk]));
        done.add(object);
        path.pop();
        yield circular.length > 0 ? { ...object, circular } : object;
      }
    }
  }

  async remove(): Promise<void> {
    process.off('exit', this.removeNow);
    // Writes may still be pending if the source could not be read to its end.
    await this.complete();
    await rm(this.folder, { recursive: true, force: true });
  }
}
