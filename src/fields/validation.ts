import { Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import type { BodyField, BodyParts, StoredField } from './field.js';
import { Invalid } from '../types/field-type.js';

/** Validates a property of a request body, and gives it the form in which it is stored. */
export function validateProperty(prototype: object, field: BodyField): void {
  const { property, required } = field;
  // class-validator skips an absent property faster than it passes one.
  if (!required) ValidateIf((_body, value) => value !== undefined)(prototype, property);
  if (field.kind === 'stored') {
    readsOnce(prototype, property, (value) => readValue(value, field));
  } else {
    Type(field.body)(prototype, property);
    readsOnce(prototype, property, (value) => readParts(value, field));
    ValidateNested({ each: true })(prototype, property);
  }
}

/** The stored form of a value in a request, or an `Invalid` with the reason for refusing it. */
export function readValue(value: unknown, field: StoredField): unknown {
  if (value === undefined) return new Invalid('is required');
  if (value === null) return field.nullable ? value : new Invalid('must not be null');
  return field.type.read(value, field);
}

function readParts(value: unknown, { min }: BodyParts): unknown {
  if (value === undefined) return new Invalid('is required');
  if (!Array.isArray(value)) return new Invalid('must be an array of objects');
  const stranger = value.findIndex((entry) => typeof entry !== 'object' || entry === null || Array.isArray(entry));
  if (stranger >= 0) return new Invalid(`must be an array of objects (entry ${stranger} is not one)`);
  return value.length < min ? new Invalid(`must have at least ${min === 1 ? 'one entry' : `${min} entries`}`) : value;
}

/**
 * Registers one class-validator constraint that reads a value and puts what was read in its place. A refused value stays
 * as it was sent, for the rules over several fields.
 */
function readsOnce(prototype: object, property: string, read: (value: unknown) => unknown): void {
  // class-validator runs synchronously and asks for the message immediately after a failed check.
  let message = '';
  ValidateBy({
    name: 'field',
    validator: {
      validate(value, args) {
        const result = read(value);
        if (result instanceof Invalid) {
          ({ message } = result);
          return false;
        }
        // `Object.is`, because a negative zero is replaced.
        if (!Object.is(result, value)) (args!.object as Record<string, unknown>)[property] = result;
        return true;
      },
      defaultMessage: () => message,
    },
  })(prototype, property);
}
