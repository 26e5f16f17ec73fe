/*
 * What makes a table one of records: kept counts, the change log and the indexes of its list. Migrations are frozen, and so
 * is this file: where the pattern changes, a later migration changes the tables, and tables after it use a helper of
 * that day. `test/migrations/frozen.spec.ts` holds the digest of the SQL that every migration runs.
 */

const HOUR = `date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00:00Z')`;

/** Statements that keep a table's counts from now on. */
export const countRecords = (name: string): string[] => [
  `INSERT INTO record_counts
    SELECT '${name}', coalesce(${HOUR}, 'infinity'), count(*) FROM ${name} GROUP BY GROUPING SETS ((${HOUR}), ()) HAVING count(*) > 0`,
  `CREATE TRIGGER ${name}_count_insert AFTER INSERT ON ${name} REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_records()`,
  `CREATE TRIGGER ${name}_count_delete AFTER DELETE ON ${name} REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_records()`,
  `CREATE TRIGGER ${name}_count_truncate AFTER TRUNCATE ON ${name}
    FOR EACH STATEMENT EXECUTE FUNCTION count_records()`,
  `CREATE TRIGGER ${name}_recount AFTER UPDATE OF created_at ON ${name}
    FOR EACH ROW WHEN (OLD.created_at IS DISTINCT FROM NEW.created_at) EXECUTE FUNCTION recount_record()`,
];

export const uncountRecords = (name: string): string[] =>
  ['count_insert', 'count_delete', 'count_truncate', 'recount'].map(
    (trigger) => `DROP TRIGGER ${name}_${trigger} ON ${name}`,
  );

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
export const listIndexes = (table: string, columns: ListedColumns): string[] => [
  searchIndex(table, columns),
  ...columns.lines.map((column) => `CREATE INDEX ix_${table}_${column}_order ON ${table} (${column} COLLATE "C", id)`),
];

/** Statement that makes the index over the trigrams of what is searched. */
export function searchIndex(table: string, { lines, texts = [] }: ListedColumns): string {
  // A short list of what waits to be sorted into the index: searches read all of it.
  const trigrams = `CREATE INDEX ix_${table}_search ON ${table} USING gin (${[...lines, ...texts]
    .map((column) => `${column} gin_trgm_ops`)
    .join(', ')}) WITH (gin_pending_list_limit = 256)`;
  return `DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  ${trigrams};
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching ${table} will read all of it';
END
$$`;
}

export const dropListIndexes = (table: string, { lines }: ListedColumns): string[] =>
  listIndexNames(table, lines).map((name) => `DROP INDEX IF EXISTS ${name}`);

export interface Logged {
  area?: string;
  /** Column that names a record. */
  name?: string;
  /** Columns whose values are withheld. */
  secrets?: readonly string[];
}

/** Statements that log the changes of a table's records from now on. */
export function logChanges(table: string, { area = '', name = 'name', secrets = [] }: Logged): string[] {
  const run = `EXECUTE FUNCTION log_changes(${[area, name, ...(secrets.length > 0 ? [secrets.join(',')] : [])]
    .map((argument) => `'${argument}'`)
    .join(', ')})`;
  return [
    `CREATE TRIGGER ${table}_log_insert AFTER INSERT ON ${table} REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT ${run}`,
    `CREATE TRIGGER ${table}_log_update AFTER UPDATE ON ${table} REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT ${run}`,
    `CREATE TRIGGER ${table}_log_delete AFTER DELETE ON ${table} REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT ${run}`,
    `CREATE TRIGGER ${table}_log_truncate BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT ${run}`,
  ];
}

export const unlogChanges = (table: string): string[] =>
  ['insert', 'update', 'delete', 'truncate'].map((event) => `DROP TRIGGER ${table}_log_${event} ON ${table}`);

/** A table of records, as the statements that make it one need to know it. */
export interface RecordTable extends Logged {
  /** Columns that its list is searched in; undefined for parts, which have a list of their owner's only. */
  list?: ListedColumns;
  /** Columns of a part that the search of everything reads. */
  searched?: ListedColumns;
}

/**
 * Statements that make a new table one of records: the change log with the times of its entries, and the kept count and
 * the indexes of its list.
 */
export const trackRecords = (table: string, { list, searched, ...logged }: RecordTable): string[] => [
  ...logChanges(table, logged),
  // Triggers of one event run in the order of their names: this one is the last, after those that change the record.
  `CREATE TRIGGER ${table}_stamp BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION stamp_record()`,
  ...(list ? [...countRecords(table), ...listIndexes(table, list)] : []),
  ...(searched ? [searchIndex(table, searched)] : []),
];

/** Statements to run before such a table is dropped, which takes its triggers and indexes along. */
export const untrackRecords = (table: string): string[] => [`DELETE FROM record_counts WHERE table_name = '${table}'`];
