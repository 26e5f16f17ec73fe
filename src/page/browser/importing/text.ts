/* Encodings and separators of files of spreadsheets. */

/** Encodings of files of spreadsheets. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'macintosh';

/** Characters of Windows-1252 in place of the control characters of Latin-1. Node decodes the former as the latter. */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

/** Decodes the pieces of a file, one after the other; without one it ends. */
export function decoderOf(encoding: string, fatal = false): (bytes?: Uint8Array) => string {
  const decoder = new TextDecoder(encoding, { fatal });
  return (bytes) => {
    const text = decoder.decode(bytes, { stream: bytes !== undefined });
    if (encoding !== 'windows-1252') return text;
    // oxlint-disable-next-line no-control-regex -- these are replaced
    return text.replaceAll(/[\u0080-\u009F]/g, (control) => HIGH[control.charCodeAt(0) - 0x80]!);
  };
}

export function decode(bytes: Uint8Array, encoding: string, fatal = false): string {
  const next = decoderOf(encoding, fatal);
  return next(bytes) + next();
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    decode(bytes, 'utf-8', true);
    return true;
  } catch {
    return false;
  }
}

/** The encoding of a file by its first bytes: its byte-order mark, or the zeros of UTF-16. */
export function wideEncodingOf(bytes: Uint8Array): Encoding | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, 1000);
  const zeros = (parity: number): number => start.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  if (zeros(1) > start.length / 4) return 'utf-16le';
  if (zeros(0) > start.length / 4) return 'utf-16be';
  return undefined;
}

/** The encoding of a file that is not UTF-16. Lines that end with only a carriage return come from a Mac. */
export const narrowEncodingOf = (file: { isUtf8: boolean; hasLineFeeds: boolean }): Encoding =>
  file.isUtf8 ? 'utf-8' : file.hasLineFeeds ? 'windows-1252' : 'macintosh';

/** Bytes of characters in Windows-1252, by character. */
const BYTES = new Map(Array.from({ length: 256 }, (_, byte) => [decode(Uint8Array.of(byte), 'windows-1252'), byte]));

/** The original of a UTF-8 text that was decoded as Windows-1252, such as `Ã‰`; undefined for other texts. */
export function mended(text: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- Windows-1252 has control characters too
  if (!/[\u00C2-\u00F4][\u0080-\u00BF\u0152-\u2122]/.test(text)) return undefined;
  const bytes = Array.from(text, (character) => BYTES.get(character));
  if (bytes.includes(undefined)) return undefined;
  const given = Uint8Array.from(bytes as number[]);
  return isUtf8(given) ? decode(given, 'utf-8') : undefined;
}

/** The separator that the first line uses most, outside quotes. */
export function separatorOf(text: string): string {
  const counts = new Map([',', ';', '\t'].map((separator) => [separator, 0]));
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '\n' || character === '\r')) break;
    else if (!quoted && counts.has(character)) counts.set(character, counts.get(character)! + 1);
  }
  return [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most))[0];
}
