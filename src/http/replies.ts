import { createHash } from 'node:crypto';

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

/** A page of records, with what the envelope says about it. */
export class ListReply {
  constructor(
    /** JSON array. */
    readonly rows: string,
    readonly total: number,
    readonly page: number,
    readonly pageSize: number,
  ) {}

  get json(): string {
    const { rows, total, page, pageSize } = this;
    return `{"data":${rows},"total":${total},"page":${page},"pageSize":${pageSize},"hasMore":${page * pageSize < total}}`;
  }
}

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
