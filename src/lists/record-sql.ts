import { createHash } from 'node:crypto';
import { getMetadataArgsStorage } from 'typeorm';
import { onceFor } from '../http/once.js';
import { EMPTY, identifier, join, raw, sql, type Sql } from '../database/sql.js';
import {
  fieldsOf,
  isList,
  isShown,
  isStored,
  joinedFrom,
  type Class,
  type ComputedField,
  type CustomFields,
  type Field,
  type StoredField,
} from '../fields/field.js';
import { descriptionOf, labelOf } from '../fields/record-entity.js';
import { NO_CUSTOM_FIELDS } from '../fields/custom/defined-fields.js';
import { CUSTOM } from '../fields/custom/custom-field.js';
import { customReferences, expandableOf, namedReferences, type NamedReference } from '../fields/references.js';
import { relationOf } from '../fields/naming.js';
import type { StoredRecord } from '../fields/record.js';
import { capital } from '../fields/words.js';

/** Maximum bytes of records in one text. A single longer record may exceed it. */
const TEXT_BYTES = 512 * 1024;

/**
 * SQL of the JSON text of a row `r`.
 * @param optional members that are left out if they are null. The first member of a row must not be one
 * @param names of members, which may be long
 */
export function textOfRow(optional: readonly string[], names: readonly string[] = []): Sql {
  // A text that contains the member's syntax has its quotes escaped.
  const left = optional.reduce((text, name) => `replace(${text}, ',"${name}":null', '')`, 'row_to_json(r)::text');
  const long = names.filter((name) => aliasOf(name) !== name);
  return raw(long.reduce((text, name) => `replace(${text}, '"${aliasOf(name)}":', '"${name}":')`, left));
}

/** Bytes of a name in PostgreSQL, which cuts longer ones. */
const LONGEST_ALIAS = 63;

