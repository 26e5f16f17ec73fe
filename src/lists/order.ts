import { createHash } from 'node:crypto';
import { isDataException } from '../database/database-errors.js';
import { join, raw, type Sql, sql } from '../database/sql.js';
import { invalid, type ValidationFailed } from '../http/errors.js';

/** Maximum characters of a cursor. It is part of an address, which programs and proxies limit to some thousands. */
const LONGEST = 2_000;

/** A position in an order: the texts of its sort keys. */
export interface Cursor {
  /** Identifies the order. */
  order: string;
  keys: readonly (string | null)[];
}

/** One key of an order, as SQL over `t`. */
interface OrderKey {
  sql: string;
  isDescending: boolean;
  nullsFirst: boolean;
}

/** The suffixes of a key in the declaration of an order. */
const SUFFIX = /^(.*?)(?: (ASC|DESC))?(?: NULLS (FIRST|LAST))?$/is;

function keyOf(declared: string): OrderKey {
  const [, key, direction, nulls] = SUFFIX.exec(declared)!;
  const isDescending = direction?.toUpperCase() === 'DESC';
  return { sql: key!, isDescending, nullsFirst: nulls === undefined ? isDescending : nulls.toUpperCase() === 'FIRST' };
}

const isKeys = (value: unknown): value is (string | null)[] =>
  Array.isArray(value) && value.every((key) => key === null || (typeof key === 'string' && !key.includes('\0')));

/** Parses a cursor; undefined for another text. */
export function parseCursor(text: string): Cursor | undefined {
  if (text.length > LONGEST || !/^[\w-]+$/.test(text)) return undefined;
  try {
    const [order, ...keys] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    return typeof order === 'string' && isKeys(keys) ? { order, keys } : undefined;
  } catch {
    return undefined;
  }
}

export const NO_CURSOR = 'must be a cursor, as in the header Link of a page';

/** A total order of the rows of `t`. */
export class Order {
  /** The text of ORDER BY. */
  readonly text: Sql;
  private readonly keys: readonly OrderKey[];

  /** @param declared its keys as ORDER BY has them, such as `t.name COLLATE "C" DESC NULLS FIRST` */
  constructor(private readonly declared: readonly string[]) {
    this.text = raw(declared.join(', '));
    this.keys = declared.map(keyOf);
  }

  /** SQL of the position of a row of `t`, as JSON text. */
  get place(): Sql {
    return raw(`json_build_array(${this.keys.map((key) => `(${key.sql})::text`).join(', ')})::text`);
  }

  /** The text of a cursor. @param place undefined and null for none @returns undefined also for a cursor that is too long for an address */
  cursor(place: string | null | undefined): string | undefined {
    if (place === null || place === undefined) return undefined;
    const keys = JSON.parse(place) as (string | null)[];
    const text = Buffer.from(JSON.stringify([this.mark, ...keys])).toString('base64url');
    return text.length <= LONGEST ? text : undefined;
  }

  /**
   * The condition that a row of `t` comes after a cursor.
   * @param source FROM item with the columns of `t`
   * @throws ValidationFailed for the cursor of another order
   */
  after(cursor: Cursor, source: Sql): Sql {
    const start = this.start(cursor, source);
    const at = (index: number): Sql => sql`(SELECT start.${raw(`k${index}`)} FROM ${start})`;
    const follows = this.keys.map((key, index) => {
      const equal = this.keys
        .slice(0, index)
        .map((other, place) => sql`${raw(other.sql)} IS NOT DISTINCT FROM ${at(place)}`);
      return sql`(${join([...equal, comesAfter(key, cursor.keys[index] === null, at(index))], ' AND ')})`;
    });
    return sql`(${join(follows, ' OR ')})`;
  }

  /**
   * The same for an order whose keys have one direction, as disjoint conditions. An index of the keys serves each of them.
   * @param isNullable whether the first key can be null, and with it all keys but the last
   */
  branches(cursor: Cursor, source: Sql, isNullable: boolean): Sql[] {
    const start = this.start(cursor, source);
    const [first, last] = [this.keys[0]!, this.keys.at(-1)!];
    const sign = raw(first.isDescending ? '<' : '>');
    const isNull = sql`${raw(first.sql)} IS NULL`;
    if (cursor.keys[0] === null) {
      const tied = sql`${isNull} AND ${raw(last.sql)} ${sign} (SELECT start.${raw(`k${this.keys.length - 1}`)} FROM ${start})`;
      return first.nullsFirst ? [tied, sql`${raw(first.sql)} IS NOT NULL`] : [tied];
    }
    const keys = raw(this.keys.map((key) => key.sql).join(', '));
    const beyond = sql`ROW(${keys}) ${sign} (SELECT * FROM ${start})`;
    return isNullable && !first.nullsFirst ? [beyond, isNull] : [beyond];
  }

  /** FROM item with the keys of a cursor. UNION gives them the types of the order's columns. */
  private start({ order, keys }: Cursor, source: Sql): Sql {
    if (order !== this.mark) {
      throw invalid('after', 'is a cursor of another order. Use it with the parameters of the page that it came from');
    }
    if (keys.length !== this.keys.length) throw notACursor();
    const typed = raw(this.keys.map((key) => key.sql).join(', '));
    const names = raw(this.keys.map((_, index) => `k${index}`).join(', '));
    return sql`(SELECT ${typed} FROM ${source} WHERE false UNION ALL SELECT ${join(keys.map((key) => sql`${key}`))}) start (${names})`;
  }

  private get mark(): string {
    return createHash('sha256').update(this.declared.join()).digest('base64url').slice(0, 8);
  }
}

/**
 * Runs a read that begins after a cursor.
 * @throws ValidationFailed if a key is not of the type that the order has, and the errors of the read
 */
export async function reading<T>(cursor: Cursor | undefined, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw cursor && isDataException(error) ? notACursor() : error;
  }
}

const notACursor = (): ValidationFailed => invalid('after', NO_CURSOR);

/** The condition that a key is after that of a cursor. @param isNull whether the cursor's key is null @param at SQL of the cursor's key */
function comesAfter({ sql: key, isDescending, nullsFirst }: OrderKey, isNull: boolean, at: Sql): Sql {
  if (isNull) return nullsFirst ? sql`${raw(key)} IS NOT NULL` : raw('false');
  const beyond = sql`${raw(key)} ${raw(isDescending ? '<' : '>')} ${at}`;
  return nullsFirst ? beyond : sql`(${beyond} OR ${raw(key)} IS NULL)`;
}
