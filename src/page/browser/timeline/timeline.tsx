/* Who is on call when: a row for each roster, drawn by the page so that each shift and each gap can be opened. */

import { instantOf } from '../times.js';
import { byName, LOCALE } from '../locale.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import { queryOf, useGet } from '../api.js';
import { collectionAt, labelOf, mayCreate } from '../model.js';
import { Line, Loaded, Title } from '../parts.js';
import { shortened, useArrows, useWidth } from '../room.js';
import { addressWith, changed, go } from '../route.js';
import type { Values } from '../types.js';
import { isZone, midnight, READERS, zones } from '../zones.js';

type Shift = components['schemas']['OnCallShift'];
type Gap = components['schemas']['OnCallGap'];

const MOST = 500;
const iso = (time: number): string => new Date(time).toISOString();
const SPANS = [7, 14, 28, 91];
const LABELS = 150;
const HEAD = 30;
const LANE = 26;
const PADDING = 6;
/** Least width of a name of a day, in pixels. */
const TICK = 76;
/** Least room for a text. */
const LEAST = 21;
const TONES = 4;

interface Roster {
  name: string;
  /** Shifts that overlap are in different lanes. */
  lanes: Shift[][];
  gaps: Gap[];
}

function rostersOf(shifts: readonly Shift[], gaps: readonly Gap[]): Roster[] {
  const names = [...new Set([...shifts, ...gaps].map(({ roster }) => roster))].toSorted(byName);
  return names.map((name) => {
    const lanes: Shift[][] = [];
    for (const shift of shifts.filter(({ roster }) => roster === name)) {
      const free = lanes.find((lane) => lane.at(-1)!.endTime <= shift.startTime);
      if (free) free.push(shift);
      else lanes.push([shift]);
    }
    return { name, lanes, gaps: gaps.filter(({ roster }) => roster === name) };
  });
}

export function Timeline({ query }: { query: URLSearchParams }) {
  const zone = isZone(query.get('zone') ?? '') ? query.get('zone')! : READERS;
  const days = SPANS.find((span) => String(span) === query.get('days')) ?? 14;
  const asked = instantOf(query.get('from'));
  const from = midnight(asked ?? Date.now(), zone);
  const to = midnight(from, zone, days);
  const set = (values: Values): void => go(addressWith('/pictures/on-call', changed(query, values)));
  const move = (by: number): void => set({ from: new Date(midnight(from, zone, by)).toISOString() });
  const date = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: zone });
  return (
    <>
      <Title text="On-call timeline" meta={`${date.format(from)} to ${date.format(midnight(to, zone, -1))}, ${zone}`}>
        <span class="tools">
          <a href={`#/on-call/shifts${queryOf({ from: iso(from), to: iso(to) })}`}>As a list</a>
        </span>
      </Title>
      <div class="bar">
        <span class="line" role="group" aria-label="Move through time">
          <button type="button" onClick={() => move(-days)}>
            Earlier
          </button>
          <button type="button" onClick={() => set({ from: undefined })}>
            Today
          </button>
          <button type="button" onClick={() => move(days)}>
            Later
          </button>
        </span>
        <label class="control">
          Span
          <select value={days} onChange={({ currentTarget: { value } }) => set({ days: value })}>
            {SPANS.map((span) => (
              <option key={span} value={span}>
                {span % 7 === 0 && span > 7 ? `${span / 7} weeks` : '1 week'}
              </option>
            ))}
          </select>
        </label>
        <label class="control">
          Time zone
          <select value={zone} onChange={({ currentTarget: { value } }) => set({ zone: value })}>
            {[...new Set([READERS, 'UTC', zone, ...zones()])].map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Drawn from={from} to={to} zone={zone} />
    </>
  );
}

interface Span {
  from: number;
  to: number;
  zone: string;
}

