import { getMetadataArgsStorage } from 'typeorm';
import { fieldsOf, isShown, isStored, joinedFrom, type Class, type Field, type StoredField } from '../fields/field.js';
import { hasNumbers, keyOf, labelOf } from '../fields/record-entity.js';
import { expandableOf, type NamedReference } from '../fields/references.js';
import type { StoredRecord } from '../fields/record.js';
import { capital } from '../fields/words.js';

/** Most bytes of records in one text. A single longer record may exceed it. */
export const PART_BYTES = 512 * 1024;

/** A limit whose value the planner does not know. It then prefers a plan that returns the first rows early over one that sorts all. */
export const FIRST_ROWS_SOON = 'LIMIT (SELECT 9223372036854775807)';

// The steps of a page that fits into one text.
const RECORDS_IN_A_STEP = 50;
const FEW_STEPS = 10;
const TAKEN_ROWS = `reach <= ${PART_BYTES} OR reach = octet_length(rows)`;

/** Most records that `selectFirst` takes. */
export const MOST_FIRST = RECORDS_IN_A_STEP * FEW_STEPS;

/** SQL of the total bytes of the records up to and including this one. */
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

/** Name of a table's records in paths and in the change log: `device-ports`. */
export const resourceNameOf = (table: string): string => table.replaceAll('_', '-');

/** SQL of a field's column; `alias` is that of the table. */
export const columnOf = (field: StoredField, alias = 't'): string => `${alias}.${field.columnName}`;

/** The tables that a SELECT joins, each by the reference to it. */
export class Joins {
  private readonly clauses = new Map<string, string>();

  /** The alias of the table that a reference refers to. */
  alias(reference: StoredField, target: Class): string {
    const alias = reference.columnName.replace(/_id$/, '');
    this.add(alias, `LEFT JOIN ${tableOf(target)} ${alias} ON ${alias}.id = ${columnOf(reference)}`);
    return alias;
  }

  add(alias: string, clause: string): void {
    this.clauses.set(alias, clause);
  }

  toString(): string {
    return [...this.clauses.values()].join(' ');
  }
}

/** SQL of the JSON value of a stored field. */
export function valueOf(field: StoredField, alias: string): string {
  const column = columnOf(field, alias);
  return field.type.select?.(column) ?? column;
}

/** SQL of the JSON value of any field of a record whose table is `t`. */
export function expressionOf(record: Class, field: Field, joins: Joins): string {
  switch (field.kind) {
    case 'stored':
      return valueOf(field, 't');
    case 'computed':
      if (field.source)
        joins.add(field.source.alias, `CROSS JOIN LATERAL (${field.source.sql('t')}) ${field.source.alias}`);
      return field.sql('t');
    case 'parts':
      return field.sql('t');
    case 'joined': {
      const { reference, target, field: shown } = joinedFrom(record, field);
      return valueOf(shown, joins.alias(reference, target));
    }
  }
}

/** SQL of the record that a reference refers to, as `{id, name}`; null if the reference is null. */
function expansionOf({ field, target, naming, details }: NamedReference, joins: Joins): string {
  const alias = joins.alias(field, target);
  const shown = [
    `'id', ${alias}.id`,
    `'name', ${valueOf(naming, alias)}`,
    ...details.map((detail) => `'${detail.property}', ${valueOf(detail, alias)}`),
  ];
  return `CASE WHEN ${alias}.id IS NOT NULL THEN json_build_object(${shown.join(', ')}) END`;
}

/**
 * A record class as SQL. Records are read as finished JSON text, so a response creates no object per row.
 */
export class Resource<T extends StoredRecord = StoredRecord> {
  readonly table: string;
  /** Fields that its JSON shows. */
  readonly fields: readonly Field[];
  /** Fields with a column, hidden ones included. */
  readonly stored: readonly StoredField[];
  /** Fields that `search` reads. */
  readonly searched: readonly StoredField[];
  /** Properties that are encrypted at rest. */
  readonly secrets: readonly string[];
  /** The record in words with a capital, such as `Device type module`. */
  readonly label: string;
  /** SQL of the key of a record of `t`: its id, or (created_at, id) in a partitioned table. */
  readonly key: string;
  readonly keyColumns: readonly string[];
  /** Columns that find a row again within one statement: `ctid`, which needs no index, or the key of a partitioned table. */
  readonly place: readonly string[];
  /** Whether its table is partitioned. */
  readonly isPartitioned: boolean;
  // Created on first use, because the classes of joined records may not be loaded before.
  private projection?: { list: string; joins: string };
  private references?: readonly NamedReference[];
  private readonly expansions = new Map<string, Resource<T>>();

