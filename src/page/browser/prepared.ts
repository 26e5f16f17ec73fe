/* Initial values of some actions from the record. The fields come from the declarations. */

import type { components } from '../../../sdk/typescript/schema.js';
import type { Values } from './types.js';

type Schemas = components['schemas'];

const DAY = 86_400_000;

/** The beginning of this minute. */
const minute = (): number => Math.floor(Date.now() / 60_000) * 60_000;

export const PREPARED: Readonly<Record<string, (record: never) => Values>> = {
  // The author has noticed it now.
  createIncident: () => ({ detectedAt: new Date(minute()).toISOString() }),
  coverOnCallSchedule: ({ startTime, endTime }: Schemas['OnCallSchedule']) => {
    // The beginning of the shift to the second, and of now the minute.
    const from = Math.max(minute(), startTime ? Date.parse(startTime) : 0);
    const to = Math.min(from + DAY, endTime ? Date.parse(endTime) : Infinity);
    return from < to ? { startTime: new Date(from).toISOString(), endTime: new Date(to).toISOString() } : {};
  },
};

/** Actions in the words of users. */
export const ACTION_WORDS: Readonly<Record<string, string>> = {
  assignAsset: 'Hand out',
  returnAsset: 'Take back',
  allocateIps: 'Allocate an address',
  allocatePrefixes: 'Allocate a prefix',
  allocateVlans: 'Allocate a VLAN',
  coverOnCallSchedule: 'Swap or cover',
  rotateOnCallSchedules: 'Plan a rotation',
  receivePurchaseOrderStock: 'Receive into stock',
  offboardPerson: 'Let them leave',
};

/** Whether a new record comes with additions, by the parameter of its operation. @param needs the property that they require */
export const OPTIONS: Readonly<Record<string, { name: string; label: string; needs: string }>> = {
  createDevice: { name: 'withPorts', label: 'With the ports of its type', needs: 'deviceTypeId' },
};

/** The list of all changes. */
export const ENTRIES = '/api/change-log';

/** Lists with a link to a common view of them, besides a new record. */
export const WAYS: Readonly<Record<string, { label: string; address: string }>> = {
  '/api/on-call': { label: 'Subscribe to a calendar', address: '#/calendar-feeds/new?kind=on-call&name=On call' },
  '/api/on-call/shifts': {
    label: 'Subscribe to a calendar',
    address: '#/calendar-feeds/new?kind=on-call&name=On call',
  },
  '/api/maintenance-windows': {
    label: 'Subscribe to a calendar',
    address: '#/calendar-feeds/new?kind=maintenance&name=Maintenance',
  },
};

/** The list that has the records of a computed list, by the last part of the path of that one. */
export const RECORDS_OF: Readonly<Record<string, string>> = { ips: 'ip-addresses' };

/** Actions on the rows of a list, by the last part of its path: the last part of the operation's path. */
export const ROW_ACTIONS: Readonly<Record<string, { path: string; label: string }>> = {
  deliveries: { path: 'resend', label: 'Send again' },
};

/** Whether the state of a record allows an action. Actions that are not listed are always offered. */
const OFFERED: Readonly<Record<string, (record: never) => boolean>> = {
  // They have buttons of their own, in the folder `delta`.
  previewChangeSet: () => false,
  mergeChangeSet: () => false,
  revertChangeSet: () => false,
  discardChangeSet: () => false,
  // The stocktake has a field for scans, and shows what closing does.
  scanStocktake: () => false,
  closeStocktake: () => false,
  assignAsset: ({ currentAssignee }: Schemas['Asset']) => !currentAssignee,
  returnAsset: ({ currentAssignee }: Schemas['Asset']) => Boolean(currentAssignee),
  receivePurchaseOrder: (order: Schemas['PurchaseOrder']) => isExpected(order, false),
  receivePurchaseOrderStock: (order: Schemas['PurchaseOrder']) => isExpected(order, true),
};

/** Whether deliveries of an order are still expected. @param asStock of the lines of stock items, or of the others */
const isExpected = ({ items, status }: Schemas['PurchaseOrder'], asStock: boolean): boolean =>
  status !== 'cancelled' &&
  items.some(({ quantityRemaining, stockItemId }) => quantityRemaining > 0 && Boolean(stockItemId) === asStock);

export const isOffered = (id: string, record: object): boolean => OFFERED[id]?.(record as never) ?? true;

/** Sort keys of columns whose property has another name. */
export const SORTED_BY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/api/exposure': { device: 'name', replacement: 'amount' },
};
