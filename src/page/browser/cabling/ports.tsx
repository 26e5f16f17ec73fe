/* The ports of a device, or the interfaces of a machine, as one table: their settings and their connections. */

import { useState } from 'preact/hooks';
import { queryOf, useGet } from '../api.js';
import { below, collectionAt, labelOf, may, mayCreate, operationOn } from '../model.js';
import { Loaded } from '../parts.js';
import { isTicked, Selected, Tick, useRange } from '../selected.js';
import type { Collection, PanelProps } from '../types.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import { Connecting, Disconnect } from './connecting.js';
import { KINDS, UNPLUGGED } from './fits.js';
import { COLUMNS, type Cable, type Known, type Neighbour, type Port } from './port-columns.js';

type Schemas = components['schemas'];
const MOST = 1000;
/** Ports whose tagged VLANs are named. */
const TRUNKS = 100;
/** From this number of rows on, there is a field to find one. */
const MANY = 10;

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
  const trunks = ((loaded.answer?.data ?? []) as Port[]).filter(({ mode }) => mode === 'tagged').map(({ id }) => id);
  const asked = { portId: trunks.slice(0, TRUNKS), expand: 'vlan', pageSize: MOST };
  const carried = useGet(isOfDevice && trunks.length > 0 ? `/api/device-port-vlans${queryOf(asked)}` : undefined);
  const tagged = (carried.answer?.data ?? []) as Schemas['DevicePortVlan'][];
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
                tagged: tagged.flatMap(({ portId, vlan }) => (portId === port.id && vlan ? [vlan] : [])),
              }))}
              at={`${at}/${name}`}
              owner={record.name}
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
  /** The name of the device or the machine. */
  owner: string;
  title: string;
  list: Collection;
  isWhole: boolean;
}

function PortTable({ rows, at, owner, title, list, isWhole }: PortTableProps) {
  const [asked, setAsked] = useState('');
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const columns = COLUMNS.filter(({ text }) => rows.some((row) => text(row) !== ''));
  const saidOf = (row: Known): string =>
    [row.port.name, ...columns.map(({ text }) => text(row))].join(' ').toLowerCase();
  const words = asked.toLowerCase().split(' ');
  const shown = rows.filter((row) => words.every((word) => saidOf(row).includes(word)));
  const kinds = KINDS.filter((kind) => rows.some(({ port }) => port.kind === kind));
  const groups = kinds.length > 1 ? kinds : [undefined];
  const [connected, setConnected] = useState<Port>();
  const cables = collectionAt('/api/cables')!;
  const draws = mayCreate(cables);
  const unplugs = operationOn(cables, 'delete');
  const isPlugged = ({ cableId }: Port): boolean => Boolean(cableId) && may(unplugs);
  const isFree = ({ kind, cableId, type }: Port): boolean =>
    draws && kind !== undefined && !cableId && !UNPLUGGED.includes(type ?? '');
  const hasPlugs = rows.some(({ port }) => isFree(port) || isPlugged(port));
  const hasTicks = isWhole && isTicked(list);
  const ids = shown.map(({ port }) => port.id);
  const range = useRange(ids);
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
              {hasPlugs && (
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
                          <Tick
                            name={`Tick ${row.port.name}`}
                            ids={[row.port.id]}
                            ticked={ticked}
                            tick={setTicked}
                            range={range}
                          />
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
                      {hasPlugs && (
                        <td>
                          {isFree(row.port) && (
                            <button
                              type="button"
                              class="quiet"
                              aria-label={`Connect ${row.port.name}`}
                              onClick={() => setConnected(row.port)}
                            >
                              Connect
                            </button>
                          )}
                          {isPlugged(row.port) && <Disconnect name={row.port.name} id={row.port.cableId!} />}
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
      {connected && <Connecting port={connected} owner={owner} close={() => setConnected(undefined)} />}
    </>
  );
}