  /** @param expanded references whose records its JSON shows too */
  constructor(
    readonly record: Class<T>,
    private readonly expanded: readonly NamedReference[] = [],
  ) {
    this.table = tableOf(record);
    const fields = fieldsOf(record);
    this.fields = fields.filter(isShown);
    this.stored = fields.filter(isStored);
    this.searched = this.stored.filter((field) => field.searchable && !field.secret);
    this.secrets = this.stored.filter((field) => field.secret).map((field) => field.property);
    this.label = capital(labelOf(record));
    const key = keyOf(record);
    this.key = key === undefined ? 't.id' : `ROW(t.created_at, t.id)::${key}`;
    this.isPartitioned = key !== undefined;
    this.keyColumns = key === undefined ? ['id'] : ['created_at', 'id'];
    this.place = key === undefined ? ['ctid'] : this.keyColumns;
  }

  /** SQL of the array of the keys that a SELECT of key columns gives. */
  arrayOf(keys: string): string {
    return `ARRAY(SELECT ${this.key} FROM (${keys}) t)`;
  }

  /**
   * SQL of a source: the rows of the table that have the given values. They are looked up one by one, which is faster for a page
   * than finding them together.
   * @param values SELECT of columns that identify a row: `keyColumns` or `place`
   */
  rowsAt(values: string, columns: readonly string[]): string {
    const isNext = columns.map((column) => `t.${column} = page.${column}`).join(' AND ');
    return `(SELECT t.* FROM (${values}) page CROSS JOIN LATERAL (SELECT * FROM ${this.table} t WHERE ${isNext} OFFSET 0) t)`;
  }

  /** SQL condition on `t`: its key is in this array. `= ANY` would compare each record of a small table with every key. */
  private among(keys: string): string {
    return this.isPartitioned
      ? `(t.created_at, t.id) IN (SELECT created_at, id FROM unnest(${keys}))`
      : `t.id IN (SELECT unnest(${keys}))`;
  }

