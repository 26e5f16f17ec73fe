import type { Bitmap2D } from 'lean-qr';
import { Fault } from '../../../http/errors.js';

export const CODES = ['qr', 'code128'] as const;
export type CodeKind = (typeof CODES)[number];

/** A code as its dark parts, in modules. A module is its narrowest part. */
export interface Code {
  kind: CodeKind;
  /** With the quiet zone that a scanner needs around it. */
  width: number;
  /** The same; the bars of a Code 128 can have any height, and 1 is given. */
  height: number;
  /** Path of the dark parts, with the quiet zone on the left and, for a QR code, above. */
  path: string;
}

const QUIET = { qr: 4, code128: 10 };

/** Whether a text consists of characters that every code can hold. */
const isAscii = (content: string): boolean => /^[ -~]+$/.test(content);

/** The reason why a code cannot hold a text; undefined if it can. @param field that the content comes from */
export function contentFault(kind: CodeKind, field: string, content: string): Fault | undefined {
  if (kind === 'qr' || isAscii(content)) return undefined;
  return new Fault(field, 'must consist of ASCII characters to be drawn as Code 128; use code=qr for others');
}

/**
 * `raw` is a function of the package's default export. In its ES module, the named export `raw` is a symbology. The types describe its
 * CommonJS module.
 */
interface Bwip {
  default: Pick<typeof import('bwip-js/node'), 'raw'>;
}

/**
 * Makes a code.
 * @throws Error if the content is too long
 */
export function codeOf(kind: CodeKind, content: string): Promise<Code> {
  return kind === 'qr' ? qrCodeOf(content) : code128Of(content);
}

async function qrCodeOf(content: string): Promise<Code> {
  // Loaded on demand, because few processes need it.
  const { correction, generate, mode } = await import('lean-qr');
  // Bytes of UTF-8 without an explicit encoding, as most scanners expect.
  const data = isAscii(content) ? content : mode.bytes(Buffer.from(content));
  const matrix = generate(data, { minCorrectionLevel: correction.M });
  const size = matrix.size + 2 * QUIET.qr;
  return { kind: 'qr', width: size, height: size, path: matrixOf(matrix) };
}

async function code128Of(content: string): Promise<Code> {
  // Large, and few processes need it.
  const { default: bwip } = (await import('bwip-js/node')) as Bwip;
  const [symbol] = bwip.raw({ bcid: 'code128', text: content }) as readonly { sbs: number[] }[];
  const { sbs } = symbol!;
  const width = sbs.reduce((sum, part) => sum + part, 0) + 2 * QUIET.code128;
  return { kind: 'code128', width, height: 1, path: barsOf(sbs) };
}

/** @param widths of bars and spaces in turn, starting with a bar */
function barsOf(widths: readonly number[]): string {
  let path = `M${QUIET.code128} 0`;
  widths.forEach((width, index) => (path += index % 2 === 0 ? `v1h${width}v-1z` : `m${widths[index - 1]! + width} 0`));
  return path;
}

function matrixOf(matrix: Bitmap2D): string {
  const { size } = matrix;
  // Joined here, in the turn of this code. JavaScript would otherwise join the texts of all labels when the sheet is sent.
  const parts: string[] = [];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const from = column;
      while (matrix.get(column, row)) column++;
      const length = column - from;
      if (length > 0) parts.push(`M${QUIET.qr + from} ${QUIET.qr + row}v1h${length}v-1z`);
    }
  }
  return parts.join('');
}
