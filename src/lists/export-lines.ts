import { identifier, raw, sql, type Sql } from '../database/sql.js';
import { isStored, joinedFrom, type Class, type CustomFields, type Field, type StoredField } from '../fields/field.js';
import { guarded } from './csv.js';
import { columnOf, expressionOf, Joins, tableOf, valueOf, type RecordSql } from './record-sql.js';

interface Column {
  header: string;
  /** SQL of the cell. For a secret it is the encrypted value. */
  cell: string;
  isSecret: boolean;
}

/** SQL of the lines of a resource's exports: one row per record. */
export class ExportLines {
  constructor(private readonly resource: RecordSql) {}

  /** Positions of the columns with secrets. */
  get secretColumns(): number[] {
    return this.columns(false).columns.flatMap(({ isSecret }, index) => (isSecret ? [index] : []));
  }

  get headers(): string[] {
    return this.columns(false).columns.map(({ header }) => header);
  }

  /**
   * SELECT of the JSON of records, with secrets as they are stored.
   * @param tail clauses after FROM
   * @param expand references whose records are shown too
   */
  json(tail: Sql, expand: readonly string[]): Sql {
    const resource = this.resource.expand(expand);
    return sql`SELECT ${resource.textOfRow} FROM (${resource.select(resource.table, tail)}) r`;
  }

  /**
   * SELECT of the cells of records.
   * @param isRaw whether text that looks like a formula is left as it is
   * @param secrets whether secrets are selected, as they are stored; null otherwise
   */
  csv(tail: Sql, isRaw: boolean, secrets: boolean): Sql {
    const { columns, joins } = this.columns(isRaw);
    const cells = columns.map(({ cell, isSecret }) => (isSecret && !secrets ? 'NULL' : cell));
    return sql`SELECT ${raw(cells.join(', '))} FROM ${identifier(this.resource.table)} t ${raw(joins)} ${tail}`;
  }

  private columns(isRaw: boolean): { columns: readonly Column[]; joins: string } {
    const { record, fields, custom } = this.resource;
    const joins = new Joins();
    const names = new Map(this.resource.named.map((reference) => [reference.field.property, reference]));
    const columns = [...fields, ...custom.fields].flatMap((field): Column[] => {
      const isSecret = isStored(field) && field.secret === true;
      const cell = isSecret ? expressionOf(record, field, joins, custom) : cellOf(record, field, joins, custom, isRaw);
      const column = { header: field.property, cell, isSecret };
      const reference = names.get(field.property);
      if (!reference) return [column];
      const { name, naming, target, field: referring, isHidden } = reference;
      const key = isStored(referring) ? columnOf(referring) : `(${referring.sql('t')})::uuid`;
      const shown = isHidden ? 'NULL' : lookedUp(key, target, naming, isRaw);
      return [column, { header: `${name}.${naming.property}`, cell: shown, isSecret: false }];
    });
    return { columns, joins: joins.toString() };
  }
}

function cellOf(record: Class, field: Field, joins: Joins, custom: CustomFields, isRaw: boolean): string {
  if (field.kind === 'joined') {
    const { reference, target, field: shown } = joinedFrom(record, field);
    return lookedUp(columnOf(reference), target, shown, isRaw);
  }
  const value = expressionOf(record, field, joins, custom);
  switch (field.kind) {
    case 'stored':
      return storedCell(field, value, isRaw);
    case 'parts':
      return value;
    case 'computed':
      // Computed once, although the guard uses the value several times.
      return field.schema.type === 'string' && field.schema.format !== 'uuid' && !isRaw
        ? `(SELECT ${guarded(raw('c.value'))} FROM (SELECT ${value} AS value OFFSET 0) c)`
        : value;
  }
}

/**
 * SQL of the cell with a field of a referenced record. It is a subquery, because lines are read row by row in index order. A join would
 * look up null references too.
 * @param key SQL of the reference over `t`
 */
function lookedUp(key: string, target: Class, field: StoredField, isRaw: boolean): string {
  const cell = storedCell(field, valueOf(field, 'other'), isRaw);
  return `CASE WHEN ${key} IS NOT NULL THEN (SELECT ${cell} FROM ${tableOf(target)} other WHERE other.id = ${key}) END`;
}

/** SQL of the cell with a value of a field. @param isRaw whether text that looks like a formula is left as it is */
function storedCell(field: StoredField, value: string, isRaw: boolean): string {
  const { type } = field;
  if (type.column(field).array) return `to_json(${field.custom ? `nullif(${value}, '{}')` : value})`;
  if (type.sqlType === 'boolean') return `(${value})::text`;
  return type.sqlType === 'text' && !isRaw ? guarded(raw(value)).text : value;
}
