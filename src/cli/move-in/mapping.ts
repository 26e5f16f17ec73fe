import { LeftOut, type Ids, type Row, type SourceObject } from './model.js';
import type { Report } from './report.js';
import { isEmpty, isObject, jsonOf, listOf } from './shapes.js';

/** Type of a custom field here. */
export type CustomType =
  'text' | 'integer' | 'decimal' | 'boolean' | 'date' | 'dateTime' | 'url' | 'choice' | 'tags' | 'reference';

/** A value that has no built-in field here. It becomes the value of a custom field. */
export interface CustomValue {
  key: string;
  type: CustomType;
  /** The resource that a reference is to. */
  target?: string;
  /** Null if the object has no value. A record that has a value then loses it. */
  value: unknown;
  /** Definition of the field in the source, if any. */
  definition?: CustomDefinition;
  /** The choices that the source lists. The field admits these and every other word that occurs as a value. */
  choices?: readonly string[];
  /** Objects that become part of this value, as `model:pk`. */
  uses?: string[];
  /** The target of a reference, if the target is not a record yet. */
  awaits?: { model: string; pk: string };
}

/** Definition of a custom field of the source. */
interface CustomDefinition {
  label: string | null;
  description?: string | null;
}

/** A record to write, and the object that it is made of. */
export interface Moved {
  object: SourceObject;
  row: Row;
  custom: CustomValue[];
  /** Objects that become values of this record, as `model:pk`. */
  uses: string[];
  /** Custom fields whose values cannot be sent with the record: the target does not exist yet, or a dry run has not created the field. */
  planned?: Set<string>;
  /** For a part without a list of the parts of all owners: where to write it. */
  part?: Part;
}

/** Parts of one record. */
interface Part {
  /** Below `/api`, for example `sites/<id>/responsibilities`. */
  path: string;
  /** Its name in the change log. */
  resource: string;
}

/** The objects of the source that a run has read. */
export interface Known {
  ids: Ids;
  report: Report;
  /** Whether an object has become a record, or is about to. */
  has(model: string, pk: string): boolean;
  /** The resource of a kind; undefined if it has none. */
  resourceOf(model: string): string | undefined;
  /** The name of an object that has no record. */
  nameOf(model: string, pk: string): string | undefined;
}

/** Fields with no information about the estate. */
const TECHNICAL =
  /^(?:created|last_updated|lft|rght|tree_id|level|path|sort_path|cable|cable_end|cable_connector|cable_positions|display|display_url|url|_.*|.*_count)$/;

/** Label of a field without one in the source: `siteGroup` becomes `Site group`. */
export const labelOf = (key: string): string => {
  const words = key.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const camelCase = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z\d]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '')
    .replace(/^[A-Z]+/, (start) => start.toLowerCase())
    .replace(/^(\d)/, 'n$1');

/** Reads the fields of one object. Fields that were not read in the end become custom fields. */
export class Mapping {
  readonly custom: CustomValue[] = [];
  readonly uses: string[] = [];
  part?: Part;
  private readonly read = new Set<string>();

  constructor(
    readonly object: SourceObject,
    readonly known: Known,
  ) {}

  get id(): string {
    return this.known.ids.of(this.object.model, this.object.pk);
  }

