import type { Executor } from '../database/executor.js';
import type { Class, StoredField } from '../fields/field.js';
import { uuid } from '../fields/types/uuid.js';
import { columnOf, recordSqlOf, tableOf } from '../lists/record-sql.js';

const comparableSql = ({ type }: StoredField, sql: string): string => type.key?.(sql) ?? type.compared?.(sql) ?? sql;

const comparable = (field: StoredField, alias: string): string => comparableSql(field, `${alias}.${field.columnName}`);

/** What a key finds. */
export interface Found {
  /** Number of records that have it. */
  matches: number;
  /** One of them. */
  id: string | null;
  /** The key in a form in which equal keys are equal. */
  key: string;
}

/** Finds records by the values of some of their fields. */
export class RecordKeys {
  private readonly statement: string;

  constructor(
    private readonly record: Class,
    private readonly fields: readonly StoredField[],
    private readonly owner?: { column: string; owner: { id: string } },
  ) {
    const table = tableOf(record);
    const same = fields.map((field) => `${comparable(field, 't')} = ${comparable(field, 'k')}`);
    if (owner) same.push(`t.${owner.column} = $2`);
    const key = fields.map((field) => `(${comparable(field, 'k')})::text`).join(', ');
    this.statement = `
      SELECT count(t.id)::int AS matches, min(t.id::text) AS id, jsonb_build_array(${key})::text AS key
      FROM jsonb_array_elements($1) WITH ORDINALITY given (row, place)
      CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, given.row) k
      LEFT JOIN ${table} t ON ${same.join(' AND ')}
      GROUP BY given.place, ${fields.map((field) => `k.${field.columnName}`).join(', ')} ORDER BY given.place`;
  }

  /**
   * Finds records with one statement.
   * @param keys values of the fields, in their order and stored form
   */
  find(db: Executor, keys: readonly (readonly unknown[])[]): Promise<Found[]> {
    if (keys.length === 0) return Promise.resolve([]);
    const rows = keys.map((values) =>
      Object.fromEntries(this.fields.map(({ columnName }, index) => [columnName, values[index]])),
    );
    return db.query<Found>(this.statement, [JSON.stringify(rows), ...(this.owner ? [this.owner.owner.id] : [])]);
  }

  /** Name of the lock that imports with the same key take in turn. */
  get name(): string {
    return `${tableOf(this.record)}(${this.fields.map(({ columnName }) => columnName).join(',')})`;
  }
}

/** The records that have a text: how many, and the id of one of them. */
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
  const [stored, given] = [columnOf(field), `given.text::${field.type.sqlType}`].map((sql) =>
    comparableSql(field, sql),
  );
  const rows = await db.query<{ text: string; matches: number; id: string }>(
    `SELECT given.text, count(*)::int AS matches, min(t.id::text) AS id
    FROM unnest($1::text[]) given (text) JOIN ${tableOf(record)} t ON ${stored} = ${given}
    GROUP BY given.text`,
    [texts],
  );
  return new Map(rows.map(({ text, ...found }) => [text, found]));
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
  const { columnName } = recordSqlOf(record as never).field(owner);
  const [stored, asked] = [columnOf(field), `given.text::${field.type.sqlType}`].map((sql) =>
    comparableSql(field, sql),
  );
  const rows = await db.query<{ owner: string; text: string } & Match>(
    `SELECT given.owner, given.text, count(*)::int AS matches, min(t.id::text) AS id
     FROM unnest($1::uuid[], $2::text[]) given (owner, text)
     JOIN ${tableOf(record)} t ON t.${columnName} = given.owner AND ${stored} = ${asked} AND t.${condition}
     GROUP BY given.owner, given.text`,
    [searched.map(({ owner: id }) => id), searched.map(({ text }) => text)],
  );
  for (const { owner: id, text, ...match } of rows) {
    let ofOwner = found.get(id);
    if (!ofOwner) found.set(id, (ofOwner = new Map()));
    ofOwner.set(text, match);
  }
  return found;
}

const isId = (text: string): boolean => uuid.parse(text, {}) !== undefined;

/** Texts of records by their ids. */
export async function textsById(
  db: Executor,
  record: Class,
  field: StoredField,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; text: string | null }>(
    `SELECT t.id, ${columnOf(field)}::text AS text FROM ${tableOf(record)} t WHERE t.id = ANY($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, text }) => [id, text]));
}
