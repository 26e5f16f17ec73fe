/* Creating a cable from two ends. The second one is offered only if it fits the first. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { get, useKey, queryOf, Refused, reloadAll, send, useGet } from '../api.js';
import { defaultsOf, Form } from '../form.js';
import { writable } from '../writing.js';
import { capital, collectionAt, creationOf, labelOf } from '../model.js';
import { Title } from '../parts.js';
import { planned, queryIn, usePlanOf } from '../plan.js';
import { PlannedIn } from '../planned-records.js';
import { ReferenceInput } from '../reference-input.js';
import { go } from '../route.js';
import type { TaskProps } from '../types.js';
import { say } from '../toasts.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import { fitting, KINDS, UNPLUGGED } from './fits.js';

type Schemas = components['schemas'];

/** A chosen end. Its kind is that of a port, or its resource. */
export interface End {
  resource: string;
  id: string;
  kind: string;
  name: string;
}

const MOST = 1000;
const ENDS = ['aResource', 'aId', 'bResource', 'bId'];
const RESOURCES: readonly (readonly [resource: string, label: string])[] = [
  ['device-ports', 'Port of a device'],
  ['circuit-terminations', 'End of a circuit'],
  ['power-feeds', 'Power feed'],
];

/** The end whose id is in the address. */
async function endOf(resource: string, id: string): Promise<End> {
  const owner = { 'device-ports': 'device', 'circuit-terminations': 'circuit' }[resource];
  const { data } = await get(`/api/${resource}/${id}${queryOf({ expand: owner })}`);
  const own = data.name ?? data.side;
  return {
    resource,
    id,
    kind: data.kind ?? resource,
    name: owner ? `${data[owner].name} ${own}` : own,
  };
}

/** A cable of its own view. */
export function Drawing({ path, collection, query }: TaskProps) {
  const list = path.slice(4);
  const id = query.get('aId');
  const [one, setOne] = useState<End>();
  useEffect(() => {
    if (id) endOf(query.get('aResource') ?? 'device-ports', id).then(setOne, () => {});
  }, []);
  return (
    <>
      <Title text="Draw a cable" crumbs={[[capital(collection.label), `#${list}`]]} />
      <CableForm
        one={one}
        setOne={setOne}
        cancel={`#${list}`}
        done={(cable) => go(cable ? `${list}/${cable}` : list)}
        undone={() => go(list)}
      />
    </>
  );
}

interface CableFormProps {
  one: End | undefined;
  /** Undefined if this end is given. */
  setOne?: (end: End | undefined) => void;
  /** The fields that are asked for; all, if undefined. */
  only?: readonly string[];
  cancel: string | (() => void);
  /** @param cable its id; undefined if it is only planned */
  done: (cable: string | undefined) => void;
  undone?: () => void;
}

/** What joins two ends. */
export function CableForm({ one, setOne, only, cancel, done, undone }: CableFormProps) {
  const collection = collectionAt('/api/cables')!;
  const operation = creationOf(collection)!;
  const fields = writable(operation.body).filter(
    ({ name }) => !ENDS.includes(name) && (only === undefined || only.includes(name)),
  );
  const [other, setOther] = useState<End>();
  const keyOf = useKey();
  const plan = usePlanOf(operation);
  const base = useMemo(() => defaultsOf(fields), []);
  const submit = async (body: object): Promise<void> => {
    if (!one || !other) throw new Refused(400, { error: setOne ? 'Choose both ends' : 'Choose the other end' });
    const cable = { ...body, aResource: one.resource, aId: one.id, bResource: other.resource, bId: other.id };
    const { data } = await send('POST', `${collection.path}${queryIn(plan)}`, { body: cable, headers: keyOf(cable) });
    if (plan) {
      planned(plan, `The cable from ${one.name} to ${other.name}`);
      return done(undefined);
    }
    const address = `/cables/${data.id}`;
    say(`${one.name} is connected with ${other.name}`, {
      address: `#${address}`,
      undo: async () => {
        await send('DELETE', `/api${address}`);
        undone?.();
        reloadAll();
      },
    });
    done(data.id);
    reloadAll();
  };
  return (
    <>
      <div class="both-ends">
        {setOne && <EndInput label="One end" end={one} set={setOne} fits={other && fitting(other.kind)} />}
        <EndInput label="Other end" end={other} set={setOther} fits={one && fitting(one.kind)} taken={one?.id} />
      </div>
      <PlannedIn.Provider value={plan}>
        <Form
          fields={fields}
          base={base}
          label={plan ? 'Plan' : 'Connect'}
          submit={submit}
          cancel={cancel}
          groups={only ? undefined : collection}
        />
      </PlannedIn.Provider>
    </>
  );
}

