import {
  bodyFieldsOf,
  fieldsOf,
  isStored,
  type Class,
  type OnlyWith,
  type PartsField,
  type StoredField,
} from '../fields/field.js';
import { customisedBy } from '../fields/bodies/bodies.js';
import { CUSTOM } from '../fields/custom/custom-field.js';
import type { CustomDefinition } from '../fields/custom/definition.js';
import type { DefinedFields } from '../fields/custom/defined-fields.js';
import { resourceOf } from '../fields/record-entity.js';
import { resourceNameOf, tableOf } from '../lists/record-sql.js';
import type { DeclaredOperation } from '../openapi/document/declared.js';
import type { Json } from '../openapi/document/json.js';
import { price } from '../fields/types/money.js';
import { decimal } from '../fields/types/number.js';
import { REFERENCES } from '../openapi/schema.js';
import { plainWords } from './words.js';

/** A property of a response or of a request body, as the page needs it. */
export interface PageField {
  name: string;
  /** `string`, `integer`, `number`, `boolean`, `object` or `array`. */
  type: string;
  format?: string;
  /** The only values. */
  values?: unknown[];
  /** Usual values; others are accepted. */
  known?: readonly string[];
  nullable?: true;
  readOnly?: true;
  writeOnly?: true;
  required?: true;
  description?: string;
  /** Null to those who may not read it, and never in the change log. */
  secret?: true;
  /** An instant that is shown and entered as a day. */
  day?: true;
  /** A text that is usually the name of a time zone. */
  zone?: true;
  /** A list that is an alternative to other properties of the body. */
  instead?: true;
  /** Shows a property of the record that this reference refers to, and so adds nothing to the reference. */
  via?: string;
  /** A decimal number, which is a text. */
  decimal?: true;
  /** A number that is a name. */
  nominal?: true;
  default?: unknown;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  step?: number;
  /** Resource of the record that the id belongs to. */
  references?: string;
  /** In a computed list the id is beside the name of its record, so the list need not show it. */
  aside?: true;
  /** The property with the name of that resource. */
  referencesBy?: string;
  /** Whether it names the record. */
  naming?: true;
  /** Whether it is set when the record is created, and never changed. */
  fixed?: true;
  /** The value of another property without which it has none. */
  onlyWith?: OnlyWith;
  /** The type of the object, or of the objects of the list. */
  of?: string;
  /** Type of the values of a list that are not objects. */
  items?: string;
  /** Of a field that the installation has defined: the resource whose records have it, and what people see instead of its name. */
  custom?: string;
  label?: string;
  /** Of such a field: no two records have the same value. */
  unique?: true;
}

const DRAWN = ['format', 'default', 'maxLength', 'minimum', 'maximum'] as const;

/** The types that the page shows and fills in: the schemas of the document, with what the fields declare beyond it. */
export class PageTypes {
  private readonly declared = new Map<string, StoredField>();
  /** Resources whose records have the fields that the installation has defined, by the types that have them. */
  private readonly customised = new Map<string, string>();
  /** The record that a field of this name refers to in every declaration, for example `personId`. */
  private readonly targets = new Map<string, Class | undefined>();
  private readonly joined = new Map<string, string>();
  private readonly labels = new Map<string, string>();
  private readonly alternatives = new Set<string>();
  private readonly types: Record<string, PageField[]> = {};

  constructor(
    private readonly schemas: Readonly<Record<string, Json>>,
    operations: Iterable<DeclaredOperation>,
    private readonly known: Pick<DefinedFields, 'of'>,
  ) {
    for (const { response, body } of operations) for (const model of [response, body]) if (model) this.declare(model);
  }

  /** The referenced types. */
  get all(): Readonly<Record<string, PageField[]>> {
    return this.types;
  }

  /** The name of an object schema that a schema refers to; it is then among the types. */
  refer(schema: Json | undefined): string | undefined {
    const name = nameOf(schema);
    const found = name === undefined ? undefined : this.schemas[name];
    if (name === undefined || !found || found.type !== 'object' || !found.properties) return undefined;
    if (!this.types[name]) {
      const fields: PageField[] = (this.types[name] = []);
      const required = new Set((found.required as string[] | undefined) ?? []);
      for (const [property, one] of Object.entries(found.properties as Record<string, Json>)) {
        if (property === CUSTOM) fields.push(...this.customIn(name, one));
        else if (one.deprecated) continue;
        // The expanded record of a reference is not a field.
        else if (!property.startsWith(`${CUSTOM}.`))
          fields.push(this.fieldOf(name, property, one, required.has(property)));
      }
    }
    return name;
  }

