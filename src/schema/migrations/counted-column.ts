/*
 * How many records have each value of a column, kept as the counts of tables are (`record-table.ts`): each statement adds what it
 * changed as rows of its own, and every snapshot sums up to what it sees. A list of the records with one value has an index in
 * the order of creation. Migrations are frozen, and so is this file.
 */

/** Statements that may be repeated, and keep the counts of a column's values from now on. */
export const countValues = (table: string, column: string): string[] => [
  `CREATE OR REPLACE FUNCTION count_values_of_${column}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM value_counts WHERE table_name = TG_TABLE_NAME AND column_name = '${column}';
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO value_counts
      SELECT TG_TABLE_NAME, '${column}', value, delta FROM (VALUES (OLD.${column}, -1), (NEW.${column}, 1)) AS moved (value, delta)
      WHERE value IS NOT NULL;
  ELSE
    INSERT INTO value_counts
      SELECT TG_TABLE_NAME, '${column}', ${column}, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
      FROM changed WHERE ${column} IS NOT NULL GROUP BY ${column};
  END IF;
  RETURN NULL;
END
$$`,
  `CREATE OR REPLACE TRIGGER ${table}_count_${column}_insert AFTER INSERT ON ${table} REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_values_of_${column}()`,
  `CREATE OR REPLACE TRIGGER ${table}_count_${column}_delete AFTER DELETE ON ${table} REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_values_of_${column}()`,
  `CREATE OR REPLACE TRIGGER ${table}_count_${column}_truncate AFTER TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION count_values_of_${column}()`,
  // Not UPDATE OF: other triggers may change the column too.
  `CREATE OR REPLACE TRIGGER ${table}_count_${column}_update AFTER UPDATE ON ${table}
    FOR EACH ROW WHEN (OLD.${column} IS DISTINCT FROM NEW.${column}) EXECUTE FUNCTION count_values_of_${column}()`,
  // What was there before, without a lock: a snapshot sees records and their counts alike, and this makes up for the difference.
  `INSERT INTO value_counts SELECT '${table}', '${column}', value, sum(delta) FROM (
      SELECT ${column} AS value, count(*) AS delta FROM ${table} WHERE ${column} IS NOT NULL GROUP BY ${column}
      UNION ALL SELECT value, -delta FROM value_counts WHERE table_name = '${table}' AND column_name = '${column}'
    ) found GROUP BY value HAVING sum(delta) <> 0`,
];

/** Statement that makes the index of a list of the records with one value. @param how CONCURRENTLY or nothing */
export const indexOfValues = (table: string, column: string, how = ''): string =>
  `CREATE INDEX ${how} ${valueIndexName(table, column)} ON ${table} (${column} COLLATE "C", created_at, id)`;

/** Name of that index, for TypeORM, which has none of its kind. */
export const valueIndexName = (table: string, column: string): string => `ix_${table}_${column}_created_at_id`;

/** Statements that end the counts of a column's values and drop the index. */
export const uncountValues = (table: string, column: string): string[] => [
  ...['insert', 'delete', 'truncate', 'update'].map(
    (event) => `DROP TRIGGER ${table}_count_${column}_${event} ON ${table}`,
  ),
  `DROP INDEX ${valueIndexName(table, column)}`,
  `DELETE FROM value_counts WHERE table_name = '${table}' AND column_name = '${column}'`,
];
