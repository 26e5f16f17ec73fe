/* Assigning a seat of a licence, from the desk or from the licence. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { reloadAll, send, useGet, useKey } from '../api.js';
import { defaultsOf } from '../form.js';
import { collectionAt, creationOf, oneOf, typed } from '../model.js';
import { ownBody, ownFieldsOf, OwnInputs } from '../own-inputs.js';
import { planned, queryIn, usePlanOf } from '../plan.js';
import { ReferenceInput } from '../reference-input.js';
import { go } from '../route.js';
import { Frame, useTask } from '../task.js';
import { say } from '../toasts.js';
import { undoOf } from '../undo.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { TaskProps } from '../types.js';

/** The possible holders of a seat, by their property. */
const HOLDERS = [
  ['personId', 'people', 'Person'],
  ['assetId', 'assets', 'Asset'],
  ['deviceId', 'devices', 'Device'],
] as const;

const LICENCES = '/software-licences';
const SEATS = '/api/software-licences/{softwareLicenceId}/seats';

/** A new seat of a licence. */
export const SeatOfLicence = ({ path }: TaskProps) => <HandingOutSeat given={path.split('/').at(-2)!} />;

/** @param given id of the licence, if it is chosen already */
export function HandingOutSeat({ given }: { given?: string }) {
  const [licenceId, setLicence] = useState<string | null>(given ?? null);
  const [kind, setKind] = useState(0);
  const [holderId, setHolder] = useState<string | null>(null);
  const fields = useMemo(() => ownFieldsOf('CreateSoftwareLicenceSeat'), []);
  const [own, setOwn] = useState(() => defaultsOf(fields));
  const plan = usePlanOf(creationOf(collectionAt(SEATS)!));
  const keyOf = useKey();
  const loaded = useGet(licenceId ? `/api${LICENCES}/${licenceId}` : undefined);
  const licence = loaded.answer && typed<'SoftwareLicence'>(loaded.answer.data);
  // After the licence, the focus moves to its holder.
  useEffect(() => document.getElementById(licenceId ? 'seat-holder' : 'seat-licence')?.focus(), [licenceId]);
  const [property, resource, label] = HOLDERS[kind]!;
  const back = given ? `#${LICENCES}/${given}` : '#/pictures/desk';
  const doing = useTask(async () => {
    const body = { [property]: holderId, ...ownBody(fields, own) };
    const path = `/api${LICENCES}/${licenceId}/seats`;
    const answer = await send('POST', `${path}${queryIn(plan)}`, { body, headers: keyOf(path, body) });
    const what = `A seat of ${licence?.name ?? 'the licence'}`;
    const address = `#${LICENCES}/${licenceId}?tab=seats`;
    if (plan) planned(plan, what);
    else {
      const { name } = answer.data as components['schemas']['SoftwareLicenceSeat'];
      say(`${what} handed out to ${name}`, { address, undo: undoOf(answer) });
      reloadAll();
    }
    go(address);
  });
  const total = licence?.seats ?? null;
  const used = licence?.assignedSeats ?? 0;
  return (
    <Frame
      doing={doing}
      title={licence && given ? `Hand out a seat of ${licence.name}` : 'Hand out a seat'}
      crumbs={
        given
          ? [
              ['Software licences', `#${LICENCES}`],
              [licence?.name ?? '', back],
            ]
          : [['Asset desk', back]]
      }
      label={plan ? 'Plan' : 'Hand out'}
      cancel={back}
      isReady={licenceId !== null}
      isPlanned={plan !== undefined}
    >
      <section class="section">
        <div class="inputs">
          {!given && (
            <ReferenceInput
              label="Licence"
              resource="software-licences"
              fieldId="seat-licence"
              value={licenceId}
              set={setLicence}
            />
          )}
          {licence && (
            <p class={total !== null && used >= total ? 'fault' : 'muted'} role="status">
              {used} {total === null ? 'seats' : `of ${total} seats`} in use
            </p>
          )}
          <div class="control">
            <label for="seat-kind">For</label>
            <select
              id="seat-kind"
              value={kind}
              onChange={({ currentTarget: { value } }) => {
                setHolder(null);
                setKind(Number(value));
              }}
            >
              {HOLDERS.map(([, of], at) => (
                <option key={of} value={at}>
                  {oneOf(of)}
                </option>
              ))}
            </select>
          </div>
          {licenceId && (
            <ReferenceInput
              key={resource}
              label={label}
              resource={resource}
              fieldId="seat-holder"
              value={holderId}
              set={setHolder}
            />
          )}
        </div>
      </section>
      <OwnInputs fields={fields} values={own} set={setOwn} error={doing.error} />
    </Frame>
  );
}
