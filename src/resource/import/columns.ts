import { hasRole, type Caller } from '../../access/access.js';
import { closest } from '../../fields/closest.js';
import {
  bodyFieldsOf,
  fieldsOf,
  isShown,
  isStored,
  type BodyField,
  type Class,
  type Concrete,
  type StoredField,
} from '../../fields/field.js';
import { areaOf } from '../../fields/record-entity.js';
import { Fault, ValidationFailed } from '../../http/errors.js';
import type { Cell } from './rows.js';

/** A column that holds a property of the create body. */
interface ValueColumn {
  kind: 'value';
  name: string;
  field: BodyField;
}

/** A column that names what a property refers to by a text of it, such as `site.name`. */
export interface TextColumn {
  kind: 'text';
  name: string;
  /** The reference, such as `siteId`. */
  reference: StoredField;
  target: Class;
  /** Field of the target. */
  field: StoredField;
  /** False: the caller may not find records by this text, and must give the id. */
  findable: boolean;
}

/** A column that nothing can be set by, such as `createdAt`. */
interface IgnoredColumn {
  kind: 'ignored';
  name: string;
}

export type Column = ValueColumn | TextColumn | IgnoredColumn;

/** Types of texts that name a record. */
const NAMING_TYPES = ['text', 'inet'];

/** The columns that a file of a resource's records may have. */
export class Columns {
  private readonly settable: ReadonlyMap<string, BodyField>;
  private readonly shown: ReadonlySet<string>;
  private readonly references = new Map<string, StoredField>();
  private readonly known = new Map<string, Column | null>();

  constructor(
    record: Class,
    create: Concrete,
    private readonly caller: Caller,
  ) {
    const settable = bodyFieldsOf(create);
    this.settable = new Map(settable.map((field) => [field.property, field]));
    this.shown = new Set(
      fieldsOf(record)
        .filter(isShown)
        .map(({ property }) => property),
    );
    for (const field of fieldsOf(record).filter(isShown)) {
      if (isStored(field) && field.references) this.references.set(field.property.replace(/Id$/, ''), field);
    }
  }

  /** The column of a name; null if there is none. */
  of(name: string): Column | null {
    let column = this.known.get(name);
    if (column === undefined) {
      column = this.find(name);
      // Every row of a file of JSON lines has names of its own.
      if (this.known.size < 10_000) this.known.set(name, column);
    }
    return column;
  }

  private find(name: string): Column | null {
    const field = this.settable.get(name);
    if (field) return { kind: 'value', name, field };
    if (this.shown.has(name)) return { kind: 'ignored', name };
    const [, referring, property] = /^(\w+)\.(\w+)$/.exec(name) ?? [];
    const reference = referring === undefined ? undefined : this.references.get(referring);
    if (!reference || property === undefined) return null;
    const target = reference.references!();
    const named = textsOf(target).find((text) => text.property === property);
    if (!named) return null;
    if (!this.settable.has(reference.property)) return { kind: 'ignored', name };
    // Login profiles are for administrators: others would learn which email addresses have one.
    const findable = areaOf(target) !== null || hasRole(this.caller, 'admin');
    return { kind: 'text', name, reference, target, field: named, findable };
  }

  /** @throws ValidationFailed with all faults of a header */
  checkHeader(header: readonly string[]): void {
    const faults: Fault[] = [];
    const seen = new Set<string>();
    for (const name of header) {
      if (name === '') continue;
      if (seen.has(name)) faults.push(new Fault(name, 'is the name of two columns'));
      seen.add(name);
      if (!this.of(name)) faults.push(new Fault(name, this.unknown(name, faults.length)));
    }
    if (seen.size === 0) faults.push(new Fault('header', 'must name a column'));
    if (faults.length > 0) throw new ValidationFailed(faults);
  }

  /** The fault of a name that is no column's. Suggestions for thousands of them would take long. */
  unknown(name: string, faultsBefore = 0): string {
    const near = faultsBefore < 100 ? closest(name, this.names()) : undefined;
    return near ? `is not a known column. Did you mean '${near}'?` : 'is not a known column';
  }

  private *names(): Generator<string> {
    yield* this.settable.keys();
    for (const [name, { references }] of this.references) {
      for (const { property } of textsOf(references!())) yield `${name}.${property}`;
    }
  }
}

const textsOf = (record: Class): StoredField[] =>
  fieldsOf(record)
    .filter(isStored)
    .filter(({ secret, type }) => !secret && NAMING_TYPES.includes(type.sqlType) && type.column({}).array !== true);

/** How cells of a CSV file are read. */
export interface CellOptions {
  /** What an empty cell without quotes means: `ignore` that the property is not given, `clear` that it is null. */
  empty: 'ignore' | 'clear';
  /** Cells are read as they are. */
  raw: boolean;
}

// What the export guards against spreadsheets, which take such a text for a formula.
const GUARDED = /^'(?=[=+\-@\t\r'])/;

/** The text of a cell; undefined if the cell is empty and says nothing, null if it clears the property. */
export function textOf(cell: Cell, { empty, raw }: CellOptions): string | null | undefined {
  if (cell === null) return empty === 'clear' ? null : undefined;
  return raw ? cell : cell.replace(GUARDED, '');
}

/** The JSON value that a text spells for a property. */
export function valueOf(text: string | null, field: BodyField): unknown {
  // A list is never null: without entries it is empty.
  if (text === null) return field.kind === 'stored' && field.type.column(field).array ? [] : null;
  if (field.kind === 'stored') return field.type.fromText ? field.type.fromText(text) : text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
