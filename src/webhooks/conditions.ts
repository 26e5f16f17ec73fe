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
  const match = /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(String(value));
  if (!match) return value;
  const [, sign, whole, fraction] = match;
  const digits = fraction ? `${whole}.${fraction}` : whole!;
  return digits === '0' ? digits : `${sign}${digits}`;
}

function isEqual(kind: ValueKind, value: unknown, wanted: unknown): boolean {
  if (value === null || wanted === null) return value === wanted;
  if (kind === 'decimal') return plainDecimal(value) === plainDecimal(wanted);
  if (kind === 'instant') return Date.parse(String(value)) === Date.parse(String(wanted));
  return value === wanted;
}

function has(kind: ValueKind, value: unknown, wanted: unknown): boolean {
  const several = Array.isArray(wanted) ? wanted : [wanted];
  if (kind === 'list') {
    const entries = Array.isArray(value) ? value : [];
    return several.some((one) => (one === null ? value === null : entries.includes(one)));
  }
  return several.some((one) => isEqual(kind, value, one));
}

const meets = (
  kinds: ReadonlyMap<string, ValueKind>,
  record: Values | null,
  wanted: Values | null | undefined,
): boolean =>
  !wanted ||
  Object.keys(wanted).length === 0 ||
  (record !== null &&
    Object.entries(wanted).every(([field, value]) => has(kinds.get(field) ?? 'plain', record[field] ?? null, value)));

/**
 * Whether a change meets the conditions.
 * @param kinds of the fields
 * @param before the whole record before the change; null if it was created
 * @param after the whole record after the change; null if it was deleted
 */
export const meetsConditions = (
  kinds: ReadonlyMap<string, ValueKind>,
  conditions: Conditions,
  before: Values | null,
  after: Values | null,
): boolean => meets(kinds, before, conditions.before) && meets(kinds, after, conditions.after);
