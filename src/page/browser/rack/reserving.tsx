/* Reserving units of a rack that were chosen in its elevation. */

import { useEffect, useState } from 'preact/hooks';
import { Refused, reloadAll, send, useKey } from '../api.js';
import { collectionAt, creationOf } from '../model.js';
import { planned, queryIn, usePlanOf } from '../plan.js';
import { ReferenceInput } from '../reference-input.js';
import { Frame, TextInput, TimeInput, useTask } from '../task.js';
import { say } from '../toasts.js';
import { undoOf } from '../undo.js';
import { instantIn, READERS } from '../zones.js';
import type { components } from '../../../../sdk/typescript/schema.js';

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
  const plan = usePlanOf(creationOf(collectionAt(PATH)!));
  const keyOf = useKey();
  // After two clicks have chosen units, the form asks for the change.
  useEffect(() => {
    if (units.length > 1) document.getElementById('reserved-for')?.focus({ preventScroll: true });
  }, [units.length > 1]);
  const doing = useTask(async () => {
    const times = [start, end].map((local) => (local === '' ? null : instantIn(local, READERS)));
    if (times.includes(undefined))
      throw new Refused(400, { error: 'Enter times that the clocks of this time zone show' });
    const [startTime, endTime] = times.map((time) => (typeof time === 'number' ? new Date(time).toISOString() : null));
    const body = {
      rackId: rack.id,
      units,
      face: isOneFace ? face : null,
      startTime,
      endTime,
      changeRequestId,
      description: description.trim() || null,
    };
    const answer = await send('POST', `${PATH}${queryIn(plan)}`, { body, headers: keyOf(body) });
    const what = `${unitsSaid(units.length)} of ${rack.name}`;
    if (plan) planned(plan, `The reservation of ${what}`);
    else say(`${what} reserved`, { address: `#/rack-reservations/${answer.data.id}`, undo: undoOf(answer) });
    close();
    reloadAll();
  });
  return (
    <Frame
      doing={doing}
      className="reserving"
      label={`${plan ? 'Plan' : 'Reserve'} ${unitsSaid(units.length)}`}
      cancel={close}
      isReady={units.length > 0}
      isPlanned={plan !== undefined}
    >
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
        <TimeInput id="reserved-from" label="From, if not now" value={start} set={setStart} zone={READERS} />
        <TimeInput id="reserved-until" label="Until, if it ends" value={end} set={setEnd} zone={READERS} />
        <TextInput id="reserved-why" label="Description" value={description} set={setDescription} />
        <label class="line">
          <input
            type="checkbox"
            checked={isOneFace}
            onChange={({ currentTarget: { checked } }) => setOneFace(checked)}
          />
          The {face} only
        </label>
      </div>
    </Frame>
  );
}
