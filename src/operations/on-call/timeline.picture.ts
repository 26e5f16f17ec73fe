import { escapedXml } from '../../http/svg.js';
import { initialsIn, linesOf, nameIn } from '../../http/svg-text.js';
import type { OnCallGap, OnCallPerson, OnCallShift } from './on-call.models.js';
import type { Window } from './on-call.query.js';
import { ticksOf, WEEKDAYS } from './timeline.ticks.js';

/** A gap, with whether its roster has shifts before and after it. */
export type PicturedGap = OnCallGap & { isBetween: boolean };

/** What a timeline shows. */
interface Timeline extends Window {
  now: string;
  shifts: readonly OnCallShift[];
  gaps: readonly PicturedGap[];
}

const WIDTH = 1200;
const MARGIN = 16;
const LABELS = 200;
const HEADER = 84;
const LANE = 26;
const PADDING = 8;
const FONT = 12;
const SMALL = 9;
const HUES = [210, 150, 35, 275, 185, 330, 95, 15];

const DAY = 24 * 60 * 60_000;
/** The next days, in which a gap that was not planned yet is a matter of concern. */
const SOON = 7 * DAY;

const REASONS: Record<OnCallGap['reason'], string> = {
  no_shift: 'No shift',
  nobody_assigned: 'Nobody assigned',
  person_inactive: 'Person inactive',
};

// Colours are rules of classes and not variables, which some programs that print pictures do not know.
const STYLE = `
text{font:${FONT}px system-ui,sans-serif;fill:#1c2430}
.title{font-size:16px;font-weight:600}
.time{font-size:11px}
.initials{font-size:${SMALL}px;text-anchor:middle}
.faint{fill:#596273}
.paper{fill:#fff}
.band{fill:#f4f6f9}
.tick{stroke:#d4dae3}
.bar{stroke:#fff}
.nobody{fill:#fff;fill-opacity:.75;stroke:#b3261e;stroke-dasharray:4 3}
.hatch{stroke:#b3261e;stroke-width:2}
.gap{stroke:#b3261e}
.pale{fill:#e6eaf0}
.alarm{fill:#8c1d18;font-weight:600;paint-order:stroke;stroke:#fff;stroke-width:4px}
.now{stroke:#0b5fff;stroke-width:2;fill:none}
.mark{fill:#0b5fff;font-weight:600}
${HUES.map((hue, index) => `.c${index}{fill:hsl(${hue} 70% 84%)}`).join('')}
@media screen and (prefers-color-scheme:dark){
text{fill:#e8ecf2}
.faint{fill:#a3adbd}
.paper{fill:#14181f}
.band{fill:#1b212b}
.tick{stroke:#343d4b}
.bar{stroke:#14181f}
.nobody{fill:#14181f;stroke:#ff8a80}
.hatch,.gap{stroke:#ff8a80}
.pale{fill:#262d39}
.alarm{fill:#ffb4ab;stroke:#14181f}
.now{stroke:#7fb0ff}
.mark{fill:#7fb0ff}
${HUES.map((hue, index) => `.c${index}{fill:hsl(${hue} 45% 30%)}`).join('')}
}
@media print{svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;

/** A shift with the colour of its bar. */
interface Bar {
  shift: OnCallShift;
  /** Undefined where nobody covers the shift. */
  colour?: number;
}

interface Row {
  roster: string;
  /** Shifts that overlap are in different lanes. */
  lanes: Bar[][];
  gaps: PicturedGap[];
}

/**
 * The rosters of a window as a picture: a row for each, with its shifts as bars. Gaps between shifts and in the next days are
 * hatched in red; what was not planned yet is pale.
 */
export function drawTimeline({ from, to, now, shifts, gaps }: Timeline): string {
  const [start, end, present] = [Date.parse(from), Date.parse(to), Date.parse(now)];
  const scale = (WIDTH - 2 * MARGIN - LABELS) / (end - start);
  const x = (time: number): number => rounded(MARGIN + LABELS + (time - start) * scale);
  const rows = rowsOf(shifts, gaps);
  const bands: string[] = [];
  const parts: string[] = [];
  let y = HEADER;
  for (const [index, row] of rows.entries()) {
    const height = Math.max(1, row.lanes.length) * LANE + 2 * PADDING;
    if (index % 2 === 0) bands.push(rect('band', 0, y, WIDTH, height));
    parts.push(label(MARGIN, y + PADDING + 18, row.roster, LABELS - 2 * PADDING));
    for (const gap of row.gaps) parts.push(...drawGap(gap, present, x, y + 3, height - 6));
    for (const [lane, bars] of row.lanes.entries()) {
      for (const bar of bars) parts.push(drawBar(bar, x, y + PADDING + lane * LANE));
    }
    y += height;
  }
  if (rows.length === 0) {
    parts.push(text('faint', MARGIN, y + 20, 'No roster has a shift in this window'));
    y += 40;
  }
  const legend = legendOf(parts, y + 10);
  const height = y + MARGIN + (legend === '' ? 0 : 20);
  const ticks = ticksOf(start, end).map(({ time, name }) => {
    const left = x(time);
    const line = `<line class="tick" x1="${left}" x2="${left}" y1="${HEADER - 22}" y2="${y}"/>`;
    return (
      line +
      (linesOf(name, (WIDTH - left - 4) / FONT)[0] === name ? text('faint time', left + 4, HEADER - 8, name) : '')
    );
  });
  // It leaves out the row with the names of times.
  const mark =
    present >= start && present < end
      ? `<path class="now" d="M${x(present)} ${HEADER - 36}V${HEADER - 20}M${x(present)} ${HEADER - 4}V${y}"/>${text('mark', Math.min(x(present) + 4, WIDTH - 40), HEADER - 28, 'now')}`
      : '';
  const title = `On call from ${minuteText(from)} to ${minuteText(to)} UTC`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapedXml(title)}">
<title>${escapedXml(title)}</title>
<style>${STYLE}</style>
<defs><pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M0 0V8"/></pattern></defs>
${rect('paper', 0, 0, WIDTH, height)}
${text('title', MARGIN, 26, title)}
${text('faint', MARGIN, HEADER - 8, 'Times in UTC')}
${bands.join('\n')}
${ticks.join('\n')}
${parts.join('\n')}
${legend}
${mark}
</svg>
`;
}