/** The rosters in a span of time. */
export function Drawn({ from, to, zone }: Span) {
  const between = { from: iso(from), to: iso(to), pageSize: MOST };
  const shifts = useGet(`/api/on-call/shifts${queryOf(between)}`);
  const gaps = useGet(`/api/on-call/gaps${queryOf(between)}`);
  return (
    <Loaded from={shifts}>
      {({ data, hasMore }) => (
        <Loaded from={gaps}>
          {(missing) => (
            <>
              {(hasMore || missing.hasMore) && (
                <p class="notice">These are the first {MOST}. A shorter span shows all of them.</p>
              )}
              <Rosters rosters={rostersOf(data as Shift[], missing.data as Gap[])} from={from} to={to} zone={zone} />
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

const addressOf = ({ scheduleId }: Shift): string => `#/on-call-schedules/${scheduleId}`;
/** The form of a shift for a time at which nobody is on call. */
const addressFor = ({ roster, startTime, endTime }: Gap): string =>
  `#/on-call-schedules/new${queryOf({ name: roster, rotation: roster, startTime, endTime })}`;
const whoIn = ({ person }: Shift): string => person?.fullName ?? 'Nobody';

function Rosters({ rosters, ...span }: Span & { rosters: readonly Roster[] }) {
  if (rosters.length === 0) return <p class="empty">No roster has a shift in this time.</p>;
  const time = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone: span.zone });
  const said = ({ startTime, endTime }: Shift | Gap): string =>
    time.formatRange(Date.parse(startTime), Date.parse(endTime));
  return (
    <>
      <Drawing rosters={rosters} said={said} {...span} />
      <div class="as-list">
        {rosters.map(({ name, lanes, gaps }) => (
          <section key={name} class="card">
            <h2>
              <bdi>{name}</bdi>
            </h2>
            <ul class="lines">
              {[...lanes.flat(), ...gaps]
                .toSorted((one, other) => (one.startTime < other.startTime ? -1 : 1))
                .map((one) => (
                  <Line
                    main={
                      'reason' in one ? (
                        <span class="alarm">{labelOf(one.reason)}</span>
                      ) : (
                        <a href={addressOf(one)}>{whoIn(one)}</a>
                      )
                    }
                    note={said(one)}
                  />
                ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

function Drawing({
  rosters,
  from,
  to,
  zone,
  said,
}: Span & { rosters: readonly Roster[]; said: (one: Shift | Gap) => string }) {
  const { element, width } = useWidth();
  const arrows = useArrows();
  const scale = (width - LABELS) / (to - from);
  const x = (time: number): number => LABELS + (Math.min(Math.max(time, from), to) - from) * scale;
  const people = [...new Set(rosters.flatMap(({ lanes }) => lanes.flat()).map((shift) => shift.person?.id))];
  const isWritable = mayCreate(collectionAt('/api/on-call-schedules'));
  const day = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'short', timeZone: zone });
  const all: number[] = [];
  for (let time = from; time < to; time = midnight(time, zone, 1)) all.push(time);
  const each = [1, 2, 7, 14].find((step) => ((width - LABELS) / all.length) * step >= TICK) ?? 28;
  const ticks = all.filter((_, index) => index % each === 0);
  let y = HEAD;
  const rows = rosters.map((roster) => {
    const top = y;
    const height = Math.max(1, roster.lanes.length) * LANE + 2 * PADDING;
    y += height;
    return { ...roster, top, height };
  });
  const now = Date.now();
  return (
    <div class="drawn" ref={element}>
      <svg {...arrows} width={width} height={y} role="group" aria-label="Rosters">
        {ticks.map((time) => (
          <g key={time}>
            <line class="tick" x1={x(time)} x2={x(time)} y1={HEAD - 8} y2={y} />
            <text class="faint" x={x(time) + 4} y={HEAD - 10}>
              {day.format(time)}
            </text>
          </g>
        ))}
        {rows.map(({ name, lanes, gaps, top, height }) => (
          <g key={name}>
            <line class="tick" x1={0} x2={width} y1={top} y2={top} />
            <text class="roster" x={0} y={top + PADDING + 17}>
              <title>{name}</title>
              {shortened(name, LABELS - 8)}
            </text>
            {gaps.map((gap) => {
              const [left, right] = [x(Date.parse(gap.startTime)), x(Date.parse(gap.endTime))];
              const label = `${name}: ${labelOf(gap.reason).toLowerCase()}, ${said(gap)}`;
              const bar = (
                <>
                  <title>{label}</title>
                  <rect x={left} y={top + 2} width={Math.max(2, right - left)} height={height - 4} rx={4} />
                  {gap.reason === 'no_shift' && (
                    <Clipped text="Nobody" x={left + 6} y={top + PADDING} room={right - left - 8} />
                  )}
                </>
              );
              return isWritable ? (
                <a
                  key={gap.startTime}
                  class="gap"
                  href={addressFor(gap)}
                  aria-label={`Add a shift. Nobody is on call: ${label}`}
                >
                  {bar}
                </a>
              ) : (
                <g key={gap.startTime} class="gap">
                  {bar}
                </g>
              );
            })}
            {lanes.map((lane, index) =>
              lane.map((shift) => {
                const [left, right] = [x(Date.parse(shift.startTime)), x(Date.parse(shift.endTime))];
                const tone = shift.person ? people.indexOf(shift.person.id) % TONES : 'none';
                return (
                  <a
                    key={shift.scheduleId + shift.startTime}
                    class={`shift of-${tone}`}
                    href={addressOf(shift)}
                    aria-label={`${whoIn(shift)}, ${name}, ${said(shift)}`}
                  >
                    <title>{`${whoIn(shift)}: ${shift.name}, ${said(shift)}`}</title>
                    <rect
                      x={left + 1}
                      y={top + PADDING + index * LANE + 1}
                      width={Math.max(2, right - left - 2)}
                      height={LANE - 2}
                      rx={4}
                    />
                    <Clipped
                      text={whoIn(shift)}
                      x={left + 7}
                      y={top + PADDING + index * LANE}
                      room={right - left - 12}
                    />
                  </a>
                );
              }),
            )}
          </g>
        ))}
        {now >= from && now < to && (
          <g class="now">
            <line x1={x(now)} x2={x(now)} y1={HEAD - 8} y2={y} />
            <title>Now</title>
          </g>
        )}
      </svg>
    </div>
  );
}

/** The words of a text that fit, so that the visible part of a link is part of its name. */
function Clipped({ text, x, y, room }: { text: string; x: number; y: number; room: number }) {
  const seen = shortened(text, room + 6);
  const words = seen === text ? text : seen.slice(0, Math.max(0, seen.lastIndexOf(' ')));
  return room < LEAST || words === '' ? null : (
    <svg x={x} y={y} width={room} height={LANE}>
      <text y={17}>{words === text ? text : `${words}…`}</text>
    </svg>
  );
}
