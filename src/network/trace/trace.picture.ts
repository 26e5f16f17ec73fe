import { escapedXml } from '../../http/svg.js';
import { linesOf } from '../../http/svg-text.js';
import type { Trace, TraceEntry } from './trace.models.js';
import type { CableLook } from './trace.service.js';

/** Pixels. */
const WIDTH = 320;
const MARGIN = 40;
const BOX = 44;
const CABLE = 46;
const ROOM = WIDTH - 24;

const STYLE = `
text{font:12px system-ui,sans-serif;fill:#1b1f24}
.s{font-size:10px;fill:#667}.h{font-size:15px;font-weight:600}
svg{color-scheme:light dark}.b{fill:#fff}.d{fill:#f4f6f8;stroke:#445;stroke-width:1.5}.p{stroke:#445;stroke-width:2;stroke-dasharray:2 3}
.c{stroke-width:4;stroke-linecap:round}.o{stroke-dasharray:6 5}
@media(prefers-color-scheme:dark){text{fill:#e6e8ec}.b{fill:#0f1216}.d{fill:#16191d;stroke:#99a}.p{stroke:#99a}.s{fill:#9aa3ad}}
@media print{text{fill:#000}.b{fill:#fff}.d{fill:#fff;stroke:#000}.s{fill:#000}.c{print-color-adjust:exact;-webkit-print-color-adjust:exact}}`;

const NEUTRAL = '#8a94a0';

const ENDS: Readonly<Record<string, string>> = {
  not_connected: 'Not connected',
  complete: 'Complete',
  open: 'Open: the last port has no cable behind it',
  splits: 'Splits: the positions are not known',
};

/** A colour is free text, so only a certainly valid one is drawn. */
const colorOf = (color: string | null): string =>
  color && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(color) ? color.toLowerCase() : NEUTRAL;

const text = (content: string, y: number, more = '', room = ROOM): string => {
  const [shown = ''] = linesOf(content, room / 12);
  return `<text x="${MARGIN + 12}" y="${y}" ${more}>${escapedXml(shown)}</text>`;
};

/** The text of the second line of a box. */
const factsOf = ({ kind, resource }: TraceEntry): string =>
  kind === undefined
    ? resource === 'power-feeds'
      ? 'power feed'
      : resource === 'circuits'
        ? 'circuit'
        : 'circuit termination'
    : `${kind} port`;

/** A trace from top to bottom, as SVG: boxes of ports with their devices, and the cables between them in their colours. */
export function drawTrace(
  { status, path, branches, planned, truncated }: Trace,
  look: Readonly<Record<string, CableLook>>,
): string {
  const parts: string[] = [];
  let y = 46;
  for (const [index, entry] of path.entries()) {
    if (entry.resource === 'cables') {
      const cable = look[entry.id];
      const facts = [entry.name, cable?.type, cable?.status === 'planned' ? 'planned' : undefined]
        .filter(Boolean)
        .join(', ');
      const line = `M${MARGIN + WIDTH / 2} ${y}v${CABLE}`;
      parts.push(
        `<path class="c${cable?.status === 'planned' ? ' o' : ''}" stroke="${colorOf(cable?.color ?? null)}" d="${line}"><title>${escapedXml(facts || 'cable')}</title></path>`,
      );
      parts.push(
        `<g transform="translate(${WIDTH / 2 + 4},0)">${text(facts, y + CABLE / 2 + 4, 'class="s"', ROOM / 2)}</g>`,
      );
      y += CABLE;
      continue;
    }
    // Within a panel or a circuit, the trace continues without a cable.
    if (index > 0 && path[index - 1]!.resource !== 'cables') {
      parts.push(`<path class="p" d="M${MARGIN + WIDTH / 2} ${y}v14"/>`);
      y += 14;
    }
    const name = entry.device ? `${entry.device.name} ${entry.name}` : (entry.name ?? '');
    parts.push(
      `<rect class="d" x="${MARGIN}" y="${y}" width="${WIDTH}" height="${BOX}" rx="4"><title>${escapedXml(name)}</title></rect>`,
    );
    parts.push(text(name, y + 18), text(factsOf(entry), y + 34, 'class="s"'));
    y += BOX;
  }
  const notes = [
    `${ENDS[status]}${planned ? ', with planned cables' : ''}`,
    ...(branches.length > 0 ? [`Goes on at ${branches.map(({ name }) => name).join(', ')}`] : []),
    ...(truncated ? ['Truncated: the trace is longer'] : []),
  ];
  for (const note of notes) {
    y += 18;
    parts.push(text(note, y, 'class="s"'));
  }
  const first = path[0]!;
  const title = `Trace of ${first.device?.name ?? ''} ${first.name ?? ''}`;
  const height = y + 20;
  const width = WIDTH + 2 * MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"><title>${escapedXml(title)}</title><style>${STYLE}</style><rect class="b" width="${width}" height="${height}"/>${text(title, 28, 'class="h"')}${parts.join('')}</svg>`;
}
