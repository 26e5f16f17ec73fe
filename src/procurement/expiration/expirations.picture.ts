import { emsOf, fits, linesOf } from '../../http/svg-text.js';
import { escapedXml } from '../../http/svg.js';
import { grouped } from '../../lists/summary/summary.picture.js';
import { DATED_KINDS, EXPIRATIONS, type DatedKind } from './expiration-kinds.js';

/** An entry of a kind in a month. */
export interface PicturedExpiration {
  kind: DatedKind;
  /** 0 for what is overdue, 1 for the current month. */
  month: number;
  /** Number of entries of the kind in the month. */
  total: number;
  name: string;
  date: string;
  amount: string | null;
  currency: string | null;
}

/** Sum of the entries of a month in a currency, including those that are not named. */
export interface PicturedTotal {
  month: number;
  currency: string | null;
  amount: string;
}

interface PicturedYear {
  today: string;
  /** The last day of which entries are shown. */
  until: string;
  /** True: only overdue entries; false: only the others. */
  overdue?: boolean;
  kinds: readonly DatedKind[];
  entries: readonly PicturedExpiration[];
  totals: readonly PicturedTotal[];
}

/** Maximum number of named entries of a kind and month. The others are counted. */
export const SHOWN = 5;
/** Maximum number of currencies that are summed in a month. The others are counted. */
const CURRENCIES = 5;

// Pixels.
const MARGIN = 24;
const LABEL = 150;
const TOTAL = { least: 120, most: 460 };
const HEAD = 118;
const LINE = 19;
const PADDING = 9;
const FONT = 13;
/** Width that the columns share, within a minimum and maximum for each. */
const SHARED = 1100;
const COLUMN = { least: 210, most: 420 };
/** Room between a column and the next. */
const GAP = 16;

/** The colours of kinds as variables of a style sheet. */
const coloursOf = (scheme: 'light' | 'dark'): string =>
  DATED_KINDS.map((kind) => `--${kind}: ${EXPIRATIONS[kind].colour[scheme]};`).join(' ');

/** The colours of kinds only repeat the headings of the columns, so no information depends on them. */
const STYLE = `
svg { --paper: #fff; --ink: #1b1f24; --faint: #59636e; --rule: #d1d9e0; --late: #b3261e; --late-band: #fdf0ef;
  ${coloursOf('light')}
  font-family: Inter, 'Segoe UI', Helvetica, Arial, 'Noto Sans', sans-serif; font-size: ${FONT}px; }
@media screen and (prefers-color-scheme: dark) {
  svg { --paper: #0d1117; --ink: #e6edf3; --faint: #9198a1; --rule: #30363d; --late: #ff8a80; --late-band: #2a1517;
    ${coloursOf('dark')} }
}
svg { max-width: 100%; height: auto; }
@media print { svg { width: 100%; print-color-adjust: exact; } }
.paper { fill: var(--paper); }
text { fill: var(--ink); }
.faint { fill: var(--faint); }
.title { font-size: 20px; font-weight: 600; }
.head { font-weight: 600; }
.rule { stroke: var(--rule); }
.band { fill: var(--late-band); }
.late { fill: var(--late); font-weight: 600; }
.day { fill: var(--faint); }
.day, .amount { font-variant-numeric: tabular-nums; }
.amount { text-anchor: end; }
`;

/** A name of a month, in the year after `today`. */
function nameOf(today: string, month: number): string {
  const [year, of] = today.split('-').map(Number);
  const first = new Date(Date.UTC(2000, of! - 1 + month - 1, 1));
  const name = first.toLocaleString('en', { month: 'long', timeZone: 'UTC' });
  return `${name} ${year! + first.getUTCFullYear() - 2000}`;
}

/** The number of a month as `nameOf` takes it. */
const monthOf = (today: string, date: string): number =>
  1 +
  (Number(date.slice(0, 4)) - Number(today.slice(0, 4))) * 12 +
  Number(date.slice(5, 7)) -
  Number(today.slice(5, 7));

/** A line of a cell, drawn at a baseline. */
type Line = (y: number) => string;

