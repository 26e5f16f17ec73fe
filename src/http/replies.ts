import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { SvgReply } from './svg.js';

/** Media type of every response with a body, except for Swagger UI. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** JSON text for `data` that is not a record at its own path, and therefore has no `ETag`. */
export class PlainReply {
  readonly kind = 'plain';

  constructor(
    readonly json: string,
    /** Status, if it is not that of the route: the request is written down, and not carried out. */
    readonly status?: 202,
    /** JSON text of further properties beside `data`, each after a comma. */
    readonly beside = '',
    readonly etag?: string,
  ) {}

  static of(data: unknown, status?: 202): PlainReply {
    return new PlainReply(JSON.stringify(data), status);
  }
}

class EmptyReply {
  readonly kind = 'empty';
}

/** Metadata of a record in a response. */
interface Surroundings {
  /** Version of the record that `If-Match` compares. Without one the entity tag of the response suits no `If-Match`. */
  version?: string;
  /** Value of the header `Link`: what else the response concerns. */
  link?: string;
  /** What the response shows only once. It is not part of the record or of its entity tag, and is never stored. */
  once?: Readonly<Record<string, string>>;
  /** Properties beside `data`. */
  beside?: Readonly<Record<string, unknown>>;
  /** Whether the response shows more than the record itself, so that its entity tag is weak. */
  isWeak?: boolean;
}

/** JSON text of one record from the database, before it is wrapped in the envelope. */
export class RecordReply {
  readonly kind = 'record';

  constructor(
    readonly id: string,
    /** Its secrets are still encrypted. The envelope decrypts them for callers who may read them. */
    readonly json: string,
    readonly secrets: readonly string[] = [],
    readonly surroundings: Surroundings = {},
  ) {}

  /** The same record with links to what it concerns. */
  linkedTo(link: string | undefined): RecordReply {
    return new RecordReply(this.id, this.json, this.secrets, { ...this.surroundings, link });
  }

  /** The same record with properties that are shown only once. */
  with(once: Readonly<Record<string, string>>): RecordReply {
    return new RecordReply(this.id, this.json, this.secrets, { ...this.surroundings, once });
  }
}

/** The response of an action: JSON text for `data`, with whole records in it. */
export class ActionReply {
  readonly kind = 'action';

  constructor(
    /** Pieces of the text in their order. Those at odd positions are records from the database. */
    readonly pieces: readonly string[],
    /** Properties of the records that are still encrypted. */
    readonly secrets: readonly string[] = [],
    /** Whether everything was undone again. */
    readonly dryRun = false,
  ) {}
}

/** A whole response body, as a text or a stream of this media type, in a form of its own. */
export class BodyReply {
  readonly kind = 'body';

  constructor(
    readonly type: string,
    readonly body: string | Readable,
  ) {}
}

/** A text of another media type as the whole response body, which clients may keep and ask about again with its `ETag`. */
export class DocumentReply {
  readonly kind = 'document';

  constructor(
    readonly type: string,
    readonly etag: string,
    /** A stream if it is long; undefined if the client has the text already. */
    readonly body: string | Readable | undefined,
  ) {}
}

/** A list, as a page in the envelope or as a file. */
export class ListReply {
  readonly kind = 'list';

  constructor(
    readonly type: string,
    /** The response body: a stream if it is long. */
    readonly body: string | Readable,
    /** Name of the file that the response is to be saved as. */
    readonly filename?: string,
    /** The cursor of its last row, if a page follows. */
    readonly next?: string,
  ) {}

  /** The same page with further properties beside `data`. A file has no place for them. */
  beside(more: Readonly<Record<string, string | number | boolean>>): ListReply {
    if (this.filename !== undefined || typeof this.body !== 'string') return this;
    return new ListReply(this.type, `${this.body.slice(0, -1)},${JSON.stringify(more).slice(1)}`, undefined, this.next);
  }
}

const REPLIES = [
  ActionReply,
  BodyReply,
  DocumentReply,
  EmptyReply,
  ListReply,
  PlainReply,
  RecordReply,
  SvgReply,
] as const;

/** The result of a handler. The envelope has a case for each `kind`. */
export type Reply = InstanceType<(typeof REPLIES)[number]>;

/** The result of a handler as a reply: a value is `data`, and nothing is a response without a body. */
export function replyOf(result: unknown): Reply {
  if (result === undefined) return new EmptyReply();
  return REPLIES.some((reply) => result instanceof reply) ? (result as Reply) : PlainReply.of(result);
}

export const PAGE_START = '{"data":[';

/** Where a page of a list is. */
export interface PageOf {
  page: number;
  pageSize: number;
  /** Number of all rows; null or undefined if it is not asked for. */
  total?: number | null;
  /** Number of the rows from which the pages are counted, or at least of those up to the one after this page. */
  reach: number;
  /** The cursor of its last row, if a page follows. */
  next?: string;
}

/** The end of the envelope of a page. */
export function pageEnd({ page, pageSize, total, reach }: PageOf): string {
  const counted = typeof total === 'number' ? `"total":${total},` : '';
  return `],${counted}"page":${page},"pageSize":${pageSize},"hasMore":${page * pageSize < reach}}`;
}

/** @param rows records as the text of a JSON array without its brackets */
export const pageReply = (rows: string, at: PageOf): ListReply =>
  new ListReply(JSON_TYPE, PAGE_START + rows + pageEnd(at), undefined, at.next);

/**
 * Strong entity tag of a record as its caller sees it. It changes with anything that the response shows.
 * @param version of the record, which stands before the digest of the response, so that `If-Match` can compare it alone
 */
export const etagOf = (json: string, version?: string): string =>
  `"${version === undefined ? '' : `${version}.`}${hash('sha1', json, 'base64url')}"`;

/**
 * The versions of a record in the tags of an `If-Match`; undefined if any will do (`*`, or no such header). Tags that are weak or none
 * of ours have no version.
 */
export function versionsIn(ifMatch = '*'): string[] | undefined {
  if (ifMatch.trim() === '*') return undefined;
  return ifMatch.split(',').flatMap((tag) => /^"([0-9a-f]+)\.[^"]*"$/.exec(tag.trim())?.[1] ?? []);
}

/** Whether an `If-None-Match` such as `"a", W/"b"` contains the tag. */
export function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
