import { escapeLiteral } from 'pg';

/** A value of a statement. It is one parameter, even if its part is used repeatedly. */
class Parameter {
  constructor(readonly value: unknown) {}
}

/** SQL with the values of its parameters: a statement that reads, or a part of a statement. */
export class Sql {
  private made?: { text: string; values: readonly unknown[] };

  /**
   * @param parts texts between the values
   * @param isPrepared for a statement: whether a connection prepares it once, and may keep its plan
   */
  constructor(
    private readonly strings: readonly string[],
    private readonly parts: readonly (Sql | Parameter)[] = [],
    readonly isPrepared = true,
  ) {}

  /** The same statement, planned again for the values of each execution, where its best plan depends on them. */
  unprepared(): Sql {
    return new Sql(this.strings, this.parts, false);
  }

  /** The text, with `$1`, `$2`, … for the values. */
  get text(): string {
    return this.make().text;
  }

  get values(): readonly unknown[] {
    return this.make().values;
  }

  /** The text of SQL without values. @throws Error if there are values, which would be lost */
  toString(): string {
    const { text, values } = this.make();
    if (values.length > 0) throw new Error(`SQL with values is nested with the tag: ${text}`);
    return text;
  }

  /** For an entity tag. */
  toJSON(): unknown {
    return [this.text, this.values];
  }

  private make(): { text: string; values: readonly unknown[] } {
    if (this.made) return this.made;
    const parameters: Parameter[] = [];
    const text = this.append(parameters);
    return (this.made = { text, values: parameters.map(({ value }) => value) });
  }

  private append(parameters: Parameter[]): string {
    const { strings, parts } = this;
    let text = strings[0]!;
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index]!;
      text += part instanceof Sql ? part.append(parameters) : numberOf(part, parameters);
      text += strings[index + 1]!;
    }
    return text;
  }
}

function numberOf(parameter: Parameter, parameters: Parameter[]): string {
  const place = parameters.indexOf(parameter);
  return `$${place === -1 ? parameters.push(parameter) : place + 1}`;
}

/** A statement that writes. Only the writing methods of an executor take it. */
export class Write {
  /** @param selected SELECT of the rows that the statement returns, from `written`; all of them if absent */
  constructor(
    private readonly statement: Sql,
    readonly selected?: Sql,
  ) {}

  /** As `Sql.unprepared`. */
  unprepared(): Write {
    return new Write(this.statement.unprepared(), this.selected);
  }

  /** The same write, returning the rows of a SELECT from `written`. */
  select(selected: Sql): Write {
    return new Write(this.statement, selected);
  }

  get whole(): Sql {
    const { statement, selected } = this;
    if (!selected) return statement;
    const whole = sql`WITH written AS (${statement}) ${selected}`;
    return statement.isPrepared ? whole : whole.unprepared();
  }
}

/** Tag of SQL: nested `Sql` is inserted, and every other value becomes a parameter. */
export const sql = (strings: readonly string[], ...parts: readonly unknown[]): Sql =>
  new Sql(
    strings,
    parts.map((part) => (part instanceof Sql ? part : new Parameter(part))),
  );

/** Tag of a statement that writes. */
export const write = (strings: readonly string[], ...parts: readonly unknown[]): Write =>
  new Write(sql(strings, ...parts));

/** SQL from the source or from declared fields, never from a request. */
export const raw = (text: string | number | Sql): Sql => (text instanceof Sql ? text : new Sql([String(text)]));

export const EMPTY = raw('');

const IDENTIFIER = /^[a-z_][a-z0-9_]*$/;

/** The name of a table, a column or another object. All names in use need no quotes. @throws Error for other names */
export function identifier(name: string): Sql {
  if (!IDENTIFIER.test(name)) throw new Error(`${JSON.stringify(name)} is not a name in SQL`);
  return raw(name);
}

/** A text of the source as a literal, because a parameter would have another plan. */
export const literal = (text: string): Sql => raw(escapeLiteral(text));

export const join = (parts: readonly Sql[], separator = ', '): Sql =>
  parts.length === 0 ? EMPTY : new Sql(['', ...parts.slice(1).map(() => separator), ''], parts);

/** WHERE with all conditions; nothing if there are none. */
export const where = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? EMPTY : sql`WHERE ${join(conditions, ' AND ')}`;