  private declare(model: Class): void {
    const record = customisedBy(model) ?? model;
    for (const field of this.known.of(record).fields) {
      this.declared.set(`${model.name}.${field.property}`, field);
      this.customised.set(model.name, resourceOf(record)!);
    }
    for (const field of [...fieldsOf(model), ...bodyFieldsOf(model)]) {
      if (isStored(field)) {
        this.declared.set(`${model.name}.${field.property}`, field);
        const target = field.references?.();
        // A name with different targets, such as `parentId`, is ambiguous.
        if (target) {
          const same = !this.targets.has(field.property) || this.targets.get(field.property) === target;
          this.targets.set(field.property, same ? target : undefined);
        }
      }
      if (field.kind === 'computed' && field.label) this.labels.set(`${model.name}.${field.property}`, field.label);
      if (field.kind === 'joined') this.joined.set(`${model.name}.${field.property}`, field.via);
      if (field.kind === 'parts') {
        if ('instead' in field && field.instead) this.alternatives.add(`${model.name}.${field.property}`);
        this.declare(field.body());
        if ('response' in field) this.declare((field as PartsField).response());
      }
    }
  }

  /** The custom fields, under the names of filters and faults. */
  private customIn(type: string, schema: Json): PageField[] {
    const resource = this.customised.get(type);
    if (resource === undefined) return [];
    const { properties = {}, required = [] } = this.resolve(schema) as { properties?: Json; required?: string[] };
    return Object.entries(properties).map(([key, one]) => {
      const name = `${CUSTOM}.${key}`;
      const field = this.fieldOf(type, name, one as Json, required.includes(key));
      return { ...field, ...ownOf(this.declared.get(`${type}.${name}`)!.custom!.definition), custom: resource };
    });
  }

  private fieldOf(type: string, name: string, schema: Json, required: boolean): PageField {
    const { isNullable, ...resolved } = this.resolve(schema);
    const stored = this.declared.get(`${type}.${name}`);
    const field: PageField = { name, type: resolved.type as string };
    for (const key of DRAWN) if (resolved[key] !== undefined) Object.assign(field, { [key]: resolved[key] });
    if (resolved.enum) field.values = (resolved.enum as unknown[]).filter((value) => value !== null);
    if (resolved.multipleOf !== undefined) field.step = resolved.multipleOf as number;
    if (isNullable) field.nullable = true;
    if (schema.readOnly) field.readOnly = true;
    if (schema.writeOnly) field.writeOnly = true;
    if (required) field.required = true;
    const description = plainWords(stored?.description ?? (schema.description as string | undefined));
    if (description) field.description = description;
    const label = stored?.label ?? this.labels.get(`${type}.${name}`);
    if (label) field.label = label;
    if (stored?.knownValues) field.known = stored.knownValues;
    if (stored?.naming) field.naming = true;
    if (this.alternatives.has(`${type}.${name}`)) field.instead = true;
    const via = this.joined.get(`${type}.${name}`);
    if (via !== undefined) field.via = via;
    if (stored?.secret) field.secret = true;
    if (stored?.day) field.day = true;
    if (stored?.nominal) field.nominal = true;
    if (stored?.zone) field.zone = true;
    if (stored?.fixed) field.fixed = true;
    if (stored?.onlyWith) field.onlyWith = stored.onlyWith;
    if (stored?.type === decimal || stored?.type === price) field.decimal = true;
    const items = resolved.items as Json | undefined;
    const id = items ? this.resolve(items) : resolved;
    if (stored?.refersBy) field.referencesBy = stored.refersBy.property;
    else if (id.format === 'uuid') {
      const target = stored?.references?.() ?? this.targets.get(items ? name.replace(/s$/, '') : name);
      const references = (id[REFERENCES] as string | undefined) ?? (target && resourceNameOf(tableOf(target)));
      if (references) field.references = references;
      else if (name === 'recordId') field.referencesBy = 'resource';
      if (REFERENCES in id) field.aside = true;
    }
    const of = this.refer(items ?? resolved);
    if (of) field.of = of;
    else if (items) {
      const { type: each, enum: values } = this.resolve(items);
      field.items = each as string;
      if (values) field.values = values as unknown[];
    }
    return field;
  }

  /** A schema without its references and choices, except for the reference to an object. */
  private resolve(schema: Json): Json {
    const choices = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as Json[] | undefined;
    const [chosen] = choices?.filter(({ type }) => type !== 'null') ?? [];
    if (chosen) {
      const isNullable = choices!.some(({ type }) => type === 'null');
      return { ...this.resolve(chosen), ...own(schema), ...(isNullable && { isNullable }) };
    }
    const named = nameOf(schema);
    if (named !== undefined) return { ...this.resolve(this.schemas[named] ?? {}), ...own(schema), $ref: schema.$ref };
    if (!Array.isArray(schema.type)) return { type: 'object', ...schema };
    const [type] = schema.type.filter((one) => one !== 'null') as string[];
    return { ...schema, type, isNullable: schema.type.includes('null') };
  }
}

/** What a definition says to people. */
const ownOf = ({ type, label, description, unique, default: value }: CustomDefinition): Partial<PageField> => ({
  ...(label && { label }),
  ...(unique && { unique }),
  description: description || undefined,
  ...(value !== null && { default: value }),
  ...(type === 'decimal' && { decimal: true }),
});

const nameOf = (schema: Json | undefined): string | undefined =>
  typeof schema?.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;

/** The text of a schema beside a reference or a choice. */
const own = ({ description, default: value }: Json): Json => ({
  ...(description !== undefined && { description }),
  ...(value !== undefined && { default: value }),
});
