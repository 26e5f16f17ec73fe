import type { PoolConfig } from 'pg';
import type { Database } from '../database/database.js';
import { connect, refuseUnfit } from '../database/settings.js';
import { raw, sql } from '../database/sql.js';
import { opening } from './open-database.js';

/** A table whose copy is compared with the original. */
export interface ComparedTable {
  table: string;
  rows: string;
  digest: string;
}

interface Table {
  name: string;
  /** Columns to write, in the order of their names, without generated columns. */
  columns: string[];
  types: string[];
}

type Row = Record<string, string>;
type Target = <R extends object = Row>(text: string, values?: unknown[]) => Promise<R[]>;

const GIVE_ANOTHER = 'Give a new, empty database';

/** The target already has these rows, because it has the same version. */
const OF_THE_SCHEMA = ['applied_functions', 'migrations'];

/** Tables that have rows from the start. */
const FILLED_BY_MIGRATIONS = ['change_log_numbering', 'change_log_pruned'];

/** Without partitions, which are read and written through their tables. */
const TABLES = sql`SELECT c.relname AS name,
    array_agg(quote_ident(a.attname)::text ORDER BY a.attname) AS columns,
    array_agg(format_type(a.atttypid, a.atttypmod) ORDER BY a.attname) AS types
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace AND c.relname <> ALL(${OF_THE_SCHEMA})
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  GROUP BY 1 ORDER BY 1`;

/** Tables and views of a database, without those of extensions. */
const RELATIONS = `SELECT relname AS name FROM pg_class c WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND relnamespace = current_schema()::regnamespace
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e') ORDER BY 1`;

const PARTITIONS = `SELECT c.relname AS name, p.relname AS of, pg_get_expr(c.relpartbound, c.oid) AS bound,
    ARRAY(SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgparentid = 0) AS triggers
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
  WHERE c.relispartition AND c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace ORDER BY 1`;

const SEQUENCES = `SELECT sequencename::text AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1`;

/** Statements that disable and re-enable the effects of written rows: triggers and foreign keys. */
const RULES = `SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname) AS off,
    format('ALTER TABLE %s ENABLE %s TRIGGER %I', tgrelid::regclass, CASE tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' ELSE '' END, tgname) AS on
  FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
  WHERE NOT tgisinternal AND tgparentid = 0 AND tgenabled <> 'D' AND c.relnamespace = current_schema()::regnamespace
  UNION ALL SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
  FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND connamespace = current_schema()::regnamespace`;

/**
 * Refuses a database that is in use, before migrations change it.
 * @throws Error with a sentence for the operator
 */
export async function refuseUsed(target: PoolConfig): Promise<void> {
  const client = await opening('the address', () => connect(target));
  const run: Target = async <R extends object>(text: string, values?: unknown[]) =>
    (await client.query<R>(text, values)).rows;
  try {
    await refuseUnfit({ query: ({ text, values }) => run(text, [...values]) });
    const names = (await run(RELATIONS)).map(({ name }) => name!);
    if (names.length === 0) return;
    if (!names.includes('migrations'))
      throw new Error(`The target has tables of another application: ${names.join(', ')}. ${GIVE_ANOTHER}`);
    await refuseRows(run, await tablesOf(run));
  } finally {
    await client.end();
  }
}

/**
 * Copies every row, and the state of every sequence, into a database with the same tables and no rows, in one transaction. Triggers do
 * not run, so that ids, times, the change log and maintained totals are those of the source. Foreign keys are checked at the end.
 * @param source must not be written to meanwhile
 * @param target where to connect to, as the role that owns the tables
 * @param compared is called for each table, after the copy and before the commit
 * @throws Error with a sentence for the operator; the target is then unchanged
 */
