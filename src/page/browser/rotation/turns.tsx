/* Turns on a line of time, a row for each person. */

import { LOCALE } from '../locale.js';
import { Reference } from '../names.js';
import type { components } from '../../../../sdk/typescript/schema.js';

type Turn = components['schemas']['RotationShift'];

const WIDTH = 600;
const HEIGHT = 20;
/** @param zone whose days are shown */
export function Turns({ turns, zone }: { turns: readonly Turn[]; zone: string }) {
  const day = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: zone });
  if (turns.length === 0) return null;
  const [from, to] = [Date.parse(turns[0]!.startTime), Date.parse(turns.at(-1)!.endTime)];
  const at = (time: string): number => ((Date.parse(time) - from) / (to - from)) * WIDTH;
  const people = [...new Set(turns.map(({ personId }) => personId))];
  return (
    <div class="turns">
      {people.map((personId, index) => {
        const own = turns.filter((turn) => turn.personId === personId);
        return (
          <div key={personId} class="turn-row">
            <span>
              <Reference resource="people" id={personId} />
            </span>
            <svg
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${own.length} turns`}
            >
              {own.map(({ startTime, endTime }) => (
                <rect
                  key={startTime}
                  class={`turn tone-${index % 6}`}
                  x={at(startTime)}
                  y={2}
                  width={Math.max(1, at(endTime) - at(startTime) - 1)}
                  height={HEIGHT - 4}
                  rx={2}
                >
                  <title>{`${day.format(new Date(startTime))} – ${day.format(new Date(endTime))}`}</title>
                </rect>
              ))}
            </svg>
            <span class="muted">{own.length}</span>
          </div>
        );
      })}
      <p class="muted ends">
        <span>{day.format(new Date(from))}</span>
        <span>{day.format(new Date(to))}</span>
      </p>
    </div>
  );
}
