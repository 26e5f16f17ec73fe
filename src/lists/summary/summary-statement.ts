import { identifier, raw, sql, where, type Sql } from '../../database/sql.js';
import type { StoredField } from '../../fields/field.js';
import { storedCell } from '../export-lines.js';
import { columnOf, expansionOf, tableOf, valueOf, type RecordSql } from '../record-sql.js';
import { TIME_UNITS, type Grouping, type SummaryRequest } from './summary-query.js';

/** Groups that a summary can have. */
export const MOST_GROUPS = 10_000;

/** Characters of a name in a picture. */
const MOST_OF_A_LABEL = 200;

interface Cell {
  header: string;
  sql: string;
}

/**
 * A summary as SQL. The groups are found first, as `found`: the keys `g0`, `g1`, … of a group, its `count`, and the sums `s0`, `s1`, ….
 * What else a row shows is looked up for the rows of the page.
 */
export class SummaryStatement {
  /** CTE `found`, with one group more than there may be. */
  readonly found: Sql;
  /** SQL of the order of the groups over `t`. */
  readonly orderBy: Sql;
  /** The tables that groups refer to, joined to the groups `t`. */
  readonly joins: Sql;
  private readonly groupings: readonly Grouping[];
  private readonly sums: readonly StoredField[];

  constructor(resource: RecordSql, { groupings, sums }: SummaryRequest, conditions: readonly Sql[]) {
    this.groupings = groupings;
    this.sums = sums;
    const columns = [
      ...groupings.map((grouping, index) => `${keyOf(grouping)} AS g${index}`),
      // 1.5 and 1.50 are one group. It is shown with the most digits that one of its records has.
      ...groupings.flatMap(({ field }, index) =>
        isDecimal(field) ? [`max(${columnOf(field)}::text COLLATE "C") AS w${index}`] : [],
      ),
      'count(*) AS count',
      ...sums.map((field, index) => `${sumOf(field)} AS s${index}`),
    ];
    const keys = groupings.map((_, index) => index + 1).join(', ');
    this.found = sql`found AS MATERIALIZED (
      SELECT ${raw(columns.join(', '))} FROM ${identifier(resource.table)} t ${where(conditions)}
      GROUP BY ${raw(keys)} LIMIT ${raw(MOST_GROUPS + 1)}
    )`;
    const order = groupings.flatMap(
      ({ field, unit }, index) => (unit ? undefined : field.type.sortKeys?.(`t.g${index}`)) ?? [`t.g${index}`],
    );
    this.orderBy = raw(order.join(', '));
    const joins = groupings.flatMap(({ reference }, index) =>
      reference ? [`LEFT JOIN ${tableOf(reference.target)} r${index} ON r${index}.id = t.g${index}`] : [],
    );
    this.joins = raw(joins.join(' '));
  }

  /** SELECT of `record`, the JSON text of each group. @param window LIMIT and OFFSET */
  records(window: Sql): Sql {
    const columns = [
      ...this.groupings.flatMap((grouping, index) => {
        const { key, reference } = grouping;
        const value = `${valueOfGroup(grouping, index)} AS "${key}"`;
        if (!reference) return [value];
        const named = `${expansionOf(reference, `r${index}`)} AS "${reference.name}"`;
        // A custom field has one name for the value and for the record, which has the value as its id.
        return reference.name === key ? [named] : [value, named];
      }),
      't.count',
    ];
    if (this.sums.length > 0) {
      const sums = this.sums.map((field, index) => `'${field.property}', ${this.sum(index)}`);
      columns.push(`json_build_object(${sums.join(', ')}) AS sum`);
    }
    return sql`SELECT row_to_json(r)::text AS record FROM (
      SELECT ${raw(columns.join(', '))} FROM found t ${this.joins} ORDER BY ${this.orderBy} ${window}
    ) r OFFSET 0`;
  }

  /** The columns of a CSV over `t`. @param isRaw whether text that looks like a formula is left as it is */
  cells(isRaw: boolean): Cell[] {
    return [
      ...this.groupings.flatMap((grouping, index) => {
        const { key, field, reference } = grouping;
        const cell = { header: key, sql: storedCell(field, valueOfGroup(grouping, index), isRaw) };
        if (!reference) return [cell];
        const { name, naming, isHidden } = reference;
        const shown = isHidden ? 'NULL' : storedCell(naming, valueOf(naming, `r${index}`), isRaw);
        return [cell, { header: `${name}.${naming.property}`, sql: shown }];
      }),
      { header: 'count', sql: 't.count' },
      ...this.sums.map(({ property }, index) => ({ header: `sum.${property}`, sql: this.sum(index) })),
    ];
  }

  /** SQL of the names of a group as an array of texts, which are null for null. */
  get labels(): Sql {
    const labels = this.groupings.map((grouping, index) => {
      const { reference } = grouping;
      const value = `(${valueOfGroup(grouping, index)})::text`;
      const isNamed = reference && !reference.isHidden;
      const label = isNamed ? `coalesce(${valueOf(reference.naming, `r${index}`)}::text, ${value})` : value;
      return `left(${label}, ${MOST_OF_A_LABEL})`;
    });
    return raw(`ARRAY[${labels.join(', ')}]`);
  }

  /** SQL of a sum. Those of decimals are texts, as the decimals are. */
  private sum(index: number): string {
    return isDecimal(this.sums[index]!) ? `t.s${index}::text` : `t.s${index}`;
  }
}

const isDecimal = ({ type }: StoredField): boolean => type.sqlType === 'numeric';

/** SQL of what is equal in all records of a group. */
function keyOf({ field, unit }: Grouping): string {
  const column = columnOf(field);
  if (!unit) return column;
  const time = field.type.sqlType === 'timestamptz' ? `${column} AT TIME ZONE INTERVAL '0'` : `${column}::timestamp`;
  return `date_trunc('${unit}', ${time})`;
}

/** SQL of an exact sum. The shortest text of a number in double precision is what responses show of it. */
function sumOf(field: StoredField): string {
  const column = columnOf(field);
  return field.type.sqlType === 'double precision' ? `sum(${column}::text::numeric)` : `sum(${column})`;
}

/** SQL of the value of a group `t`, as responses show it. */
function valueOfGroup({ field, unit }: Grouping, index: number): string {
  if (unit) return `to_char(t.g${index}, '${TIME_UNITS[unit]}')`;
  if (isDecimal(field)) return `t.w${index}`;
  return field.type.select?.(`t.g${index}`) ?? `t.g${index}`;
}
