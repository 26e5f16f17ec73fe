import { AREAS, meets, reading, type AccessRule, type Area, type Caller } from '../access/access.js';

/**
 * The permission to read a record includes its entries: the rule for reading the records of an area. Profiles have no area and
 * are for administrators.
 */
const ruleOf = (area: Area | null): AccessRule => (area === null ? { role: 'admin' } : reading(area));

export const mayReadEntries = (caller: Caller, area: Area | null): boolean => meets(caller, ruleOf(area));

/** Conditions on the change log `t` that select what the caller may read; none for a caller who may read everything. */
export function readableEntries(caller: Caller): string[] {
  const readable = AREAS.filter((area) => mayReadEntries(caller, area));
  const profiles = mayReadEntries(caller, null);
  if (profiles && readable.length === AREAS.length) return [];
  const areas = `t.area IN (${readable.map((area) => `'${area}'`).join(', ')})`;
  return [profiles ? `(${areas} OR t.area IS NULL)` : areas];
}
