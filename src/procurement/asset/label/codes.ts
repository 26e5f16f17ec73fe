import { Fault } from '../../../http/errors.js';

export const CODES = ['qr', 'code128'] as const;
export type CodeKind = (typeof CODES)[number];

/** A code as its dark parts. The unit is the module, its narrowest part. */
export interface Code {
  kind: CodeKind;
  /** With the quiet zone that a scanner needs around it. */
  width: number;
  /** The same; the bars of a Code 128 can have any height, and 1 is given. */
  height: number;
  /** Path of the dark parts, with the quiet zone at its left and, of a QR code, above it. */
  path: string;
}

const QUIET = { qr: 4, code128: 10 };

/** What a code cannot hold; undefined if it can. @param field that the content comes from */
export function contentFault(kind: CodeKind, field: string, content: string): Fault | undefined {
  if (kind === 'qr' || /^[ -~]+$/.test(content)) return undefined;
  return new Fault(field, 'must consist of ASCII characters to be drawn as Code 128; use code=qr for others');
}

/**
 * `raw` is a function of the package's default export. As a named export, its ES module has a symbology of that name instead,
 * and its types are those of its CommonJS module.
 */
interface Bwip {
  default: Pick<typeof import('bwip-js/node'), 'raw'>;
}

/**
 * Makes a code.
 * @throws Error if the content is too long
 */
export async function codeOf(kind: CodeKind, content: string): Promise<Code> {
  // Large, and needed by few processes.
  const { default: bwip } = (await import('bwip-js/node')) as unknown as Bwip;
  const [symbol] = bwip.raw({ bcid: kind === 'qr' ? 'qrcode' : 'code128', text: content });
  if ('sbs' in symbol!) {
    const width = symbol.sbs.reduce((sum, part) => sum + part, 0) + 2 * QUIET.code128;
    return { kind, width, height: 1, path: barsOf(symbol.sbs) };
  }
  const size = symbol!.pixx + 2 * QUIET.qr;
  return { kind, width: size, height: size, path: matrixOf(symbol!.pixs, symbol!.pixx) };
}

/** @param widths of bars and spaces in turn, beginning with a bar */
function barsOf(widths: readonly number[]): string {
  let path = `M${QUIET.code128} 0`;
  widths.forEach((width, index) => (path += index % 2 === 0 ? `v1h${width}v-1z` : `m${widths[index - 1]! + width} 0`));
  return path;
}

/** @param cells row by row, 1 for a dark one */
function matrixOf(cells: readonly number[], size: number): string {
  let path = '';
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const from = column;
      while (column < size && cells[row * size + column] === 1) column++;
      const length = column - from;
      if (length > 0) path += `M${QUIET.qr + from} ${QUIET.qr + row}v1h${length}v-1z`;
    }
  }
  return path;
}
