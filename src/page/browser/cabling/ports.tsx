/* The ports of a device by their kinds, with what is at the other end of each. */

import { useGet } from '../api.js';
import { below, collectionAt, labelOf, mayCreate } from '../model.js';
import type { PanelProps } from '../types.js';
import { Loaded } from '../parts.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import { KINDS, UNPLUGGED } from './fits.js';

type Schemas = components['schemas'];
type Port = Schemas['DevicePort'];
type Neighbour = Schemas['Neighbour'];
type Cable = Schemas['Cable'];

const MOST = 1000;
/** Ports of a kind that are shown at once. */
const SHOWN = 100;

export function Ports({ path, collection, record }: PanelProps) {
  const ports = useGet(`${path}/ports?sort=name&pageSize=${MOST}`);
  const neighbours = useGet(`${path}/neighbours?pageSize=${MOST}`);
  const cables = useGet(`/api/cables?deviceId=${record.id}&pageSize=${MOST}`);
  const at = `#${path.slice(4)}`;
  const ends = new Map(
    ((neighbours.answer?.data ?? []) as Neighbour[]).map((neighbour) => [neighbour.port.id, neighbour]),
  );
  const cableOf = new Map(((cables.answer?.data ?? []) as Cable[]).map((cable) => [cable.id, cable]));
  return (
    <section class="card panel" aria-label="Ports">
      <h2>
        Ports
        {ports.answer && <span class="count">{ports.answer.total}</span>}
        {mayCreate(below(collection).parts.find((part) => part.path.endsWith('/ports'))) && (
          <a class="end" href={`${at}/ports/new`}>
            Add
          </a>
        )}
      </h2>
      <Loaded from={ports}>
        {({ data, total }) => (
          <>
            {data.length === 0 && <p class="muted">None yet.</p>}
            {KINDS.map((kind) => {
              const own = (data as Port[]).filter((port) => port.kind === kind);
              return (
                own.length > 0 && (
                  <OfKind key={kind} kind={kind} ports={own} at={`${at}/ports`} ends={ends} cables={cableOf} />
                )
              );
            })}
            {total > data.length && (
              <p class="more">
                <a href={`${at}?tab=ports`}>All {total}</a>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

interface OfKindProps {
  kind: string;
  ports: readonly Port[];
  at: string;
  ends: ReadonlyMap<string, Neighbour>;
  cables: ReadonlyMap<string, Cable>;
}

function OfKind({ kind, ports, at, ends, cables }: OfKindProps) {
  const title = labelOf(kind);
  const draws = mayCreate(collectionAt('/api/cables'));
  return (
    <>
      <h3>
        {title} <span class="count">{ports.length}</span>
      </h3>
      <div class="scroll" tabindex={0} role="region" aria-label={`Ports: ${title}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              <th scope="col">At the other end</th>
            </tr>
          </thead>
          <tbody>
            {ports.slice(0, SHOWN).map((port) => (
              <tr key={port.id}>
                <td>
                  <a href={`${at}/${port.id}`}>
                    <bdi>{port.name}</bdi>
                  </a>
                </td>
                <td>
                  <bdi>{port.type}</bdi>
                </td>
                <td>
                  {port.cableId ? (
                    <Other port={port} neighbour={ends.get(port.id)} cable={cables.get(port.cableId)} />
                  ) : (
                    draws &&
                    !UNPLUGGED.includes(port.type ?? '') && (
                      <a href={`#/cables/new?aId=${port.id}`} aria-label={`Connect ${port.name}`}>
                        Connect
                      </a>
                    )
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {ports.length > SHOWN && (
        <p class="more">
          <a href={`${at.replace(/\/ports$/, '')}?tab=ports&kind=${kind}`}>All {ports.length}</a>
        </p>
      )}
    </>
  );
}

/** Statuses of a trace that are said beside its end. */
const SAID = new Set(['open', 'splits']);

/** The end of the trace of a port; where that is no port, what is at the other end of its cable. */
function Other({ port, neighbour, cable }: { port: Port; neighbour?: Neighbour; cable?: Cable }) {
  const end = neighbour?.end;
  const over = neighbour && neighbour.cables > 1 ? `over ${neighbour.cables} cables` : undefined;
  const status = neighbour && SAID.has(neighbour.status) ? neighbour.status : undefined;
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
            <bdi>{cable.aId === port.id ? cable.bName : cable.aName}</bdi>
          </a>
        )
      )}
      {said !== '' && <span class="muted"> {said}</span>}
    </>
  );
}