/** A gap: in red, or pale as far as it is neither between shifts nor within the next days. */
function drawGap(gap: PicturedGap, now: number, x: (time: number) => number, top: number, height: number): string[] {
  const [start, end] = [Date.parse(gap.startTime), Date.parse(gap.endTime)];
  const draw = (kind: 'gap' | 'pale', from: number, to: number): string => {
    const [left, width] = [x(from), x(to) - x(from)];
    const isRed = kind === 'gap';
    if (from >= to || (!isRed && width < 1)) return '';
    const words = isRed ? REASONS[gap.reason] : 'Not planned';
    // The bar of a shift that nobody covers says so itself.
    const shown = gap.reason === 'no_shift' ? nameIn(words, (width - 8) / FONT) : '';
    return titled(
      `${words}, ${span({ startTime: iso(from), endTime: iso(to) })}`,
      rect(kind, left, top, Math.max(1, width), height, isRed ? 'fill="url(#hatch)"' : '') +
        (shown === words ? text(isRed ? 'alarm' : 'faint', left + 5, top + PADDING + 13, words) : ''),
    );
  };
  if (gap.isBetween || gap.reason !== 'no_shift') return [draw('gap', start, end)];
  const from = Math.min(Math.max(start, now), end);
  const to = Math.max(Math.min(end, now + SOON), from);
  return [draw('pale', start, from), draw('gap', from, to), draw('pale', to, end)];
}

function drawBar({ shift, colour }: Bar, x: (time: number) => number, top: number): string {
  const [left, right] = [x(Date.parse(shift.startTime)), x(Date.parse(shift.endTime))];
  const who = `${shift.person?.fullName ?? 'nobody'}${isInactive(shift.person) ? ' (inactive)' : ''}`;
  const kind = colour === undefined ? 'nobody' : `bar c${colour}`;
  const width = right - left;
  const shown = nameIn(who, (width - 8) / FONT);
  const initials = shown === '' && colour !== undefined ? initialsIn(who, width / SMALL) : '';
  const name = initials
    ? text('initials', left + width / 2, top + 15, initials)
    : shown && text('name', left + 4, top + 16, shown);
  return titled(
    `${who}: ${shift.name}, ${span(shift)}`,
    `${rect(kind, left, top, Math.max(1, width), LANE - 4, 'rx="3"')}${name}`,
  );
}

