import { Fault, ValidationFailed } from '../http/errors.js';
import { DescribedBody } from '../openapi/body.js';
import { createExample, updateExample } from './body-example.js';
import { closest } from './closest.js';
import { defineBodyField } from './define-field.js';
import {
  bodyFieldsOf,
  fieldsOf,
  isShown,
  RequestBody,
  type BodyField,
  type BodyParts,
  type Class,
  type Concrete,
} from './field.js';
import type { StoredRecord } from './record.js';
import { expandableOf } from './references.js';
import { Invalid } from './types/field-type.js';
import { isObject, listFault, readValue } from './validation.js';

export { isObject } from './validation.js';

type Writable<T> = Omit<T, keyof StoredRecord>;

const RECORD = Symbol('record');
const RULES = Symbol('rules');

/**
 * A rule over several fields of a body, or of an object in one of its lists. Each may be absent or, as it was sent, faulty.
 * @returns the fault that it finds, or undefined
 */
export type BodyRule = (body: Record<string, unknown>) => Fault | undefined;

/** Adds a rule to a body, or to both bodies of a record. */
export function addBodyRule(target: Class, rule: BodyRule): void {
  const own = (Reflect.getOwnMetadata(RULES, target) as BodyRule[] | undefined) ?? [];
  Reflect.defineMetadata(RULES, [...own, rule], target);
}

/** Base class of a record's create body: its settable fields, validated and documented. */
export function CreateBody<T extends StoredRecord>(record: Class<T>): Concrete<Partial<Writable<T>>> {
  abstract class Body extends RequestBody {}
  for (const field of fieldsOf(record)) if (!field.readOnly) defineBodyField(Body, field);
  Reflect.defineMetadata(RECORD, record, Body);
  return Body as never;
}

/** Base class of a record's PATCH body: the same fields, all optional and without defaults. */
export function UpdateBody<T extends StoredRecord>(record: Class<T>): Concrete<Partial<Writable<T>>> {
  abstract class Body extends RequestBody {}
  for (const field of fieldsOf(record)) {
    if (field.readOnly) continue;
    const optional = { ...field, required: false };
    defineBodyField(Body, optional.kind === 'stored' ? { ...optional, default: undefined } : optional);
  }
  Reflect.defineMetadata(RECORD, record, Body);
  return Body as never;
}

/** What the readers of a body need of its class. */
interface Shape {
  fields: readonly BodyField[];
  settable: ReadonlySet<string>;
  /** Properties that responses show and that cannot be set. */
  ignored: ReadonlySet<string>;
  rules: readonly BodyRule[];
}

const shapes = new WeakMap<Class, Shape>();

function shapeOf(dto: Class): Shape {
  let shape = shapes.get(dto);
  if (!shape) {
    const record = Reflect.getMetadata(RECORD, dto) as Class | undefined;
    const fields = bodyFieldsOf(dto);
    const settable = new Set(fields.map(({ property }) => property));
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
    shape = { fields, settable, ignored: new Set(shown.filter((property) => !settable.has(property))), rules };
    shapes.set(dto, shape);
  }
  return shape;
}

DescribedBody((body) => {
  const { fields, settable, ignored } = shapeOf(body);
  return {
    settable: [...settable],
    ignored: [...ignored],
    parts: fields.flatMap((field) => (field.kind === 'parts' ? [field.body()] : [])),
    createExample: () => createExample(body),
    updateExample: () => updateExample(body),
  };
})(RequestBody);

// Suggestions for the million unknown properties that a body has room for would take seconds, and all of them together
// would be an answer of many times its length.
const SUGGESTIONS = 100;
const MOST_STRANGERS = 10_000;

/** Adds the fault of a property that an object does not have. */
export function addUnknown(property: string, known: Iterable<string>, path: string, faults: Fault[]): void {
  if (faults.length >= MOST_STRANGERS) return;
  const near = faults.length < SUGGESTIONS ? closest(property, known) : undefined;
  const message = near ? `is not a known property. Did you mean '${near}'?` : 'is not a known property';
  faults.push(new Fault(path + property, message));
}

/**
 * A refused value as the rules over several fields see it: its objects are emptied, because a text made of an object calls
 * whatever it has as `toString`.
 */
const emptied = (value: unknown): unknown => (Array.isArray(value) ? value.map(emptied) : isObject(value) ? {} : value);

/**
 * A request body as an instance of its class, with only the properties that were sent.
 * @throws ValidationFailed with all faults
 */
export function parseBody<T extends object>(dto: Concrete<T>, body: unknown): T {
  if (!isObject(body)) throw new ValidationFailed([new Fault('body', 'must be a JSON object')]);
  const faults: Fault[] = [];
  const instance = readBody(dto, body, '', faults);
  if (faults.length > 0) throw new ValidationFailed(faults);
  return instance;
}

/**
 * The same for an object within a request. The result is complete only if no fault was added.
 * @param path of the object, with a dot at its end
 * @param faults to which its faults are added
 */
export function readBody<T extends object>(dto: Concrete<T>, body: object, path: string, faults: Fault[]): T {
  const later: Fault[] = [];
  const instance = readProperties(dto, body as Record<string, unknown>, path, faults, later);
  for (const fault of later) faults.push(fault);
  return instance as T;
}

/**
 * Reads each value of a body once, and puts what was read in its place. A refused value stays as it was sent.
 * @param strangers to which unknown properties are added
 * @param faults to which all other faults are added
 */
function readProperties(
  dto: Concrete,
  body: Record<string, unknown>,
  path: string,
  strangers: Fault[],
  faults: Fault[],
): object {
  const { fields, settable, ignored, rules } = shapeOf(dto);
  for (const property of Object.keys(body)) {
    if (!settable.has(property) && !ignored.has(property)) {
      addUnknown(property, settable, path, strangers);
    }
  }
  const instance = new dto() as Record<string, unknown>;
  for (const field of fields) {
    const { property } = field;
    const value = body[property];
    if (value === undefined) {
      if (field.required) faults.push(new Fault(path + property, 'is required'));
    } else if (field.kind === 'parts') {
      instance[property] = readParts(field, value, path + property, strangers, faults);
    } else {
      const read = readValue(value, field);
      if (read instanceof Invalid) {
        faults.push(new Fault(path + property, read.message));
        instance[property] = emptied(value);
      } else instance[property] = read;
    }
  }
  for (const rule of rules) {
    const fault = rule(instance);
    if (fault) faults.push(path === '' ? fault : new Fault(path + fault.field, fault.message));
  }
  return instance;
}

function readParts(field: BodyParts, value: unknown, path: string, strangers: Fault[], faults: Fault[]): unknown {
  const fault = listFault(value, field.min);
  if (fault !== undefined) faults.push(new Fault(path, fault));
  if (!Array.isArray(value)) return emptied(value);
  // Of a list that is refused, only the unknown properties are told.
  const ofParts = fault === undefined ? faults : [];
  const dto = field.body();
  return value.map((entry: unknown, index) =>
    isObject(entry) ? readProperties(dto, entry, `${path}[${index}].`, strangers, ofParts) : emptied(entry),
  );
}
