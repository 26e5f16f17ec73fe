import { linesOf } from '../../http/svg-text.js';
import { escapedXml } from '../../http/svg.js';
import type { ExpirationKind } from './expiration.js';

/** An entry of a kind in a month. */
export interface DrawnExpiration {
  kind: ExpirationKind;
  /** 0 for what is overdue, 1 for the current month. */
  month: number;
  /** Number of entries of the kind in the month. */
  total: number;
  name: string;
  date: string;
}

/** Entries of a kind and month that are named; the others are counted. */
export const SHOWN = 5;

const MONTHS = 12;
const HEADINGS: Record<ExpirationKind, string> = {
  licence: 'Licences',
  contract: 'Contracts',
  notice: 'Notices',
  renewal: 'Renewals',
  warranty: 'Warranties',
  delivery: 'Deliveries',
};

// Pixels.
const MARGIN = 24;
const LABEL = 150;
const COLUMN = 210;
const HEAD = 118;
const LINE = 19;
const PADDING = 9;
const FONT = 13;

/** The colours of kinds mark columns that have a heading too, so nothing is lost without them. */
const STYLE = `
svg { --paper: #fff; --ink: #1b1f24; --faint: #59636e; --rule: #d1d9e0; --late: #b3261e; --late-band: #fdf0ef;
  --licence: #0969da; --contract: #1a7f37; --notice: #9a6700; --renewal: #8250df; --warranty: #0e7c86; --delivery: #bf3989;
  font-family: Inter, 'Segoe UI', Helvetica, Arial, 'Noto Sans', sans-serif; font-size: ${FONT}px; }
@media screen and (prefers-color-scheme: dark) {
  svg { --paper: #0d1117; --ink: #e6edf3; --faint: #9198a1; --rule: #30363d; --late: #ff8a80; --late-band: #2a1517;
    --licence: #58a6ff; --contract: #56d364; --notice: #e3b341; --renewal: #bc8cff; --warranty: #4fd1dc; --delivery: #f778ba; }
}
@media print { svg { width: 100%; height: auto; print-color-adjust: exact; } }
.paper { fill: var(--paper); }
text { fill: var(--ink); }
.faint { fill: var(--faint); }
.title { font-size: 20px; font-weight: 600; }
.head { font-weight: 600; }
.rule { stroke: var(--rule); }
.band { fill: var(--late-band); }
.late { fill: var(--late); font-weight: 600; }
.day { fill: var(--faint); font-variant-numeric: tabular-nums; }
`;

/** A name of a month, in the year after `today`. */
function nameOf(today: string, month: number): string {
  const [year, of] = today.split('-').map(Number);
  const first = new Date(Date.UTC(2000, of! - 1 + month - 1, 1));
  const name = first.toLocaleString('en', { month: 'long', timeZone: 'UTC' });
  return `${name} ${year! + first.getUTCFullYear() - 2000}`;
}

/** Draws the entries of twelve months from that of `today`, by kind, with what is overdue first. */
export function drawExpirations(
  today: string,
  kinds: readonly ExpirationKind[],
  entries: readonly DrawnExpiration[],
): string {
  const width = 2 * MARGIN + LABEL + kinds.length * COLUMN;
  const left = (column: number): number => MARGIN + LABEL + column * COLUMN;
  const cellOf = (month: number, kind: ExpirationKind): DrawnExpiration[] =>
    entries.filter((entry) => entry.month === month && entry.kind === kind);
  const drawn: string[] = [];
  let top = HEAD;
  for (let month = 0; month <= MONTHS; month++) {
    const cells = kinds.map((kind) => cellOf(month, kind));
    const lines = Math.max(2, ...cells.map((cell) => cell.length + (hidden(cell) > 0 ? 1 : 0)));
    const height = lines * LINE + 2 * PADDING;
    const baseline = (line: number): number => top + PADDING + line * LINE + FONT;
    if (month === 0)
      drawn.push(`<rect class="band" x="${MARGIN}" y="${top}" width="${width - 2 * MARGIN}" height="${height}"/>`);
    drawn.push(
      `<line class="rule" x1="${MARGIN}" x2="${width - MARGIN}" y1="${top}" y2="${top}"/>`,
      month === 0
        ? text(MARGIN + 8, baseline(0), 'Overdue', 'late')
        : text(MARGIN + 8, baseline(0), nameOf(today, month), 'head'),
      text(MARGIN + 8, baseline(1), counted(sum(cells.flat())), 'faint'),
    );
    cells.forEach((cell, column) => {
      cell.forEach((entry, line) => drawn.push(entryAt(left(column), baseline(line), entry)));
      if (hidden(cell) > 0) drawn.push(text(left(column), baseline(cell.length), `and ${hidden(cell)} more`, 'faint'));
    });
    top += height;
  }
  const height = top + MARGIN;
  const title = `Expirations, ${nameOf(today, 1)} to ${nameOf(today, MONTHS)}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${title}</title>
<style>${STYLE}</style>
<rect class="paper" width="${width}" height="${height}"/>
${text(MARGIN, MARGIN + 22, title, 'title')}
${text(MARGIN, MARGIN + 44, `${counted(sum(entries))} as of ${today} (UTC)`, 'faint')}
${kinds
  .map(
    (
      kind,
      column,
    ) => `<rect x="${left(column)}" y="${HEAD - 6}" width="${COLUMN - 16}" height="4" fill="var(--${kind})"/>
${text(left(column), HEAD - 14, `${HEADINGS[kind]}: ${sum(entries.filter((entry) => entry.kind === kind))}`, 'head')}`,
  )
  .join('\n')}
${drawn.join('\n')}
</svg>
`;
}

/** Number of entries, also of those that are not named. */
const sum = (entries: readonly DrawnExpiration[]): number => {
  const totals = new Map(entries.map(({ month, kind, total }) => [`${month} ${kind}`, total]));
  return [...totals.values()].reduce((all, total) => all + total, 0);
};

const hidden = (cell: readonly DrawnExpiration[]): number => (cell[0]?.total ?? 0) - cell.length;

const counted = (total: number): string => (total === 0 ? 'nothing' : total === 1 ? '1 entry' : `${total} entries`);

const text = (x: number, y: number, content: string, style = ''): string =>
  `<text x="${x}" y="${y}"${style && ` class="${style}"`}>${escapedXml(content)}</text>`;

/** The day, or the whole date of what is overdue, and the name, which is shown in full as a tooltip. */
function entryAt(x: number, y: number, { month, name, date, kind }: DrawnExpiration): string {
  const day = month === 0 ? date : String(Number(date.slice(-2)));
  const indent = month === 0 ? 80 : 26;
  const [shown] = linesOf(name, (COLUMN - 12 - indent) / FONT);
  return `<g><title>${escapedXml(`${name}, ${kind}, ${date}`)}</title>${text(x, y, day, 'day')}${text(x + indent, y, shown ?? '')}</g>`;
}