/** What the two kinds of gaps mean, if the picture has them. */
function legendOf(parts: readonly string[], y: number): string {
  const signs: string[] = [];
  let left = MARGIN + LABELS;
  for (const [kind, more, meaning] of [
    ['gap', 'fill="url(#hatch)"', 'nobody is on call'],
    ['pale', '', 'not planned'],
  ] as const) {
    if (!parts.some((part) => part.includes(`class="${kind}"`))) continue;
    signs.push(rect(kind, left, y, 24, 12, more), text('faint', left + 30, y + 10, meaning));
    left += 180;
  }
  return signs.join('');
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

/** The rosters in the order of their names, as people count: "Team 3" before "Team 10". */
function rowsOf(shifts: readonly OnCallShift[], gaps: readonly PicturedGap[]): Row[] {
  const shiftsOf = byRoster(shifts);
  const gapsOf = byRoster(gaps);
  const { compare } = new Intl.Collator('en', { numeric: true });
  const colours = new Map<string, number>();
  return [...new Set([...shiftsOf.keys(), ...gapsOf.keys()])]
    .toSorted((a, b) => compare(a, b) || (a < b ? -1 : 1))
    .map((roster) => ({
      roster,
      lanes: lanesOf(shiftsOf.get(roster) ?? [], colours),
      gaps: gapsOf.get(roster) ?? [],
    }));
}

/**
 * The shifts of a roster, which come by their starts, in as few lanes as they need.
 * @param colours of people, which are the same in all rosters where neighbours leave them
 */
function lanesOf(shifts: readonly OnCallShift[], colours: Map<string, number>): Bar[][] {
  const lanes: Bar[][] = [];
  const uses = HUES.map(() => 0);
  for (const shift of shifts) {
    let lane = lanes.findIndex((bars) => bars.at(-1)!.shift.endTime <= shift.startTime);
    if (lane < 0) lane = lanes.push([]) - 1;
    const { person } = shift;
    const bar: Bar = { shift };
    if (person && !isInactive(person)) {
      // The bar before it, and those above and below it. Later bars look at this one.
      const taken = new Set(
        [lane - 1, lane, lane + 1]
          .flatMap((near) => lanes[near]?.findLast(({ colour }) => colour !== undefined) ?? [])
          .filter((near) => near.shift.person!.id !== person.id)
          .map(({ colour }) => colour!),
      );
      const known = colours.get(person.id);
      if (known !== undefined && !taken.has(known)) bar.colour = known;
      else {
        // The one that is rarest in the roster, and then in the picture.
        const people = [...colours.values()];
        const rarity = (colour: number): number =>
          uses[colour]! * (people.length + 1) + people.filter((other) => other === colour).length;
        const free = HUES.map((_, colour) => colour).filter((colour) => !taken.has(colour));
        bar.colour = free.toSorted((a, b) => rarity(a) - rarity(b))[0]!;
      }
      if (known === undefined) colours.set(person.id, bar.colour);
      uses[bar.colour]!++;
    }
    lanes[lane]!.push(bar);
  }
  return lanes;
}

const isInactive = (person: OnCallPerson | null): boolean => person?.status === 'inactive';

const iso = (time: number): string => new Date(time).toISOString();
const minuteText = (time: string): string =>
  `${WEEKDAYS[new Date(time).getUTCDay()]} ${time.slice(0, 16).replace('T', ' ')}`;
const span = ({ startTime, endTime }: { startTime: string; endTime: string }): string =>
  `${minuteText(startTime)} to ${minuteText(endTime)} UTC`;

const rounded = (value: number): number => Math.round(value * 100) / 100;
const rect = (kind: string, x: number, y: number, width: number, height: number, more = ''): string =>
  `<rect class="${kind}" x="${rounded(x)}" y="${y}" width="${rounded(width)}" height="${height}" ${more}/>`;
const text = (kind: string, x: number, y: number, content: string): string =>
  `<text class="${kind}" x="${rounded(x)}" y="${y}">${escapedXml(content)}</text>`;
const label = (x: number, y: number, content: string, width: number): string =>
  text('name', x, y, linesOf(content, width / FONT)[0] ?? '');
const titled = (title: string, drawn: string): string => `<g><title>${escapedXml(title)}</title>${drawn}</g>`;
