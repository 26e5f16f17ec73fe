import { capital } from '../../fields/words.js';
import { linesOf } from '../../http/svg-text.js';
import { escapedXml } from '../../http/svg.js';

/** A group of records. */
export interface Bar {
  /** The value of the group; null for null. */
  labels: readonly (string | null)[];
  /** Number of its records, or the sum of their values, in digits; null for the sum of nothing. */
  amount: string | null;
}

/** The contents of a picture. */
interface PicturedSummary {
  /** The records in words: `assets`. */
  records: string;
  /** The groupings. */
  by: readonly string[];
  /** The summed field; if it is undefined, records are counted. */
  sum?: string;
  /** The groups with the largest amounts, in their order. */
  bars: readonly Bar[];
  /** Number of all groups. */
  groups: number;
  /** The amounts of all groups together; undefined if they cannot be added. */
  total: string | null | undefined;
  /** The amounts of the groups without a bar; undefined if they cannot be added. */
  others: string | null | undefined;
}

/** Groups that have a bar. */
export const MOST_BARS = 60;

// Pixels.
const WIDTH = 1000;
const MARGIN = 24;
const LABELS = 290;
const AMOUNTS = 170;
const HEADER = 84;
const LINE = 24;
const BAR = 16;
const FONT = 13;
const LEFT = MARGIN + LABELS + 12;
const ROOM = WIDTH - MARGIN - AMOUNTS - LEFT;

// Colours are classes and not variables, because some programs that print pictures do not support variables.
const STYLE = `
text{font:${FONT}px system-ui,sans-serif;fill:#1c2430}
.title{font-size:18px;font-weight:600}
.head{font-weight:600}
.faint{fill:#596273}
.amount{font-variant-numeric:tabular-nums}
.paper{fill:#fff}
.rule{stroke:#d4dae3}
.bar{fill:#5b9bd5}
.minus{fill:#d9776f}
@media screen and (prefers-color-scheme:dark){
text{fill:#e8ecf2}
.faint{fill:#a3adbd}
.paper{fill:#14181f}
.rule{stroke:#343d4b}
.bar{fill:#3f78b5}
.minus{fill:#b0524b}
}
@media print{svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;

/** A bar chart of the groups of a summary. With several groupings, groups with the same first value stand below it. */
export function drawSummary({ records, by, sum, bars, groups, total, others }: PicturedSummary): string {
  const amounts = bars.map(({ amount }) => Number(amount ?? 0));
  const least = Math.min(0, ...amounts);
  const most = Math.max(0, ...amounts);
  const scale = most > least ? ROOM / (most - least) : 0;
  const x = (amount: number): number => rounded(LEFT + (amount - least) * scale);
  const parts: string[] = [];
  let y = HEADER;
  let heading: string | null | undefined;
  for (const [index, { labels, amount }] of bars.entries()) {
    const [first, ...rest] = labels;
    const isBelow = rest.length > 0;
    if (isBelow && (index === 0 || first !== heading)) {
      heading = first;
      parts.push(label(MARGIN, y + LINE, first ?? null, WIDTH - 2 * MARGIN, 'head'));
      y += LINE + 4;
    }
    const [from, to] = [x(Math.min(0, amounts[index]!)), x(Math.max(0, amounts[index]!))];
    const names = isBelow ? rest : labels;
    const [indent, width] = isBelow ? [MARGIN + 16, LABELS - 16] : [MARGIN, LABELS];
    const shown = names.length > 1 || names[0] !== null ? named(names) : null;
    parts.push(
      titled(
        `${named(labels)}: ${amount ?? 'none'}`,
        label(indent, y + BAR, shown, width) +
          `<rect class="${amounts[index]! < 0 ? 'minus' : 'bar'}" x="${from}" y="${y + 3}" width="${rounded(to - from)}" height="${BAR}" rx="2"/>` +
          text(to + 6, y + BAR, shownAmount(amount), 'amount'),
      ),
    );
    y += LINE;
  }
  if (bars.length > 0) {
    parts.unshift(`<line class="rule" x1="${x(0)}" x2="${x(0)}" y1="${HEADER}" y2="${y}"/>`);
  } else {
    parts.push(text(MARGIN, y + BAR, `There are no ${records}`, 'faint'));
    y += LINE;
  }
  if (groups > bars.length) {
    const rest = `and ${grouped(String(groups - bars.length))} other groups${others === undefined ? '' : `: ${others === null ? NONE : grouped(others)}`}`;
    parts.push(text(MARGIN, y + LINE, fitted(rest, WIDTH - 2 * MARGIN), 'faint'));
    y += LINE;
  }
  const height = y + MARGIN;
  const title = `${capital(records)} by ${by.map(wordsOf).join(', ')}`;
  const whole =
    total === undefined ? 'in several currencies' : total === null ? (sum === undefined ? '0' : NONE) : grouped(total);
  const counted = `${grouped(String(groups))} ${groups === 1 ? 'group' : 'groups'}`;
  const said = `${sum === undefined ? `Number of ${records}` : `Sum of ${wordsOf(sum)}`}: ${whole}, in ${counted}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapedXml(title)}">
<title>${escapedXml(title)}</title>
<style>${STYLE}</style>
<rect class="paper" width="${WIDTH}" height="${height}"/>
${text(MARGIN, 38, fitted(title, ((WIDTH - 2 * MARGIN) * FONT) / 18), 'title')}
${text(MARGIN, 62, fitted(said, WIDTH - 2 * MARGIN), 'faint')}
${parts.join('\n')}
</svg>
`;
}

/** The name of a property in words: `quarter of last covered on` for `lastCoveredOn:quarter`. */
const wordsOf = (name: string): string => {
  const [property, period] = name.split(':');
  const words = property!
    .replace(/Id$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return period === undefined ? words : `${period} of ${words}`;
};

/** The label of null. */
const NONE = 'none';

const named = (labels: readonly (string | null)[]): string => labels.map((one) => one ?? NONE).join(', ');

/** Digits with commas between the thousands. */
export const grouped = (digits: string): string => {
  const [whole = '', ...fraction] = digits.split('.');
  const sign = whole.startsWith('-') ? 1 : 0;
  const groups: string[] = [];
  for (let end = whole.length; end > sign; end -= 3) groups.unshift(whole.slice(Math.max(sign, end - 3), end));
  return [whole.slice(0, sign) + groups.join(','), ...fraction].join('.');
};

/** An amount that fits beside its bar. A truncated amount would be another number. */
function shownAmount(amount: string | null): string {
  if (amount === null) return NONE;
  const exact = grouped(amount);
  return fitted(exact, AMOUNTS - 6) === exact ? exact : `≈ ${Number(amount).toExponential(3)}`;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** The beginning of a text that fits into a width. */
const fitted = (content: string, width: number): string => linesOf(content, width / FONT)[0] ?? '';

const text = (x: number, y: number, content: string, kind: string): string =>
  `<text class="${kind}" x="${rounded(x)}" y="${y}">${escapedXml(content)}</text>`;

const label = (x: number, y: number, content: string | null, width: number, kind = 'name'): string =>
  text(x, y, fitted(content ?? NONE, width), content === null ? 'faint' : kind);

const titled = (title: string, drawn: string): string => `<g><title>${escapedXml(title)}</title>${drawn}</g>`;
