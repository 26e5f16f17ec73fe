import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsDefined,
  IsObject,
  isObject,
  IsOptional,
  ValidateIf,
  ValidateNested,
  validateSync,
  type ValidationError,
} from 'class-validator';
import { type BodyField, type BodyParts, mostOf, type StoredField } from './field.js';
import { onceFor } from '../http/once.js';
import { Fault, type FaultCode } from '../http/errors.js';
import { type FieldOptions, type FieldType, Invalid } from './types/field-type.js';
import { eachEntry, entryIn } from './types/own-constraint.js';
import { closest } from '../http/closest.js';
import { isFaultless } from './verdict.js';

/** Applies the decorators of class-validator and class-transformer of a property of a request body. */
export function validateProperty(prototype: object, field: BodyField): void {
  const decorators = field.kind === 'parts' ? partsDecorators(field) : valueDecorators(field);
  for (const decorate of decorators) decorate(prototype, field.property);
}

const REQUIRED = 'is required';

type Value = FieldOptions & Pick<StoredField, 'required' | 'nullable' | 'type'>;

const IfSent = (): PropertyDecorator => ValidateIf((_body, value) => value !== undefined);
const IfNotNull = (): PropertyDecorator => ValidateIf((_body, value) => value !== null);

const valueDecorators = (field: Value): PropertyDecorator[] => [
  ...presence(field),
  ...field.type.constraints(field),
  ...transformed(field.type),
];

/** Says how the value is stored, as `storedForm` does it. */
const transformed = ({ transform }: FieldType): PropertyDecorator[] =>
  transform ? [Transform(({ value }: { value: unknown }) => transform(value), { toClassOnly: true })] : [];

/** The stored form of a value in a body; the value itself if the constraints refuse it. */
export const storedForm = ({ transform }: FieldType, value: unknown): unknown => (transform ? transform(value) : value);

function presence({ required, nullable }: Value): PropertyDecorator[] {
  if (nullable) return required ? [IfNotNull(), IsDefined({ message: REQUIRED })] : [IsOptional()];
  if (!required) return [IfSent(), IsDefined({ message: 'must not be null' })];
  return [IsDefined({ message: ({ value }) => (value === undefined ? REQUIRED : 'must not be null') })];
}

function partsDecorators(field: BodyParts): PropertyDecorator[] {
  const { required, min, body } = field;
  const max = mostOf(field);
  const message = 'must be an array of objects';
  const few = `must have at least ${min === 1 ? 'one entry' : `${min} entries`}`;
  return [
    Type(body),
    ...(required ? [] : [IfSent()]),
    IsArray({ message: ({ value }) => (value === undefined ? REQUIRED : message) }),
    // Runs before the constraints of the entries, because the entries of an oversized list are not read.
    ArrayMaxSize(max, { message: `must have at most ${max.toLocaleString('en')} entries` }),
    IsObject(eachEntry('must be an object', isObject)),
    ...(min > 0 ? [ArrayMinSize(min, { message: few })] : []),
    ValidateNested({ each: true }),
  ];
}

/** Codes for constraints that have a more specific code than `invalid`. */
const CODES: Readonly<Record<string, FaultCode>> = {
  arrayMaxSize: 'too_long',
  arrayMinSize: 'out_of_range',
  isDefined: 'required',
  max: 'out_of_range',
  maxCodePoints: 'too_long',
  min: 'out_of_range',
};

/**
 * All faults of an instance: for each property the first constraint that fails.
 * @param path of the instance, with a trailing dot
 */
export const faultsOf = (instance: object, path = ''): Fault[] =>
  isFaultless(instance)
    ? []
    : faultsIn(
        validateSync(instance, {
          forbidUnknownValues: false,
          stopAtFirstError: true,
          validationError: { target: false, value: false },
        }),
        path,
      );

function faultsIn(errors: readonly ValidationError[], path: string): Fault[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const at = /^\d+$/.test(property) && path !== '' ? `${path.slice(0, -1)}[${property}]` : `${path}${property}`;
    const [first] = Object.entries(constraints);
    // Without a constraint of its own, only its parts are at fault.
    if (!first) return faultsIn(children, `${at}.`);
    const [name, said] = first;
    const [entry, message] = entryIn(said);
    return [new Fault(at + entry, message, message === REQUIRED ? 'required' : (CODES[name] ?? 'invalid'))];
  });
}

/**
 * Reads values of one field outside a body: the stored form, or an `Invalid`. Create it once per field, because class-validator never
 * releases its class.
 */
export function valueReader(
  field: FieldOptions & { type: FieldType; nullable?: boolean },
): (value: unknown) => unknown {
  class Single {
    value?: unknown;
  }
  for (const decorate of valueDecorators({ ...field, required: true, nullable: field.nullable ?? false })) {
    decorate(Single.prototype, 'value');
  }
  return (value) => {
    const single = new Single();
    single.value = storedForm(field.type, value);
    const [fault] = faultsOf(single);
    return fault ? new Invalid(fault.message, fault.code, fault.field.slice('value'.length)) : single.value;
  };
}

const readerOf = onceFor(valueReader);

/** The stored form of a value in a request, or an `Invalid` with the reason for refusing it. */
export const readValue = (value: unknown, field: StoredField): unknown => readerOf(field)(value);

// A body has room for a hundred thousand unknown properties. Suggestions for all of them would take seconds, and the response
// would be many times as long as the request.
const SUGGESTIONS = 100;
export const MAX_UNKNOWN = 1000;

/** Adds the fault of a property that an object does not have. */
export function addUnknown(property: string, settable: Iterable<string>, path: string, faults: Fault[]): void {
  if (faults.length >= MAX_UNKNOWN) return;
  const near = faults.length < SUGGESTIONS ? closest(property, settable) : undefined;
  const message = near ? `is not a known property. Did you mean '${near}'?` : 'is not a known property';
  faults.push(new Fault(path + property, message, 'unknown'));
}
