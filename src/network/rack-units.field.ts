import { TypedField, type Options } from '../fields/fields.js';
import type { FieldType } from '../fields/types/field-type.js';
import { IsMultipleOf, number } from '../fields/types/number.js';

/** A number of rack units, in halves as in NetBox. */
export const halves: FieldType = {
  ...number,
  constraints: (field) => [...number.constraints(field), IsMultipleOf(0.5)],
  schema: (field) => ({ ...number.schema(field), multipleOf: 0.5 }),
};

/** A height or position in rack units, in halves. */
export const RackUnitsField = (description: string, options: Options = {}) =>
  TypedField(halves, description, { min: 0, max: 1000, example: 1, ...options });