interface EndInputProps {
  label: string;
  end: End | undefined;
  set: (end: End | undefined) => void;
  /** Kinds that fit the end that was chosen first. */
  fits: readonly string[] | undefined;
  /** Id of the other end. */
  taken?: string;
}

function EndInput({ label, end, set, fits, taken }: EndInputProps) {
  const [asked, setAsked] = useState<string>();
  const kinds = KINDS.filter((kind) => !fits || fits.includes(kind));
  const offered = RESOURCES.filter(([one]) =>
    one === 'device-ports' ? kinds.length > 0 : !fits || fits.includes(one),
  );
  const resource = offered.find(([one]) => one === asked)?.[0] ?? offered[0]![0];
  const id = label.toLowerCase().replace(' ', '-');
  if (end)
    return (
      <fieldset class="card">
        <legend>{label}</legend>
        <p class="line">
          <strong>
            <bdi>{end.name}</bdi>
          </strong>{' '}
          <span class="muted">{labelOf(end.kind)}</span>{' '}
          <button type="button" class="quiet" onClick={() => set(undefined)}>
            Change
          </button>
        </p>
      </fieldset>
    );
  return (
    <fieldset class="card">
      <legend>{label}</legend>
      {offered.length > 1 && (
        <div class="control">
          <label for={`${id}-resource`}>What it is</label>
          <select
            id={`${id}-resource`}
            value={resource}
            onChange={({ currentTarget }) => setAsked(currentTarget.value)}
          >
            {offered.map(([one, text]) => (
              <option key={one} value={one}>
                {text}
              </option>
            ))}
          </select>
        </div>
      )}
      {resource === 'device-ports' && <PortOf id={id} kinds={kinds} taken={taken} set={set} />}
      {resource === 'circuit-terminations' && <SideOf id={id} set={set} />}
      {resource === 'power-feeds' && (
        <ReferenceInput
          label="Power feed"
          resource="power-feeds"
          value={null}
          set={(feed) => feed && void endOf('power-feeds', feed).then(set, () => {})}
        />
      )}
    </fieldset>
  );
}

/** A free port that fits, of a device. */
function PortOf({
  id,
  kinds,
  taken,
  set,
}: {
  id: string;
  kinds: readonly string[];
  taken?: string;
  set: (end: End) => void;
}) {
  const [device, setDevice] = useState<string | null>(null);
  const free = { deviceId: device, isConnected: false, kind: kinds, type__n: UNPLUGGED, sort: 'name', pageSize: MOST };
  const loaded = useGet(device ? `/api/device-ports${queryOf({ ...free, expand: 'device' })}` : undefined);
  const ports = ((loaded.answer?.data ?? []) as Schemas['DevicePort'][]).filter((port) => port.id !== taken);
  return (
    <>
      <ReferenceInput label="Device" resource="devices" value={device} set={setDevice} />
      <div class="control">
        <label for={`${id}-port`}>Port</label>
        <select
          id={`${id}-port`}
          disabled={ports.length === 0}
          value=""
          onChange={({ currentTarget: { value } }) => {
            const port = ports.find((one) => one.id === value);
            if (port)
              set({ resource: 'device-ports', id: value, kind: port.kind, name: `${port.device!.name} ${port.name}` });
          }}
        >
          <option value="">
            {device && loaded.answer && ports.length === 0 ? 'No free port fits' : 'Choose a port'}
          </option>
          {ports.map((port) => (
            <option key={port.id} value={port.id}>
              {port.name} ({labelOf(port.kind).toLowerCase()})
            </option>
          ))}
        </select>
      </div>
    </>
  );
}

/** An end of a circuit that has no cable. */
function SideOf({ id, set }: { id: string; set: (end: End) => void }) {
  const [circuit, setCircuit] = useState<string | null>(null);
  const loaded = useGet(circuit ? `/api/circuit-terminations${queryOf({ circuitId: circuit })}` : undefined);
  const free = ((loaded.answer?.data ?? []) as Schemas['CircuitTermination'][]).filter(({ cableId }) => !cableId);
  return (
    <>
      <ReferenceInput label="Circuit" resource="circuits" value={circuit} set={setCircuit} />
      <div class="control">
        <label for={`${id}-side`}>Side</label>
        <select
          id={`${id}-side`}
          disabled={free.length === 0}
          value=""
          onChange={({ currentTarget: { value } }) =>
            value && void endOf('circuit-terminations', value).then(set, () => {})
          }
        >
          <option value="">{circuit && loaded.answer && free.length === 0 ? 'Both are taken' : 'Choose a side'}</option>
          {free.map(({ id: termination, side }) => (
            <option key={termination} value={termination}>
              {side}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}
