import type { FastifyRequest } from 'fastify';
import { addUnknown, faultsOf, MAX_UNKNOWN, storedForm } from '../validation.js';
import { onceFor } from '../../http/once.js';
import type { Deprecation } from '../../http/deprecation.js';
import { Fault, ValidationFailed } from '../../http/errors.js';
import { FromRequest } from '../../http/from-request.js';
import { isObject } from '../../http/json-body.js';
import { DescribedBody, FurtherProperties } from '../../openapi/body.js';
import { createExample, updateExample } from './body-example.js';
import { CUSTOM } from '../custom/custom-field.js';
import { readCustomValues } from '../custom/custom-values.js';
import { customExample, customInBody } from '../custom/custom-schema.js';
import { type DefinedFields, readFresh } from '../custom/defined-fields.js';
import { defineBodyField } from '../define-field.js';
import {
  type BodyField,
  type BodyParts,
  bodyFieldsOf,
  type Class,
  type Concrete,
  fieldsOf,
  isShown,
  mostOf,
  RequestBody,
  type StoredField,
} from '../field.js';
import type { StoredRecord } from '../record.js';
import { customReferences, expandableOf } from '../references.js';

/** Where the custom fields of records are found. */
type CustomFieldsOf = Pick<DefinedFields, 'of'>;

type Writable<T> = Omit<T, keyof StoredRecord>;

const RECORD = Symbol('record');
const RULES = Symbol('rules');
const MAKES = Symbol('makes a record');
const BECOMES = Symbol('record that is made of an object');

/**
 * A rule over several fields of a body. A field may be absent, or faulty as it was sent.
 * @returns the faults that it finds, or undefined
 */
export type BodyRule = (body: Record<string, unknown>) => Fault | readonly Fault[] | undefined;

/** Adds a rule to a body, or to both bodies of a record. */
export function addBodyRule(target: Class, rule: BodyRule): void {
  const own = (Reflect.getOwnMetadata(RULES, target) as BodyRule[] | undefined) ?? [];
  Reflect.defineMetadata(RULES, [...own, rule], target);
}

/**
 * Base class of a record's create body: its settable fields, validated and documented.
 * @param shown a class with all properties of responses, if there are more. Those that cannot be set are ignored.
 */
export function CreateBody<T extends StoredRecord>(
  record: Class<T>,
  shown: Class<T> = record,
): Concrete<Partial<Writable<T>>> {
  const body = bodyOf(record, shown, (field) => field);
  Reflect.defineMetadata(MAKES, true, body);
  return body;
}

/** Base class of a record's PATCH body: the same fields, all optional and without defaults. */
export function UpdateBody<T extends StoredRecord>(
  record: Class<T>,
  shown: Class<T> = record,
): Concrete<Partial<Writable<T>>> {
  return bodyOf(record, shown, (field) =>
    field.kind === 'stored' ? { ...field, required: false, default: undefined } : { ...field, required: false },
  );
}

function bodyOf<T extends StoredRecord>(
  record: Class<T>,
  shown: Class<T>,
  settable: (field: BodyField) => BodyField,
): Concrete<Partial<Writable<T>>> {
  class Body extends RequestBody {}
  for (const field of fieldsOf(record)) if (!field.readOnly) defineBodyField(Body, settable(field));
  Reflect.defineMetadata(RECORD, shown, Body);
  return Body as Concrete<Partial<Writable<T>>>;
}

/**
 * Base class of a body of a part that names its owner: the body of the part by itself, and the owner.
 * @param isRequired false in a PATCH body, where it may only be the same as before
 */
export function OwnedBody<B extends object, T extends StoredRecord>(
  body: Concrete<B>,
  record: Class<T>,
  owner: keyof T & string,
  isRequired: boolean,
): Concrete<B> {
  class Body extends (body as Concrete) {}
  const field = fieldsOf(record).find(({ property }) => property === owner) as StoredField;
  defineBodyField(Body, { ...field, readOnly: false, required: isRequired, fixed: true });
  return Body as Concrete<B>;
}

/**
 * Lets an object in a body have the custom fields of the record that the object becomes.
 * @param makes false if the object may also change an existing record
 */
export const TakesCustomFields =
  (record: () => Class, { makes = true } = {}): ClassDecorator =>
  (target) => {
    Reflect.defineMetadata(BECOMES, record, target);
    Reflect.defineMetadata(MAKES, makes, target);
  };

