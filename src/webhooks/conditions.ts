import type { StoredField } from '../fields/field.js';
import type { FieldType } from '../fields/types/field-type.js';

/** The type that a condition compares: for a list, that of an entry. */
export const entryType = (field: StoredField): FieldType => field.type.entry?.(field) ?? field.type;

/** Values that fields of a record must have, or one of several. */
export type Values = Readonly<Record<string, unknown>>;

/** Conditions on the record before and after a change. */
export interface Conditions {
  before?: Values | null;
  after?: Values | null;
}

/** The canonical form of a value. */
function comparable(field: StoredField, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const type = entryType(field);
  return (type.normal ? type.normal(value) : type.parse(value, field)) ?? value;
}

type Test = (record: Values | null) => boolean;

function testOf(fields: ReadonlyMap<string, StoredField>, wanted: Values | null | undefined): Test {
  const compared = Object.entries(wanted ?? {}).map(([property, value]) => {
    const field = fields.get(property);
    const normal = (one: unknown): unknown => (field ? comparable(field, one) : one);
    return { property, normal, isList: field?.type.entry !== undefined, values: new Set([value].flat().map(normal)) };
  });
  return (record) =>
    compared.length === 0 ||
    (record !== null &&
      compared.every(({ property, normal, isList, values }) => {
        const value = record[property] ?? null;
        if (isList && Array.isArray(value)) return value.some((entry) => entry !== null && values.has(normal(entry)));
        return (!isList || value === null) && values.has(normal(value));
      }));
}

/** Whether a change meets conditions, from the whole record before it (null if it was created) and after it (null if it was deleted). */
export type ChangeTest = (before: Values | null, after: Values | null) => boolean;

/**
 * Prepares conditions, because the same ones are applied to many changes.
 * @param fields of the resource, by their names
 */
export function changeTest(fields: ReadonlyMap<string, StoredField>, conditions: Conditions): ChangeTest {
  const [wasMet, isMet] = [testOf(fields, conditions.before), testOf(fields, conditions.after)];
  return (before, after) => wasMet(before) && isMet(after);
}
