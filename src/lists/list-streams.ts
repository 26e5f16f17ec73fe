import type { Readable } from 'node:stream';
import type { Caller } from '../access/access.js';
import type { RequestContext } from './request-context.js';
import type { Secrets } from '../access/secrets.js';
import type { Database } from '../database/database.js';
import type { TextRow } from '../database/row-stream.js';
import { sql, type Sql } from '../database/sql.js';
import { FairQueue } from '../http/fair-queue.js';
import { JSON_TYPE, ListReply, PAGE_START, pageEnd, type PageOf, pageReply } from '../http/replies.js';
import type { Spool } from '../http/spool/spool.js';
import { guardedText, lineOf } from './csv.js';
import { type FileFormat, isCounted, MEDIA_TYPES, type PageRequest } from './parameters/paging.js';
import { type Cursor, type Order, reading } from './order.js';
import { textOf } from './record-sql.js';

/** Milliseconds that a long list waits in the queue. */
const TIMEOUT = 30_000;
const REFUSAL = 'Too many long lists are being read at the moment. Try again shortly, or ask for shorter pages';

/** The profile whose share a read uses. */
export type Reader = Pick<Caller, 'profileId'>;

/** Data of a page besides its rows. */
type Bounds = Pick<PageRequest, 'page' | 'pageSize' | 'total' | 'after'>;

/** A page of a list. Its rows are found once, and then counted and shown. */
interface FoundPage {
  /** CTEs, with all rows as `found`. */
  ctes: Sql;
  /**
   * SELECT of `total`, of `reach`, the number of rows that the pages are counted in, and of `next`, the place of the last row if
   * another page follows.
   */
  counted: Sql;
  order: Order;
  /** SELECT of `record`, the JSON text of each row of the page. */
  records: Sql;
  /** Whether one generic plan suits all values. The statement stays prepared, so there must be few of its kind. */
  isKept?: boolean;
}

/** A file that a list is exported as. */
interface Export {
  rows: Sql;
  format: FileFormat;
  /** Name of the file, without its extension. */
  name: string;
  /** Headers of a CSV. A row has a cell for each. A row of JSON lines has a single cell with its line. */
  headers: readonly string[];
  /** Encrypted secrets in the rows that the caller may read. */
  secrets?: {
    /** Properties of a line of JSON. */
    properties: readonly string[];
    /** Positions of cells of a CSV. */
    columns: readonly number[];
    raw: boolean;
  };
  /** Where it begins, if not at the beginning of the list. */
  after?: Cursor;
  /** Called with the number of all rows, which is the first cell of each row. */
  check?(total: number): void;
}

/** The texts of a response, made of rows. */
interface Texts {
  head: string;
  row(row: TextRow): string;
  /** The text between two rows. */
  between?: string;
  tail(): string;
}

interface CountedPage {
  total: number;
  reach: number;
  next: string | null;
  rows: string | null;
  /** Whether `rows` has only the first part of the page. */
  cut: boolean;
}

/** Sends lists of any length. PostgreSQL makes the texts of their rows, which are read in batches from one snapshot. */
export class ListStreams {
  // Half of the connections. The other half is for short requests.
  readonly queue: FairQueue;

  constructor(
    private readonly db: Database,
    private readonly spool: Spool,
    private readonly secrets: Secrets,
  ) {
    const places = Math.max(1, Math.floor(db.size / 2));
    const perCaller = Math.max(1, Math.floor(places / 2));
    this.queue = new FairQueue(places, { timeoutMs: TIMEOUT, message: REFUSAL, perCaller });
  }

  /**
   * A page in the envelope.
   * @param rows each with the JSON text of a record, `total`, `reach` and `next`, as `counted` of a page has them. An empty page is one
   * row without a record
   * @param reveal returns the text of a record as the caller may see it
   * @throws DomainError unavailable
   */
  async page(
    caller: Caller,
    rows: Sql,
    at: Bounds,
    order: Order,
    reveal?: (record: string) => string,
  ): Promise<ListReply> {
    const { page, pageSize } = at;
    const found: PageOf = { page, pageSize, reach: 0 };
    let place: string | null | undefined;
    const texts: Texts = {
      head: PAGE_START,
      row([record, total, reach, next]) {
        if (isCounted(at)) found.total = Number(total);
        found.reach = Number(reach);
        place = next;
        if (record === null || record === undefined) return '';
        return reveal ? reveal(record) : record;
      },
      between: ',',
      tail: () => pageEnd(found),
    };
    const body = await this.spool.send(caller.profileId, this.texts(caller, rows, texts));
    return new ListReply(JSON_TYPE, body, undefined, order.cursor(place));
  }

