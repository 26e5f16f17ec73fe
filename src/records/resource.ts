import { getMetadataArgsStorage } from 'typeorm';
import { fieldsOf, isStored, type Class, type Field } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { capital, wordsOf } from '../fields/words.js';

/** Bytes of records that are read as one text: whoever sends them has no more than these, and one record, at once. */
export const PART_BYTES = 512 * 1024;

// A text is read several times faster than a row for each record. So many records are sorted and joined at once, so that
// the first of a long page are on their way before the last are read.
export const RECORDS_AT_ONCE = 200;
export const FAT_RECORDS_AT_ONCE = 10;

// Of a page of few hundred records, which is read as one text where it is not too long for that.
const RECORDS_IN_A_STEP = 50;
const FEW_STEPS = 10;
const TAKEN_ROWS = `reach <= ${PART_BYTES} OR reach = octet_length(rows)`;

/** Most records that `selectFirst` takes. */
export const MOST_FIRST = RECORDS_IN_A_STEP * FEW_STEPS;

/** SQL of the bytes from the first record to this one. */
const REACH = 'sum(octet_length(record)) OVER (ROWS UNBOUNDED PRECEDING)';

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
   * SELECT of one row: `rows`, records as the text of a JSON array without its brackets, and their number `size`. Where
   * they are more than `PART_BYTES`, `rows` has the first of them only, one at least, and `cut` is true: no value is ever
   * too long to be taken.
   */
  selectPage(source: string, tail: string): string {
    const taken = `reach <= ${PART_BYTES} OR reach = octet_length(record)`;
    return `SELECT string_agg(record, ',') FILTER (WHERE ${taken}) AS rows, count(*)::int AS size,
      count(*) > count(*) FILTER (WHERE ${taken}) AS cut
      FROM (SELECT record, ${REACH} AS reach FROM (${this.records(source, tail)}) records) page`;
  }

  /**
   * SELECT of the same row for the records with these ids, at some cost. Of records that are too long for it, no more are
   * read than it takes to know that.
   * @param ids SQL of an array, of `MOST_FIRST` at most
   * @param step records that are sorted and joined at once; there are no more than `FEW_STEPS` times as many
   */
  selectFirst(ids: string, tail: string, step = RECORDS_IN_A_STEP): string {
    const parts = this.selectParts('page.ids', tail, true, step);
    return `SELECT string_agg(rows, ',') FILTER (WHERE ${TAKEN_ROWS}) AS rows, cardinality(page.ids) AS size,
      count(rows) > count(*) FILTER (WHERE ${TAKEN_ROWS}) AS cut
      FROM (SELECT ${ids} AS ids OFFSET 0) page LEFT JOIN LATERAL (
        SELECT rows, sum(octet_length(rows)) OVER (ROWS UNBOUNDED PRECEDING) AS reach
        FROM (${parts} LIMIT ${FEW_STEPS + 1}) parts
      ) parts ON true GROUP BY page.ids`;
  }

  /**
   * SELECT of the records with these ids, in their order, as `rows` like those of `selectPage`: in as many rows as it
   * takes for none to be longer than `PART_BYTES` and one record, the first of them at once.
   * @param ids SQL of an array
   * @param tail ORDER BY of the array
   * @param fat whether records are expected to be long: others are read faster as if all were short
   * @param step records that are sorted and joined at once
   */
  selectParts(ids: string, tail: string, fat: boolean, step = fat ? FAT_RECORDS_AT_ONCE : RECORDS_AT_ONCE): string {
    // Not `= ANY`, which compares each record of a small table with each of the ids.
    const some = `t.id IN (SELECT unnest(${ids}[first : first + ${step - 1}])) ${tail}`;
    const steps = `generate_series(1, cardinality(${ids}), ${step}) first`;
    const parts = (condition: string): string => `SELECT string_agg(record, ',' ORDER BY place) AS rows FROM (
        SELECT record, row_number() OVER () AS place, (${REACH} - octet_length(record)) / ${PART_BYTES} AS part
        FROM (${this.records(this.table, `WHERE ${condition}${some}`)}) records
      ) page GROUP BY part ORDER BY part`;
    if (fat) return `SELECT part.rows FROM ${steps} CROSS JOIN LATERAL (${parts('')}) part`;
    // What turns out to be too long for one text is read again.
    return `SELECT coalesce(part.rows, step.rows) AS rows FROM ${steps}
      CROSS JOIN LATERAL (${this.selectPage(this.table, `WHERE ${some}`)}) step
      LEFT JOIN LATERAL (${parts('step.cut AND ')}) part ON true`;
  }

  // OFFSET 0 keeps the planner from working a record's text out again for each of its uses.
  private records(source: string, tail: string): string {
    return `SELECT row_to_json(r)::text AS record FROM (${this.select(source, tail)}) r OFFSET 0`;
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