/** The record whose custom fields a body may have. */
export const customisedBy = onceFor(
  (body: Class): Class | undefined =>
    (Reflect.getMetadata(BECOMES, body) as (() => Class) | undefined)?.() ?? shownBy(body),
);

/** The custom fields that a body may have. */
function customFieldsIn(body: Class, fields: CustomFieldsOf): readonly StoredField[] {
  const record = customisedBy(body);
  return record ? fields.of(record).fields : [];
}

/** Properties that `expand` adds for custom fields. They are ignored, because a client may send back a record as it was read. */
const customExpansionsIn = (body: Class, custom: readonly StoredField[]): string[] =>
  shownBy(body) ? customReferences(custom).map(({ name }) => name) : [];

/** The record whose fields a body may have, with all properties of responses. */
export const shownBy = (body: Class): Class | undefined => Reflect.getMetadata(RECORD, body) as Class | undefined;

/** The value of a property that was sent, as its instance has it. @param at name of the property, with its path */
type ReadsValue = (value: unknown, at: string, reading: Reading) => unknown;

interface Shape {
  settable: ReadonlyMap<string, ReadsValue>;
  ignored: ReadonlySet<string>;
  rules: readonly BodyRule[];
}

const shapeOf = onceFor((dto: Class): Shape => {
  const record = shownBy(dto);
  const settable = new Map(bodyFieldsOf(dto).map((field) => [field.property, readerOf(field)] as const));
  const shown = record
    ? [
        ...fieldsOf(record)
          .filter(isShown)
          .map(({ property }) => property),
        ...expandableOf(record).map(({ name }) => name),
      ]
    : [];
  const rules = [
    ...((Reflect.getMetadata(RULES, dto) as BodyRule[] | undefined) ?? []),
    ...((record && (Reflect.getMetadata(RULES, record) as BodyRule[] | undefined)) ?? []),
  ];
  return { settable, ignored: new Set(shown.filter((property) => !settable.has(property))), rules };
});

function readerOf(field: BodyField): ReadsValue {
  if (field.kind === 'parts')
    return (value, at, reading) => (Array.isArray(value) ? readParts(field, value, at, reading) : value);
  const { type } = field;
  // Nothing in it is interpreted.
  if (type.isJson) return (value) => (value === null ? null : JSON.stringify(value));
  return (value) => storedForm(type, value);
}

DescribedBody((body, installation) => {
  const { settable, ignored } = shapeOf(body);
  const custom = customFieldsIn(body, installation);
  return {
    settable: [...settable.keys(), ...(custom.length > 0 ? [CUSTOM] : [])],
    ignored: [...ignored, ...customExpansionsIn(body, custom)],
    parts: bodyFieldsOf(body).flatMap((field) => (field.kind === 'parts' ? [field.body()] : [])),
    deprecated: deprecatedIn(body),
    createExample: () => createExample(body, (of) => customExample(customFieldsIn(of, installation), makesRecord(of))),
    updateExample: () => updateExample(body),
  };
})(RequestBody);

/** The deprecated properties of a body and its parts. */
function deprecatedIn(body: Class): Map<string, Deprecation> {
  const all = bodyFieldsOf(body).flatMap((field): (readonly [string, Deprecation])[] => [
    ...(field.deprecated ? [[field.property, field.deprecated] as const] : []),
    ...(field.kind === 'parts' ? deprecatedIn(field.body()) : []),
  ]);
  return new Map(all);
}

FurtherProperties((body, installation) =>
  customInBody(body.name, customFieldsIn(body, installation), makesRecord(body)),
)(RequestBody);

/** Maximum number of parts in all lists of a body, including parts of parts. Twice the maximum of one list. */
const MAX_PARTS_IN_ALL = 2000;

/** State of reading a body. */
interface Reading {
  fields: CustomFieldsOf;
  faults: Fault[];
  /** Number of parts so far. */
  parts: number;
}

/** Whether there are so many faults or parts that the rest is not read. */
const isTooMuch = ({ faults, parts }: Reading): boolean => faults.length >= MAX_UNKNOWN || parts > MAX_PARTS_IN_ALL;

