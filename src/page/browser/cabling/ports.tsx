/* The ports of a device, or the interfaces of a machine, as one table: their settings and their connections. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { queryOf, useGet } from '../api.js';
import { below, collectionAt, labelOf, mayCreate } from '../model.js';
import { Linked } from '../names.js';
import { Loaded } from '../parts.js';
import { isTicked, Selected, Tick } from '../selected.js';
import type { Collection, PanelProps } from '../types.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import { KINDS, UNPLUGGED } from './fits.js';
import { inWords } from './port-types.js';

type Schemas = components['schemas'];
type Cable = Schemas['Cable'];
type Neighbour = Schemas['Neighbour'];
/** An interface of a machine has some of the properties of a port. */
interface Port extends Partial<Schemas['DevicePort']> {
  id: string;
  name: string;
  untaggedVlan?: { id: string; name: string } | null;
}

const MOST = 1000;
/** From this number of rows on, there is a field to find one. */
const MANY = 10;

/** A port with further data besides its own fields. */
interface Known {
  port: Port;
  cable?: Cable;
  neighbour?: Neighbour;
  addresses: readonly { id: string; address: string }[];
}

interface Column {
  label: string;
  /** The text of a port, by which it is found. A column without text for any port is not shown. */
  text: (known: Known) => string;
  view?: (known: Known) => ComponentChildren;
}

const isTagged = ({ mode }: Port): string => (mode?.startsWith('tagged') ? labelOf(mode) : '');

/** The end of a port's trace. If that is not a port, the other end of its cable. */
function otherOf({ port, cable, neighbour }: Known): string {
  if (neighbour?.end?.device) return `${neighbour.end.device.name} ${neighbour.end.name}`;
  return (cable && (cable.aId === port.id ? cable.bName : cable.aName)) ?? '';
}