/** Draws the entries of the months up to a day by kind, with overdue entries first. Kinds without an entry are left out. */
export function drawExpirations({ today, until, overdue, kinds: asked, entries, totals }: PicturedYear): string {
  const kinds = asked.filter((kind) => entries.some((entry) => entry.kind === kind));
  const column = Math.min(COLUMN.most, Math.max(COLUMN.least, Math.floor(SHARED / Math.max(1, kinds.length))));
  const widest = Math.max(0, ...totals.map((total) => emsOf(amountOf(total)) * FONT + GAP));
  const totalsWidth = totals.length > 0 ? Math.ceil(Math.min(TOTAL.most, Math.max(TOTAL.least, widest))) : 0;
  const width = 2 * MARGIN + LABEL + Math.max(kinds.length * column, COLUMN.most) + totalsWidth;
  const left = (index: number): number => MARGIN + LABEL + index * column;
  const last = overdue === true ? 0 : monthOf(today, until);
  const drawn: string[] = [];
  let top = HEAD;
  for (let month = overdue === false ? 1 : 0; entries.length > 0 && month <= last; month++) {
    const cells = kinds.map((kind, index) => {
      const cell = entries.filter((entry) => entry.month === month && entry.kind === kind);
      return linesOfCell(cell, left(index), column - GAP);
    });
    const total = totalsOf(
      totals.filter((one) => one.month === month),
      totalsWidth - GAP,
    ).map(
      (content): Line =>
        (y) =>
          text(width - MARGIN - 8, y, content, 'amount'),
    );
    const number = sum(entries.filter((entry) => entry.month === month));
    const isLate = month === 0 && number > 0;
    const lines = Math.max(2, ...[...cells, total].map(({ length }) => length));
    const height = lines * LINE + 2 * PADDING;
    const baseline = (line: number): number => top + PADDING + line * LINE + FONT;
    if (isLate)
      drawn.push(`<rect class="band" x="${MARGIN}" y="${top}" width="${width - 2 * MARGIN}" height="${height}"/>`);
    drawn.push(
      `<line class="rule" x1="${MARGIN}" x2="${width - MARGIN}" y1="${top}" y2="${top}"/>`,
      text(MARGIN + 8, baseline(0), month === 0 ? 'Overdue' : nameOf(today, month), isLate ? 'late' : 'head'),
      text(MARGIN + 8, baseline(1), counted(number), 'faint'),
      ...[...cells, total].flatMap((cell) => cell.map((line, index) => line(baseline(index)))),
    );
    top += height;
  }
  const height = top + MARGIN;
  const title = `Expirations, ${overdue === true ? 'overdue' : `${nameOf(today, 1)} to ${nameOf(today, last)}`}`;
  const headings = kinds.map((kind, index) => {
    const heading = `${EXPIRATIONS[kind].heading}: ${sum(entries.filter((entry) => entry.kind === kind))}`;
    return `<rect x="${left(index)}" y="${HEAD - 6}" width="${column - GAP}" height="4" fill="var(--${kind})"/>
${text(left(index), HEAD - 14, heading, 'head')}`;
  });
  if (totals.length > 0) headings.push(text(width - MARGIN - 8, HEAD - 14, 'Total', 'head amount'));
  const span = overdue === true ? '' : `, up to ${until}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${title}</title>
<style>${STYLE}</style>
<rect class="paper" width="${width}" height="${height}"/>
${text(MARGIN, MARGIN + 22, title, 'title')}
${text(MARGIN, MARGIN + 44, `${counted(sum(entries))} as of ${today}${span} (UTC)`, 'faint')}
${headings.join('\n')}
${drawn.join('\n')}
</svg>
`;
}

/** The entries of a kind in a month. An amount that does not fit beside the name gets a line of its own. */
function linesOfCell(cell: readonly PicturedExpiration[], x: number, width: number): Line[] {
  const lines = cell.flatMap((entry): Line[] => {
    const { month, name, date, kind } = entry;
    const day = month === 0 ? shortDate(date) : String(Number(date.slice(-2)));
    const indent = month === 0 ? 50 : 26;
    const amount = amountOf(entry);
    const room = (width - indent) / FONT;
    const shownAmount = linesOf(amount, room)[0] ?? '';
    const isBeside = fits(`${name}  ${amount}`, room);
    const [shown = ''] = isBeside ? [name] : linesOf(name, room);
    const amountLine: Line = (y) => text(x + width, y, shownAmount, 'amount');
    const titled: Line = (y) =>
      `<g><title>${escapedXml([name, kind, date, amount].filter(Boolean).join(', '))}</title>${text(x, y, day, 'day')}${text(x + indent, y, shown)}${isBeside && amount ? amountLine(y) : ''}</g>`;
    return isBeside || !amount ? [titled] : [titled, amountLine];
  });
  const hidden = (cell[0]?.total ?? 0) - cell.length;
  return hidden > 0 ? [...lines, (y) => text(x, y, `and ${hidden} more`, 'faint')] : lines;
}

/** Number of entries, including those that are not named. */
const sum = (entries: readonly PicturedExpiration[]): number => {
  const numbers = new Map(entries.map(({ month, kind, total }) => [`${month} ${kind}`, total]));
  return [...numbers.values()].reduce((all, number) => all + number, 0);
};

const counted = (total: number): string => (total === 0 ? 'Nothing' : total === 1 ? '1 entry' : `${total} entries`);

/** All digits of an amount, the whole ones in groups of three, and its currency. */
function amountOf({ amount, currency }: Pick<PicturedExpiration, 'amount' | 'currency'>): string {
  if (amount === null) return '';
  return [grouped(amount), currency ?? ''].join(' ').trim();
}

function totalsOf(totals: readonly PicturedTotal[], width: number): string[] {
  const shown = totals.slice(0, CURRENCIES).map((total) => linesOf(amountOf(total), width / FONT)[0]!);
  const more = totals.length - shown.length;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

/** `14 Oct` */
const shortDate = (date: string): string =>
  new Date(date).toLocaleString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const text = (x: number, y: number, content: string, style = ''): string =>
  `<text x="${x}" y="${y}"${style && ` class="${style}"`}>${escapedXml(content)}</text>`;