/** An object as an instance of its class, without read-only properties. Unknown properties are added to the faults. */
function instanceOf<T extends object>(dto: Concrete<T>, body: object, path: string, reading: Reading): T {
  const { settable, ignored } = shapeOf(dto);
  const custom = customFieldsIn(dto, reading.fields);
  const expansions = custom.length > 0 ? customExpansionsIn(dto, custom) : [];
  const instance = new dto() as Record<string, unknown>;
  for (const [property, value] of Object.entries(body)) {
    if (isTooMuch(reading)) break;
    if (value === undefined || (property === CUSTOM && custom.length > 0)) continue;
    const read = settable.get(property);
    if (read) instance[property] = read(value, `${path}${property}`, reading);
    else if (!ignored.has(property) && !expansions.includes(property))
      addUnknown(property, settable.keys(), path, reading.faults);
  }
  if (custom.length > 0) {
    const { [CUSTOM]: given } = body as Record<string, unknown>;
    const values = readCustomValues(custom, given, makesRecord(dto), path, reading.faults);
    if (values) instance[CUSTOM] = values;
  }
  return instance as T;
}

/** Whether a body makes a new record. Properties that it does not have then get their defaults. */
export const makesRecord = (dto: Class): boolean => Reflect.getMetadata(MAKES, dto) === true;

/** The entries of a list of parts. Of a list that is too long, only the length is reported. */
function readParts(field: BodyParts, values: readonly unknown[], at: string, reading: Reading): unknown[] {
  const [body, max] = [field.body(), mostOf(field)];
  const isTooLong = values.length > max;
  reading.parts += isTooLong ? max : values.length;
  if (reading.parts > MAX_PARTS_IN_ALL) {
    const most = MAX_PARTS_IN_ALL.toLocaleString('en');
    reading.faults.push(new Fault(at, `has too many entries: at most ${most} in all lists of a body`, 'too_long'));
    return [];
  }
  if (isTooLong) return Array<null>(max + 1).fill(null);
  return values.map((entry, index) => (isObject(entry) ? instanceOf(body, entry, `${at}[${index}].`, reading) : entry));
}

/**
 * A request body as an instance of its class, with only the properties that were sent.
 * @param fields the custom fields that it may have
 * @throws ValidationFailed with all faults
 */
export function parseBody<T extends object>(dto: Concrete<T>, body: unknown, fields: CustomFieldsOf): T {
  if (!isObject(body)) throw new ValidationFailed([new Fault('body', 'must be a JSON object')]);
  const faults: Fault[] = [];
  const instance = readBody(dto, body, '', faults, fields);
  if (faults.length > 0) throw new ValidationFailed(faults);
  return instance;
}

/**
 * The same for an object within a request. The result is complete only if no fault was added.
 * @param path of the object, with a trailing dot
 * @param faults to which its faults are added
 */
export function readBody<T extends object>(
  dto: Concrete<T>,
  body: object,
  path: string,
  faults: Fault[],
  fields: CustomFieldsOf,
): T {
  const reading: Reading = { fields, faults, parts: 0 };
  const instance = instanceOf(dto, body, path, reading);
  // Skipped properties would be reported as missing.
  if (isTooMuch(reading)) return instance;
  for (const fault of faultsOf(instance, path)) faults.push(fault);
  for (const rule of shapeOf(dto).rules) {
    const found = [rule(instance as Record<string, unknown>) ?? []].flat();
    faults.push(...found.map((fault) => (path === '' ? fault : fault.with({ field: path + fault.field }))));
  }
  return instance;
}

/**
 * A request body as a parameter of a handler: `@BodyOf(CreateRunbook) body: CreateRunbook`. It refuses a faulty body with every fault
 * at once, and gives the handler an instance of the class that holds only the properties that were sent. With `optional`, a request
 * without a body has an empty one.
 */
export const BodyOf = <T extends object>(
  dto: Concrete<T>,
  { optional = false }: { optional?: boolean } = {},
): ParameterDecorator =>
  FromRequest({
    transform: ({ body, ctx }: FastifyRequest) =>
      readFresh(ctx!, () => parseBody(dto, optional && body === undefined ? {} : body, ctx!.fields)),
  });

class NoProperties extends RequestBody {}

/**
 * The body of a request whose path and query say everything. It may be absent, and has no properties, so that a `dryRun` in it is
 * refused instead of ignored.
 */
export const NoBody = BodyOf(NoProperties, { optional: true });
