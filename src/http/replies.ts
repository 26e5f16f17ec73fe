import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import pLimit from 'p-limit';

/** Media type of every answer that has a body, but for Swagger UI's. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** JSON text for `data` that is no record of its own path: it has no `ETag`. */
export class PlainReply {
  constructor(readonly json: string) {}
}

/** Text of one record, as the database made it, on its way into the envelope. */
export class RecordReply {
  constructor(
    readonly id: string,
    /** Secrets in it are still sealed: the envelope opens them for who may read them. */
    readonly json: string,
    /** Properties that hold secrets. */
    readonly secrets: readonly string[] = [],
    /** Path of the record that was created, for `Location`. */
    readonly location?: string,
  ) {}

  /** The same, as the answer to its creation. */
  at(location: string): RecordReply {
    return new RecordReply(this.id, this.json, this.secrets, location);
  }
}

/** An answer that comes in parts, to one client. */
export interface Parts {
  /** Whoever asks for a part has sent the one before the last. */
  parts(): AsyncIterable<Buffer>;
  /** To be called when the client has its answer, or has gone. */
  leave(): void;
}

// The parts of all long answers that are being sent go through here one by one. While there are several such answers, a
// millisecond passes after each part: what they could gain by that the short requests of everybody else would wait for.
const turnstile = pLimit(1);
const pass = (): Promise<void> => turnstile(() => (turnstile.pendingCount > 0 ? setTimeout(1) : setImmediate()));

/** A page of records, with what the envelope says about it. */
export class ListReply {
  constructor(
    /** Records as the text of a JSON array without its brackets. */
    private readonly rows: string | Parts,
    private readonly total: number,
    private readonly at: { page: number; pageSize: number },
    /** Such a text as the caller may see it. */
    private readonly reveal?: (records: string) => string,
  ) {}

  /** Where the answer comes in parts: these. */
  get source(): Parts | undefined {
    return typeof this.rows === 'string' ? undefined : this.rows;
  }

  /** The response: a stream where it is long, so that other requests are answered between its parts. */
  get body(): string | Readable {
    if (typeof this.rows !== 'string') return Readable.from(this.unhurried(this.rows));
    return START + (this.reveal && this.rows !== '' ? this.reveal(this.rows) : this.rows) + this.end;
  }

  private async *unhurried(rows: Parts): AsyncGenerator<string | Buffer> {
    yield START;
    for await (const part of rows.parts()) {
      yield this.reveal ? this.revealed(String(part)) : part;
      await pass();
    }
    yield this.end;
  }

  /** All parts but the first begin with the comma between them. */
  private revealed(part: string): string {
    return part.startsWith(',') ? `,${this.reveal!(part.slice(1))}` : this.reveal!(part);
  }

  private get end(): string {
    const { page, pageSize } = this.at;
    return `],"total":${this.total},"page":${page},"pageSize":${pageSize},"hasMore":${page * pageSize < this.total}}`;
  }
}

const START = '{"data":[';

/** Strong entity tag of a record as its caller sees it: it changes with anything that the response shows. */
export const etagOf = (json: string): string => `"${createHash('sha1').update(json).digest('base64url')}"`;

/** Whether a header such as `If-Match: "a", W/"b"` names the tag. `If-None-Match` compares weakly, `If-Match` does not. */
export function matches(header: string, etag: string, weak: boolean): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((entry) => {
    const tag = entry.trim();
    return (weak ? tag.replace(/^W\//, '') : tag) === etag;
  });
}
