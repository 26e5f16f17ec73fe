/* Offboarding of a person, with the service's preview before anything is done. */

import { useEffect, useState } from 'preact/hooks';
import { reloadAll, send, useGet, useKey } from '../api.js';
import { currentProfile, labelOf, oneOf } from '../model.js';
import { Linked } from '../names.js';
import { Failure, Line, Loading } from '../parts.js';
import { crumbsOf } from '../record.js';
import { ReferenceInput } from '../reference-input.js';
import { go } from '../route.js';
import { Frame, useTask } from '../task.js';
import { say } from '../toasts.js';
import { undoOf } from '../undo.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Fault, TaskProps } from '../types.js';

type Schemas = components['schemas'];
type Done = Schemas['OffboardedRecord'];
type Option = 'returnAssets' | 'releaseSeats' | 'endShifts' | 'deactivateProfile';

/** The effects, by the option that enables them. Effects without an option always happen. */
const GROUPS: readonly { option?: Option; label: string; resources: readonly string[] }[] = [
  { option: 'returnAssets', label: 'Take back the assets', resources: ['assets'] },
  { option: 'releaseSeats', label: 'Free the licence seats', resources: ['software-licence-seats'] },
  { option: 'endShifts', label: 'Hand over the on-call shifts', resources: ['on-call-schedules'] },
  { label: 'Hand over runbooks and open incidents', resources: ['runbooks', 'incidents'] },
  { option: 'deactivateProfile', label: 'Deactivate the login profile', resources: ['profiles'] },
  { label: 'Set the person inactive', resources: ['people'] },
];

export function Leaving({ path, collection, record }: TaskProps) {
  const person = record as Schemas['Person'];
  const [options, setOptions] = useState({
    returnAssets: true,
    releaseSeats: true,
    endShifts: true,
    deactivateProfile: false,
  });
  const [successorId, setSuccessor] = useState<string | null>(null);
  const [planned, setPlanned] = useState<readonly Done[]>();
  const keyOf = useKey();
  const body: Schemas['OffboardPerson'] = { ...options, successorId };
  const back = `#${path.slice(4)}`;
  const doing = useTask(async () => {
    const answer = await send('POST', `${path}/offboard`, { body, headers: keyOf(body) });
    const { length } = answer.data.done as Done[];
    say(`${person.fullName} has left: ${length} ${length === 1 ? 'record' : 'records'} changed`, {
      address: back,
      undo: undoOf(answer),
    });
    go(back);
    reloadAll();
  });
  const { error, refuse } = doing;
  useEffect(() => document.getElementById('leaving-successor')?.focus(), []);
  useEffect(() => {
    const controller = new AbortController();
    send('POST', `${path}/offboard?dryRun=true`, { body, signal: controller.signal }).then(
      ({ data }) => {
        setPlanned(data.done);
        refuse(undefined);
      },
      (refused: Error) => {
        if (refused.name === 'AbortError') return;
        setPlanned([]);
        refuse(refused);
      },
    );
    return () => controller.abort();
  }, [JSON.stringify(body)]);
  const hasLogin = person.profile?.isActive === true;
  const groups = GROUPS.filter(
    ({ option, resources }) =>
      (option !== undefined && (option !== 'deactivateProfile' || hasLogin)) ||
      planned?.some(({ resource }) => resources.includes(resource)),
  );
  return (
    <Frame
      doing={doing}
      title={`Let ${person.fullName} leave`}
      crumbs={[...crumbsOf(collection, path), [person.fullName, back]]}
      meta="All of it is done at once, or nothing"
      className="leaving"
      faults={error && <Refusal error={error} path={path} options={options} />}
      label={`Let ${person.fullName} leave`}
      cancel={back}
      isReady={planned !== undefined && planned.length > 0}
    >
      <section class="section">
        <div class="inputs">
          <ReferenceInput
            label="Successor, who takes over shifts, runbooks and incidents"
            resource="people"
            fieldId="leaving-successor"
            value={successorId}
            set={setSuccessor}
          />
        </div>
      </section>
      <section class="section" aria-label="What will happen" aria-busy={planned === undefined}>
        <h2>What will happen</h2>
        {planned === undefined ? (
          <Loading />
        ) : (
          groups.map(({ option, label, resources }) => {
            const isClosed = option === 'deactivateProfile' && currentProfile()!.role !== 'admin';
            return (
              <Group
                key={label}
                label={label}
                isTicked={option === undefined || options[option]}
                tick={option && !isClosed ? (ticked) => setOptions((all) => ({ ...all, [option]: ticked })) : undefined}
                why={isClosed ? 'Only an administrator may do this: the profile stays active.' : undefined}
                rows={planned.filter(({ resource }) => resources.includes(resource))}
                isKnown={!error}
              />
            );
          })
        )}
        {planned?.length === 0 && !error && <p class="muted">Nothing is left to do.</p>}
      </section>
    </Frame>
  );
}

/** Effects of one kind. @param tick undefined if they cannot be chosen */
function Group({
  label,
  isTicked,
  tick,
  why,
  rows,
  isKnown,
}: {
  label: string;
  isTicked: boolean;
  tick: ((isTicked: boolean) => void) | undefined;
  why: string | undefined;
  rows: readonly Done[];
  isKnown: boolean;
}) {
  return (
    <div class="card">
      <label class="line">
        <input
          type="checkbox"
          checked={isTicked}
          disabled={!tick}
          onChange={({ currentTarget: { checked } }) => tick!(checked)}
        />
        <strong>{label}</strong>
        {rows.length > 0 && <span class="count">{rows.length}</span>}
      </label>
      {why && <p class="muted">{why}</p>}
      {isTicked && isKnown && rows.length === 0 && <p class="muted">There are none.</p>}
      {rows.length > 0 && (
        <ul class="lines">
          {rows.map(({ resource, id, name, what }) => (
            <Line key={id} main={<Linked resource={resource} id={id} name={name} />} aside={labelOf(what)} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** A refusal. If an area is missing, it lists the person's records of that area, as far as everybody may read them. */
function Refusal({ error, path, options }: { error: Fault; path: string; options: Record<Option, boolean> }) {
  const isProcurement = error.status === 403 && error.message.endsWith('procurement');
  const assets = useGet(isProcurement && options.returnAssets ? `${path}/assets?pageSize=50` : undefined);
  const seats = useGet(isProcurement && options.releaseSeats ? `${path}/seats?pageSize=50` : undefined);
  const held = [
    ...((assets.answer?.data ?? []) as Schemas['Asset'][]).map(({ id, name }) => ({ resource: 'assets', id, name })),
    ...((seats.answer?.data ?? []) as Schemas['SoftwareLicenceSeat'][]).map((seat) => ({
      resource: 'software-licences',
      id: seat.softwareLicenceId,
      name: `${oneOf('software-licence-seats')} of ${seat.softwareLicenceName}`,
    })),
  ];
  const { length } = held;
  return (
    <Failure
      error={
        error.status === 403
          ? {
              message: `You may not change all of this. ${error.message}, and nothing is done without it`,
              details: error.details,
              ...(length > 0 && { against: { count: length, records: held } }),
            }
          : error
      }
    />
  );
}
