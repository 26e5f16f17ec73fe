/* Conflicts of planned work. */

import type { components } from '../../../sdk/typescript/schema.js';
import { useGet } from './api.js';
import { addressOf, below, collectionOf } from './model.js';

export type Conflict = components['schemas']['WorkConflict'];

/** Maximum number of conflicts to read. */
export const MOST_CONFLICTS = 50;
/** The duration of a change that the service assumes. */
const CHANGE = 3_600_000;
/** The way in which the other work affects the systems of a record, if the change is made during its window. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  'maintenance-windows': ['same_target', 'inside_target'],
  'change-requests': ['same_target', 'around_target'],
};

/** Whether a change is made within a window: during its time, and on its systems. The two are then not in conflict. */
export function isMadeIn(resource: string, { kind, from, to, other }: Conflict): boolean {
  const isPair = other !== null && other.resource !== resource && other.resource in WITHIN;
  if (!isPair || !WITHIN[resource]?.includes(kind)) return false;
  return from !== null && to !== null && Date.parse(to) - Date.parse(from) >= CHANGE;
}

/** The number of conflicts of planned work, with a link to them. */
export function Conflicts({ resource, id }: { resource: string; id: string }) {
  const collection = collectionOf(resource);
  const has = collection && below(collection).parts.some(({ path }) => path.endsWith('/conflicts'));
  const { answer } = useGet(has ? `${collection.path}/${id}/conflicts?pageSize=${MOST_CONFLICTS}` : undefined);
  const count = answer ? answer.total - (answer.data as Conflict[]).filter((one) => isMadeIn(resource, one)).length : 0;
  return count > 0 ? (
    <a class="alarm" href={`${addressOf(resource, id)}?tab=conflicts`}>
      {count} {count === 1 ? 'conflict' : 'conflicts'}
    </a>
  ) : null;
}
