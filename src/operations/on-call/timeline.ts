import { escapedXml } from '../../http/svg.js';
import { linesOf } from '../../http/svg-text.js';
import type { OnCallGap, OnCallShift } from './on-call.models.js';
import type { Window } from './on-call.query.js';

/** What a timeline shows. */
export interface Timeline extends Window {
  now: string;
  shifts: readonly OnCallShift[];
  gaps: readonly OnCallGap[];
}

const WIDTH = 1200;
const MARGIN = 16;
const LABELS = 200;
const HEADER = 64;
const LANE = 26;
const PADDING = 8;
const FONT = 12;
const COLOURS = 8;

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

// Colours are rules of classes and not variables, which some programs that print drawings do not know.
const STYLE = `
text{font:${FONT}px system-ui,sans-serif;fill:#1c2430}
.title{font-size:16px;font-weight:600}
.faint{fill:#596273}
.paper{fill:#fff}
.band{fill:#f4f6f9}
.tick{stroke:#d4dae3}
.bar{stroke:#fff}
.nobody{fill:#fff;fill-opacity:.75;stroke:#b3261e;stroke-dasharray:4 3}
.hatch{stroke:#b3261e;stroke-width:2}
.gap{stroke:#b3261e}
.now{stroke:#0b5fff;stroke-width:2}
.mark{fill:#0b5fff;font-weight:600}
${[210, 150, 35, 275, 185, 330, 95, 15].map((hue, index) => `.c${index}{fill:hsl(${hue} 70% 84%)}`).join('')}
@media screen and (prefers-color-scheme:dark){
text{fill:#e8ecf2}
.faint{fill:#a3adbd}
.paper{fill:#14181f}
.band{fill:#1b212b}
.tick{stroke:#343d4b}
.bar{stroke:#14181f}
.nobody{fill:#14181f;stroke:#ff8a80}
.hatch,.gap{stroke:#ff8a80}
.now{stroke:#7fb0ff}
.mark{fill:#7fb0ff}
${[210, 150, 35, 275, 185, 330, 95, 15].map((hue, index) => `.c${index}{fill:hsl(${hue} 45% 30%)}`).join('')}
}
@media print{svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;

interface Row {
  roster: string;
  /** Shifts that overlap are in different lanes. */
  lanes: OnCallShift[][];
  gaps: OnCallGap[];
}

/** The rosters of a window as a drawing: a row for each, with its shifts as bars and its gaps hatched. */
export function drawTimeline({ from, to, now, shifts, gaps }: Timeline): string {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const scale = (WIDTH - 2 * MARGIN - LABELS) / (end - start);
  const x = (time: number): number => rounded(MARGIN + LABELS + (time - start) * scale);
  const rows = rowsOf(shifts, gaps);
  const parts: string[] = [];
  let y = HEADER;
  for (const [index, row] of rows.entries()) {
    const height = Math.max(1, row.lanes.length) * LANE + 2 * PADDING;
    if (index % 2 === 0) parts.push(rect('band', 0, y, WIDTH, height));
    parts.push(label(MARGIN, y + PADDING + 18, row.roster, LABELS - 2 * PADDING));
    for (const gap of row.gaps) {
      const [left, right] = [x(Date.parse(gap.startTime)), x(Date.parse(gap.endTime))];
      const why = gap.reason === 'no_shift' ? 'No shift' : 'Nobody assigned';
      parts.push(
        titled(`${why}, ${span(gap)}`, rect('gap', left, y + 3, right - left, height - 6, 'fill="url(#hatch)"')),
      );
    }
    for (const [lane, bars] of row.lanes.entries()) {
      for (const bar of bars) parts.push(drawBar(bar, x, y + PADDING + lane * LANE));
    }
    y += height;
  }
  if (rows.length === 0) {
    parts.push(text('faint', MARGIN, y + 20, 'No roster has a shift in this window'));
    y += 40;
  }
  const height = y + MARGIN;
  const ticks = ticksOf(start, end).map(({ time, name }) => {
    const left = x(time);
    const line = `<line class="tick" x1="${left}" x2="${left}" y1="${HEADER - 22}" y2="${y}"/>`;
    return line + (WIDTH - left > 4 * FONT ? text('faint', left + 4, HEADER - 8, name) : '');
  });
  const at = Date.parse(now);
  const mark =
    at >= start && at < end
      ? `<line class="now" x1="${x(at)}" x2="${x(at)}" y1="${HEADER - 22}" y2="${y}"/>${text('mark', Math.min(x(at) + 4, WIDTH - 40), HEADER - 26, 'now')}`
      : '';
  const title = `On call from ${minuteText(from)} to ${minuteText(to)} UTC`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapedXml(title)}">
<title>${escapedXml(title)}</title>
<style>${STYLE}</style>
<defs><pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M0 0V8"/></pattern></defs>
${rect('paper', 0, 0, WIDTH, height)}
${text('title', MARGIN, 26, title)}
${parts.filter((part) => part.includes('class="band"')).join('\n')}
${ticks.join('\n')}
${parts.filter((part) => !part.includes('class="band"')).join('\n')}
${mark}
</svg>
`;
}

