/*
 * The additions that make a table one of records: the triggers of the change log and of the maintained counts, which are created with
 * the functions, and the indexes of its list, which `npm run migration:generate` writes into migrations.
 */

/** Columns that a list is searched in. */
interface ListedColumns {
  /** One-line texts: names and numbers. Lists are also sorted and filtered by them. */
  lines: readonly string[];
  /** Long texts, and expressions. */
  texts: readonly string[];
  /** Whether a record may have none of them. */
  optional: boolean;
}

/** A table of records, with the data for its triggers and indexes. */
export interface RecordTable {
  table: string;
  /** All of them: the trigger of updates compares each. */
  columns: readonly string[];
  /** Area of the resource. */
  area?: string;
  /** Column that names a record. */
  name: string;
  /** Columns whose values are withheld from the change log. */
  secrets: readonly string[];
  /** Columns whose values are counted. */
  counted: readonly string[];
  /** Whether the resource has a list of its own. Most parts have only the list of their owner. */
  listed: boolean;
  searched: ListedColumns;
  /** Columns of slugs, for which free values are searched. */
  slugs: readonly string[];
  /** Whether its records have custom fields. */
  custom: boolean;
}

const quoted = (text: string): string => `'${text}'`;

/** Arguments of the triggers of a table of records; the SQL is in `functions/log_records.sql`. */
export const triggerArguments = ({ area = '', name, secrets, counted, listed }: RecordTable): string[] => [
  area,
  name,
  `{${secrets.join(',')}}`,
  `{${counted.join(',')}}`,
  listed ? 't' : 'f',
];

/** Statement that makes the triggers of a table of records. @param given `triggerArguments` */
export const logRecords = (table: string, given: readonly string[]): string =>
  `SELECT log_records(${[table, ...given].map(quoted).join(', ')})`;

/** Name of the index of a list of the records with one value. */
export const valueIndexName = (table: string, column: string): string => `ix_${table}_${column}_created_at_id`;

/** Name of the index over the custom values of a table's records. */
export const customIndexName = (table: string): string => `ix_${table}_custom_fields`;

/**
 * Statements that create the indexes of a table of records, by index name: one over the trigrams of the searched texts; one for each
 * name, number or slug, for sorting and comparing; one for each counted column, in the order of creation; and one over the custom
 * values. TypeORM supports none of these kinds.
 */
export function listIndexes({ table, counted, listed, searched, slugs, custom }: RecordTable): Map<string, string> {
  const { lines, texts } = searched;
  const indexes = new Map<string, string>();
  if (lines.length + texts.length > 0)
    indexes.set(`ix_${table}_search`, searchIndex(table, [...lines, ...texts], searched.optional));
  for (const column of listed ? [...lines, ...slugs] : []) {
    const name = `ix_${table}_${column}_order`;
    indexes.set(name, `CREATE INDEX ${name} ON ${table} (${column} COLLATE "C", id)`);
  }
  for (const column of counted) {
    const name = valueIndexName(table, column);
    indexes.set(name, `CREATE INDEX ${name} ON ${table} (${column} COLLATE "C", created_at, id)`);
  }
  // Covers only records with custom values. Without custom fields it is empty and costs nothing.
  if (custom) {
    const name = customIndexName(table);
    indexes.set(
      name,
      `CREATE INDEX ${name} ON ${table} USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
    );
  }
  return indexes;
}

/**
 * Trigrams are an extension of PostgreSQL that some installations lack, or deny to ordinary roles. Without it, a search reads the whole
 * table. The pending list of the index is short, because every search reads all of it.
 * @param optional whether most records have none of the texts, and need no entry
 */
const searchIndex = (table: string, columns: readonly string[], optional: boolean): string => `DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_${table}_search ON ${table} USING gin (${columns.map((column) => `${column} gin_trgm_ops`).join(', ')}) WITH (gin_pending_list_limit = 256)${optional ? ` WHERE ${columns.map((column) => `${column} IS NOT NULL`).join(' OR ')}` : ''};
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching ${table} will read all of it';
END
$$`;
