/* The columns of the table of ports: what each says of a port. */

import type { ComponentChildren } from 'preact';
import { Linked } from '../names.js';
import { Colour } from '../colours.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import { labelOfValue } from '../../../fields/labels.js';

type Schemas = components['schemas'];
export type Cable = Schemas['Cable'];
export type Neighbour = Schemas['Neighbour'];
type Vlan = { id: string; name: string };
/** An interface of a machine has some of the properties of a port. */
export interface Port extends Partial<Schemas['DevicePort']> {
  id: string;
  name: string;
  untaggedVlan?: Vlan | null;
}

/** A port with further data besides its own fields. */
export interface Known {
  port: Port;
  cable?: Cable;
  neighbour?: Neighbour;
  addresses: readonly { id: string; address: string }[];
  /** Those that it carries with their tags. */
  tagged: readonly Vlan[];
}

interface Column {
  label: string;
  /** The text of a port, by which it is found. A column without text for any port is not shown. */
  text: (known: Known) => string;
  view?: (known: Known) => ComponentChildren;
}

/** VLANs that are named in a row. A trunk may carry hundreds. */
const NAMED = 4;

/** What is said of the tagged VLANs beyond their names. */
function restOf({ port: { mode }, tagged }: Known): string {
  if (tagged.length > NAMED) return `and ${tagged.length - NAMED} more`;
  if (mode === 'tagged-all') return 'Tagged (all)';
  return mode === 'tagged' && tagged.length === 0 ? 'Tagged' : '';
}

/** The end of a port's trace. If that is not a port, the other end of its cable. */
function otherOf({ port, cable, neighbour }: Known): string {
  if (neighbour?.end?.device) return `${neighbour.end.device.name} ${neighbour.end.name}`;
  return (cable && (cable.aId === port.id ? cable.bName : cable.aName)) ?? '';
}

export const COLUMNS: readonly Column[] = [
  { label: 'Type', text: ({ port: { type } }) => (type ? labelOfValue(type) : '') },
  {
    label: 'VLAN',
    text: (known) =>
      [known.port.untaggedVlan?.name, ...known.tagged.map(({ name }) => name), restOf(known)].filter(Boolean).join(' '),
    view: (known) => (
      <span class="chips">
        {known.port.untaggedVlan && <Linked resource="vlans" {...known.port.untaggedVlan} />}
        {known.tagged.slice(0, NAMED).map((vlan) => (
          <span key={vlan.id}>
            <Linked resource="vlans" {...vlan} /> <span class="muted">tagged</span>
          </span>
        ))}
        {restOf(known)}
      </span>
    ),
  },
  {
    label: 'Addresses',
    text: ({ addresses }) => addresses.map(({ address }) => address).join(' '),
    view: ({ addresses }) => (
      <span class="chips">
        {addresses.map(({ id, address }) => (
          <a key={id} href={`#/ip-addresses/${id}`}>
            {address}
          </a>
        ))}
      </span>
    ),
  },
  { label: 'Other end', text: otherOf, view: (known) => <Other {...known} /> },
  {
    label: 'Cable',
    text: ({ cable }) => (cable ? (cable.label ?? 'Without a label') : ''),
    view: ({ cable }) =>
      cable && (
        <a href={`#/cables/${cable.id}`}>
          {cable.color && <Colour value={cable.color} isShort />}
          <bdi>{cable.label ?? 'Without a label'}</bdi>
        </a>
      ),
  },
  { label: 'Description', text: ({ port }) => port.description ?? '' },
];

function Other(known: Known) {
  const { cable, neighbour } = known;
  const end = neighbour?.end;
  const over = neighbour && neighbour.cables > 1 ? `over ${neighbour.cables} cables` : undefined;
  const status = neighbour && ['open', 'splits'].includes(neighbour.status) ? neighbour.status : undefined;
  const said = [over, status].filter(Boolean).join(', ');
  return (
    <>
      {end?.device ? (
        <>
          <a href={`#/devices/${end.device.id}`}>
            <bdi>{end.device.name}</bdi>
          </a>{' '}
          <a href={`#/devices/${end.device.id}/ports/${end.id}`}>
            <bdi>{end.name}</bdi>
          </a>
        </>
      ) : (
        cable && (
          <a href={`#/cables/${cable.id}`}>
            <bdi>{otherOf(known)}</bdi>
          </a>
        )
      )}
      {said !== '' && <span class="muted"> {said}</span>}
    </>
  );
}
