import { randomUUID } from 'node:crypto';
import type { Executor } from '../database/executor.js';
import { identifier, join, literal, raw, sql, where, write, type Sql, type Write } from '../database/sql.js';
import { CUSTOM_COLUMN } from '../fields/record-entity.js';
import type { StoredRecord } from '../fields/record.js';
import { NotFound } from '../http/errors.js';
import type { RecordSql } from '../lists/record-sql.js';
import { conditionsOf, type Owner } from './owner.js';

/** Column values to write. */
export type Columns = Record<string, unknown>;

/** A record as JSON text, with its version (`RecordSql.version`). */
export interface JsonRow {
  id: string;
  json: string;
  version: string;
}

/** A record to insert: its columns, and the body that they come from. */
export interface NewRecord<T> {
  columns: Columns;
  body: Partial<T>;
}

/** An inserted record, with its JSON text and version if they were requested. */
export interface InsertedRow extends Partial<JsonRow> {
  id: string;
}

/** A change of a record: the columns that it sets, and the body that they come from. */
export interface Change<T> {
  id: string;
  columns: Columns;
  body: Partial<T>;
}

/** A changed record: its JSON text and version, or whether any column has another value. */
export interface ChangedRow extends InsertedRow {
  changed?: boolean;
}

/** The result of a write: whole records, or their ids only. */
export type Returning = 'records' | 'ids';

/** The records that a write reaches. */
export interface Scope {
  /** Only parts of this owner. */
  owner?: Owner;
  /** The record only in one of these versions. Of a write of one record. */
  versions?: readonly string[];
}

const CUSTOM_IDENTIFIER = identifier(CUSTOM_COLUMN);
const CUSTOM_NAME = literal(CUSTOM_COLUMN);

/** No record has the id and a requested version. */
export class StaleVersion extends Error {
  constructor() {
    super('The record does not exist, or has another version');
  }
}

/** The statements that write the records of a table. */
export class RecordWriter<T extends StoredRecord> {
  constructor(
    private readonly db: Executor,
    private readonly resource: RecordSql<T>,
  ) {}

  /**
   * Inserts one record by a statement of its columns, or several by one of the whole table.
   * @returns the rows in the order of the records
   */
  async insert(records: readonly NewRecord<T>[], returning: Returning): Promise<InsertedRow[]> {
    if (records.length === 0) return [];
    return records.length === 1 ? this.insertOne(records[0]!.columns, returning) : this.insertMany(records, returning);
  }

  private insertOne(columns: Columns, returning: Returning): Promise<InsertedRow[]> {
    const table = identifier(this.resource.table);
    const names = Object.keys(columns).map(identifier);
    const values = Object.values(columns).map((value) => sql`${value}`);
    const into = names.length > 0 ? sql`(${join(names)}) VALUES (${join(values)})` : raw('DEFAULT VALUES');
    return returning === 'records'
      ? this.db.write(write`INSERT INTO ${table} ${into} RETURNING *`.select(this.resource.selectVersioned('written')))
      : this.db.write(write`INSERT INTO ${table} ${into} RETURNING id`);
  }

  private async insertMany(records: readonly NewRecord<T>[], returning: Returning): Promise<InsertedRow[]> {
    const table = identifier(this.resource.table);
    // PostgreSQL does not promise the order of returned rows, so ids that are given beforehand identify them.
    const rows = records.map(({ columns }) => ({ id: randomUUID(), ...columns }));
    const insert = write`WITH defaults AS MATERIALIZED (
        SELECT jsonb_populate_record(NULL::${table}, with_defaults(${literal(this.resource.table)}, '{}')) AS row
      )
      INSERT INTO ${table}
      SELECT made.* FROM defaults, json_populate_recordset(defaults.row, ${JSON.stringify(rows)}) made RETURNING *`;
    if (returning === 'records') return (await this.insertBy(insert, rows))!;
    await this.db.write(insert.select(sql`SELECT count(*) FROM written`));
    return rows;
  }

  /**
   * Inserts records by a statement of the resource's own.
   * @param insert ends with `RETURNING *`
   * @param rows the ids of the records, in the order of the result
   * @returns undefined if nothing was inserted
   */
  async insertBy(insert: Write, rows: readonly InsertedRow[]): Promise<JsonRow[] | undefined> {
    const found = await this.db.write<JsonRow>(insert.select(this.resource.selectVersioned('written')));
    return found.length === 0 ? undefined : inOrder(rows, found);
  }

