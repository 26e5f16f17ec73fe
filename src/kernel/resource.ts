import { getMetadataArgsStorage } from 'typeorm';
import { fieldsOf, isStored, type Class, type Field } from './field.js';
import type { StoredRecord } from './record.js';
import { capital, wordsOf } from './words.js';

// Read and written in about a millisecond; a text that is much shorter is moved about by the garbage collector.
const RECORDS_IN_A_PART = 500;

/** Name of the table that a record, or the record it extends, is stored in. */
export function tableOf(record: Class): string {
  const { tables } = getMetadataArgsStorage();
  for (let at: unknown = record; typeof at === 'function'; at = Object.getPrototypeOf(at)) {
    const table = tables.find((entry) => entry.target === at);
    if (table?.name) return table.name;
  }
  throw new Error(`${record.name} is not an entity`);
}

/** Column of a field, as SQL, of the table with this alias. */
export const columnOf = (field: Field, alias = 't'): string => `${alias}.${field.columnName}`;

/**
 * What the kernel knows of a record, worked out once from its fields: the SQL that reads it as finished JSON text, so
 * that a response costs no object per row.
 */
export class Resource<T extends StoredRecord = StoredRecord> {
  readonly table: string;
  readonly fields: readonly Field[];
  /** Fields with a column that responses show. */
  readonly stored: readonly Field[];
  /** Fields that `search` looks into. */
  readonly searched: readonly Field[];
  /** Properties that are encrypted at rest. */
  readonly secrets: readonly string[];
  /** The record in words, such as `Device type module`. */
  readonly label: string;
  // Made on first use: a joined record's class may not be loaded yet when this one is described.
  private projection?: { list: string; joins: string };

  constructor(readonly record: Class<T>) {
    this.table = tableOf(record);
    this.fields = fieldsOf(record);
    this.stored = this.fields.filter((field) => isStored(field) && !field.writeOnly);
    this.searched = this.stored.filter((field) => field.searchable && !field.secret);
    this.secrets = this.stored.filter((field) => field.secret).map((field) => field.property);
    this.label = capital(wordsOf(record.name));
  }

  field(property: string): Field {
    const field = this.fields.find((candidate) => candidate.property === property);
    if (!field) throw new Error(`${this.record.name} has no field ${property}`);
    return field;
  }

  /**
   * SELECT of `id` and `json`, the record as JSON text.
   * @param source table or CTE that rows are read from, as `t`
   * @param tail what follows the FROM clause: WHERE, ORDER BY, LIMIT
   */
  selectJson(source: string, tail = ''): string {
    return `SELECT r.id, row_to_json(r)::text AS json FROM (${this.select(source, tail)}) r`;
  }

  /**
   * SELECT of `rows`, records as the text of a JSON array without its brackets, and of their number `size`.
   * @param long in a row for each part of the page, none where it is empty; otherwise in one row
   */
  selectPage(source: string, tail: string, long = false): string {
    // A long text is read several times faster than a row for each record; one of megabytes holds up everything else.
    const records = `SELECT row_to_json(r)::text AS record${
      long ? `, (row_number() OVER () - 1) / ${RECORDS_IN_A_PART} AS part` : ''
    } FROM (${this.select(source, tail)}) r`;
    return `SELECT string_agg(record, ',') AS rows, count(*)::int AS size FROM (${records}) page${
      long ? ' GROUP BY part ORDER BY part' : ''
    }`;
  }

  private select(source: string, tail: string): string {
    const { list, joins } = (this.projection ??= this.project());
    return `SELECT ${list} FROM ${source} t ${joins} ${tail}`;
  }

  private project(): { list: string; joins: string } {
    const joins = new Map<string, string>();
    const list = this.fields
      .filter((field) => !field.writeOnly)
      .map((field) => `${this.expression(field, joins)} AS "${field.property}"`)
      .join(', ');
    return { list, joins: [...joins.values()].join(' ') };
  }

  private expression(field: Field, joins: Map<string, string>): string {
    if (field.computed) return field.computed.sql('t');
    if (field.parts) return field.parts.sql('t');
    if (!field.joined) return field.type.select?.(columnOf(field)) ?? columnOf(field);
    const via = this.field(field.joined.via);
    const alias = via.columnName.replace(/_id$/, '');
    const target = via.references!();
    joins.set(alias, `LEFT JOIN ${tableOf(target)} ${alias} ON ${alias}.id = ${columnOf(via)}`);
    const { property } = field.joined;
    return `${alias}.${fieldsOf(target).find((candidate) => candidate.property === property)!.columnName}`;
  }
}

const resources = new WeakMap<Class, Resource>();

/** The resource of a record class; made on first use, when all classes are loaded. */
export function resourceOf<T extends StoredRecord>(record: Class<T>): Resource<T> {
  let resource = resources.get(record);
  if (!resource) resources.set(record, (resource = new Resource(record)));
  return resource as Resource<T>;
}
