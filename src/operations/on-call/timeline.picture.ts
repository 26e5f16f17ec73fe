import { drawTimeline, type TimelineBar, type TimelineGap } from '../../http/timeline/timeline.js';
import type { Window } from '../../lists/parameters/window.js';
import type { OnCallGap, OnCallShift } from './on-call.models.js';

/** A gap. It says whether its roster has shifts before and after it. */
export type PicturedGap = OnCallGap & { isBetween: boolean };

/** The contents of a timeline of rosters. */
interface Rosters extends Window {
  now: string;
  shifts: readonly OnCallShift[];
  gaps: readonly PicturedGap[];
}

const DAY = 24 * 60 * 60_000;
/** Days ahead in which an unplanned gap is highlighted. */
const SOON = 7 * DAY;

const REASONS: Record<OnCallGap['reason'], string> = {
  no_shift: 'No shift',
  nobody_assigned: 'Nobody assigned',
  person_inactive: 'Person inactive',
};

/**
 * The rosters of a window as a picture: a row for each, with its shifts as bars. Gaps between shifts and in the next days are hatched
 * in red. Unplanned time after that is pale.
 */
export function drawRosters({ shifts, gaps, ...window }: Rosters): string {
  const now = Date.parse(window.now);
  const [shiftsOf, gapsOf] = [byRoster(shifts), byRoster(gaps)];
  return drawTimeline({
    ...window,
    of: 'On call',
    empty: 'No roster has a shift in this window',
    meanings: { gap: 'nobody is on call', pale: 'not planned' },
    rows: [...new Set([...shiftsOf.keys(), ...gapsOf.keys()])].map((name) => ({
      name,
      bars: (shiftsOf.get(name) ?? []).map(barOf),
      gaps: (gapsOf.get(name) ?? []).flatMap((gap) => gapsIn(gap, now)),
    })),
  });
}

function barOf({ person, name, startTime, endTime }: OnCallShift): TimelineBar {
  const isInactive = person?.status === 'inactive';
  const who = `${person?.fullName ?? 'nobody'}${isInactive ? ' (inactive)' : ''}`;
  return { startTime, endTime, who, what: name, key: person && !isInactive ? person.id : undefined };
}

/** A gap: in red between shifts or within the next days, otherwise pale. */
function gapsIn(gap: PicturedGap, now: number): TimelineGap[] {
  const [start, end] = [Date.parse(gap.startTime), Date.parse(gap.endTime)];
  const part = (kind: TimelineGap['kind'], from: number, to: number): TimelineGap => ({
    kind,
    startTime: iso(from),
    endTime: iso(to),
    words: kind === 'gap' ? REASONS[gap.reason] : 'Not planned',
    // The bar of an uncovered shift has this text itself.
    isSaid: gap.reason === 'no_shift',
  });
  if (gap.isBetween || gap.reason !== 'no_shift') return [part('gap', start, end)];
  const from = Math.min(Math.max(start, now), end);
  const to = Math.max(Math.min(end, now + SOON), from);
  return [part('pale', start, from), part('gap', from, to), part('pale', to, end)];
}

function byRoster<T extends { roster: string }>(entries: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const group = groups.get(entry.roster);
    if (group) group.push(entry);
    else groups.set(entry.roster, [entry]);
  }
  return groups;
}

const iso = (time: number): string => new Date(time).toISOString();
