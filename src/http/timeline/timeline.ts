import { escapedXml } from '../svg.js';
import { initialsIn, linesOf, nameIn } from '../svg-text.js';
import { ticksOf, WEEKDAYS } from './ticks.js';

/** Half-open, as all intervals are. */
interface Span {
  startTime: string;
  endTime: string;
}

/** A span of a row that belongs to somebody. */
export interface TimelineBar extends Span {
  who: string;
  /** The label besides the person. */
  what: string;
  /** Determines the colour: the id of a person. Undefined if nobody has the span, which is then outlined in red. */
  key?: string;
}

/** A span of a row without a person: hatched in red, or pale. */
export interface TimelineGap extends Span {
  kind: 'gap' | 'pale';
  words: string;
  /** Whether the picture has the text, if there is room. */
  isSaid: boolean;
}

export interface TimelineRow {
  name: string;
  /** By start. */
  bars: readonly TimelineBar[];
  gaps: readonly TimelineGap[];
}

/** The contents of a timeline. */
export interface Timeline {
  /** The subject: `On call`. */
  of: string;
  from: string;
  to: string;
  now: string;
  rows: readonly TimelineRow[];
  /** The text if there are no rows. */
  empty: string;
  /** Explanations of the two kinds of gaps. */
  meanings: Record<TimelineGap['kind'], string>;
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

// Colours are classes and not variables, because some programs that print pictures do not support variables.
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

/** A bar with its colour. */
interface Bar {
  bar: TimelineBar;
  /** Undefined if nobody has it. */
  colour?: number;
}

interface Row {
  name: string;
  /** Bars that overlap are in different lanes. */
  lanes: Bar[][];
  gaps: readonly TimelineGap[];
}

/** Assignments within a window as a picture: a row for each subject, with bars. */
export function drawTimeline({ of, from, to, now, rows: given, empty, meanings }: Timeline): string {
  const [start, end, present] = [Date.parse(from), Date.parse(to), Date.parse(now)];
  const scale = (WIDTH - 2 * MARGIN - LABELS) / (end - start);
  const x = (time: number): number => rounded(MARGIN + LABELS + (time - start) * scale);
  const rows = rowsOf(given);
  const bands: string[] = [];
  const parts: string[] = [];
  let y = HEADER;
  for (const [index, row] of rows.entries()) {
    const height = Math.max(1, row.lanes.length) * LANE + 2 * PADDING;
    if (index % 2 === 0) bands.push(rect('band', 0, y, WIDTH, height));
    parts.push(label(MARGIN, y + PADDING + 18, row.name, LABELS - 2 * PADDING));
    for (const gap of row.gaps) parts.push(drawGap(gap, x, y + 3, height - 6));
    for (const [lane, bars] of row.lanes.entries()) {
      for (const bar of bars) parts.push(drawBar(bar, x, y + PADDING + lane * LANE));
    }
    y += height;
  }
  if (rows.length === 0) {
    parts.push(text('faint', MARGIN, y + 20, empty));
    y += 40;
  }
  const legend = legendOf(parts, y + 10, meanings);
  const height = y + MARGIN + (legend === '' ? 0 : 20);
  const ticks = ticksOf(start, end).map(({ time, name }) => {
    const left = x(time);
    const line = `<line class="tick" x1="${left}" x2="${left}" y1="${HEADER - 22}" y2="${y}"/>`;
    return (
      line +
      (linesOf(name, (WIDTH - left - 4) / FONT)[0] === name ? text('faint time', left + 4, HEADER - 8, name) : '')
    );
  });
  // Leaves out the row of time labels.
  const mark =
    present >= start && present < end
      ? `<path class="now" d="M${x(present)} ${HEADER - 36}V${HEADER - 20}M${x(present)} ${HEADER - 4}V${y}"/>${text('mark', Math.min(x(present) + 4, WIDTH - 40), HEADER - 28, 'now')}`
      : '';
  const title = `${of} from ${minuteText(from)} to ${minuteText(to)} UTC`;
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

function drawGap(
  { kind, words, isSaid, ...at }: TimelineGap,
  x: (time: number) => number,
  top: number,
  height: number,
): string {
  const [from, to] = [Date.parse(at.startTime), Date.parse(at.endTime)];
  const [left, width] = [x(from), x(to) - x(from)];
  const isRed = kind === 'gap';
  if (from >= to || (!isRed && width < 1)) return '';
  const shown = isSaid ? nameIn(words, (width - 8) / FONT) : '';
  return titled(
    `${words}, ${span(at)}`,
    rect(kind, left, top, Math.max(1, width), height, isRed ? 'fill="url(#hatch)"' : '') +
      (shown === words ? text(isRed ? 'alarm' : 'faint', left + 5, top + PADDING + 13, words) : ''),
  );
}

function drawBar({ bar, colour }: Bar, x: (time: number) => number, top: number): string {
  const [left, right] = [x(Date.parse(bar.startTime)), x(Date.parse(bar.endTime))];
  const { who } = bar;
  const kind = colour === undefined ? 'nobody' : `bar c${colour}`;
  const width = right - left;
  const shown = nameIn(who, (width - 8) / FONT);
  const initials = shown === '' && colour !== undefined ? initialsIn(who, width / SMALL) : '';
  const name = initials
    ? text('initials', left + width / 2, top + 15, initials)
    : shown && text('name', left + 4, top + 16, shown);
  return titled(
    `${who}: ${bar.what}, ${span(bar)}`,
    `${rect(kind, left, top, Math.max(1, width), LANE - 4, 'rx="3"')}${name}`,
  );
}

/** A legend of the kinds of gaps that the picture has. */
function legendOf(parts: readonly string[], y: number, meanings: Timeline['meanings']): string {
  const signs: string[] = [];
  let left = MARGIN + LABELS;
  for (const [kind, more, meaning] of [
    ['gap', 'fill="url(#hatch)"', meanings.gap],
    ['pale', '', meanings.pale],
  ] as const) {
    if (!parts.some((part) => part.includes(`class="${kind}"`))) continue;
    signs.push(rect(kind, left, y, 24, 12, more), text('faint', left + 30, y + 10, meaning));
    left += 180;
  }
  return signs.join('');
}

/** The rows in natural order: "Team 3" before "Team 10". */
function rowsOf(rows: readonly TimelineRow[]): Row[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const colours = new Map<string, number>();
  return rows
    .toSorted((a, b) => compare(a.name, b.name) || (a.name < b.name ? -1 : 1))
    .map(({ name, bars, gaps }) => ({ name, lanes: lanesOf(bars, colours), gaps }));
}

/**
 * Distributes the bars of a row, which are sorted by start, to as few lanes as possible.
 * @param colours by key. A key has the same colour in all rows, unless a neighbour has it
 */
function lanesOf(given: readonly TimelineBar[], colours: Map<string, number>): Bar[][] {
  const lanes: Bar[][] = [];
  const uses = HUES.map(() => 0);
  for (const bar of given) {
    let lane = lanes.findIndex((bars) => bars.at(-1)!.bar.endTime <= bar.startTime);
    if (lane < 0) lane = lanes.push([]) - 1;
    const { key } = bar;
    const drawn: Bar = { bar };
    if (key !== undefined) {
      // The bar before it, and those above and below it. Later bars look at this one.
      const taken = new Set(
        [lane - 1, lane, lane + 1]
          .flatMap((near) => lanes[near]?.findLast(({ colour }) => colour !== undefined) ?? [])
          .filter((near) => near.bar.key !== key)
          .map(({ colour }) => colour!),
      );
      const known = colours.get(key);
      if (known !== undefined && !taken.has(known)) drawn.colour = known;
      else {
        // The colour that is rarest in the row, and then in the picture.
        const people = [...colours.values()];
        const rarity = (colour: number): number =>
          uses[colour]! * (people.length + 1) + people.filter((other) => other === colour).length;
        const free = HUES.map((_, colour) => colour).filter((colour) => !taken.has(colour));
        drawn.colour = free.toSorted((a, b) => rarity(a) - rarity(b))[0]!;
      }
      if (known === undefined) colours.set(key, drawn.colour);
      uses[drawn.colour]!++;
    }
    lanes[lane]!.push(drawn);
  }
  return lanes;
}

const minuteText = (time: string): string =>
  `${WEEKDAYS[new Date(time).getUTCDay()]} ${time.slice(0, 16).replace('T', ' ')}`;
const span = ({ startTime, endTime }: Span): string => `${minuteText(startTime)} to ${minuteText(endTime)} UTC`;

const rounded = (value: number): number => Math.round(value * 100) / 100;
const rect = (kind: string, x: number, y: number, width: number, height: number, more = ''): string =>
  `<rect class="${kind}" x="${rounded(x)}" y="${y}" width="${rounded(width)}" height="${height}" ${more}/>`;
const text = (kind: string, x: number, y: number, content: string): string =>
  `<text class="${kind}" x="${rounded(x)}" y="${y}">${escapedXml(content)}</text>`;
const label = (x: number, y: number, content: string, width: number): string =>
  text('name', x, y, linesOf(content, width / FONT)[0] ?? '');
const titled = (title: string, drawn: string): string => `<g><title>${escapedXml(title)}</title>${drawn}</g>`;
