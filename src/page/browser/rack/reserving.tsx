/* Reserving units of a rack that were chosen in its elevation. */

import { useEffect, useState } from 'preact/hooks';
import { reloadAll, send, useKey } from '../api.js';
import { collectionAt, creationOf, labelOf } from '../model.js';
import { Failure } from '../parts.js';
import { planned, queryIn, usePlanOf } from '../plan.js';
import { ReferenceInput } from '../reference-input.js';
import { say } from '../toasts.js';
import { undoOf } from '../undo.js';
import { instantIn, READERS } from '../zones.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Fault } from '../types.js';

const PATH = '/api/rack-reservations';

const unitsSaid = (count: number): string => `${count} ${count === 1 ? 'unit' : 'units'}`;

export function Reserving({
  rack,
  face,
  units,
  close,
}: {
  rack: components['schemas']['Rack'];
  face: string;
  units: readonly number[];
  close: () => void;
}) {
  const [changeRequestId, setChange] = useState<string | null>(null);
  const [isOneFace, setOneFace] = useState(false);
  const [start, setStart] = useState('');
  const [end, setEnd] = useState('');
  const [description, setDescription] = useState('');
  const [error, setError] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const plan = usePlanOf(creationOf(collectionAt(PATH)!));
  const keyOf = useKey();
  // Two clicks choose units, and then the change is asked for.
  useEffect(() => {
    if (units.length > 1) document.getElementById('reserved-for')?.focus({ preventScroll: true });
  }, [units.length > 1]);
  const reserve = async (event: Event): Promise<void> => {
    event.preventDefault();
    const times = [start, end].map((local) => (local === '' ? null : instantIn(local, READERS)));
    if (times.includes(undefined)) return setError({ message: 'Enter times that the clocks of this time zone show' });
    const [startTime, endTime] = times.map((time) => (typeof time === 'number' ? new Date(time).toISOString() : null));
    setBusy(true);
    setError(undefined);
    const body = {
      rackId: rack.id,
      units,
      face: isOneFace ? face : null,
      startTime,
      endTime,
      changeRequestId,
      description: description.trim() || null,
    };
    try {
      const answer = await send('POST', `${PATH}${queryIn(plan)}`, { body, headers: keyOf(body) });
      const what = `${unitsSaid(units.length)} of ${rack.name}`;
      if (plan) planned(plan, `The reservation of ${what}`);
      else say(`${what} reserved`, { address: `#/rack-reservations/${answer.data.id}`, undo: undoOf(answer) });
      close();
      reloadAll();
    } catch (refused) {
      setBusy(false);
      if ((refused as Fault).status !== 401) setError(refused as Fault);
    }
  };
  const time = (id: string, label: string, value: string, set: (value: string) => void) => (
    <div class="control">
      <label for={id}>{label}</label>
      <input id={id} type="datetime-local" value={value} onInput={({ currentTarget }) => set(currentTarget.value)} />
    </div>
  );
  return (
    <form class="reserving" onSubmit={(event) => void reserve(event)}>
      {error && (
        <Failure
          error={{
            ...error,
            details: error.details?.map(({ field, message }) => ({ field: labelOf(field), message })),
          }}
        />
      )}
      <p role="status">
        {units.length === 0
          ? 'Choose the first and the last unit in the drawing.'
          : `Chosen: ${units.length === 1 ? 'unit' : 'units'} ${units.join(', ')}.`}
      </p>
      <div class="inputs">
        <ReferenceInput
          label="For the change"
          resource="change-requests"
          fieldId="reserved-for"
          value={changeRequestId}
          set={setChange}
        />
        {time('reserved-from', `From, if not now (${READERS})`, start, setStart)}
        {time('reserved-until', 'Until, if it ends', end, setEnd)}
        <div class="control">
          <label for="reserved-why">Description</label>
          <input
            id="reserved-why"
            autocomplete="off"
            dir="auto"
            value={description}
            onInput={({ currentTarget: { value } }) => setDescription(value)}
          />
        </div>
        <label class="line">
          <input
            type="checkbox"
            checked={isOneFace}
            onChange={({ currentTarget: { checked } }) => setOneFace(checked)}
          />
          The {face} only
        </label>
      </div>
      <p class="tools">
        <button class="primary" disabled={isBusy || units.length === 0}>
          {plan ? 'Plan' : 'Reserve'} {unitsSaid(units.length)}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
}
