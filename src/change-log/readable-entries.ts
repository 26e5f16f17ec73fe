import { AREAS, hasRole, reading, type AccessRule, type Area, type Caller } from '../access/access.js';

/** Who may read a record may read its entries: the rule of reading an area's records; profiles, which have none, are for administrators. */
const ruleOf = (area: Area | null): AccessRule => (area === null ? { role: 'admin' } : reading(area));

/** Whether the caller may read the entries of an area's records. */
export function mayReadEntries(caller: Caller, area: Area | null): boolean {
  const { role, area: needed } = ruleOf(area);
  return hasRole(caller, role!) && (needed === undefined || caller.areas.includes(needed));
}

/** Conditions on the change log `t` that leave what the caller may read; none for a caller who may read everything. */
export function readableEntries(caller: Caller): string[] {
  const readable = AREAS.filter((area) => mayReadEntries(caller, area));
  const profiles = mayReadEntries(caller, null);
  if (profiles && readable.length === AREAS.length) return [];
  const areas = `t.area IN (${readable.map((area) => `'${area}'`).join(', ')})`;
  return [profiles ? `(${areas} OR t.area IS NULL)` : areas];
}
