import { etagOf } from '../http/replies.js';
import { sql, type Sql } from '../database/sql.js';
import type { OutputRequest } from './output-parameters.js';

/** An output that is made of rows, one by one. */
export interface Output<R> {
  /** Media type. */
  readonly type: string;
  /** Takes a row. @returns the text that follows */
  add(row: R): string;
  /** The texts after the last row. @throws DomainError if there must be no such output */
  rest(): Iterable<string>;
}

/** Texts of about this many characters are sent at once. */
const PIECE = 64 * 1024;

/** Joins short texts to longer ones. */
export function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** Must be raised with every change of the output for the same rows. */
const FORM = 3;

/**
 * The entity tag of an output. What a request makes of rows depends on nothing else, so it covers every byte. Filters and order only
 * say which rows.
 * @param digest of the rows
 */
export function outputTag(name: string, request: OutputRequest, digest: string): string {
  const { filters: _filters, sort: _sort, ...own } = request;
  return etagOf(JSON.stringify([FORM, name, own, digest]));
}

/** SELECT of `digest`: the SHA-256 of those of all rows, in their order. @param rows SELECT of texts */
export const digestOf = (rows: Sql): Sql =>
  sql`SELECT encode(sha256(coalesce(string_agg(sha256(convert_to(r.row, 'UTF8')), ''::bytea), ''::bytea)), 'hex') AS digest FROM (${rows}) r (row)`;
