import { emsOf, linesOf } from '../../../http/svg-text.js';
import { escapedXml } from '../../../http/svg.js';
import type { RackPower, RackPowerFeed } from '../power/rack-power.models.js';
import type { ElevationDevice, ElevationReservation, RackElevation } from './rack-space.models.js';
import type { RackCaptions } from './rack-space.service.js';

/** Pixels. */
const UNIT = 22;
const WIDTH = 320;
const MARGIN = 40;
const LINE = 18;
const FONT = 12;
const SMALL = 10;
/** How much wider bold text is. */
const BOLD = 1.12;

const MAX_LISTED = 20;
const MAX_ROLES = 12;
const MAX_TITLE = 300;

const STYLE = `
text{font:12px system-ui,sans-serif;fill:#1b1f24}
.h{font-size:15px;font-weight:600}.n{font-size:10px;fill:#667;text-anchor:end}
svg{color-scheme:light dark}.b{fill:#fff}.f{fill:#fff;stroke:#445;stroke-width:2}.g{stroke:#dde;stroke-width:1}
.d{stroke:#223;stroke-width:1}.d:hover{stroke-width:2}.c{stroke:#d00;stroke-width:2;stroke-dasharray:4 2}
.w{fill:#c00}.s{font-size:10px;fill:#667}.r{fill:#fbeec2;stroke:#9a6700;stroke-width:1;stroke-dasharray:3 3}
@media(prefers-color-scheme:dark){text{fill:#e6e8ec}.b{fill:#0f1216}.f{fill:#16191d;stroke:#99a}.g{stroke:#2b3036}.n,.s{fill:#9aa3ad}.w{fill:#ff7b72}.d{stroke:#000}.c{stroke:#ff7b72}.r{fill:#3a3116;stroke:#e3b341}}
@media print{text{fill:#000}.b{fill:#fff}.n,.s{fill:#000}.f{fill:#fff;stroke:#000}.g{stroke:#bbb}.d{stroke:#000;print-color-adjust:exact;-webkit-print-color-adjust:exact}.w{fill:#000}}`;

const NEUTRAL = '#8a94a0';

/** A tooltip: the beginning of a text, in whole characters. */
function shortened(text: string): string {
  const characters = [...text.slice(0, MAX_TITLE * 2 + 2)];
  return characters.length <= MAX_TITLE ? text : `${characters.slice(0, MAX_TITLE - 1).join('')}…`;
}

/** A colour is free text, so only a certainly valid one is drawn. */
const colorOf = ({ color }: ElevationDevice): string =>
  color && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(color) ? color.toLowerCase() : NEUTRAL;