const COLUMNS: readonly Column[] = [
  { label: 'Type', text: ({ port: { type } }) => (type ? inWords(type) : '') },
  {
    label: 'VLAN',
    text: ({ port }) => [port.untaggedVlan?.name ?? '', isTagged(port)].filter(Boolean).join(', '),
    view: ({ port }) => (
      <>
        {port.untaggedVlan && <Linked resource="vlans" {...port.untaggedVlan} />} {isTagged(port)}
      </>
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
          {cable.color && <span class="swatch" style={{ background: cable.color }} />}
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

/** Lists of ports: their names, and the paths of the flat lists. */
const LISTS = {
  ports: { title: 'Ports', flat: '/api/device-ports' },
  interfaces: { title: 'Interfaces', flat: '/api/virtual-machine-interfaces' },
};

export const Ports = (props: PanelProps) => <Part {...props} name="ports" />;
export const Interfaces = (props: PanelProps) => <Part {...props} name="interfaces" />;

function Part({ path, collection, record, isWhole = false, name }: PanelProps & { name: keyof typeof LISTS }) {
  const { title, flat } = LISTS[name];
  const isOfDevice = name === 'ports';
  const loaded = useGet(`${path}/${name}${queryOf({ sort: 'name', pageSize: MOST, expand: 'untaggedVlan' })}`);
  const neighbours = useGet(isOfDevice ? `${path}/neighbours?pageSize=${MOST}` : undefined);
  const cables = useGet(isOfDevice ? `/api/cables?deviceId=${record.id}&pageSize=${MOST}` : undefined);
  const held = useGet(`${path}/ips?pageSize=${MOST}`);
  const at = `#${path.slice(4)}`;
  const ends = new Map(((neighbours.answer?.data ?? []) as Neighbour[]).map((one) => [one.port.id, one]));
  const cableOf = new Map(((cables.answer?.data ?? []) as Cable[]).map((cable) => [cable.id, cable]));
  const addresses = (held.answer?.data ?? []) as Schemas['DeviceIpAddress'][];
  return (
    <section class="card panel" aria-label={title}>
      <h2>
        {title}
        {loaded.answer && <span class="count">{loaded.answer.total}</span>}
        {mayCreate(below(collection).parts.find((part) => part.path.endsWith(`/${name}`))) && (
          <a class="end" href={`${at}/${name}/new`}>
            Add
          </a>
        )}
      </h2>
      <Loaded from={loaded}>
        {({ data, total }) => (
          <>
            <PortTable
              rows={(data as Port[]).map((port) => ({
                port,
                cable: cableOf.get(port.cableId ?? ''),
                neighbour: ends.get(port.id),
                addresses: addresses.filter(({ interfaceName }) => interfaceName === port.name),
              }))}
              at={`${at}/${name}`}
              title={title}
              list={collectionAt(flat)!}
              isWhole={isWhole}
            />
            {(isWhole || total > data.length) && (
              <p class="more">
                <a href={`#${flat.slice(4)}?${isOfDevice ? 'deviceId' : 'virtualMachineId'}=${record.id}`}>As a list</a>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

interface PortTableProps {
  rows: readonly Known[];
  at: string;
  title: string;
  list: Collection;
  isWhole: boolean;
}

function PortTable({ rows, at, title, list, isWhole }: PortTableProps) {
  const [asked, setAsked] = useState('');
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const columns = COLUMNS.filter(({ text }) => rows.some((row) => text(row) !== ''));
  const saidOf = (row: Known): string =>
    [row.port.name, ...columns.map(({ text }) => text(row))].join(' ').toLowerCase();
  const words = asked.toLowerCase().split(' ');
  const shown = rows.filter((row) => words.every((word) => saidOf(row).includes(word)));
  const kinds = KINDS.filter((kind) => rows.some(({ port }) => port.kind === kind));
  const groups = kinds.length > 1 ? kinds : [undefined];
  const draws = mayCreate(collectionAt('/api/cables'));
  const isFree = ({ kind, cableId, type }: Port): boolean =>
    draws && kind !== undefined && !cableId && !UNPLUGGED.includes(type ?? '');
  const isAnyFree = rows.some(({ port }) => isFree(port));
  const hasTicks = isWhole && isTicked(list);
  const ids = shown.map(({ port }) => port.id);
  if (rows.length === 0) return <p class="muted">There are no {title.toLowerCase()} yet.</p>;
  return (
    <>
      {rows.length >= MANY && (
        <input
          type="search"
          aria-label={`Find among the ${title.toLowerCase()}`}
          placeholder="Name, VLAN, address, other end …"
          value={asked}
          onInput={({ currentTarget: { value } }) => setAsked(value)}
        />
      )}
      <Selected
        collection={list}
        rows={shown.map(({ port }) => port).filter(({ id }) => ticked.has(id))}
        clear={() => setTicked(new Set())}
      />
      <div class="scroll" tabindex={0} role="region" aria-label={`Table of ${title.toLowerCase()}`}>
        <table class="records ports">
          <thead>
            <tr>
              {hasTicks && (
                <th scope="col" class="tick">
                  <Tick name="Tick all that are shown" ids={ids} ticked={ticked} tick={setTicked} />
                </th>
              )}
              {['Name', ...columns.map(({ label }) => label)].map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
              {isAnyFree && (
                <th scope="col">
                  <span class="hidden">Connect</span>
                </th>
              )}
            </tr>
          </thead>
          {groups.map((kind) => {
            const own = shown.filter(({ port }) => kind === undefined || port.kind === kind);
            return (
              own.length > 0 && (
                <tbody key={kind}>
                  {kind && (
                    <tr class="kind">
                      <th scope="rowgroup" colspan={99}>
                        {labelOf(kind)} <span class="count">{own.length}</span>
                      </th>
                    </tr>
                  )}
                  {own.map((row) => (
                    <tr key={row.port.id}>
                      {hasTicks && (
                        <td class="tick">
                          <Tick name={`Tick ${row.port.name}`} ids={[row.port.id]} ticked={ticked} tick={setTicked} />
                        </td>
                      )}
                      <td class="lead">
                        <span
                          class={`lamp ${row.port.enabled ? 'on' : ''}`}
                          title={row.port.enabled ? 'Enabled' : 'Disabled'}
                        />
                        <a class="name" href={`${at}/${row.port.id}`}>
                          <bdi>{row.port.name}</bdi>
                        </a>
                        {!row.port.enabled && <span class="hidden">, disabled</span>}
                      </td>
                      {columns.map(({ label, text, view }) => (
                        <td key={label} data-label={label}>
                          {text(row) !== '' && (view?.(row) ?? <bdi>{text(row)}</bdi>)}
                        </td>
                      ))}
                      {isAnyFree && (
                        <td>
                          {isFree(row.port) && (
                            <a
                              href={`#/cables/new${queryOf({ aId: row.port.id, from: at.slice(1, at.lastIndexOf('/')) })}`}
                              aria-label={`Connect ${row.port.name}`}
                            >
                              Connect
                            </a>
                          )}
                        </td>
                      )}
                    </tr>
                  ))}
                </tbody>
              )
            );
          })}
        </table>
      </div>
      {shown.length === 0 && <p class="muted">Nothing matches.</p>}
    </>
  );
}
