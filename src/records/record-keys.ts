import type { Executor } from '../database/executor.js';
import type { Class, StoredField } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { uuid } from '../fields/types/uuid.js';
import { columnOf, declaredSqlOf, tableOf } from '../lists/record-sql.js';
import { identifier, join, raw, sql, type Sql } from '../database/sql.js';

const comparableSql = ({ type }: StoredField, text: string): string =>
  type.key?.(text) ?? type.compared?.(text) ?? text;

const comparable = (field: StoredField, alias: string): Sql => raw(comparableSql(field, columnOf(field, alias)));

/** The same, for which the texts are equal too: the numbers 1.5 and 1.50 have different texts. */
const canonical = (field: StoredField, alias: string): Sql =>
  field.type.sqlType === 'numeric' ? sql`trim_scale(${comparable(field, alias)})` : comparable(field, alias);

/** SQL of the column of a field, and of the text `given.text`, in a form in which equal values are equal. */
const compared = (field: StoredField): Sql =>
  sql`${comparable(field, 't')} = ${raw(comparableSql(field, `given.text::${field.type.sqlType}`))}`;

/** The result for a key. */
interface KeyMatch {
  /** Number of records that have it. */
  matches: number;
  /** One of them. */
  id: string | null;
  /** The key in a canonical form. */
  key: string;
}

/** Finds records by the values of some of their fields. */
export class RecordKeys {
  constructor(
    private readonly record: Class,
    private readonly fields: readonly StoredField[],
    private readonly owner?: { column: string; owner: { id: string } },
  ) {}

  /**
   * Finds records with one statement.
   * @param keys values of the fields, in their order and stored form
   */
  find(db: Executor, keys: readonly (readonly unknown[])[]): Promise<KeyMatch[]> {
    if (keys.length === 0) return Promise.resolve([]);
    const rows = keys.map((values) =>
      this.fields.reduce<Record<string, unknown>>((row, { columnName, custom }, index) => {
        const value = values[index];
        if (!custom) return { ...row, [columnName]: value };
        return { ...row, [columnName]: { ...(row[columnName] as object), [custom.definition.storedAs]: value } };
      }, {}),
    );
    return db.query<KeyMatch>(this.statement(JSON.stringify(rows)));
  }

  private statement(rows: string): Sql {
    const { fields, owner } = this;
    const table = identifier(tableOf(this.record));
    const same = fields.map((field) => sql`${comparable(field, 't')} = ${comparable(field, 'k')}`);
    if (owner) same.push(sql`t.${identifier(owner.column)} = ${owner.owner.id}`);
    const key = join(fields.map((field) => sql`(${canonical(field, 'k')})::text`));
    return sql`SELECT count(t.id)::int AS matches, min(t.id::text) AS id, jsonb_build_array(${key})::text AS key
      FROM jsonb_array_elements(${rows}) WITH ORDINALITY given (row, place)
      CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, given.row) k
      LEFT JOIN ${table} t ON ${join(same, ' AND ')}
      GROUP BY given.place, ${join(fields.map((field) => sql`k.${identifier(field.columnName)}`))} ORDER BY given.place`;
  }

  /** Name of the lock that serializes imports with the same key. */
  get name(): string {
    return `${tableOf(this.record)}(${this.fields.map(({ property }) => property).join(',')})`;
  }
}

/** The records with a text: their number, and the id of one of them. */
export interface Match {
  matches: number;
  id: string;
}

/** Records by a text. */
export async function findByText(
  db: Executor,
  record: Class,
  field: StoredField,
  texts: readonly string[],
): Promise<Map<string, Match>> {
  if (texts.length === 0) return new Map();
  const rows = await db.query<{ text: string; matches: number; id: string }>(
    sql`SELECT given.text, count(*)::int AS matches, min(t.id::text) AS id
      FROM unnest(${texts}::text[]) given (text) JOIN ${identifier(tableOf(record))} t ON ${compared(field)}
      GROUP BY given.text`,
  );
  return new Map(rows.map(({ text, ...found }) => [text, found]));
}

/**
 * Records by a text and their references.
 * @param references of the records
 * @param given each a text, and the ids that records with it must refer to, by the columns of the references
 * @returns the result of each, in their order; undefined if none matches
 */
export async function findReferring(
  db: Executor,
  record: Class,
  field: StoredField,
  references: readonly StoredField[],
  given: readonly { text: string; ids: Readonly<Record<string, string>> }[],
): Promise<(Match | undefined)[]> {
  if (given.length === 0) return [];
  const same = references.map(({ columnName }) => {
    const id = sql`(given.ids ->> ${columnName}::text)`;
    return sql`(${id} IS NULL OR t.${identifier(columnName)} = ${id}::uuid)`;
  });
  const rows = await db.query<{ place: number } & Match>(
    sql`SELECT given.place, count(*)::int AS matches, min(t.id::text) AS id
      FROM jsonb_to_recordset(${JSON.stringify(given.map((one, place) => ({ place, ...one })))}) given (place int, text text, ids jsonb)
      JOIN ${identifier(tableOf(record))} t ON ${compared(field)} AND ${join(same, ' AND ')}
      GROUP BY given.place`,
  );
  const found = new Map(rows.map(({ place, ...match }) => [place, match]));
  return given.map((_, place) => found.get(place));
}

/** Records by their owner and a text. */
export async function findSiblings(
  db: Executor,
  record: Class,
  field: StoredField,
  { owner, condition }: { owner: string; condition: string },
  given: readonly { owner: string; text: string }[],
): Promise<Map<string, Map<string, Match>>> {
  const found = new Map<string, Map<string, Match>>();
  const searched = given.filter(({ owner: id, text }) => isId(id) && field.type.parse(text, field) !== undefined);
  if (searched.length === 0) return found;
  const { columnName } = declaredSqlOf(record as Class<StoredRecord>).field(owner);
  const rows = await db.query<{ owner: string; text: string } & Match>(
    sql`SELECT given.owner, given.text, count(*)::int AS matches, min(t.id::text) AS id
      FROM unnest(${searched.map(({ owner: id }) => id)}::uuid[], ${searched.map(({ text }) => text)}::text[]) given (owner, text)
      JOIN ${identifier(tableOf(record))} t ON t.${identifier(columnName)} = given.owner AND ${compared(field)} AND t.${raw(condition)}
      GROUP BY given.owner, given.text`,
  );
  for (const { owner: id, text, ...match } of rows) {
    let ofOwner = found.get(id);
    if (!ofOwner) found.set(id, (ofOwner = new Map()));
    ofOwner.set(text, match);
  }
  return found;
}

const isId = (text: string): boolean => uuid.parse(text) !== undefined;

/** Texts of records by their ids. */
export async function textsById(
  db: Executor,
  record: Class,
  field: StoredField,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; text: string | null }>(
    sql`SELECT t.id, ${raw(columnOf(field))}::text AS text FROM ${identifier(tableOf(record))} t WHERE t.id = ANY(${ids})`,
  );
  return new Map(rows.map(({ id, text }) => [id, text]));
}
