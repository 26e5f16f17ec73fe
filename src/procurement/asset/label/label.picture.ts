import { linesOf } from '../../../http/svg-text.js';
import { escapedXml } from '../../../http/svg.js';
import type { Code } from './codes.js';

/** An asset as its label shows it. */
export interface Label {
  name: string;
  assetTag: string | null;
  code: Code;
}

interface Size {
  width: number;
  height: number;
}

// Tenths of a millimetre, because some programs do not draw text smaller than one unit.
const SINGLE: Size = { width: 620, height: 290 };
/** Minimum width of a module of a Code 128 that every scanner reads. */
const MODULE = 2.5;
const A4: Size = { width: 2100, height: 2970 };
/** Margin of a sheet that printers leave empty. */
const EDGE = 80;
/** Columns and rows of a sheet. The first layout with room for all labels is used. */
const GRIDS = [
  [2, 7],
  [3, 8],
  [5, 13],
  [5, 20],
] as const;

/** How much wider bold text is. */
const BOLD = 1.12;

export const MOST_LABELS = 100;

/** Draws a single label. One with a long Code 128 is wider. */
export function drawLabel(label: Label): string {
  const { kind, width } = label.code;
  const needed = kind === 'code128' ? Math.ceil(width * MODULE + 2 * marginOf(SINGLE)) : 0;
  const size = { ...SINGLE, width: Math.max(SINGLE.width, needed) };
  return documentOf(size, label.name, contentOf(label, size));
}

/**
 * Draws a sheet of A4 with labels as large as their number allows, with lines to cut them along.
 * @param turn to await between two labels: a sheet takes tens of milliseconds
 */
export async function drawSheet(
  labels: readonly Label[],
  turn: () => Promise<void> | undefined = () => undefined,
): Promise<string> {
  const [columns, rows] = GRIDS.find(([across, down]) => across * down >= labels.length)!;
  const size = { width: (A4.width - 2 * EDGE) / columns, height: (A4.height - 2 * EDGE) / rows };
  const cells: string[] = [];
  for (const [index, label] of labels.entries()) {
    const [x, y] = [EDGE + (index % columns) * size.width, EDGE + Math.floor(index / columns) * size.height];
    const place = `x="${x}" y="${y}" width="${size.width}" height="${size.height}"`;
    // A nested document clips its contents.
    cells.push(
      `<svg ${place}>${contentOf(label, size)}<rect width="100%" height="100%" fill="none" stroke="#ccc" stroke-width="2"/></svg>`,
    );
    await turn();
  }
  return documentOf(A4, `Labels of ${labels.length} assets`, cells.join('\n'));
}

function documentOf({ width, height }: Size, title: string, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width / 10}mm" height="${height / 10}mm" viewBox="0 0 ${width} ${height}" font-family="Helvetica, Arial, 'Liberation Sans', 'Noto Sans', sans-serif">
<title>${escapedXml(title)}</title>
<rect width="100%" height="100%" fill="#fff"/>
${content}
</svg>
`;
}

/** Margin of the code, about one or two millimetres, for imprecise cuts. The quiet zone of the code is inside of it. */
const marginOf = ({ height }: Size): number => Math.max(10, height * 0.06);

/** A QR code has the text beside it, a Code 128 above it. */
function contentOf({ name, assetTag, code }: Label, size: Size): string {
  const margin = marginOf(size);
  const [width, height] = [size.width - 2 * margin, size.height - 2 * margin];
  const gap = height * 0.05;
  if (code.kind === 'qr') {
    const beside = { x: margin + height + gap, y: margin, width: width - height - gap, height };
    return codeAt(code, margin, margin, height, height) + textIn(beside, name, assetTag, size.height * 0.11);
  }
  const bars = height * 0.45;
  const above = { x: margin, y: margin, width, height: height - bars - gap };
  const drawn = codeAt(code, margin, margin + height - bars, width, bars);
  return drawn + textIn(above, name, assetTag, size.height * 0.13);
}

function codeAt({ kind, width, height, path }: Code, x: number, y: number, across: number, down: number): string {
  const stretched = kind === 'code128' ? ' preserveAspectRatio="none"' : '';
  return `<svg x="${x}" y="${y}" width="${across}" height="${down}" viewBox="0 0 ${width} ${height}"${stretched} shape-rendering="crispEdges"><path d="${path}"/></svg>`;
}

/** The name in as many lines as fit, and the tag below it. */
function textIn(
  { x, y, width, height }: Size & { x: number; y: number },
  name: string,
  assetTag: string | null,
  usual: number,
): string {
  const size = Math.min(40, Math.max(18, usual));
  const leading = size * 1.25;
  const room = Math.max(1, Math.floor(height / leading) - (assetTag === null ? 0 : 1));
  const ems = width / size;
  const lines = [
    ...linesOf(name, ems / BOLD, Math.min(4, room)).map((line) => ({ line, bold: true })),
    ...(assetTag === null ? [] : linesOf(assetTag, ems).map((line) => ({ line, bold: false }))),
  ];
  const first = (height - lines.length * leading) / 2 + size;
  const texts = lines.map(({ line, bold }, index) => {
    const style = `font-size="${size}"${bold ? ' font-weight="bold"' : ''} style="unicode-bidi: plaintext"`;
    return `<text y="${first + index * leading}" ${style}>${escapedXml(line)}</text>`;
  });
  // Some letters are wider than estimated. A nested picture clips its contents.
  return `<svg x="${x}" y="${y}" width="${width}" height="${height}">${texts.join('')}</svg>`;
}