  /**
   * SQL conditions that a record contains a text in one of the fields that are searched.
   * @param pattern parameter of the pattern for ILIKE
   * @param numbers returns a parameter with the whole numbers of the text, which are looked up if the record has an index of them
   */
  containing(text: string, pattern: string, numbers: (found: string[]) => string): string[] {
    const texts = this.searched.map((field) => field.type.text?.(columnOf(field)) ?? columnOf(field));
    const anywhere = `(${texts.map((column) => `${column} ILIKE ${pattern}`).join(' OR ')})`;
    const found = hasNumbers(this.record) ? wholeNumbers(text) : [];
    if (found.length === 0) return [anywhere];
    const all = texts.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `);
    return [anywhere, `numbers_in(${all}) @> ${numbers(found)}::text[]`];
  }

  /** References that can be expanded. */
  get expandable(): readonly NamedReference[] {
    return (this.references ??= expandableOf(this.record));
  }

  /** The same resource, whose JSON also shows the records that these references refer to. */
  expand(names: readonly string[]): Resource<T> {
    const expanded = this.expandable.filter(({ name }) => names.includes(name));
    if (expanded.length === 0) return this;
    const key = expanded.map(({ name }) => name).join(',');
    let resource = this.expansions.get(key);
    if (!resource) this.expansions.set(key, (resource = new Resource(this.record, expanded)));
    return resource;
  }

  /** A stored field. @throws Error where the record has none of this name */
  field(property: string): StoredField {
    const field = this.stored.find((candidate) => candidate.property === property);
    if (!field) throw new Error(`${this.record.name} has no stored field ${property}`);
    return field;
  }

  /**
   * SELECT of `id` and `json`, the record as JSON text.
   * @param source table or CTE with the rows; its alias is `t`
   * @param tail clauses after FROM: WHERE, ORDER BY, LIMIT
   */
  selectJson(source: string, tail = ''): string {
    return `SELECT r.id, row_to_json(r)::text AS json FROM (${this.select(source, tail)}) r`;
  }

  /**
   * SELECT of one row: `rows`, the records as the text of a JSON array without its brackets, and their number `size`. If
   * the text would exceed `PART_BYTES`, `rows` has only the first records, at least one, and `cut` is true.
   */
  selectPage(source: string, tail: string): string {
    const taken = `reach <= ${PART_BYTES} OR reach = octet_length(record)`;
    return `SELECT string_agg(record, ',') FILTER (WHERE ${taken}) AS rows, count(*)::int AS size,
      count(*) > count(*) FILTER (WHERE ${taken}) AS cut
      FROM (SELECT record, ${REACH} AS reach FROM (${this.records(source, tail)}) records) page`;
  }

  /**
   * SELECT of the same row for the records with these keys. It stops reading once the text exceeds `PART_BYTES`.
   * @param ids SQL of an array with at most `MOST_FIRST` keys
   * @param step records that are sorted and joined at once; `ids` has at most `FEW_STEPS` times as many
   */
  selectFirst(ids: string, tail: string, step = RECORDS_IN_A_STEP): string {
    const some = `WHERE ${this.among(`page.ids[first : first + ${step - 1}]`)} ${tail}`;
    const parts = `SELECT part.rows FROM generate_series(1, cardinality(page.ids), ${step}) first CROSS JOIN LATERAL (
      SELECT string_agg(record, ',' ORDER BY place) AS rows FROM (
        SELECT record, row_number() OVER () AS place, (${REACH} - octet_length(record)) / ${PART_BYTES} AS part
        FROM (${this.records(this.table, some)}) records
      ) page GROUP BY part ORDER BY part
    ) part`;
    return `SELECT string_agg(rows, ',') FILTER (WHERE ${TAKEN_ROWS}) AS rows, cardinality(page.ids) AS size,
      count(rows) > count(*) FILTER (WHERE ${TAKEN_ROWS}) AS cut
      FROM (SELECT ${ids} AS ids OFFSET 0) page LEFT JOIN LATERAL (
        SELECT rows, sum(octet_length(rows)) OVER (ROWS UNBOUNDED PRECEDING) AS reach
        FROM (${parts} LIMIT ${FEW_STEPS + 1}) parts
      ) parts ON true GROUP BY page.ids`;
  }

  /**
   * SELECT of records as `rows`, with the JSON of one record in each. The first rows are returned before the last ones are read.
   * @param source SELECT of rows of the table, in the order that `orderBy` says
   */
  selectLines(source: string, orderBy: string): string {
    return `SELECT row_to_json(r) AS rows FROM (${this.select(`(${source})`, `ORDER BY ${orderBy} ${FIRST_ROWS_SOON}`)}) r`;
  }

  /**
   * SELECT of the same for the records with these keys, in the order of the keys.
   * @param keys SQL of an array
   */
  selectLinesOf(keys: string): string {
    const columns = this.keyColumns.join(', ');
    const isNext = this.keyColumns.map((column) => `t.${column} = keys.${column}`).join(' AND ');
    // OFFSET 0, so that records are looked up one by one and the first is sent at once.
    return this.selectLines(
      `SELECT t.*, keys.place_in_page FROM (SELECT * FROM unnest(${keys}) WITH ORDINALITY keys (${columns}, place_in_page) ORDER BY place_in_page) keys
        CROSS JOIN LATERAL (SELECT * FROM ${this.table} t WHERE ${isNext} OFFSET 0) t`,
      't.place_in_page',
    );
  }

  // OFFSET 0 stops the planner from computing a record's text once per use.
  private records(source: string, tail: string): string {
    return `SELECT row_to_json(r)::text AS record FROM (${this.select(source, tail)}) r OFFSET 0`;
  }

  /** SELECT of the properties of records as columns, named like the properties. */
  select(source: string, tail = ''): string {
    const { list, joins } = (this.projection ??= this.project());
    return `SELECT ${list} FROM ${source} t ${joins} ${tail}`;
  }

  private project(): { list: string; joins: string } {
    const joins = new Joins();
    const list = [
      ...this.fields.map((field) => `${expressionOf(this.record, field, joins)} AS "${field.property}"`),
      ...this.expanded.map((reference) => `${expansionOf(reference, joins)} AS "${reference.name}"`),
    ].join(', ');
    return { list, joins: joins.toString() };
  }
}

/** The numbers with other characters on both sides. Every text that contains this text has them as whole numbers too. */
const wholeNumbers = (text: string): string[] => [...new Set(text.match(/(?<=[^0-9])[0-9]+(?=[^0-9])/g))];

const resources = new WeakMap<Class, Resource>();

/** The resource of a record class. */
export function resourceOf<T extends StoredRecord>(record: Class<T>): Resource<T> {
  let resource = resources.get(record);
  if (!resource) resources.set(record, (resource = new Resource(record)));
  return resource as Resource<T>;
}
