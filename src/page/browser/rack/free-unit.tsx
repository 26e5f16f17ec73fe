/* A unit of an elevation without a device. */

import { shortened } from '../room.js';
import type { components } from '../../../../sdk/typescript/schema.js';

type Reservation = components['schemas']['RackElevation']['reservations'][number];

/** Measures of the drawing. */
export const UNIT = 22;
export const WIDTH = 320;
export const LEFT = 34;

/** A unit without a device: for a new device, reserved, or selectable. */
export function FreeUnit({
  unit,
  y,
  width,
  reservation,
  isChosen = false,
  choose,
  address,
}: {
  unit: number;
  y: number;
  width: number;
  reservation: Reservation | undefined;
  isChosen?: boolean;
  choose: (() => void) | undefined;
  /** The form of a new device. */
  address: string | undefined;
}) {
  const bar = (text?: string) => (
    <>
      <rect x={LEFT} y={y} width={width - LEFT} height={UNIT} />
      {text && (
        <text x={LEFT + (width - LEFT) / 2} y={y + UNIT * 0.7} text-anchor="middle">
          {text}
        </text>
      )}
    </>
  );
  if (reservation) {
    const why = reservation.description ? `: ${shortened(reservation.description, 200)}` : '';
    return (
      <a href={`#/rack-reservations/${reservation.id}`} class="reserved" aria-label={`Reserved${why}, unit ${unit}`}>
        {bar(shortened(`Reserved${why}`, width - LEFT))}
      </a>
    );
  }
  if (choose)
    return (
      <g
        class={isChosen ? 'free picked' : 'free'}
        role="button"
        aria-pressed={isChosen}
        aria-label={`Unit ${unit}`}
        onClick={choose}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          choose();
        }}
      >
        {bar()}
      </g>
    );
  return address ? (
    <a href={address} class="free" aria-label={`Add a device in unit ${unit}`}>
      {bar('+ Add a device')}
    </a>
  ) : (
    <g class="free">{bar()}</g>
  );
}
