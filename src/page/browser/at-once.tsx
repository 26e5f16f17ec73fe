/* A note for actions that a change set cannot contain: while one is open, their buttons say that they are carried out at once. */

import { useContext } from 'preact/hooks';
import { isPlannable, usePlan } from './plan.js';
import { PlannedIn } from './planned-records.js';
import type { Operation } from './types.js';

/** Beside a button. Nothing in a form that is planned. */
export function AtOnce() {
  const open = usePlan();
  const isPlanned = useContext(PlannedIn) !== undefined;
  return open && !isPlanned ? <span class="at-once">Done at once, not planned</span> : null;
}

/** Beside the buttons of some operations, if one of them writes records of a family. */
export const AtOnceOf = ({ operations }: { operations: readonly Operation[] }) =>
  operations.some((one) => one.area && !isPlannable(one)) ? <AtOnce /> : null;
