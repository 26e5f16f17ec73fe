import type { Caller } from '../access/access.js';
import type { Database } from '../database/database.js';
import { FileReply } from '../http/replies.js';
import type { AnswerMemory } from './answer-memory.js';
import { csvForm, jsonForm, textForm } from '../database/lines.js';
import { cellOf, END_OF_LINE, guardedText } from '../files/csv.js';
import { MEDIA_TYPES, type FileFormat } from '../parameters/list-format.js';
import { LongLists } from './long-lists.js';
import type { Secrets } from '../access/secrets.js';

/** A file that a list is exported as. */
export interface Export {
  format: FileFormat;
  /** Name of the file, without its extension. */
  name: string;
  /** SELECT of one row per line: the cells of a CSV, or the properties of JSON. */
  sql: string;
  /** Whether a row has the whole line as its only cell: JSON, or with secrets, a JSON array of the cells of a CSV. */
  isMade?: boolean;
  values: readonly unknown[];
  /** Headers of the columns of a CSV. */
  headers: readonly string[];
  /** Encrypted secrets in the lines that the caller may read. */
  secrets?: Sealed;
}

interface Sealed {
  /** Properties of a line of JSON. */
  properties: readonly string[];
  /** Positions in a line of CSV, which is a JSON array of its cells. */
  columns: readonly number[];
  raw: boolean;
}

/** Streams lists as files. PostgreSQL makes the cells, and the service makes lines of their bytes. */
export class Exports {
  private readonly lists: LongLists;

  constructor(
    db: Database,
    memory: AnswerMemory,
    private readonly secrets: Secrets,
  ) {
    this.lists = LongLists.ofLines(db, memory);
  }

  /** @param whenEmpty called if there are no lines, before the response begins @throws DomainError unavailable */
  async read(caller: Caller, file: Export, whenEmpty?: () => Promise<void>): Promise<FileReply> {
    const { format, name, sql, isMade, values, headers, secrets } = file;
    const isCsv = format === 'csv';
    const form = isMade ? textForm : isCsv ? csvForm : jsonForm;
    const { first, follower } = await this.lists.read(caller.profileId, sql, values, { form });
    try {
      if (first === 0) await whenEmpty?.();
    } catch (error) {
      follower.leave();
      throw error;
    }
    return new FileReply(
      follower,
      `${MEDIA_TYPES[format]}; charset=utf-8`,
      `${name}.${format}`,
      isCsv ? headers.join(',') + END_OF_LINE : undefined,
      secrets && ((part) => (isCsv ? this.cells(part, secrets) : this.records(part, secrets, caller))),
    );
  }

  private records(part: string, { properties }: Sealed, caller: Caller): string {
    // A dot would not match all characters that a JSON text may contain.
    return part.replaceAll(/[^\n]+/g, (json) => this.secrets.reveal(json, properties, caller));
  }

  private cells(part: string, { columns, raw }: Sealed): string {
    const secret = (sealed: string): string =>
      raw ? this.secrets.open(sealed) : guardedText(this.secrets.open(sealed));
    return part.replaceAll(/([^\n]+)\n/g, (_, json: string) => {
      const cells = JSON.parse(json) as (string | null)[];
      for (const column of columns) {
        const sealed = cells[column];
        cells[column] = typeof sealed === 'string' ? secret(sealed) : null;
      }
      return cells.map(cellOf).join(',') + END_OF_LINE;
    });
  }
}