function drawBar(bar: OnCallShift, x: (time: number) => number, top: number): string {
  const [left, right] = [x(Date.parse(bar.startTime)), x(Date.parse(bar.endTime))];
  const who = bar.person?.fullName ?? 'nobody';
  const kind = bar.person ? `bar c${colourOf(bar.person.id)}` : 'nobody';
  const width = right - left;
  const name = width > 2 * FONT ? label(left + 5, top + 16, who, width - 8) : '';
  return titled(
    `${who}: ${bar.name}, ${span(bar)}`,
    `${rect(kind, left, top, Math.max(1, width), LANE - 4, 'rx="3"')}${name}`,
  );
}

/** The rosters in the order of their names. */
function rowsOf(shifts: readonly OnCallShift[], gaps: readonly OnCallGap[]): Row[] {
  const rows = new Map<string, Row>();
  const rowOf = (roster: string): Row => {
    let row = rows.get(roster);
    if (!row) rows.set(roster, (row = { roster, lanes: [], gaps: [] }));
    return row;
  };
  // By their starts, so that a shift needs a lane of its own only if every lane is taken.
  for (const shift of shifts) {
    const { lanes } = rowOf(shift.roster);
    const free = lanes.find((lane) => lane.at(-1)!.endTime <= shift.startTime);
    if (free) free.push(shift);
    else lanes.push([shift]);
  }
  for (const gap of gaps) rowOf(gap.roster).gaps.push(gap);
  return [...rows.values()].toSorted((a, b) => (a.roster < b.roster ? -1 : 1));
}

/** Times that the window is divided at, with their names: hours, days, weeks or months, about ten of them. */
function ticksOf(start: number, end: number): { time: number; name: string }[] {
  const first = new Date(start);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  const midnight = Date.UTC(year, month, first.getUTCDate());
  const step = [HOUR, 6 * HOUR, DAY, 2 * DAY, 7 * DAY].find((one) => (end - start) / one <= 16);
  const times = step
    ? Array.from({ length: 16 + DAY / step }, (_, index) => midnight + index * step)
    : Array.from({ length: 14 }, (_, index) => Date.UTC(year, month + index));
  return times
    .filter((time) => time >= start && time < end)
    .map((time) => {
      const name = iso(time);
      if (!step) return { time, name: name.slice(0, 7) };
      return { time, name: time % DAY === 0 ? name.slice(5, 10) : name.slice(11, 16) };
    });
}

const iso = (time: number): string => new Date(time).toISOString();
const minuteText = (time: string): string => time.slice(0, 16).replace('T', ' ');
const span = ({ startTime, endTime }: { startTime: string; endTime: string }): string =>
  `${minuteText(startTime)} to ${minuteText(endTime)} UTC`;

/** A person has one colour in all drawings. */
const colourOf = (id: string): number => Number.parseInt(id.slice(0, 8), 16) % COLOURS;

const rounded = (value: number): number => Math.round(value * 100) / 100;
const rect = (kind: string, x: number, y: number, width: number, height: number, more = ''): string =>
  `<rect class="${kind}" x="${rounded(x)}" y="${y}" width="${rounded(width)}" height="${height}" ${more}/>`;
const text = (kind: string, x: number, y: number, content: string): string =>
  `<text class="${kind}" x="${rounded(x)}" y="${y}">${escapedXml(content)}</text>`;
const label = (x: number, y: number, content: string, width: number): string =>
  text('name', x, y, linesOf(content, width / FONT)[0] ?? '');
const titled = (title: string, drawn: string): string => `<g><title>${escapedXml(title)}</title>${drawn}</g>`;
