import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SourceObject } from './model.js';

/**
 * The objects of a source in files, one for each kind, because the order of a source is not the order in which records refer to each
 * other, and a large estate does not fit into memory.
 */
export class Spool {
  readonly counts = new Map<string, number>();
  private readonly files = new Map<string, WriteStream>();

  private constructor(private readonly folder: string) {}

  static async create(): Promise<Spool> {
    return new Spool(await mkdtemp(join(tmpdir(), 'move-in-')));
  }

  async add(object: SourceObject): Promise<void> {
    const { model } = object;
    this.counts.set(model, (this.counts.get(model) ?? 0) + 1);
    let file = this.files.get(model);
    if (!file) this.files.set(model, (file = createWriteStream(this.pathOf(model))));
    if (!file.write(`${JSON.stringify(object)}\n`)) await once(file, 'drain');
  }

  /** To be called when all objects are added. */
  async complete(): Promise<void> {
    for (const file of this.files.values()) {
      file.end();
      await once(file, 'close');
    }
  }

  async *read(model: string): AsyncGenerator<SourceObject> {
    if (!this.files.has(model)) return;
    const lines = createInterface({ input: createReadStream(this.pathOf(model)), crlfDelay: Infinity });
    for await (const line of lines) yield JSON.parse(line) as SourceObject;
  }

  /**
   * The same, but an object follows those of its kind that it refers to. Objects whose references lead in a circle, or to nothing, are
   * the last.
   * @param fields hold the keys of other objects
   */
  async *inOrder(model: string, fields: readonly string[]): AsyncGenerator<SourceObject> {
    const seen = new Set<string>();
    let waiting: SourceObject[] = [];
    const isReady = ({ fields: given }: SourceObject): boolean =>
      fields.every((field) => given[field] == null || seen.has(String(given[field])));
    for await (const object of this.read(model)) {
      if (isReady(object)) {
        seen.add(object.pk);
        yield object;
      } else waiting.push(object);
    }
    for (let before = Infinity; waiting.length < before;) {
      before = waiting.length;
      const later: SourceObject[] = [];
      for (const object of waiting) {
        if (isReady(object)) {
          seen.add(object.pk);
          yield object;
        } else later.push(object);
      }
      waiting = later;
    }
    yield* waiting;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private pathOf(model: string): string {
    return join(this.folder, `${model.replaceAll(/[^\w.-]/g, '_')}.ndjson`);
  }
}
