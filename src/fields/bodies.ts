import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { Fault, ValidationFailed } from '../http/errors.js';
import { closest } from './closest.js';
import { defineField, fieldsOf, RequestBody, type Class, type Concrete } from './field.js';
import type { StoredRecord } from './record.js';

type Writable<T> = Omit<T, keyof StoredRecord>;

const RECORD = Symbol('record');
const RULES = Symbol('rules');

/** A check over several fields of a body, each of which may be absent or faulty; the fault it finds, or undefined. */
export type BodyRule = (body: Record<string, unknown>) => Fault | undefined;

/** Adds a check over several fields to a record's bodies or to a body. */
export function addBodyRule(target: Class, rule: BodyRule): void {
  const own = (Reflect.getOwnMetadata(RULES, target) as BodyRule[] | undefined) ?? [];
  Reflect.defineMetadata(RULES, [...own, rule], target);
}

function writable(record: Class) {
  return fieldsOf(record).filter((field) => !field.readOnly);
}

/** Base class of a record's create body: its settable fields, validated and documented. */
export function CreateBody<T extends StoredRecord>(record: Class<T>): Concrete<Partial<Writable<T>>> {
  abstract class Body extends RequestBody {}
  for (const { property, ...field } of writable(record)) defineField(Body, property, field);
  Reflect.defineMetadata(RECORD, record, Body);
  return Body as never;
}

/** Base class of a record's PATCH body: the same fields, none required and none with a default. */
export function UpdateBody<T extends StoredRecord>(record: Class<T>): Concrete<Partial<Writable<T>>> {
  abstract class Body extends RequestBody {}
  for (const { property, default: _default, ...field } of writable(record)) {
    defineField(Body, property, { ...field, required: false });
  }
  Reflect.defineMetadata(RECORD, record, Body);
  return Body as never;
}

interface Shape {
  settable: Map<string, Concrete | undefined>;
  ignored: Set<string>;
  rules: readonly BodyRule[];
}

const shapes = new WeakMap<Class, Shape>();

function shapeOf(dto: Class): Shape {
  let shape = shapes.get(dto);
  if (!shape) {
    const record = Reflect.getMetadata(RECORD, dto) as Class | undefined;
    const settable = new Map(fieldsOf(dto).map((field) => [field.property, field.parts?.body()] as const));
    const shown = record ? fieldsOf(record).map((field) => field.property) : [];
    const rules = [
      ...((Reflect.getMetadata(RULES, dto) as BodyRule[] | undefined) ?? []),
      ...((record && (Reflect.getMetadata(RULES, record) as BodyRule[] | undefined)) ?? []),
    ];
    shape = { settable, ignored: new Set(shown.filter((property) => !settable.has(property))), rules };
    shapes.set(dto, shape);
  }
  return shape;
}

/** Properties that a body is read with, and those that it may have for nothing, as the record's own response shows them. */
export function propertiesOf(dto: Class): { settable: readonly string[]; ignored: readonly string[] } {
  const { settable, ignored } = shapeOf(dto);
  return { settable: [...settable.keys()], ignored: [...ignored] };
}

// A body has room for a hundred thousand strangers, and to look for what was meant by each takes a second.
const SUGGESTIONS = 100;

/** A body without its read-only properties; every property that it may not have is added to `faults`. */
function known(dto: Class, body: object, path: string, faults: Fault[]): Record<string, unknown> {
  const { settable, ignored } = shapeOf(dto);
  const kept: Record<string, unknown> = {};
  for (const [property, value] of Object.entries(body)) {
    if (settable.has(property)) {
      const part = settable.get(property);
      kept[property] =
        part && Array.isArray(value)
          ? value.map((entry: unknown, index) =>
              isObject(entry) ? known(part, entry, `${path}${property}[${index}].`, faults) : emptied(entry),
            )
          : emptied(value);
    } else if (!ignored.has(property)) {
      const near = faults.length < SUGGESTIONS ? closest(property, settable.keys()) : undefined;
      faults.push(
        new Fault(
          `${path}${property}`,
          near ? `is not a known property. Did you mean '${near}'?` : 'is not a known property',
        ),
      );
    }
  }
  return kept;
}

/**
 * A value in which objects hold nothing. Where no field takes an object, one is wrong whatever it holds; and class-transformer
 * would call what it holds as `constructor`.
 */
const emptied = (value: unknown): unknown => (Array.isArray(value) ? value.map(emptied) : isObject(value) ? {} : value);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A request body as an instance of its class, holding only the properties that were sent.
 * @throws ValidationFailed with every fault at once.
 */
export function parseBody<T extends object>(dto: Concrete<T>, body: unknown): T {
  if (!isObject(body)) throw new ValidationFailed([new Fault('body', 'must be a JSON object')]);
  const faults: Fault[] = [];
  const plain = known(dto, body, '', faults);
  const instance = plainToInstance(dto, plain, { exposeUnsetFields: false });
  collect(validateSync(instance, { forbidUnknownValues: false, stopAtFirstError: true }), '', faults);
  for (const rule of shapeOf(dto).rules) {
    const fault = rule(instance as Record<string, unknown>);
    if (fault) faults.push(fault);
  }
  if (faults.length > 0) throw new ValidationFailed(faults);
  return instance;
}

function collect(errors: readonly ValidationError[], path: string, faults: Fault[]): void {
  for (const { property, constraints, children } of errors) {
    const at = /^\d+$/.test(property) && path !== '' ? `${path.slice(0, -1)}[${property}]` : `${path}${property}`;
    const message = constraints && (constraints.field ?? Object.values(constraints)[0]);
    if (message) faults.push(new Fault(at, message));
    else if (children) collect(children, `${at}.`, faults);
  }
}
