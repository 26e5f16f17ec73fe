import { etagOf } from '../http/replies.js';
import { sql, type Sql } from '../database/sql.js';
import type { OutputRequest } from './output-parameters.js';

/** An output that is built row by row. */
export interface Output<R> {
  /** Media type. */
  readonly type: string;
  /** Adds a row. @returns the text for it */
  add(row: R): string;
  /** The texts after the last row. @throws DomainError if the output is refused */
  rest(): Iterable<string>;
}

/** Texts are joined up to about this many characters. */
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

/** Must be increased with every change of the output for the same rows. */
const FORM = 3;

/**
 * The entity tag of an output. Apart from the rows, an output depends only on its parameters, so the tag covers every byte. Filters and
 * order only select the rows.
 * @param digest of the rows
 */
export function outputTag(name: string, request: OutputRequest, digest: string): string {
  const { filters: _filters, sort: _sort, ...own } = request;
  return etagOf(JSON.stringify([FORM, name, own, digest]));
}

/** SELECT of `digest`: the SHA-256 of the digests of all rows, in order. @param rows SELECT of texts */
export const digestOf = (rows: Sql): Sql =>
  sql`SELECT encode(sha256(coalesce(string_agg(sha256(convert_to(r.row, 'UTF8')), ''::bytea), ''::bytea)), 'hex') AS digest FROM (${rows}) r (row)`;
