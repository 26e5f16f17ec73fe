import { hasRole } from '../../access/access.js';
import { shownBy } from '../../fields/bodies/bodies.js';
import { CUSTOM } from '../../fields/custom/custom-field.js';
import { closest } from '../../http/closest.js';
import {
  bodyFieldsOf,
  fieldsOf,
  isShown,
  isStored,
  type BodyField,
  type Class,
  type ComputedField,
  type Concrete,
  type StoredField,
} from '../../fields/field.js';
import { namingOf } from '../../fields/naming.js';
import { areaOf } from '../../fields/record-entity.js';
import { expandableOf } from '../../fields/references.js';
import { jsonOrText } from '../../fields/types/json.js';
import { Fault, ValidationFailed } from '../../http/errors.js';
import type { ImportOptions } from './import.options.js';
import type { Cell } from './rows.js';
import type { RequestContext } from '../../lists/request-context.js';

/** A column that holds a property of the create body. */
interface ValueColumn {
  kind: 'value';
  name: string;
  field: BodyField;
}

/** The values of all custom fields, as JSON lines have them. */
interface CustomColumn {
  kind: 'custom';
  name: string;
}

/** A column that identifies the target of a reference by a text, for example `site.name`. */
export interface TextColumn {
  kind: 'text';
  name: string;
  /** The reference, for example `siteId`. */
  reference: StoredField;
  target: Class;
  /** Field of the target. */
  field: StoredField;
  /** The permission that the caller lacks to look up records by this text; undefined if the caller may. Without it the id must be given. */
  needs?: string;
}

/** A read-only column, for example `createdAt`. It is ignored. */
interface IgnoredColumn {
  kind: 'ignored';
  name: string;
}

export type Column = ValueColumn | CustomColumn | TextColumn | IgnoredColumn;

/** Field types that can identify a record. */
const NAMING_TYPES = ['text', 'inet'];

/** The columns that an import file of a resource may have. */
export class Columns {
  private readonly settable: ReadonlyMap<string, BodyField>;
  private readonly shown: ReadonlySet<string>;
  private readonly references = new Map<string, StoredField | ComputedField>();
  private readonly expansions: ReadonlySet<string>;
  private readonly hasCustomFields: boolean;
  private readonly known = new Map<string, Column | null>();

  constructor(
    record: Class,
    create: Concrete,
    private readonly ctx: RequestContext,
  ) {
    const custom = ctx.fields.of(record).fields;
    const settable = [...bodyFieldsOf(create), ...custom];
    this.hasCustomFields = custom.length > 0;
    this.settable = new Map(settable.map((field) => [field.property, field]));
    this.shown = new Set(
      fieldsOf(shownBy(create) ?? record)
        .filter(isShown)
        .map(({ property }) => property),
    );
    this.expansions = new Set(expandableOf(record).map(({ name }) => name));
    for (const field of fieldsOf(record).filter(isShown)) {
      if ((isStored(field) || field.kind === 'computed') && field.references)
        this.references.set(field.property.replace(/Id$/, ''), field);
    }
    for (const field of custom) if (field.references) this.references.set(field.property, field);
  }

  /** The column with a name; null if there is none. */
  of(name: string): Column | null {
    let column = this.known.get(name);
    if (column === undefined) {
      column = this.find(name);
      // Each row of a JSON lines file has its own names.
      if (this.known.size < 10_000) this.known.set(name, column);
    }
    return column;
  }

  /** Whether an export as JSON lines with `expand` has this property. It is ignored; no CSV file has such a column. */
  isExpansion(name: string): boolean {
    return this.expansions.has(name);
  }

  private find(name: string): Column | null {
    const field = this.settable.get(name);
    if (field) return { kind: 'value', name, field };
    if (name === CUSTOM && this.hasCustomFields) return { kind: 'custom', name };
    if (this.shown.has(name)) return { kind: 'ignored', name };
    const [, referring, property] = /^((?:customFields\.)?\w+)\.(\w+)$/.exec(name) ?? [];
    const reference = referring === undefined ? undefined : this.references.get(referring);
    if (!reference || property === undefined) return null;
    const target = reference.references!();
    // In an export, a computed reference has a name too.
    if (!isStored(reference)) return property === namingOf(target)?.property ? { kind: 'ignored', name } : null;
    const named = textsOf(target).find((text) => text.property === property);
    if (!named) return null;
    if (!this.settable.has(reference.property)) return { kind: 'ignored', name };
    return { kind: 'text', name, reference, target, field: named, needs: this.lackedFor(reference, target) };
  }

  /** The permission that the caller lacks to look up a target by text, so that the caller does not learn which texts exist. */
  private lackedFor({ custom }: StoredField, target: Class): string | undefined {
    const area = areaOf(target);
    // Only administrators may look up profiles.
    if (area === null) return hasRole(this.ctx.caller, 'admin') ? undefined : 'the role admin';
    return custom?.isTargetHidden ? `access to the area ${area}` : undefined;
  }

  /** @throws ValidationFailed with all faults of a header; a file without one has none */
  checkHeader(header: readonly string[] | undefined): void {
    if (!header) return;
    const faults: Fault[] = [];
    const seen = new Set<string>();
    for (const name of header) {
      if (name === '') continue;
      if (seen.has(name)) faults.push(new Fault(name, 'is the name of two columns'));
      seen.add(name);
      // A file of cells has a column for each of them.
      const column = this.of(name);
      if (!column || column.kind === 'custom') faults.push(this.unknown(name, faults.length));
    }
    if (seen.size === 0) faults.push(new Fault('header', 'must name a column'));
    if (faults.length > 0) throw new ValidationFailed(faults);
  }

  /** The fault for an unknown column. The number of suggestions is limited, because each takes time. */
  unknown(name: string, faultsBefore = 0): Fault {
    const near = faultsBefore < 100 ? closest(name, this.names()) : undefined;
    return new Fault(name, `is not a known column${near ? `. Did you mean '${near}'?` : ''}`, 'unknown');
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
export type CellOptions = Pick<ImportOptions, 'empty' | 'raw'>;

// Text that the export escapes, because a spreadsheet would interpret it as a formula.
const GUARDED = /^'(?=[=+\-@\t\r'])/;

/** The text of a cell; undefined if the property is not given, null if the cell clears it. */
export function textOf(cell: Cell, { empty, raw }: CellOptions): string | null | undefined {
  if (cell === null) return empty === 'clear' ? null : undefined;
  return raw ? cell : cell.replace(GUARDED, '');
}

/** The JSON value of a text for a property. */
export function valueOf(text: string | null, field: BodyField): unknown {
  // A list is never null: without entries it is empty.
  if (text === null) return field.kind === 'stored' && field.type.column(field).array ? [] : null;
  if (field.kind === 'stored') return field.type.fromText ? field.type.fromText(text) : text;
  return jsonOrText(text);
}
