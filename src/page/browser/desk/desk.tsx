/* The asset desk: the daily jobs of asset managers, each a click away. */

import type { FunctionComponent } from 'preact';
import { Icon, type IconName } from '../icon.js';
import { collectionAt, creationOf, may, mayCreate, operationsOf } from '../model.js';
import { Title } from '../parts.js';
import { TakingOut } from '../stock/taking-out.js';
import { HandingOutSeat } from './seat.js';

interface Job {
  label: string;
  about: string;
  icon: IconName;
  address: string;
  isOffered: () => boolean;
}

const creates = (path: string) => (): boolean => mayCreate(collectionAt(path));
const does = (path: string, id: string) => (): boolean =>
  operationsOf(collectionAt(path)!).some((one) => one.id === id);

const JOBS: readonly Job[] = [
  {
    label: 'Hand out a seat',
    about: 'Of a software licence, to a person, an asset or a device',
    icon: 'user-plus',
    address: '#/pictures/desk?task=seat',
    isOffered: () => may(creationOf(collectionAt('/api/software-licences/{softwareLicenceId}/seats')!)),
  },
  {
    label: 'Let somebody leave',
    about: 'Choose the person: what they have is taken back, freed or handed over',
    icon: 'users',
    address: '#/people',
    isOffered: does('/api/people', 'offboardPerson'),
  },
  {
    label: 'Book what is shared',
    about: 'Assets by days: a click on a free day books it',
    icon: 'calendar',
    address: '#/pictures/bookings',
    isOffered: creates('/api/bookings'),
  },
  {
    label: 'Count a place',
    about: 'Name the count and the place, and scan what is there',
    icon: 'clipboard',
    address: '#/stocktakes/new',
    isOffered: creates('/api/stocktakes'),
  },
  {
    label: 'Receive an order',
    about: 'Choose the order: its lines become assets, or stock',
    icon: 'inbox',
    address: '#/purchase-orders?status=ordered&status=partially_received',
    isOffered: does('/api/purchase-orders', 'receivePurchaseOrder'),
  },
  {
    label: 'Take out of stock',
    about: 'Each scan of an item takes out as many units as you say',
    icon: 'archive-box',
    address: '#/pictures/desk?task=out',
    isOffered: () => may(creationOf(collectionAt('/api/stock-items/{stockItemId}/movements')!)),
  },
];

/** Jobs with a form in the desk itself. */
const TASKS: Readonly<Record<string, FunctionComponent>> = {
  seat: () => <HandingOutSeat />,
  out: TakingOut,
};

export function Desk({ query }: { query: URLSearchParams }) {
  const Task = TASKS[query.get('task') ?? ''];
  if (Task) return <Task />;
  return (
    <>
      <Title text="Asset desk" />
      <ul class="desk">
        {JOBS.filter(({ isOffered }) => isOffered()).map(({ label, about, icon, address }) => (
          <li key={label} class="card">
            <Icon name={icon} />
            <a href={address}>{label}</a>
            <p class="muted">{about}.</p>
          </li>
        ))}
      </ul>
    </>
  );
}
