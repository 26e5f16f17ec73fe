/** How the values of a field are compared. */
export type ValueKind = 'decimal' | 'instant' | 'list' | 'plain';

/** Values that fields of a record must have, or one of several. */
export type Values = Readonly<Record<string, unknown>>;

/** What the fields of a record must have had before a change, and must have after it. */
export interface Conditions {
  before?: Values | null;
  after?: Values | null;
}

/** A decimal number without the zeros that do not change it. */
function plainDecimal(value: unknown): unknown {
  const [, sign, given, fraction = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(String(value)) ?? [];
  if (given === undefined) return value;
  let [start, end] = [0, fraction.length];
  while (start < given.length - 1 && given[start] === '0') start++;
  while (fraction[end - 1] === '0') end--;
  const whole = given.slice(start);
  const digits = end > 0 ? `${whole}.${fraction.slice(0, end)}` : whole;
  return digits === '0' ? digits : `${sign}${digits}`;
}

/** What two values have in common if they are equal. */
function comparable(kind: ValueKind, value: unknown): unknown {
  if (value === null) return null;
  if (kind === 'decimal') return plainDecimal(value);
  return kind === 'instant' ? Date.parse(String(value)) : value;
}

type Test = (record: Values | null) => boolean;

function testOf(kinds: ReadonlyMap<string, ValueKind>, wanted: Values | null | undefined): Test {
  const fields = Object.entries(wanted ?? {}).map(([field, value]) => {
    const kind = kinds.get(field) ?? 'plain';
    return { field, kind, values: new Set([value].flat().map((one) => comparable(kind, one))) };
  });
  return (record) =>
    fields.length === 0 ||
    (record !== null &&
      fields.every(({ field, kind, values }) => {
        const value = record[field] ?? null;
        if (kind === 'list' && Array.isArray(value)) return value.some((entry) => entry !== null && values.has(entry));
        return (kind !== 'list' || value === null) && values.has(comparable(kind, value));
      }));
}

/** Whether a change meets conditions, from the whole record before it (null if it was created) and after it (null if it was deleted). */
export type ChangeTest = (before: Values | null, after: Values | null) => boolean;

/**
 * Prepares conditions, because many changes are held against the same ones.
 * @param kinds of the fields
 */
export function changeTest(kinds: ReadonlyMap<string, ValueKind>, conditions: Conditions): ChangeTest {
  const [wasMet, isMet] = [testOf(kinds, conditions.before), testOf(kinds, conditions.after)];
  return (before, after) => wasMet(before) && isMet(after);
}
