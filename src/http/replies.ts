import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';

/** Media type of every response with a body, except for Swagger UI. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** JSON text for `data` that is not a record at its own path, and therefore has no `ETag`. */
export class PlainReply {
  constructor(readonly json: string) {}
}

/** What a response says of a record besides the record itself. */
interface Surroundings {
  location?: string;
  /** What the response shows this once. It is not part of the record or of its entity tag, and is never stored. */
  once?: Readonly<Record<string, string>>;
  /** Whether the response shows more than the record itself, so that its entity tag is weak. */
  isWeak?: boolean;
}

/** JSON text of one record from the database, before it is wrapped in the envelope. */
export class RecordReply {
  readonly location?: string;
  readonly once?: Readonly<Record<string, string>>;
  readonly isWeak: boolean;

  constructor(
    readonly id: string,
    /** Its secrets are still encrypted. The envelope decrypts them for callers who may read them. */
    readonly json: string,
    readonly secrets: readonly string[] = [],
    { location, once, isWeak = false }: Surroundings = {},
  ) {
    this.location = location;
    this.once = once;
    this.isWeak = isWeak;
  }

  /** The same record as the response to its creation. */
  at(location: string): RecordReply {
    return new RecordReply(this.id, this.json, this.secrets, { ...this, location });
  }

  /** The same record with properties that are shown this once. */
  with(once: Readonly<Record<string, string>>): RecordReply {
    return new RecordReply(this.id, this.json, this.secrets, { ...this, once });
  }
}

/** What an action answers: JSON text for `data`, with whole records in it. */
export class ActionReply {
  constructor(
    /** Pieces of the text in their order. Those at odd positions are records from the database. */
    readonly pieces: readonly string[],
    /** Properties of the records that are still encrypted. */
    readonly secrets: readonly string[] = [],
    /** Whether everything was undone again. */
    readonly dryRun = false,
  ) {}
}

/** A text of another media type as the whole response body, which clients may keep and ask about again with its `ETag`. */
export class DocumentReply {
  constructor(
    readonly type: string,
    readonly text: string,
  ) {}
}

/** A response that is produced in parts for one client. */
export interface Parts {
  /** The consumer must have sent a part before it asks for the next but one. */
  parts(): AsyncIterable<Buffer>;
  /** Must be called when the client has its response, or has disconnected. */
  leave(): void;
}

// The parts of all long responses pass through here, one in each turn of the event loop, so that a short request waits for one of
// them at most.
const turnstile = pLimit(1);
const pass = (): Promise<void> => turnstile(() => setImmediate());

/** A list, as a page in the envelope or as a file. */
export abstract class ListReply {
  /** Media type of the response. */
  abstract readonly type: string;
  /** Name of the file that the response is to be saved as. */
  readonly filename?: string;
  /** The source of the parts, if the response is produced in parts. */
  abstract readonly source: Parts | undefined;
  /** The response body: a stream if it is long, so that other requests are served between its parts. */
  abstract readonly body: string | Readable;
}

/** A page of records, with the paging values for the envelope. */
export class PageReply extends ListReply {
  readonly type = JSON_TYPE;

  constructor(
    /** Records as the text of a JSON array without its brackets. */
    private readonly rows: string | Parts,
    private readonly total: number,
    private readonly at: { page: number; pageSize: number },
    /** Returns such a text as the caller may see it. */
    private readonly reveal?: (records: string) => string,
  ) {
    super();
  }

  get source(): Parts | undefined {
    return typeof this.rows === 'string' ? undefined : this.rows;
  }

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

  /** Every part but the first starts with the comma that separates it. */
  private revealed(part: string): string {
    return part.startsWith(',') ? `,${this.reveal!(part.slice(1))}` : this.reveal!(part);
  }

  private get end(): string {
    const { page, pageSize } = this.at;
    return `],"total":${this.total},"page":${page},"pageSize":${pageSize},"hasMore":${page * pageSize < this.total}}`;
  }
}

const START = '{"data":[';

/** A list as the lines of a file. */
export class FileReply extends ListReply {
  constructor(
    readonly source: Parts,
    readonly type: string,
    override readonly filename: string,
    /** Text before the first line. */
    private readonly head = '',
    /** Returns a part, which is whole lines, as the caller may see it. */
    private readonly reveal?: (lines: string) => string,
  ) {
    super();
  }

  get body(): Readable {
    return Readable.from(this.unhurried());
  }

  private async *unhurried(): AsyncGenerator<string | Buffer> {
    if (this.head !== '') yield this.head;
    for await (const part of this.source.parts()) {
      yield this.reveal ? this.reveal(String(part)) : part;
      await pass();
    }
  }
}

/** Strong entity tag of a record as its caller sees it. It changes with anything that the response shows. */
export const etagOf = (json: string): string => `"${hash('sha1', json, 'base64url')}"`;

/** Whether a header value like `"a", W/"b"` contains the tag. `If-None-Match` compares weakly, `If-Match` strongly. */
export function matches(header: string, etag: string, weak: boolean): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((entry) => {
    const tag = entry.trim();
    return (weak ? tag.replace(/^W\//, '') : tag) === etag;
  });
}
