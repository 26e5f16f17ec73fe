/* What the forms of some actions begin with, where the record tells it. The fields themselves come from the declarations. */

import type { components } from '../../../sdk/typescript/schema.js';
import type { Values } from './types.js';

type Schemas = components['schemas'];

const DAY = 86_400_000;

export const PREPARED: Readonly<Record<string, (record: never) => Values>> = {
  coverOnCallSchedule: ({ startTime, endTime }: Schemas['OnCallSchedule']) => {
    const from = Math.max(Date.now(), startTime ? Date.parse(startTime) : 0);
    const to = Math.min(from + DAY, endTime ? Date.parse(endTime) : Infinity);
    const minute = (time: number): string => new Date(Math.floor(time / 60_000) * 60_000).toISOString();
    return from < to
      ? { startTime: minute(Math.max(from, startTime ? Date.parse(startTime) : from)), endTime: minute(to) }
      : {};
  },
};

/** Whether the state of a record lets an action do something. Actions that are not named are always offered. */
const OFFERED: Readonly<Record<string, (record: never) => boolean>> = {
  assignAsset: ({ currentAssignee }: Schemas['Asset']) => !currentAssignee,
  returnAsset: ({ currentAssignee }: Schemas['Asset']) => Boolean(currentAssignee),
  receivePurchaseOrder: ({ items, status }: Schemas['PurchaseOrder']) =>
    status !== 'cancelled' && items.some(({ quantityRemaining }) => quantityRemaining > 0),
};

export const isOffered = (id: string, record: object): boolean => OFFERED[id]?.(record as never) ?? true;
