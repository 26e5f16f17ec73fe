import { keyOf, type CustomValues } from '../../fields/custom/custom-values.js';
import { customFieldsOf } from '../../fields/custom/known-fields.js';
import { OnCallSchedule } from './on-call-schedule.entity.js';

/** Values of the custom fields of a shift, by the names that they are stored by. */
export type StoredValues = Record<string, unknown> | null;

/**
 * What the body of a further piece of a shift has of its custom fields: all values but those that must be unique. Where the shift has
 * none, neither has the piece, whatever the default is.
 */
export function pieceValues(stored: StoredValues): { customFields?: CustomValues } {
  const values = customFieldsOf(OnCallSchedule).fields.flatMap((field) => {
    const { storedAs, unique } = field.custom!.definition;
    return unique ? [] : [[keyOf(field), stored?.[storedAs] ?? null] as const];
  });
  return values.length > 0 ? { customFields: Object.fromEntries(values) } : {};
}