/** Black or white, whichever has more contrast with a colour. */
function inkOn(color: string): string {
  const digits = color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit) : color.slice(1).match(/../g)!;
  const [red, green, blue] = digits.map((digit) => {
    const share = Number.parseInt(digit, 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > 0.179 ? '#000' : '#fff';
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

interface LinePlace {
  x?: number;
  y: number;
  width?: number;
  /** Of the font. */
  size?: number;
  /** Attributes. */
  more?: string;
  /** Whether it ends at the right. */
  isAtEnd?: boolean;
}

/**
 * A line of text on a baseline, with as many whole characters as fit. Some letters are wider than estimated, so nested pictures clip
 * their contents.
 */
function line(
  content: string,
  { x = MARGIN, y, width = WIDTH, size = FONT, more = '', isAtEnd = false }: LinePlace,
): string {
  const [shown = ''] = linesOf(content, width / size);
  const anchor = isAtEnd ? `x="${width}" text-anchor="end" ` : '';
  return `<svg x="${x}" y="${y - LINE}" width="${width}" height="${LINE * 1.5}" pointer-events="none"><text ${anchor}y="${LINE}" ${more}>${escapedXml(shown)}</text></svg>`;
}

const powerOf = ({ name, allocatedW, availableW, utilisation }: RackPowerFeed): string =>
  `${name}: ${allocatedW} W${availableW === null ? '' : ` of ${availableW} W`}` +
  (utilisation === null ? '' : `, ${Math.round(utilisation * 100)} %`);

/**
 * A face of a rack to scale, as SVG. Devices have their names and the colours of their roles, which a legend explains. The feeds of the
 * rack are below.
 */
export function drawElevation(elevation: RackElevation, captions: RackCaptions, power: RackPower): string {
  const { name, units, face, devices, rows, unplaced, conflicts, reservations } = elevation;
  const unfed = new Set(power.unfed.map(({ id }) => id));
  const inConflict = new Set(conflicts.flatMap(({ deviceIds }) => deviceIds));
  const rackTop = rows.length + 1;
  const drawn = devices.filter(({ uHeight }) => uHeight);
  const legend = legendOf(drawn, captions, 52);
  const head = legend.bottom + 10;
  // A device that was placed outside the units before there was a check is drawn above or below them.
  const highest = Math.max(rackTop, ...drawn.map(({ position, uHeight }) => position + uHeight!));
  const lowest = Math.min(1, ...drawn.map(({ position }) => position));
  const y = (position: number): number => head + (highest - position) * UNIT;
  const bottom = y(lowest);

  const grid = rows.map(
    ({ unit }) =>
      `<text class="n" x="${MARGIN - 6}" y="${y(unit) - UNIT / 2 + 4}">${unit}</text>` +
      (unit > 1 ? `<path class="g" d="M${MARGIN} ${y(unit)}h${WIDTH}"/>` : ''),
  );
  const reserved = reservations
    .filter((reservation) => reservation.face === null || reservation.face === face)
    .flatMap((reservation) =>
      runsOf(reservation.units.filter((unit) => unit < rackTop)).map(
        ([from, to]) =>
          `<g><title>${escapedXml(reservedText(reservation))}</title>` +
          `<rect class="r" x="${MARGIN + 1}" y="${y(to) + 0.5}" width="${WIDTH - 2}" height="${(to - from) * UNIT - 1}"/></g>` +
          line(`Reserved${reservation.description ? `: ${reservation.description}` : ''}`, {
            x: MARGIN + 8,
            y: y(from + 1) + UNIT / 2 + 4,
            width: WIDTH - 16,
            size: SMALL,
            more: 'class="s"',
          }),
      ),
    );
  const boxes = drawn.map((device) => {
    const height = device.uHeight! * UNIT;
    const top = y(device.position) - height;
    const color = colorOf(device);
    const { role = null, status = '' } = captions.ofDevices.get(device.id) ?? {};
    const conflicting = inConflict.has(device.id);
    const half = device.uHeight! < 1;
    const size = half ? 9 : FONT;
    // The labels of overlapping devices are in their lowest units, if these differ.
    const middle = conflicting ? y(device.position) - Math.min(height, UNIT) / 2 : top + height / 2;
    const baseline = middle + (half ? 3 : 4);
    const facts = [
      `unit ${device.position}`,
      `${device.uHeight} U`,
      device.face,
      device.isFullDepth ? 'full depth' : '',
      role ?? 'no role',
      status,
      unfed.has(device.id) ? 'without power' : '',
      conflicting ? 'does not fit' : '',
    ];
    const title = [shortened(device.name), ...facts.filter((fact) => fact !== '')].join(', ');
    // Marks of unusual devices are at the right.
    const remark = [device.face === face ? '' : device.face, status === 'active' ? '' : status]
      .filter(Boolean)
      .join(', ');
    const remarkSize = half ? 8 : SMALL;
    const remarkWidth = remark === '' ? 0 : Math.min(WIDTH / 2, Math.ceil(emsOf(remark) * remarkSize) + 2);
    const style = (more: string): string => `style="fill:${inkOn(color)};${more}"`;
    return {
      box:
        `<g><title>${escapedXml(title)}</title>` +
        `<rect class="${conflicting ? 'd c' : 'd'}" x="${MARGIN + 2}" y="${top + 0.5}" width="${WIDTH - 4}" height="${height - 1}" rx="2" fill="${color}" fill-opacity="${conflicting ? 0.8 : 1}"/></g>`,
      label:
        line(device.name, {
          x: MARGIN + 8,
          y: baseline,
          width: WIDTH - 22 - remarkWidth,
          size,
          more: style(`font-size:${size}px`),
        }) +
        (remark === ''
          ? ''
          : line(remark, {
              x: MARGIN + WIDTH - 8 - remarkWidth,
              y: baseline,
              width: remarkWidth,
              size: remarkSize,
              isAtEnd: true,
              more: style(`font-size:${remarkSize}px;font-style:italic`),
            })),
    };
  });

  const weightless = devices.filter(({ uHeight }) => !uHeight);
  const lists: { lines: string[]; warns?: boolean }[] = [
    {
      lines:
        conflicts.length > 0 ? [`${plural(conflicts.length, 'conflict')}: devices that do not fit are framed`] : [],
      warns: true,
    },
    { lines: listed('Reserved', reservations.map(reservedText)) },
    { lines: listed('Power', power.feeds.map(powerOf)) },
    {
      lines: listed(
        'Without power',
        power.unfed.map(({ name: device }) => device),
      ),
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
    lines.map((content) =>
      line(content, { y: (at += LINE), size: warns ? FONT : SMALL, more: `class="${warns ? 'w' : 's'}"` }),
    ),
  );
  const height = at + 16;
  const width = MARGIN + WIDTH + 16;
  const subtitle = `${face}, ${units === null ? 'height unknown' : plural(units, 'unit')}`;
  const { site, location, status: state } = captions;
  const place = [state, site === null ? 'no site' : `site ${site}`, ...(location === null ? [] : [location])].join(
    ', ',
  );
  // Several sites or halls may have racks of the same name.
  const whole = [name, location, site].filter((part) => part !== null).map(shortened);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">` +
    `<title>${escapedXml(`${whole.join(' · ')}, ${subtitle}`)}</title><style>${STYLE}</style><rect class="b" width="${width}" height="${height}"/>` +
    line(name, { y: 20, size: 15 * BOLD, more: 'class="h"' }) +
    line(`${subtitle}, ${place}`, { y: 36, size: SMALL, more: 'class="s"' }) +
    legend.svg +
    `<rect class="f" x="${MARGIN}" y="${y(rackTop)}" width="${WIDTH}" height="${rows.length * UNIT}"/>` +
    `${grid.join('')}${reserved.join('')}${boxes.map(({ box }) => box).join('')}${boxes.map(({ label }) => label).join('')}${notes.join('')}</svg>`
  );
}

/** Ranges of adjacent units, each from its first unit up to but not including its last. */
function runsOf(units: readonly number[]): [from: number, to: number][] {
  const runs: [from: number, to: number][] = [];
  for (const unit of units.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.[1] === unit) last[1]++;
    else runs.push([unit, unit + 1]);
  }
  return runs;
}

function reservedText({ units, face, endTime, description }: ElevationReservation): string {
  const ranges = runsOf(units).map(([from, to]) => (to - from === 1 ? `${from}` : `${from} to ${to - 1}`));
  const facts = [
    `units ${ranges.join(', ')}`,
    face ?? 'both faces',
    endTime === null ? '' : `until ${endTime.slice(0, 16).replace('T', ' ')} UTC`,
  ];
  return shortened([...facts, description ?? ''].filter((fact) => fact !== '').join(', '));
}

/** The roles of the devices with their colours, and the number of devices by status. @param y of the first baseline */
function legendOf(
  devices: readonly ElevationDevice[],
  { ofDevices }: RackCaptions,
  y: number,
): { svg: string; bottom: number } {
  if (devices.length === 0) return { svg: '', bottom: y - LINE };
  const roles = new Map<string, { role: string; color: string }>();
  const statuses = new Map<string, number>();
  for (const device of devices) {
    const { role = null, status = '' } = ofDevices.get(device.id) ?? {};
    const color = colorOf(device);
    roles.set(`${color} ${role}`, { role: role ?? 'no role', color });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const parts: string[] = [];
  let [x, at] = [MARGIN, y];
  const place = (content: string, color?: string): void => {
    const sign = color === undefined ? 0 : 14;
    const width = Math.min(WIDTH - sign, Math.ceil(emsOf(content) * SMALL) + 1);
    if (x > MARGIN && x + sign + width > MARGIN + WIDTH) [x, at] = [MARGIN, at + LINE - 2];
    if (color !== undefined)
      parts.push(`<rect class="d" x="${x + 0.5}" y="${at - 8.5}" width="9" height="9" rx="2" fill="${color}"/>`);
    parts.push(line(content, { x: x + sign, y: at, width, size: SMALL, more: 'class="s"' }));
    x += sign + width + 10;
  };
  const { compare } = new Intl.Collator('en', { numeric: true });
  const named = [...roles.values()].toSorted((a, b) => compare(a.role, b.role));
  for (const { role, color } of named.slice(0, MAX_ROLES)) place(role, color);
  if (named.length > MAX_ROLES) place(`and ${named.length - MAX_ROLES} more`);
  [x, at] = [MARGIN, at + LINE - 2];
  const counted = [...statuses].toSorted(([, a], [, b]) => b - a).map(([status, count]) => `${count} ${status}`);
  place(counted.join(', '));
  return { svg: parts.join(''), bottom: at };
}

function listed(heading: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, MAX_LISTED).map((one) => `\u00B7 ${one}`);
  const more = names.length - shown.length;
  return [`${heading}:`, ...shown, ...(more > 0 ? [`and ${more} more`] : [])];
}
