import { plainToInstance, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsDefined,
  isObject,
  IsObject,
  IsOptional,
  ValidateIf,
  ValidateNested,
  validateSync,
  type ValidationError,
} from 'class-validator';
import { mostOf, type BodyField, type BodyParts, type StoredField } from './field.js';
import type { FaultCode } from '../http/errors.js';
import { Invalid, type FieldOptions, type FieldType } from './types/field-type.js';

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
  ...(field.type.transform ? [Transform(field.type.transform, { toClassOnly: true })] : []),
];

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
    // Before what looks at the entries: those of a list that is too long are not read.
    ArrayMaxSize(max, { message: `must have at most ${max.toLocaleString('en')} entries` }),
    IsObject({
      each: true,
      message: ({ value }) =>
        `${message} (entry ${(value as unknown[]).findIndex((entry) => !isObject(entry))} is not one)`,
    }),
    ...(min > 0 ? [ArrayMinSize(min, { message: few })] : []),
    ValidateNested({ each: true }),
  ];
}

/** All faults of an instance, for each property that of the first constraint that fails. */
export const faultsOf = (instance: object): ValidationError[] =>
  validateSync(instance, {
    forbidUnknownValues: false,
    stopAtFirstError: true,
    validationError: { target: false, value: false },
  });

/** The codes of constraints that say more than that a value is invalid. */
const CODES: Readonly<Record<string, FaultCode>> = {
  arrayMaxSize: 'too_long',
  arrayMinSize: 'out_of_range',
  isDefined: 'required',
  max: 'out_of_range',
  maxCodePoints: 'too_long',
  min: 'out_of_range',
};

/** Why a constraint refuses a property; undefined if only its parts are at fault. */
export function refusedBy({ constraints }: ValidationError): { message: string; code: FaultCode } | undefined {
  const [first] = Object.entries(constraints ?? {});
  if (!first) return undefined;
  const [name, message] = first;
  return { message, code: message === REQUIRED ? 'required' : (CODES[name] ?? 'invalid') };
}

/**
 * Reads values of one field outside of a body: the stored form, or an `Invalid`. Make it once for a field, because class-validator keeps
 * the class behind it.
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
    const single = plainToInstance(Single, { value });
    const [error] = faultsOf(single);
    if (!error) return single.value;
    const { message, code } = refusedBy(error)!;
    return new Invalid(message, code);
  };
}

const readers = new WeakMap<StoredField, (value: unknown) => unknown>();

/** The stored form of a value in a request, or an `Invalid` with the reason for refusing it. */
export function readValue(value: unknown, field: StoredField): unknown {
  let read = readers.get(field);
  if (!read) readers.set(field, (read = valueReader(field)));
  return read(value);
}
