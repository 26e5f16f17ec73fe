/* The change set that is open in this browser, like a shopping cart. Changes of its user are recorded in it instead of being carried out. */

import { useEffect, useState } from 'preact/hooks';
import { get, queryOf, reloadAll } from './api.js';
import { keep, kept } from './kept.js';
import { creationOf } from './model.js';
import { say } from './toasts.js';
import type { Collection, Operation, Row, Values } from './types.js';

export interface Plan {
  name: string;
  /** Path of the change set in the API. */
  path: string;
}

const KEPT = 'plan';
let plan = kept<Plan | null>(KEPT, null) ?? undefined;
const listeners = new Set<() => void>();

export const openPlan = (): Plan | undefined => plan;

/** Opens a change set, and closes the one that was open. @param next undefined for none */
export function setPlan(next: Plan | undefined): void {
  plan = next;
  keep(KEPT, next ?? null);
  for (const listener of listeners) listener();
}

/** The open change set, in a view that changes with it. */
export function usePlan(): Plan | undefined {
  const [now, setNow] = useState(plan);
  useEffect(() => {
    const listener = (): void => setNow(plan);
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return now;
}

/** Whether a change set can hold an operation. */
export const isPlannable = (operation: Operation | undefined): boolean =>
  operation?.query?.includes('changeSet') === true;

/** The change set in which an operation is recorded; undefined if the operation is carried out at once. */
export function usePlanOf(operation: Operation | undefined): Plan | undefined {
  const now = usePlan();
  return isPlannable(operation) ? now : undefined;
}

/** The same for requests that write many records of a list: bulk, and import. */
export const usePlanOfMany = (collection: Collection): Plan | undefined => usePlanOf(creationOf(collection));

/** The same outside of views. */
export const planOf = (operation: Operation | undefined): Plan | undefined =>
  isPlannable(operation) ? plan : undefined;

export const idOf = ({ path }: Plan): string => path.split('/').at(-1)!;

/** The query string of a request that is recorded, if it is. */
export const queryIn = (asked: Plan | undefined, values: Record<string, unknown> = {}): string =>
  queryOf({ ...values, changeSet: asked && idOf(asked) });

/** Reports that a change was recorded. @param what such as `Edit of ams-leaf-01` */
export function planned({ name, path }: Plan, what: string): void {
  say(`${what} is planned in ${name}. Nothing is changed yet`, { address: `#${path.slice(4)}` });
  reloadAll();
}

/** Values of a record in the open change set; undefined while they are read. */
export function usePending(
  operation: Operation | undefined,
  path: string,
  resource: string | undefined,
): Values | undefined {
  const now = usePlanOf(operation);
  const [pending, setPending] = useState<Values | undefined>(openPlan() ? undefined : {});
  useEffect(() => {
    if (!now) {
      setPending({});
      return;
    }
    const asked = queryOf({ resource, recordId: path.split('/').at(-1), op: 'update', pageSize: 50 });
    get(`${now.path}/operations${asked}`).then(
      ({ data }) => setPending(Object.assign({}, ...(data as Row[]).map((one) => one.data as Values))),
      () => setPending({}),
    );
  }, []);
  return pending;
}
