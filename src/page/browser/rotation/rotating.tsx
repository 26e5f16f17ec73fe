/* Planning a rotation, with a preview of the turns. */

import { useEffect, useState } from 'preact/hooks';
import { useKey, queryOf, reloadAll, send } from '../api.js';
import { ReferencesInput } from '../reference-input.js';
import { go } from '../route.js';
import { Frame, TextInput, TimeInput, useTask } from '../task.js';
import { say } from '../toasts.js';
import { undoOf } from '../undo.js';
import { instantIn, READERS, zones } from '../zones.js';
import { keepZone, usePlannedZone } from './planned-zone.js';
import { Turns } from './turns.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { TaskProps } from '../types.js';

type Schemas = components['schemas'];
type Plan = Schemas['RotateOnCallSchedules'];

const UNITS = ['hour', 'day', 'week', 'month'] as const;

/** Nine o'clock of the next Monday, some months later, by the clock of the zone: `2026-03-02T09:00`. */
function mondayIn(months: number): string {
  const date = new Date();
  date.setDate(date.getDate() + ((8 - date.getDay()) % 7 || 7));
  date.setMonth(date.getMonth() + months);
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T09:00`;
}

export function Rotating({ query }: TaskProps) {
  const [rotation, setRotation] = useState(query.get('rotation') ?? '');
  const [personIds, setPeople] = useState<string[]>([]);
  const [startTime, setStart] = useState(() => mondayIn(0));
  const [until, setUntil] = useState(() => mondayIn(3));
  const [every, setEvery] = useState(1);
  const [unit, setUnit] = useState<(typeof UNITS)[number]>('week');
  const [replace, setReplace] = useState(false);
  const [chosenZone, setZone] = useState<string>();
  const plannedZone = usePlannedZone(rotation.trim());
  const timeZone = chosenZone ?? plannedZone;
  const [plan, setPlan] = useState<Schemas['OnCallRotation']>();
  const keyOf = useKey();
  const body = {
    name: rotation,
    rotation,
    personIds,
    startTime,
    until,
    every,
    unit,
    timeZone,
    replace,
  } as Plan;
  const isTouched = rotation !== (query.get('rotation') ?? '') || personIds.length > 0;
  const doing = useTask(
    async () => {
      const answer = await send('POST', '/api/on-call-schedules/rotation', { body, headers: keyOf(body) });
      const made = (answer.data as Schemas['OnCallRotation']).shifts.length;
      keepZone(rotation.trim(), timeZone);
      say(`${made} shifts of ${rotation} planned`, { undo: undoOf(answer) });
      const [from, to] = [startTime, until].map((local) => instantIn(local, timeZone) ?? Date.parse(`${local}Z`));
      go(
        `/on-call/shifts${queryOf({ roster: rotation, from: new Date(from!).toISOString(), to: new Date(to!).toISOString() })}`,
      );
      reloadAll();
    },
    { isTouched, question: 'Leave without planning the rotation?' },
  );
  const { refuse } = doing;
  const isComplete = rotation.trim() !== '' && personIds.length > 0 && startTime !== '' && until !== '';
  useEffect(() => document.getElementById('rotation-roster')?.focus(), []);
  // The service computes the turns, so that the preview equals the result.
  useEffect(() => {
    if (!isComplete) return setPlan(undefined);
    const controller = new AbortController();
    const timer = setTimeout(() => {
      send('POST', '/api/on-call-schedules/rotation?dryRun=true', { body, signal: controller.signal }).then(
        ({ data }) => {
          setPlan(data);
          refuse(undefined);
        },
        (refused: Error) => {
          if (refused.name === 'AbortError') return;
          setPlan(undefined);
          refuse(refused);
        },
      );
    }, 300);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [JSON.stringify(body)]);
  return (
    <Frame
      doing={doing}
      title="Plan a rotation"
      crumbs={[
        ['On call', '#/on-call'],
        ['Shifts', '#/on-call-schedules'],
      ]}
      className="planning"
      label={`Plan ${plan ? `${plan.shifts.length} shifts` : 'the rotation'}`}
      cancel="#/on-call-schedules"
      isReady={isComplete}
    >
      <section class="section">
        <div class="inputs">
          <TextInput id="rotation-roster" label="Roster" value={rotation} set={setRotation} />
          <div class="control">
            <label for="rotation-people">People, in their order</label>
            <ReferencesInput
              id="rotation-people"
              label="People, in their order"
              resource="people"
              value={personIds}
              set={setPeople}
            />
          </div>
          <div class="control">
            <label for="rotation-every">Each takes a turn of</label>
            <span class="line">
              <input
                id="rotation-every"
                class="short"
                type="number"
                min={1}
                value={every}
                onInput={({ currentTarget: { value } }) => setEvery(Math.max(1, Math.floor(Number(value)) || 1))}
              />
              <select
                aria-label="Unit of a turn"
                class="short"
                value={unit}
                onChange={({ currentTarget: { value } }) => setUnit(value as typeof unit)}
              >
                {UNITS.map((one) => (
                  <option key={one} value={one}>
                    {every === 1 ? one : `${one}s`}
                  </option>
                ))}
              </select>
            </span>
          </div>
          <TimeInput id="rotation-start" label="From" value={startTime} set={setStart} zone={timeZone} />
          <TimeInput id="rotation-until" label="Until" value={until} set={setUntil} zone={timeZone} />
          <div class="control">
            <label for="rotation-zone">Time zone</label>
            <select id="rotation-zone" value={timeZone} onChange={({ currentTarget: { value } }) => setZone(value)}>
              {[...new Set([timeZone, READERS, 'UTC', ...zones()])].map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          </div>
          <label class="line">
            <input
              type="checkbox"
              checked={replace}
              onChange={({ currentTarget: { checked } }) => setReplace(checked)}
            />
            Replace shifts that are planned already
          </label>
        </div>
      </section>
      {plan && (
        <section class="card" aria-label="Preview">
          <h2>
            Preview <span class="count">{plan.shifts.length}</span>
          </h2>
          <Turns turns={plan.shifts} zone={timeZone} />
        </section>
      )}
    </Frame>
  );
}
