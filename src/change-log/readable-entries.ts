import { sql, type Sql } from '../database/sql.js';
import { AREAS, meets, reading, type AccessRule, type Area, type Caller } from '../access/access.js';
import type { Filter } from '../lists/list-request.js';

/**
 * The permission to read a record includes its entries: the rule for reading the records of an area. Profiles have no area and
 * are for administrators.
 */
const ruleOf = (area: Area | null): AccessRule => (area === null ? { role: 'admin' } : reading(area));

export const mayReadEntries = (caller: Caller, area: Area | null): boolean => meets(caller, ruleOf(area));

/** Filters of the change log that select what the caller may read; none for a caller who may read everything. */
export function readableEntries(caller: Caller): Filter[] {
  const readable = AREAS.filter((area) => mayReadEntries(caller, area));
  const profiles = mayReadEntries(caller, null);
  if (profiles && readable.length === AREAS.length) return [];
  const among = (areas: Sql): Sql => (profiles ? sql`(t.area = ${areas} OR t.area IS NULL)` : sql`t.area = ${areas}`);
  return [{ field: { sqlType: 'text', sql: among }, operator: 'eq', values: readable }];
}
