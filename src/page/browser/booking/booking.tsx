/* Booking an asset for some time. */

import { useEffect, useState } from 'preact/hooks';
import { Refused, reloadAll, send, useKey } from '../api.js';
import { LOCALE } from '../locale.js';
import { Dialog } from '../parts.js';
import { ReferenceInput } from '../reference-input.js';
import { Frame, TextInput, TimeInput, useTask } from '../task.js';
import { toLocal } from '../times.js';
import { say } from '../toasts.js';
import { undoOf } from '../undo.js';
import { instantIn, READERS } from '../zones.js';

/** The clicked cell: an asset, and a day. */
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
  const keyOf = useKey();
  useEffect(() => document.getElementById('booking-person')?.focus(), []);
  const doing = useTask(async () => {
    const [startTime, endTime] = [start, end].map((local) => instantIn(local, READERS));
    if (startTime === undefined || endTime === undefined)
      throw new Refused(400, { error: 'Enter times that the clocks of this time zone show' });
    const body = {
      assetId: asset.id,
      startTime: new Date(startTime).toISOString(),
      endTime: new Date(endTime).toISOString(),
      ...(personId && { personId }),
      ...(purpose.trim() && { purpose: purpose.trim() }),
    };
    const answer = await send('POST', '/api/bookings', { body, headers: keyOf(body) });
    const time = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone: READERS });
    say(`${asset.name} booked for ${time.formatRange(startTime, endTime)}`, {
      address: `#/bookings/${answer.data.id}`,
      undo: undoOf(answer),
    });
    close();
    reloadAll();
  });
  return (
    <Dialog label={`Book ${asset.name}`} close={close}>
      <h2>
        Book <bdi>{asset.name}</bdi>
      </h2>
      <Frame doing={doing} label="Book" cancel={close}>
        <div class="inputs">
          <ReferenceInput label="For" resource="people" fieldId="booking-person" value={personId} set={setPerson} />
          <TimeInput id="booking-from" label="From" value={start} set={setStart} zone={READERS} />
          <TimeInput id="booking-until" label="Until" value={end} set={setEnd} zone={READERS} />
          <TextInput id="booking-purpose" label="Purpose" value={purpose} set={setPurpose} />
        </div>
      </Frame>
    </Dialog>
  );
}