  /** The unchanged value; null if there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what a source says is not known before it is read
  value(field: string): any {
    this.read.add(field);
    const value: unknown = this.object.fields[field];
    return value === '' || value === undefined ? null : value;
  }

  text(field: string): string | null {
    const value: unknown = this.value(field);
    if (typeof value === 'object') return value === null ? null : this.refused(field, 'a text');
    return String(value);
  }

  /** A text of one line. */
  line(field: string): string | null {
    return this.text(field)?.replaceAll(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? ' ' : blanks)) ?? null;
  }

  number(field: string): number | null {
    const value: unknown = this.value(field);
    if (value === null) return null;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : this.refused(field, 'a number');
  }

  /** Converts a number from the unit in another field to the unit used here. @param units factor of each source unit */
  measure(field: string, unitField: string, units: ReadonlyMap<string | null, number>): number | null {
    const value = this.number(field);
    const unit = this.text(unitField);
    const factor = units.get(unit);
    if (value === null) return null;
    if (factor !== undefined) return Number((value * factor).toFixed(3));
    this.changed(field, `left out: ${value} '${unit}', which is no unit that is known`);
    return null;
  }

  /** A word, or nothing. Without a word the record gets the default. */
  word(field: string): string | undefined {
    return this.text(field) ?? undefined;
  }

  flag(field: string): boolean | undefined {
    const value: unknown = this.value(field);
    if (typeof value === 'boolean') return value;
    if (value !== null) this.refused(field, 'true or false');
    return undefined;
  }

  /** The entries of a list. */
  list(field: string): unknown[] {
    const value: unknown = this.value(field);
    const list = listOf(value);
    if (list === undefined) this.refused(field, 'a list');
    return list ?? [];
  }

  /** Values by their names. */
  values(field: string): Record<string, unknown> {
    const given: unknown = this.value(field);
    const value = typeof given === 'string' ? jsonOf(given) : given;
    if (isObject(value)) return value;
    if (given !== null) this.refused(field, 'an object');
    return {};
  }

  private refused(field: string, what: string): null {
    this.changed(field, `left out: ${JSON.stringify(this.object.fields[field])} is not ${what}`);
    return null;
  }

  /** The id of the record that a field refers to. A reference to an object that was not moved is left out and reported. */
  reference(field: string, model: string): string | null {
    const value: unknown = this.value(field);
    return value === null ? null : this.referenceTo(field, model, String(value));
  }

  referenceTo(field: string, model: string, pk: string): string | null {
    if (this.known.has(model, pk)) return this.known.ids.of(model, pk);
    const leadsBack = model === this.object.model && this.object.circular?.includes(pk) === true;
    this.changed(field, leadsBack ? `left out: ${model} ${pk} leads back to it` : `${model} ${pk} was not moved`);
    return null;
  }

  /** The same for a required reference. @throws LeftOut */
  owner(field: string, model: string): string {
    const value: unknown = this.value(field);
    if (value === null) throw new LeftOut(`${field} is missing`);
    if (!this.known.has(model, String(value))) throw new LeftOut(`${model} ${value} was not moved`);
    return this.known.ids.of(model, String(value));
  }

  /** The name of an object that becomes a text. */
  name(field: string, model: string): string | null {
    const value: unknown = this.value(field);
    return value === null ? null : this.use(model, String(value), field);
  }

  /** @param uses the list to which the object is added */
  use(model: string, pk: string, field: string, uses = this.uses): string | null {
    const name = this.known.nameOf(model, pk);
    if (name === undefined) {
      this.changed(field, `${model} ${pk} is not in the source`);
      return null;
    }
    uses.push(`${model}:${pk}`);
    return name;
  }

  changed(field: string, why: string): void {
    this.known.report.line(this.object.model, this.object.pk, field, why);
  }

  /** A custom field for a field that has no counterpart here: a reference if its target is a record here, otherwise the name. */
  add(field: string, model: string, key = camelCase(field)): void {
    this.put(field, model, this.value(field), key);
  }

  /** The same for a value that is not itself a field of the source. */
  put(field: string, model: string, value: unknown, key: string): void {
    const target = this.known.resourceOf(model);
    if (target === undefined || Array.isArray(value)) return this.addNames(field, model, value, { key });
    const id = isEmpty(value) ? null : this.referenceTo(field, model, String(value));
    this.custom.push({ key, type: 'reference', target, value: id });
  }

  /** A custom field with the names of objects. */
  addNames(field: string, model: string, value: unknown, own: Pick<CustomValue, 'key' | 'definition' | 'uses'>): void {
    const uses = [...(own.uses ?? [])];
    // Sorted by key, because the order in the source varies.
    const keys = isEmpty(value) ? [] : [value].flat().toSorted((a, b) => Number(a) - Number(b) || 0);
    const names = keys.flatMap((pk) => this.use(model, String(pk), field, uses) ?? []);
    this.custom.push({ ...own, type: 'text', value: names.length > 0 ? names.join(', ') : null, uses });
  }

  /** The same for a reference to a kind that is written later. */
  addLater(field: string, model: string): void {
    const pk = this.text(field);
    const target = this.known.resourceOf(model);
    if (target === undefined) return;
    const own = { key: camelCase(field), type: 'reference', target } as const;
    if (pk === null) this.custom.push({ ...own, value: null });
    else this.custom.push({ ...own, value: this.known.ids.of(model, pk), awaits: { model, pk } });
  }

  /**
   * Adds a custom field for each field that was not read.
   * @param defaults values of the source that carry no information
   */
  addRest(defaults: Readonly<Record<string, unknown>> = {}): void {
    for (const [field, value] of Object.entries(this.object.fields)) {
      if (this.read.has(field) || TECHNICAL.test(field)) continue;
      const isNone = isEmpty(value) || (field in defaults && String(defaults[field]) === String(value));
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      this.custom.push({ key: camelCase(field), type: 'text', value: isNone ? null : text });
    }
  }
}
