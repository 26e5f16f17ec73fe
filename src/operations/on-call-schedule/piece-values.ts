import { keyOf, type CustomValues } from '../../fields/custom/custom-values.js';
import type { CustomFields } from '../../fields/field.js';

/** Values of the custom fields of a shift, by the names that they are stored by. */
export type StoredValues = Record<string, unknown> | null;

/**
 * What the body of a further piece of a shift has of its custom fields: all values but those that must be unique. Where the shift has
 * none, neither has the piece, whatever the default is.
 */
export function pieceValues({ fields }: CustomFields, stored: StoredValues): { customFields?: CustomValues } {
  const values = fields.flatMap((field) => {
    const { storedAs, unique } = field.custom!.definition;
    return unique ? [] : [[keyOf(field), stored?.[storedAs] ?? null] as const];
  });
  return values.length > 0 ? { customFields: Object.fromEntries(values) } : {};
}