  /** Changes one record by a statement of its columns. @throws NotFound, StaleVersion */
  async updateOne({ id, columns }: Change<T>, scope: Scope): Promise<JsonRow> {
    // The database sets updated_at if a column gets another value.
    const assignments = Object.entries(columns).map(([name, value]) =>
      name === CUSTOM_COLUMN
        ? sql`${CUSTOM_IDENTIFIER} = merge_custom_fields(t.${CUSTOM_IDENTIFIER}, ${value}::jsonb)`
        : sql`${identifier(name)} = ${value}`,
    );
    const update = write`UPDATE ${identifier(this.resource.table)} t SET ${join(assignments)}
      ${where([sql`t.id = ${id}`, ...within(this.resource, scope)])} RETURNING t.*`;
    const [row] = await this.db.write<JsonRow>(update.select(this.resource.selectVersioned('written')));
    return row ?? notReached(this.resource, scope);
  }

  /**
   * Changes locked records by one statement. Only the columns of its own change are set in each record. A record whose values stay the
   * same is not written.
   */
  async updateMany(changes: readonly Change<T>[], scope: Scope): Promise<ChangedRow[]> {
    const names = [...new Set(changes.flatMap(({ columns }) => Object.keys(columns)))].toSorted();
    const unchanged = changes.map(({ id }) => ({ id, changed: false }));
    if (names.length === 0) return unchanged;
    const given = JSON.stringify(changes.map(({ id, columns }) => ({ ...columns, id })));
    // Values of custom fields are merged with those that the record has.
    const row = names.includes(CUSTOM_COLUMN)
      ? sql`CASE WHEN given.row ? ${CUSTOM_NAME} THEN given.row || jsonb_build_object(${CUSTOM_NAME},
          merge_custom_fields(t.${CUSTOM_IDENTIFIER}, given.row->${CUSTOM_NAME})) ELSE given.row END`
      : raw('given.row');
    const conditions = [
      sql`t.id = (given.row->>'id')::uuid`,
      // The planner knows the number of ids, but not the number of entries in a JSON array. For the latter it would read the whole table.
      sql`t.id = ANY(${changes.map(({ id }) => id)}::uuid[])`,
      sql`jsonb_populate_record(t, ${row}) *<> t`,
      ...within(this.resource, scope),
    ];
    const set = names.map(identifier);
    const columns = set.map((name) => sql`made.${name}`);
    const rows = await this.db.write<{ id: string }>(
      write`UPDATE ${identifier(this.resource.table)} t
      SET (${join(set)}) = (SELECT ${join(columns)} FROM jsonb_populate_record(t, ${row}) made)
      FROM jsonb_array_elements(${given}) given (row) ${where(conditions)} RETURNING t.id`,
    );
    const changed = new Set(rows.map(({ id }) => id));
    return unchanged.map(({ id }) => ({ id, changed: changed.has(id) }));
  }

  /** @throws NotFound, StaleVersion */
  async delete(ids: readonly string[], scope: Scope): Promise<void> {
    const conditions = [sql`t.id = ANY(${ids})`, ...within(this.resource, scope)];
    const rows = await this.db.write(
      write`DELETE FROM ${identifier(this.resource.table)} t ${where(conditions)} RETURNING t.id`,
    );
    if (rows.length < ids.length) notReached(this.resource, scope);
  }
}

/** Conditions on `t` that select the records of a scope. */
export const within = <T extends StoredRecord>(resource: RecordSql<T>, { owner, versions }: Scope): Sql[] => [
  ...conditionsOf(resource, owner),
  ...(versions ? [sql`${raw(resource.version)} = ANY(${versions})`] : []),
];

/** @throws NotFound, StaleVersion */
export function notReached({ label }: { label: string }, { versions }: Scope): never {
  throw versions ? new StaleVersion() : new NotFound(label);
}

/** Sorts returned rows in the order of the request. */
export function inOrder(asked: readonly { id: string }[], found: readonly JsonRow[]): JsonRow[] {
  const byId = new Map(found.map((row) => [row.id, row]));
  return asked.map(({ id }) => byId.get(id)!);
}
