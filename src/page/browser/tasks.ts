/* Actions with a view of their own, in a folder each: one line for each of them, by the name of its operation. */

import type { FunctionComponent } from 'preact';
import { onDemand } from './on-demand.js';
import type { TaskProps } from './types.js';

export const TASKS: Readonly<Record<string, FunctionComponent<TaskProps>>> = {
  createCable: onDemand(() => import('./cabling/drawing.js').then((one) => one.Drawing)),
  createChangeSet: onDemand(() => import('./delta/beginning.js').then((one) => one.Beginning)),
  receivePurchaseOrder: onDemand(() => import('./receiving/receiving.js').then((one) => one.Receiving)),
  receivePurchaseOrderStock: onDemand(() => import('./stock/receiving.js').then((one) => one.ReceivingStock)),
  allocateIps: onDemand(() => import('./addresses/allocating.js').then((one) => one.Allocating)),
  createSoftwareLicenceSeat: onDemand(() => import('./desk/seat.js').then((one) => one.SeatOfLicence)),
  offboardPerson: onDemand(() => import('./offboarding/leaving.js').then((one) => one.Leaving)),
  rotateOnCallSchedules: onDemand(() => import('./rotation/rotating.js').then((one) => one.Rotating)),
};
