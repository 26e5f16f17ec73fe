import { escapedXml } from '../../../http/svg.js';
import type { ElevationDevice, RackElevation } from './rack-space.models.js';

/** Pixels. */
const UNIT = 22;
const WIDTH = 320;
const MARGIN = 40;
const HEAD = 44;
const LINE = 18;

/** Letters of a line. What is wider nevertheless, as some letters are, is clipped. */
const ACROSS = Math.floor((WIDTH - 16) / 7.2);
const MAX_LISTED = 20;
const MAX_TITLE = 300;

const STYLE = `
text{font:12px system-ui,sans-serif;fill:#1b1f24}
.h{font-size:15px;font-weight:600}.n{font-size:10px;fill:#667;text-anchor:end}
svg{color-scheme:light dark}.b{fill:#fff}.f{fill:#fff;stroke:#445;stroke-width:2}.g{stroke:#dde;stroke-width:1}
.d{stroke:#223;stroke-width:1}.d:hover{stroke-width:2}.c{stroke:#d00;stroke-width:2;stroke-dasharray:4 2}
.w{fill:#c00}.s{font-size:10px;fill:#667}
@media(prefers-color-scheme:dark){text{fill:#e6e8ec}.b{fill:#0f1216}.f{fill:#16191d;stroke:#99a}.g{stroke:#2b3036}.n,.s{fill:#9aa3ad}.w{fill:#ff7b72}.d{stroke:#000}.c{stroke:#ff7b72}}
@media print{text{fill:#000}.b{fill:#fff}.n,.s{fill:#000}.f{fill:#fff;stroke:#000}.g{stroke:#bbb}.d{stroke:#000;print-color-adjust:exact;-webkit-print-color-adjust:exact}.w{fill:#000}}`;

const NEUTRAL = '#8a94a0';

/** A text that is cut to a number of characters, none of which is cut in two. */
function cut(text: string, length: number): string {
  const characters = [...text.slice(0, length * 2 + 2)];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/** A colour is free text: only what is certainly one is drawn. */
const colorOf = ({ color }: ElevationDevice): string =>
  color && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(color) ? color.toLowerCase() : NEUTRAL;

/** Black or white, whichever is read better on a colour. */
function inkOn(color: string): string {
  const digits = color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit) : color.slice(1).match(/../g)!;
  const [red, green, blue] = digits.map((digit) => {
    const share = Number.parseInt(digit, 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > 0.179 ? '#000' : '#fff';
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** A line of text on a baseline, cut off at a width: nested drawings clip what they hold. */
const clipped = (width: number, y: number, attributes: string, text: string): string =>
  `<svg x="${MARGIN}" y="${y - LINE}" width="${width}" height="${LINE * 1.5}" pointer-events="none"><text x="${width < WIDTH ? 8 : 0}" y="${LINE}" ${attributes}>${escapedXml(text)}</text></svg>`;

/** A face of a rack to scale, as SVG: devices by their names and in the colours of their roles. */
export function drawElevation({ name, units, face, devices, rows, unplaced, conflicts }: RackElevation): string {
  const inConflict = new Set(conflicts.flatMap(({ deviceIds }) => deviceIds));
  const rackTop = rows.length + 1;
  const drawn = devices.filter(({ uHeight }) => uHeight);
  // A device that was placed outside the units before that was checked is drawn above or below them.
  const highest = Math.max(rackTop, ...drawn.map(({ position, uHeight }) => position + uHeight!));
  const lowest = Math.min(1, ...drawn.map(({ position }) => position));
  const y = (position: number): number => HEAD + (highest - position) * UNIT;
  const bottom = y(lowest);

  const grid = rows.map(
    ({ unit }) =>
      `<text class="n" x="${MARGIN - 6}" y="${y(unit) - UNIT / 2 + 4}">${unit}</text>` +
      (unit > 1 ? `<path class="g" d="M${MARGIN} ${y(unit)}h${WIDTH}"/>` : ''),
  );
  const boxes = drawn.map((device) => {
    const height = device.uHeight! * UNIT;
    const top = y(device.position) - height;
    const color = colorOf(device);
    const isBehind = device.face !== face;
    const label = cut(isBehind ? `${device.name} (${device.face})` : device.name, ACROSS);
    const title = `${cut(device.name, MAX_TITLE)}, unit ${device.position}, ${device.uHeight} U, ${device.face}${device.isFullDepth ? ', full depth' : ''}${inConflict.has(device.id) ? ', does not fit' : ''}`;
    const conflicting = inConflict.has(device.id);
    const half = device.uHeight! < 1;
    // Devices that overlap have their labels in their lowest units, where these differ.
    const middle = conflicting ? y(device.position) - Math.min(height, UNIT) / 2 : top + height / 2;
    return {
      box:
        `<g><title>${escapedXml(title)}</title>` +
        `<rect class="${conflicting ? 'd c' : 'd'}" x="${MARGIN + 2}" y="${top + 0.5}" width="${WIDTH - 4}" height="${height - 1}" rx="2" fill="${color}" fill-opacity="${conflicting ? 0.8 : 1}"/></g>`,
      label: clipped(
        WIDTH - 8,
        middle + (half ? 3 : 4),
        `style="fill:${inkOn(color)}${half ? ';font-size:9px' : ''}"`,
        label,
      ),
    };
  });

  const weightless = devices.filter(({ uHeight }) => !uHeight);
  const lists: { lines: string[]; warns?: boolean }[] = [
    {
      lines:
        conflicts.length > 0 ? [`${plural(conflicts.length, 'conflict')}: devices that do not fit are framed`] : [],
      warns: true,
    },
    {
      lines: listed(
        'Without height',
        weightless.map((device) => `${device.name} (unit ${device.position})`),
      ),
    },
    {
      lines: listed(
        'Without position',
        unplaced.map((device) => device.name),
      ),
    },
  ];
  let at = bottom + 8;
  const notes = lists.flatMap(({ lines, warns }) =>
    lines.map((line) => clipped(WIDTH, (at += LINE), `class="${warns ? 'w' : 's'}"`, line)),
  );
  const height = at + 16;
  const width = MARGIN + WIDTH + 16;
  const subtitle = `${face}, ${units === null ? 'height unknown' : plural(units, 'unit')}`;
  const heading = cut(name, ACROSS - 4);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">` +
    `<title>${escapedXml(`${cut(name, MAX_TITLE)}, ${subtitle}`)}</title><style>${STYLE}</style><rect class="b" width="${width}" height="${height}"/>` +
    clipped(WIDTH, 18, 'class="h"', heading) +
    clipped(WIDTH, 34, 'class="s"', subtitle) +
    `<rect class="f" x="${MARGIN}" y="${y(rackTop)}" width="${WIDTH}" height="${rows.length * UNIT}"/>` +
    `${grid.join('')}${boxes.map(({ box }) => box).join('')}${boxes.map(({ label }) => label).join('')}${notes.join('')}</svg>`
  );
}

function listed(heading: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, MAX_LISTED).map((one) => cut(`\u00B7 ${one}`, ACROSS + 8));
  const more = names.length - shown.length;
  return [`${heading}:`, ...shown, ...(more > 0 ? [`and ${more} more`] : [])];
}
