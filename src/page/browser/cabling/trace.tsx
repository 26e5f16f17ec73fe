/* The way from a port over its cables to the other end, drawn as a chain of links. */

import { queryOf, useGet } from '../api.js';
import { State } from '../format.js';
import { Loaded } from '../parts.js';
import type { Loadable, PanelProps } from '../types.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import { labelOfValue } from '../../../fields/labels.js';

type Schemas = components['schemas'];
type Entry = Schemas['TraceEntry'];

const pathOf = (port: string | undefined): string | undefined => port && `/api/device-ports/${port}/trace`;

export const TraceOfPort = ({ record }: PanelProps) => <Trace from={useGet(pathOf(record.id))} />;

/** For a cable: from the far end of one side to the far end of the other. */
export function TraceOfCable({ record }: PanelProps) {
  const { aResource, aId, bResource, bId } = record as Schemas['Cable'];
  const end = bResource === 'device-ports' ? bId : aResource === 'device-ports' ? aId : undefined;
  const half = useGet(pathOf(end));
  const last = (half.answer?.data as Schemas['Trace'] | undefined)?.path.at(-1);
  const isPort = last?.resource === 'device-ports';
  const whole = useGet(isPort ? pathOf(last.id) : undefined);
  const isWhole = (whole.answer?.data as Schemas['Trace'] | undefined)?.path.some(({ id }) => id === record.id);
  return end ? <Trace from={isPort && isWhole !== false ? whole : half} /> : null;
}

const SAID: Readonly<Record<string, string>> = {
  not_connected: 'It has no cable.',
  open: 'It ends at a port with nothing behind it.',
  splits: 'It goes on from one of these ports:',
};

const Stop = ({ resource, id, name, device }: Entry) => (
  <>
    {device && (
      <a href={`#/devices/${device.id}`}>
        <bdi>{device.name}</bdi>
      </a>
    )}{' '}
    <a href={`#/${resource}/${id}`}>
      <bdi>{name}</bdi>
    </a>
  </>
);

function Trace({ from }: { from: Loadable }) {
  const found = from.answer?.data as Schemas['Trace'] | undefined;
  const ids = found?.path.filter(({ resource }) => resource === 'cables').map(({ id }) => id) ?? [];
  const read = useGet(ids.length > 0 ? `/api/cables${queryOf({ id: ids, pageSize: ids.length })}` : undefined);
  const cables = (read.answer?.data ?? []) as Schemas['Cable'][];
  return (
    <section class="card panel" aria-label="Trace">
      <h2>Trace {found?.planned && <State value="planned" />}</h2>
      <Loaded from={from}>
        {({ data: { path, status, branches, truncated } }) => (
          <>
            <ol class="trace">
              {(path as Entry[]).map((entry) => {
                if (entry.resource !== 'cables')
                  return (
                    <li key={entry.id} class="stop">
                      <Stop {...entry} />
                    </li>
                  );
                const cable = cables.find(({ id }) => id === entry.id);
                const said = [cable?.type && labelOfValue(cable.type), cable?.lengthM && `${cable.lengthM} m`];
                return (
                  <li key={entry.id} class="cable" style={cable?.color ? { borderColor: cable.color } : undefined}>
                    <a href={`#/cables/${entry.id}`}>
                      <bdi>{entry.name ?? 'Cable'}</bdi>
                    </a>{' '}
                    <span class="muted">{said.filter(Boolean).join(', ')}</span>
                  </li>
                );
              })}
            </ol>
            {SAID[status] && <p class="muted">{SAID[status]}</p>}
            {truncated && <p class="muted">The rest of it is not shown.</p>}
            <ul class="lines">
              {(branches as Entry[]).map((entry) => (
                <li key={entry.id}>
                  <Stop {...entry} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  );
}
