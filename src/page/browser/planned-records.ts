/* Records as the open change set would leave them. */

import { createContext } from 'preact';
import { get, queryOf, whenReloaded } from './api.js';
import type { Plan } from './plan.js';
import type { Row, Values } from './types.js';

/** The change set in which a form is planned, whose new records its inputs offer. Undefined for a form that is submitted at once. */
export const PlannedIn = createContext<Plan | undefined>(undefined);

/** The effect of a change set on a record. */
interface PlannedRecord {
  /** Whether it creates the record, so that the record cannot be looked up. */
  isNew: boolean;
  isDeleted: boolean;
  /** The values that it gives the record. */
  values: Values;
}

/** Operations that one request reads. */
const MOST = 1000;
const known = new Map<string, Promise<ReadonlyMap<string, PlannedRecord>>>();
whenReloaded(() => known.clear());

async function read({ path }: Plan, resource: string): Promise<ReadonlyMap<string, PlannedRecord>> {
  const records = new Map<string, PlannedRecord>();
  for (let page = 1; ; page++) {
    const { data, hasMore } = await get(`${path}/operations${queryOf({ resource, pageSize: MOST, page })}`);
    for (const { op, recordId, data: values } of data as Row[]) {
      const before = records.get(recordId);
      records.set(recordId, {
        isNew: before?.isNew ?? op === 'create',
        isDeleted: op === 'delete',
        values: { ...before?.values, ...values },
      });
    }
    if (!hasMore) return records;
  }
}

/** The effects of a change set on the records of a resource, by id. */
export function plannedOf(plan: Plan | undefined, resource: string): Promise<ReadonlyMap<string, PlannedRecord>> {
  if (!plan) return Promise.resolve(new Map());
  const key = `${plan.path} ${resource}`;
  const found =
    known.get(key) ??
    read(plan, resource).catch(() => {
      known.delete(key);
      return new Map<string, PlannedRecord>();
    });
  known.set(key, found);
  return found;
}

/** The records of a resource that a change set creates. */
export const newRecordsOf = async (plan: Plan | undefined, resource: string): Promise<Row[]> =>
  [...(await plannedOf(plan, resource))]
    .filter(([, { isNew, isDeleted }]) => isNew && !isDeleted)
    .map(([id, { values }]) => ({ ...values, id }));

/** One of them. */
export const newRecordOf = async (plan: Plan | undefined, resource: string, id: string): Promise<Row | undefined> =>
  (await newRecordsOf(plan, resource)).find((one) => one.id === id);