export async function copyDatabase(
  source: Database,
  target: PoolConfig,
  compared: (table: ComparedTable) => void,
): Promise<void> {
  const client = await connect(target);
  const run: Target = async <R extends object>(text: string, values?: unknown[]) =>
    (await client.query<R>(text, values)).rows;
  try {
    await run('BEGIN');
    const tables = await sameTables(source, run);
    await run(`LOCK TABLE ${tables.map(({ name }) => name).join(', ')} IN ACCESS EXCLUSIVE MODE`);
    await refuseRows(run, tables);
    const rules = await run(RULES);
    for (const { off } of rules) await run(off!);
    // Rows that migrations have inserted.
    await run(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`);
    await copyPartitions(source, run);
    for (const table of tables) await copyRows(source, run, table);
    for (const { name, last } of await source.query<Row>(raw(SEQUENCES))) {
      if (last !== null) await run('SELECT setval($1::regclass, $2::bigint)', [name, last]);
    }
    for (const { on } of rules) await run(on!);
    // Their triggers are created with the definitions.
    await run('SELECT hold_transitions_of(resource, field) FROM transitions GROUP BY resource, field');
    await run(
      'SELECT hold_new_custom_fields(resource) FROM custom_fields, unnest(resources) resource GROUP BY resource',
    );
    for (const table of tables) compared(await compare(source, run, table));
    const [before, after] = [await source.query<Row>(raw(SEQUENCES)), await run(SEQUENCES)];
    if (JSON.stringify(before) !== JSON.stringify(after))
      throw new Error('The sequences of the copy differ. Nothing was moved');
    await run('COMMIT');
  } finally {
    // Without a COMMIT this undoes everything.
    await client.end();
  }
}

const tablesOf = (run: Target): Promise<Table[]> => run<Table>(TABLES.text, [...TABLES.values]);

/** @throws Error unless the tables of both have the same columns */
async function sameTables(source: Database, run: Target): Promise<Table[]> {
  const tables = await source.query<Table>(TABLES);
  const others = new Map((await tablesOf(run)).map((table) => [table.name, table]));
  for (const table of tables) {
    if (JSON.stringify(others.get(table.name)) !== JSON.stringify(table)) {
      throw new Error(`The table ${table.name} of the target is not that of this version. ${GIVE_ANOTHER}`);
    }
    others.delete(table.name);
  }
  if (others.size > 0) {
    throw new Error(`The target has tables of another application: ${[...others.keys()].join(', ')}. ${GIVE_ANOTHER}`);
  }
  return tables;
}

/** @throws Error if there are rows besides those that migrations insert */
async function refuseRows(run: Target, tables: Table[]): Promise<void> {
  const [held] = await run(
    `SELECT name FROM (${tables.map(({ name }) => `SELECT '${name}' AS name, EXISTS (SELECT FROM ${name}) AS filled`).join(' UNION ALL ')}) t
     WHERE filled AND name <> ALL($1) LIMIT 1`,
    [FILLED_BY_MIGRATIONS],
  );
  if (held) throw new Error(`The target is not empty: ${held.name} has rows. ${GIVE_ANOTHER}`);
}

async function copyPartitions(source: Database, run: Target): Promise<void> {
  const made = new Set((await run(PARTITIONS)).map(({ name }) => name));
  const given = await source.query<{ name: string; of: string; bound: string; triggers: string[] }>(raw(PARTITIONS));
  for (const { name, of, bound, triggers } of given.filter((partition) => !made.has(partition.name))) {
    await run(`CREATE TABLE ${name} (LIKE ${of} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
    await run(`ALTER TABLE ${of} ATTACH PARTITION ${name} ${bound}`);
    for (const trigger of triggers) await run(trigger);
  }
}

/** The values are copied as PostgreSQL's texts, so that the service converts none of them. */
async function copyRows(source: Database, run: Target, { name, columns, types }: Table): Promise<void> {
  const aliases = columns.map((_, index) => `c${index}`);
  const insert = `INSERT INTO ${name} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE
    SELECT ${aliases.map((alias, index) => `${alias}::${types[index]}`).join(', ')}
    FROM unnest(${aliases.map((_, index) => `$${index + 1}::text[]`).join(', ')}) AS r(${aliases.join(', ')})`;
  for await (const rows of source.stream(
    sql`SELECT ${raw(columns.map((column) => `${column}::text`).join(', '))} FROM ${raw(name)}`,
  )) {
    await run(
      insert,
      columns.map((_, index) => rows.map((row) => row[index])),
    );
  }
}

/** Numbers of rows, and sums of the digests of the rows. @throws Error if they differ */
async function compare(source: Database, run: Target, { name, columns }: Table): Promise<ComparedTable> {
  const text = `SELECT '${name}' AS table, count(*)::text AS rows,
      md5(concat(sum(('x' || left(h, 15))::bit(60)::bigint), ' ', sum(('x' || right(h, 15))::bit(60)::bigint))) AS digest
    FROM ${name} t, md5(ROW(${columns.map((column) => `t.${column}`).join(', ')})::text) h`;
  const [before] = await source.query<ComparedTable & object>(raw(text));
  const [after] = await run<ComparedTable>(text);
  if (before!.rows !== after!.rows || before!.digest !== after!.digest) {
    throw new Error(`The copy of ${name} differs: ${after!.rows} rows instead of ${before!.rows}. Nothing was moved`);
  }
  return after!;
}
