import { sql, type Sql } from '../database/sql.js';
import { AREAS, meets, reading, type AccessRule, type Area, type Caller } from '../access/access.js';
import { openResources } from '../fields/record-entity.js';
import type { Filter } from '../lists/list-request.js';

/**
 * Permission to read a record includes its entries. Entries of records without an area are for administrators, except for those that
 * every session may read.
 */
const ruleOf = (area: Area | null): AccessRule => (area === null ? { role: 'admin' } : reading(area));

/** @param resource of the entries; needed if they have no area */
export const mayReadEntries = (caller: Caller, area: Area | null, resource?: string): boolean =>
  meets(caller, ruleOf(area)) || (resource !== undefined && openResources().includes(resource));

/** Filters of the change log that select what the caller may read; none for a caller who may read everything. */
export function readableEntries(caller: Caller): Filter[] {
  const readable = AREAS.filter((area) => mayReadEntries(caller, area));
  const profiles = mayReadEntries(caller, null);
  if (profiles && readable.length === AREAS.length) return [];
  const open = sql`(t.area IS NULL AND t.resource = ANY(${[...openResources()]}::text[]))`;
  const among = (areas: Sql): Sql => sql`(t.area = ${areas} OR ${profiles ? sql`t.area IS NULL` : open})`;
  return [{ field: { sqlType: 'text', sql: among }, operator: 'eq', values: readable }];
}
