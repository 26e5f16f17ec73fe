/* What can be done with the ticked rows of a list: one line for each. */

import type { FunctionComponent } from 'preact';
import { may, operationOn } from './model.js';
import { onDemand } from './on-demand.js';
import type { Collection, SelectionProps } from './types.js';

interface Selection {
  /** Whether it is offered in a list. */
  isFor: (collection: Collection) => boolean;
  view: FunctionComponent<SelectionProps>;
}

export const SELECTIONS: readonly Selection[] = [
  {
    isFor: ({ bulk, path }) => may(bulk) && !path.includes('{'),
    view: onDemand(() => import('./bulk/bulk-edit.js').then((one) => one.BulkEdit)),
  },
  {
    isFor: (collection) =>
      may(collection.bulk) && may(operationOn(collection, 'delete')) && !collection.path.includes('{'),
    view: onDemand(() => import('./bulk/bulk-delete.js').then((one) => one.BulkDelete)),
  },
  {
    isFor: ({ bulk, path }) => path === '/api/devices' && may(bulk),
    view: onDemand(() => import('./rack/move.js').then((one) => one.MoveToRack)),
  },
  {
    isFor: ({ path }) => path === '/api/assets',
    view: onDemand(() => import('./labels/sheet.js').then((one) => one.LabelSheet)),
  },
];
