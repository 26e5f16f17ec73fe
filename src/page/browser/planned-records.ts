/* Records as the open change set would leave them. */

import { createContext } from 'preact';
import { get, queryOf, whenReloaded } from './api.js';
import type { Plan } from './plan.js';
import type { Row, Values } from './types.js';

/** The change set that a form is planned in: its inputs offer what the same set creates. None where a form is done at once. */
export const PlannedIn = createContext<Plan | undefined>(undefined);

/** What a change set does with a record. */
interface PlannedRecord {
  /** Whether it creates the record, so that nobody can look it up. */
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

/** What a change set does with the records of a resource, by their ids. */
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
