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
    /** The status if it differs from the route's: the request was recorded as a plan and not carried out. */
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
  /** Version of the record that `If-Match` compares. Without a version, the entity tag matches no `If-Match`. */
  version?: string;
  /** Value of the header `Link`: other resources that the response concerns. */
  link?: string;
  /** Properties that are shown only once. They are not part of the record or of its entity tag, and are never stored. */
  once?: Readonly<Record<string, string>>;
  /** Properties beside `data`. */
  beside?: Readonly<Record<string, unknown>>;
  /** Whether the response contains more than the record itself. The entity tag is then weak. */
  isWeak?: boolean;
}

/** JSON text of one record from the database, before it is wrapped in the envelope. */
export class RecordReply {
  readonly kind = 'record';

  constructor(
    readonly id: string,
    /** The secrets in it are still encrypted. The envelope decrypts them for callers who may read them. */
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
    /** Pieces of the text in order. Pieces at odd positions are records from the database. */
    readonly pieces: readonly string[],
    /** Properties of the records that are still encrypted. */
    readonly secrets: readonly string[] = [],
    /** Whether everything was rolled back. */
    readonly dryRun = false,
  ) {}
}

/** A complete response body without the envelope, as a text or stream of this media type. */
export class BodyReply {
  readonly kind = 'body';

  constructor(
    readonly type: string,
    readonly body: string | Readable,
  ) {}
}

/** A complete response body of another media type, which clients may cache and revalidate with its `ETag`. */
export class DocumentReply {
  readonly kind = 'document';

  constructor(
    readonly type: string,
    readonly etag: string,
    /** A stream if it is long; undefined if the client already has the text. */
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
    /** File name for saving the response. */
    readonly filename?: string,
    /** The cursor of its last row, if a page follows. */
    readonly next?: string,
  ) {}

  /** The same page with further properties beside `data`. A file cannot have any. */
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

/** The position of a page in a list. */
export interface PageOf {
  page: number;
  pageSize: number;
  /** Number of all rows; null or undefined if it was not requested. */
  total?: number | null;
  /** Number of rows, or at least of the rows up to the first one after this page. */
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
 * Strong entity tag of a record as its caller sees it. It changes with everything that the response shows.
 * @param version of the record. It precedes the digest of the response, so that `If-Match` can compare it alone
 */
export const etagOf = (json: string, version?: string): string =>
  `"${version === undefined ? '' : `${version}.`}${hash('sha1', json, 'base64url')}"`;

/** The record versions in an `If-Match`; undefined if any version will do (`*`, or no such header). Weak or foreign tags have no version. */
export function versionsIn(ifMatch = '*'): string[] | undefined {
  if (ifMatch.trim() === '*') return undefined;
  return ifMatch.split(',').flatMap((tag) => /^"([0-9a-f]+)\.[^"]*"$/.exec(tag.trim())?.[1] ?? []);
}

/** Whether an `If-None-Match` such as `"a", W/"b"` contains the tag. */
export function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