/** The name of a column of a row `r`: the member's name, or a generated one if PostgreSQL would truncate it. */
export const aliasOf = (name: string): string =>
  Buffer.byteLength(name) <= LONGEST_ALIAS
    ? name
    : `long ${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;

/** SELECT of the text of records, of which the first ones are taken. @param records SELECT of `record` */
export const textOf = (records: Sql): Sql => {
  const isTaken = raw(`reach <= ${TEXT_BYTES} OR reach = octet_length(record)`);
  return sql`SELECT string_agg(record, ',') FILTER (WHERE ${isTaken}) AS rows, count(*) > count(*) FILTER (WHERE ${isTaken}) AS cut
    FROM (SELECT record, sum(octet_length(record)) OVER (ROWS UNBOUNDED PRECEDING) AS reach FROM (${records}) records) page`;
};

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

/** SQL of a field's column, or of its part of the column; `alias` is that of the table. */
export const columnOf = (field: StoredField, alias = 't'): string =>
  field.sql?.(alias) ?? `${alias}.${field.columnName}`;

/** The tables that a SELECT joins, each by the reference to it. */
export class Joins {
  private readonly clauses = new Map<string, string>();

  /** The alias of the table that a reference refers to. */
  alias(reference: StoredField | ComputedField, target: Class): string {
    if (reference.kind === 'computed') {
      const computed = relationOf(reference.property);
      this.add(computed, `LEFT JOIN ${tableOf(target)} ${computed} ON ${computed}.id = (${reference.sql('t')})::uuid`);
      return computed;
    }
    // Several custom fields have one column.
    const alias = reference.custom ? `"${aliasOf(reference.property)}"` : reference.columnName.replace(/_id$/, '');
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

/** SQL of the JSON value of any field of a record whose table is `t`. @param custom the fields that the installation has defined */
export function expressionOf(record: Class, field: Field, joins: Joins, custom: CustomFields): string {
  switch (field.kind) {
    case 'stored':
      return valueOf(field, 't');
    case 'computed':
      if (field.source)
        joins.add(field.source.alias, `CROSS JOIN LATERAL (${field.source.sql('t')}) ${field.source.alias}`);
      return field.sql('t');
    case 'parts':
      return field.sql('t', custom.parts.get(field.response()) ?? NO_CUSTOM_FIELDS);
    case 'joined': {
      const { reference, target, field: shown } = joinedFrom(record, field);
      return valueOf(shown, joins.alias(reference, target));
    }
  }
}

/** SQL of the record that a reference refers to, as `{id, name}`; null if the reference is null. @param alias of the target's table */
export function expansionOf({ naming, details, isHidden }: NamedReference, alias: string): string {
  const value = (field: StoredField): string => (isHidden ? 'NULL' : valueOf(field, alias));
  const shown = [
    `'id', ${alias}.id`,
    `'name', ${value(naming)}`,
    ...details.map((detail) => `'${detail.property}', ${value(detail)}`),
  ];
  return `CASE WHEN ${alias}.id IS NOT NULL THEN json_build_object(${shown.join(', ')}) END`;
}

/** What a SELECT of records has. */
interface Projection {
  /** SQL of each column, with its name. */
  columns: readonly string[];
  /** The same as one text. */
  list: Sql;
  /** The tables that it joins. */
  joins: Sql;
}

/** A record class as SQL. PostgreSQL returns records as finished JSON text, so a response creates no object per row. */
export class RecordSql<T extends StoredRecord = StoredRecord> {
  readonly table: string;
  /** Fields that its JSON shows. */
  readonly fields: readonly Field[];
  /** Fields with a column, hidden ones included. */
  readonly stored: readonly StoredField[];
  /** Fields that lists are filtered and sorted by. */
  readonly filtered: readonly StoredField[];
  /** Fields that `search` reads. */
  readonly searched: readonly StoredField[];
  /** Properties that are encrypted at rest. */
  readonly secrets: readonly string[];
  /** The record in words with a capital, such as `Device type module`. */
  readonly label: string;
  /** SQL of the key of a record of `t`: its id, or (created_at, id) in a partitioned table. */
  readonly key: string;
  readonly keyColumns: readonly string[];
  readonly isPartitioned: boolean;
  // Created on first use, because the classes of joined records may not be loaded before.
  private projected?: Projection;
  private ownVersion?: string;
  private references?: readonly NamedReference[];

  /**
   * @param expanded references whose records its JSON shows too
   * @param custom the fields that the installation has defined
   */
  constructor(
    readonly record: Class<T>,
    private readonly expanded: readonly NamedReference[] = [],
    readonly custom = NO_CUSTOM_FIELDS,
  ) {
    this.table = tableOf(record);
    const fields = fieldsOf(record);
    this.fields = fields.filter(isShown);
    this.stored = fields.filter(isStored);
    this.filtered = [
      ...this.stored.filter((field) => !field.secret && !field.hidden && !field.type.isJson),
      ...custom.fields,
    ];
    this.searched = this.stored.filter((field) => field.searchable && !field.secret);
    this.secrets = this.stored.filter((field) => field.secret).map((field) => field.property);
    this.label = capital(labelOf(record));
    const { key } = descriptionOf(record);
    this.key = key === undefined ? 't.id' : `ROW(t.created_at, t.id)::${key}`;
    this.isPartitioned = key !== undefined;
    this.keyColumns = key === undefined ? ['id'] : ['created_at', 'id'];
  }

  /**
   * Conditions that a record contains a text in one of the searched fields.
   * @param pattern SQL of the pattern for ILIKE
   * @param numbers returns SQL of the whole numbers of the text, which are looked up if the record has an index of them
   */
  containing(text: string, pattern: Sql, numbers: (found: string[]) => Sql): Sql[] {
    const texts = this.searched.map((field) => field.type.text?.(columnOf(field)) ?? columnOf(field));
    const each = texts.map((column) => sql`${raw(column)} ILIKE ${pattern}`);
    const anywhere = sql`(${join(each, ' OR ')})`;
    const found = descriptionOf(this.record).numbers ? wholeNumbers(text) : [];
    if (found.length === 0) return [anywhere];
    const all = texts.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `);
    return [anywhere, sql`numbers_in(${raw(all)}) @> ${numbers(found)}`];
  }

  get expandable(): readonly NamedReference[] {
    return (this.references ??= [...expandableOf(this.record), ...customReferences(this.custom.fields)]);
  }

  /** References whose names a file includes. */
  get named(): readonly NamedReference[] {
    return [...namedReferences(this.record), ...customReferences(this.custom.fields)];
  }

  /** The same resource, whose JSON also shows the records that these references refer to. */
  expand(names: readonly string[]): RecordSql<T> {
    const expanded = this.expandable.filter(({ name }) => names.includes(name));
    return expanded.length > 0 ? new RecordSql(this.record, expanded, this.custom) : this;
  }

  /** A stored field. @throws Error where the record has none of this name */
  field(property: string): StoredField {
    const field = [...this.stored, ...this.custom.fields].find((candidate) => candidate.property === property);
    if (!field) throw new Error(`${this.record.name} has no stored field ${property}`);
    return field;
  }

  /** SQL of the JSON text of a row `r` of these records. */
  get textOfRow(): Sql {
    return textOfRow(
      this.stored.filter(({ shownIfSet }) => shownIfSet).map(({ property }) => property),
      this.expanded.map(({ name }) => name),
    );
  }

  /**
   * SELECT of `id` and `json`, the record as JSON text.
   * @param source table or CTE with the rows; its alias is `t`
   * @param tail clauses after FROM: WHERE, ORDER BY, LIMIT
   */
  selectJson(source: Sql | string, tail: Sql | string = EMPTY): Sql {
    return sql`SELECT r.id, ${this.textOfRow} AS json FROM (${this.select(source, tail)}) r`;
  }

  /** SELECT of `id`, `json` and `version` of records. @param tail clauses after FROM */
  selectVersioned(source: Sql | string, tail: Sql | string = EMPTY): Sql {
    const { list, joins } = this.projection;
    return sql`SELECT t.id, (SELECT ${this.textOfRow} FROM (SELECT ${list}) r) AS json, ${raw(this.version)} AS version
      FROM ${raw(source)} t ${joins} ${raw(tail)}`;
  }

  /**
   * SQL of the version of a row of `t`, which changes with every write that changes the record. It is a digest of the id, of the fields
   * that clients can set, and of `updatedAt`, which every other change sets. So it survives a dump and restore, and does not depend on
   * other records. The custom values are read as `jsonb`, whose text is canonical. A new or deleted custom field changes the version.
   */
  get version(): string {
    return (this.ownVersion ??= `to_hex(hashtextextended(ROW(${[
      ...this.stored
        .filter(({ readOnly, property }) => !readOnly || ['id', 'updatedAt'].includes(property))
        .map((field) => columnOf(field)),
      ...(this.custom.fields.length > 0 ? [`(${this.custom.json('t')})::jsonb::text`] : []),
      ...(this.custom === NO_CUSTOM_FIELDS ? [] : [`'${this.custom.digest}'`]),
    ].join(', ')})::text, 0))`);
  }

  /**
   * SELECT of one row: `rows`, the records with these keys as the text of a JSON array without its brackets. If the text would exceed
   * `TEXT_BYTES`, it has only the first records, at least one, and `cut` is true.
   * @param keys SELECT of key columns, in the order of the records
   */
  selectPage(keys: Sql): Sql {
    return textOf(this.selectRecords(keys, this.lengthOfTexts));
  }

  /** SQL of the total bytes of the long texts of a row `t`, a lower bound of its JSON. PostgreSQL knows them without reading the texts. */
  private get lengthOfTexts(): string | undefined {
    const texts = this.fields.filter(isStored).filter((field) => field.type.column(field).type === 'text');
    const lengths = texts
      .filter((field) => !isList(field))
      .map((field) => `coalesce(octet_length(${columnOf(field)}), 0)`);
    return lengths.length > 0 ? lengths.join(' + ') : undefined;
  }

  /**
   * SELECT of `record`, the JSON text of each record with these keys, in the order of the keys.
   * @param keys SELECT of key columns
   * @param length SQL of the minimum bytes of the JSON of `t`. If given, records beyond `TEXT_BYTES` are left out, except for the first
   * of these
   */
  selectRecords(keys: Sql, length?: string): Sql {
    const columns = this.keyColumns.join(', ');
    const isNext = this.keyColumns.map((column) => `t.${column} = keys.${column}`).join(' AND ');
    // OFFSET 0 makes PostgreSQL look up records one by one, whatever number the planner expects, so that the first is there at once.
    const before =
      length === undefined ? '' : `, sum(${length}) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS before`;
    const rows = sql`SELECT t.*, keys.place_in_page${raw(before)} FROM (
          SELECT * FROM unnest(ARRAY(SELECT ${raw(this.key)} FROM (${keys}) t)) WITH ORDINALITY keys (${raw(columns)}, place_in_page) ORDER BY place_in_page
        ) keys CROSS JOIN LATERAL (SELECT * FROM ${identifier(this.table)} t WHERE ${raw(isNext)} OFFSET 0) t`;
    return this.records(
      length === undefined
        ? sql`(${rows})`
        : sql`(SELECT * FROM (${rows}) t WHERE t.before IS NULL OR t.before <= ${raw(TEXT_BYTES)})`,
      'ORDER BY t.place_in_page',
    );
  }

  /** SELECT of `record`, the JSON text of each row of a source. @param tail clauses after FROM */
  records(source: Sql | string, tail: Sql | string): Sql {
    // OFFSET 0 stops the planner from computing a record's text once per use.
    return sql`SELECT ${this.textOfRow} AS record FROM (${this.select(source, tail)}) r OFFSET 0`;
  }

  /** SELECT of the properties of records as columns, named like the properties. */
  select(source: Sql | string, tail: Sql | string = EMPTY): Sql {
    const { list, joins } = this.projection;
    return sql`SELECT ${list} FROM ${raw(source)} t ${joins} ${raw(tail)}`;
  }

  /** The columns that a SELECT of records has, and the tables that it joins. */
  get projection(): Projection {
    return (this.projected ??= this.project());
  }

  private project(): Projection {
    const joins = new Joins();
    const columns = [
      ...this.fields.map((field) => `${expressionOf(this.record, field, joins, this.custom)} AS "${field.property}"`),
      ...(this.custom.fields.length > 0 ? [`${this.custom.json('t')} AS "${CUSTOM}"`] : []),
      ...this.expanded.map(
        (reference) =>
          `${expansionOf(reference, joins.alias(reference.field, reference.target))} AS "${aliasOf(reference.name)}"`,
      ),
    ];
    return { columns, list: raw(columns.join(', ')), joins: raw(joins.toString()) };
  }
}

/** The numbers with other characters on both sides. Every text that contains this text has them as whole numbers too. */
const wholeNumbers = (text: string): string[] => [...new Set(text.match(/(?<=[^0-9])[0-9]+(?=[^0-9])/g))];

const compiled = onceFor((record: Class<StoredRecord>) => ({
  declared: new RecordSql(record),
  of: onceFor((custom: CustomFields) => new RecordSql(record, [], custom)),
}));

/** The SQL of a record class without custom fields: of its table, and of statements that are cached for all requests. */
export const declaredSqlOf = <T extends StoredRecord>(record: Class<T>): RecordSql<T> =>
  compiled(record).declared as RecordSql<T>;

/** The SQL of a record class with custom fields, cached by fields. */
export const compile = <T extends StoredRecord>(record: Class<T>, custom: CustomFields): RecordSql<T> =>
  custom === NO_CUSTOM_FIELDS ? declaredSqlOf(record) : (compiled(record).of(custom) as RecordSql<T>);
