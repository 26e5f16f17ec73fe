import { TypedField, type Options } from '../fields/fields.js';
import { Invalid, type FieldType } from '../types/field-type.js';
import { number } from '../types/number.js';

/** A number of rack units, in halves as in NetBox. */
export const halves: FieldType = {
  ...number,
  read(value, field) {
    const result = number.read(value, field);
    return result instanceof Invalid || Number.isInteger((result as number) * 2)
      ? result
      : new Invalid('must be a multiple of 0.5');
  },
  schema: (field) => ({ ...number.schema(field), multipleOf: 0.5 }),
};

/** A height or position in rack units, in halves. */
export const RackUnitsField = (description: string, options: Options = {}) =>
  TypedField(halves, description, { min: 0, max: 1000, example: 1, ...options });