  /**
   * A page in the envelope: a text, or a stream if it is long.
   * @param check called with the number of all rows, before the response begins
   * @throws DomainError unavailable, and the errors of `check`
   */
  async found(
    { db, caller }: RequestContext,
    { ctes, counted, order, records, isKept = false }: FoundPage,
    at: Bounds,
    check?: (total: number) => Promise<void> | void,
  ): Promise<ListReply> {
    const statement = sql`WITH ${ctes}, counted AS MATERIALIZED (${counted}) SELECT counted.*, p.rows, p.cut FROM counted, (${textOf(records)}) p`;
    const [found] = await reading(at.after, () => db.query<CountedPage>(isKept ? statement : statement.unprepared()));
    const { total, reach, next, rows, cut } = found!;
    await check?.(total);
    const shown = isCounted(at) ? total : undefined;
    const { page, pageSize } = at;
    if (!cut) return pageReply(rows ?? '', { page, pageSize, total: shown, reach, next: order.cursor(next) });
    const each = sql`SELECT p.record, total, reach, next FROM counted LEFT JOIN LATERAL (${records}) p ON true`;
    return this.page(caller, sql`WITH ${ctes}, counted AS MATERIALIZED (${counted}) ${each}`, at, order);
  }

  /** @param whenEmpty called if there are no rows, before the response begins @throws DomainError unavailable */
  async file(caller: Caller, file: Export, whenEmpty?: () => Promise<void>): Promise<ListReply> {
    const { format, name, headers, check, after } = file;
    const isCsv = format === 'csv';
    const row = isCsv ? this.csvRow(file) : this.jsonRow(file, caller);
    const checked: Texts['row'] = ([total, ...cells]) => {
      check!(Number(total));
      return row(cells);
    };
    const texts: Texts = {
      head: isCsv ? lineOf(headers) : '',
      row: check ? checked : row,
      tail: () => '',
    };
    const made = this.texts(caller, file.rows, texts, whenEmpty);
    const body = await reading(after, () => this.spool.send(caller.profileId, made));
    return new ListReply(`${MEDIA_TYPES[format]}; charset=utf-8`, body, `${name}.${format}`);
  }

  /** A text of any other form. @throws DomainError unavailable */
  text(caller: Reader, rows: Sql, texts: Texts): Promise<string | Readable> {
    return this.spool.send(caller.profileId, this.texts(caller, rows, texts));
  }

  /** The same, once all texts are there. @throws DomainError unavailable, and the errors of all texts */
  whole(caller: Reader, texts: AsyncGenerator<string>): Promise<string | Readable> {
    return this.spool.whole(caller.profileId, texts);
  }

  private jsonRow({ secrets }: Export, caller: Caller): Texts['row'] {
    if (!secrets) return ([line]) => `${line}\n`;
    return ([line]) => `${this.secrets.reveal(line!, secrets.properties, caller)}\n`;
  }

  private csvRow({ secrets }: Export): Texts['row'] {
    if (!secrets) return lineOf;
    const { columns, raw: isRaw } = secrets;
    return (row) => {
      const cells = [...row];
      for (const column of columns) {
        const sealed = cells[column];
        if (sealed === null || sealed === undefined) continue;
        const secret = this.secrets.open(sealed);
        cells[column] = isRaw ? secret : guardedText(secret);
      }
      return lineOf(cells);
    };
  }

  /** The rows of a statement in batches, from one snapshot, when it is the caller's turn. @throws DomainError unavailable */
  async *batches(caller: Reader, rows: Sql): AsyncGenerator<TextRow[]> {
    const releaseQueue = await this.queue.acquire(caller.profileId);
    let releaseReads: (() => void) | undefined;
    try {
      releaseReads = await this.db.turnOf(caller.profileId);
      yield* this.db.stream(rows);
    } finally {
      releaseReads?.();
      releaseQueue();
    }
  }

  private async *texts(
    caller: Reader,
    read: Sql,
    { head, row, between = '', tail }: Texts,
    whenEmpty?: () => Promise<void>,
  ): AsyncGenerator<string> {
    let isEmpty = true;
    for await (const rows of this.batches(caller, read)) {
      yield isEmpty ? head : between;
      yield rows.map(row).join(between);
      isEmpty = false;
    }
    if (isEmpty) {
      await whenEmpty?.();
      yield head;
    }
    yield tail();
  }
}
