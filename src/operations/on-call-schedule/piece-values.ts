import { keyOf, type CustomValues } from '../../fields/custom/custom-values.js';
import type { CustomFields } from '../../fields/field.js';

/** Values of the custom fields of a shift, by the names that they are stored by. */
export type StoredValues = Record<string, unknown> | null;

/**
 * The custom values of a further piece of a shift: all but unique ones. If the shift has no value, the piece has none either, even if
 * there is a default.
 */
export function pieceValues({ fields }: CustomFields, stored: StoredValues): { customFields?: CustomValues } {
  const values = fields.flatMap((field) => {
    const { storedAs, unique } = field.custom!.definition;
    return unique ? [] : [[keyOf(field), stored?.[storedAs] ?? null] as const];
  });
  return values.length > 0 ? { customFields: Object.fromEntries(values) } : {};
}
