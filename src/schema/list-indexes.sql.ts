/** Columns that a list is searched in. */
export interface ListedColumns {
  /** One-line texts: names and numbers, which lists are also sorted by and asked for by their whole value. */
  lines: readonly string[];
  /** Long texts, and expressions. */
  texts?: readonly string[];
}

/** Names of the indexes that `listIndexes` makes, for TypeORM, which has none of their kind. */
export const listIndexNames = (table: string, lines: readonly string[]): string[] => [
  `ix_${table}_search`,
  ...lines.map((column) => `ix_${table}_${column}_order`),
];

/**
 * Statements that make what serves a list, besides the indexes of its columns: one over the trigrams of what is searched,
 * so that a text is found anywhere in it; and one for each name or number, in the order that it is sorted and compared in.
 *
 * Trigrams are an extension of PostgreSQL that a few installations lack, or keep from ordinary roles: lists are right
 * without it, and read the whole table to search it.
 */
export function listIndexes(table: string, { lines, texts = [] }: ListedColumns): string[] {
  // A short list of what waits to be sorted into the index: searches read all of it.
  const trigrams = `CREATE INDEX ix_${table}_search ON ${table} USING gin (${[...lines, ...texts]
    .map((column) => `${column} gin_trgm_ops`)
    .join(', ')}) WITH (gin_pending_list_limit = 256)`;
  return [
    `DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  ${trigrams};
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching ${table} will read all of it';
END
$$`,
    ...lines.map((column) => `CREATE INDEX ix_${table}_${column}_order ON ${table} (${column} COLLATE "C", id)`),
  ];
}

export const dropListIndexes = (table: string, { lines }: ListedColumns): string[] =>
  listIndexNames(table, lines).map((name) => `DROP INDEX IF EXISTS ${name}`);
