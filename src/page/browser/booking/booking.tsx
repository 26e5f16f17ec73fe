/* Booking an asset for some time. */

import { useEffect, useState } from 'preact/hooks';
import { reloadAll, send, useKey } from '../api.js';
import { LOCALE } from '../locale.js';
import { labelOf } from '../model.js';
import { Dialog, Failure } from '../parts.js';
import { ReferenceInput } from '../reference-input.js';
import { toLocal } from '../times.js';
import { say } from '../toasts.js';
import { undoOf } from '../undo.js';
import { instantIn, READERS } from '../zones.js';
import type { Fault } from '../types.js';

/** What was clicked: an asset, and a day. */
export interface Chosen {
  asset: { id: string; name: string };
  from: number;
  to: number;
}

const localOf = (time: number): string => toLocal(new Date(time).toISOString());

export function Booking({ asset, from, to, close }: Chosen & { close: () => void }) {
  const [start, setStart] = useState(() => localOf(from));
  const [end, setEnd] = useState(() => localOf(to));
  const [personId, setPerson] = useState<string | null>(null);
  const [purpose, setPurpose] = useState('');
  const [error, setError] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const keyOf = useKey();
  useEffect(() => document.getElementById('booking-person')?.focus(), []);
  const book = async (event: Event): Promise<void> => {
    event.preventDefault();
    const [startTime, endTime] = [start, end].map((local) => instantIn(local, READERS));
    if (startTime === undefined || endTime === undefined)
      return setError({ message: 'Enter times that the clocks of this time zone show' });
    setBusy(true);
    setError(undefined);
    const body = {
      assetId: asset.id,
      startTime: new Date(startTime).toISOString(),
      endTime: new Date(endTime).toISOString(),
      ...(personId && { personId }),
      ...(purpose.trim() && { purpose: purpose.trim() }),
    };
    try {
      const answer = await send('POST', '/api/bookings', { body, headers: keyOf(body) });
      const time = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone: READERS });
      say(`${asset.name} booked for ${time.formatRange(startTime, endTime)}`, {
        address: `#/bookings/${answer.data.id}`,
        undo: undoOf(answer),
      });
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
      <span class="line instant">
        <input id={id} type="datetime-local" value={value} onInput={({ currentTarget }) => set(currentTarget.value)} />
        <span class="muted">{READERS}</span>
      </span>
    </div>
  );
  return (
    <Dialog label={`Book ${asset.name}`} close={close}>
      <h2>
        Book <bdi>{asset.name}</bdi>
      </h2>
      <form class="form" onSubmit={(event) => void book(event)}>
        {error && (
          <Failure
            error={{
              ...error,
              details: error.details?.map(({ field, message }) => ({ field: labelOf(field), message })),
            }}
          />
        )}
        <div class="inputs">
          <ReferenceInput label="For" resource="people" fieldId="booking-person" value={personId} set={setPerson} />
          {time('booking-from', 'From', start, setStart)}
          {time('booking-until', 'Until', end, setEnd)}
          <div class="control">
            <label for="booking-purpose">Purpose</label>
            <input
              id="booking-purpose"
              autocomplete="off"
              dir="auto"
              value={purpose}
              onInput={({ currentTarget: { value } }) => setPurpose(value)}
            />
          </div>
        </div>
        <p class="tools submit">
          <button class="primary" disabled={isBusy}>
            Book
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}
