/* Pictures of more than one record: one line for each. */

import type { FunctionComponent } from 'preact';
import { collectionAt, may } from './model.js';
import { onDemand } from './on-demand.js';

interface Picture {
  path: string;
  label: string;
  view: FunctionComponent<{ query: URLSearchParams }>;
  /** Whether the session may see it. */
  isShown: () => boolean;
}

const readable = (path: string) => (): boolean => {
  const collection = collectionAt(path);
  return collection !== undefined && may(collection);
};

export const PICTURES: readonly Picture[] = [
  {
    path: '/pictures/desk',
    label: 'Asset desk',
    view: onDemand(() => import('./desk/desk.js').then((one) => one.Desk)),
    isShown: readable('/api/assets'),
  },
  {
    path: '/pictures/labels',
    label: 'Labels',
    view: onDemand(() => import('./labels/printing.js').then((one) => one.Labels)),
    isShown: readable('/api/assets'),
  },
  {
    path: '/pictures/bookings',
    label: 'Booking calendar',
    view: onDemand(() => import('./booking/calendar.js').then((one) => one.Calendar)),
    isShown: readable('/api/bookings'),
  },
  {
    path: '/pictures/racks',
    label: 'Racks side by side',
    view: onDemand(() => import('./rack/racks.js').then((one) => one.Racks)),
    isShown: readable('/api/racks'),
  },
  {
    path: '/pictures/on-call',
    label: 'On-call timeline',
    view: onDemand(() => import('./timeline/timeline.js').then((one) => one.Timeline)),
    isShown: readable('/api/on-call/shifts'),
  },
  {
    path: '/pictures/expirations',
    label: 'Year of expirations',
    view: onDemand(() => import('./year/year.js').then((one) => one.Year)),
    isShown: readable('/api/expirations'),
  },
  {
    path: '/pictures/refresh-plan',
    label: 'Refresh plan',
    view: onDemand(() => import('./exposure/refresh-plan.js').then((one) => one.RefreshPlan)),
    isShown: readable('/api/exposure'),
  },
  {
    path: '/pictures/prefixes',
    label: 'Prefix tree',
    view: onDemand(() => import('./addresses/tree.js').then((one) => one.PrefixTree)),
    isShown: readable('/api/prefixes'),
  },
];
