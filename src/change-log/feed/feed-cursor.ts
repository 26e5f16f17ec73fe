/**
 * The last entry that a reader of the feed has read. The text names the entry, not its position. So it stays valid when the change log
 * moves to another server, where transactions have other numbers.
 */
export interface FeedCursor {
  /** Time of the entry in microseconds since the epoch, as text; the time of the cursor itself if there was no entry yet. */
  micros: string;
  /** Id of the entry; `NO_ENTRY` if there was none yet. */
  id: string;
}

export const NO_ENTRY = '00000000-0000-0000-0000-000000000000';

const BYTES = 24;

/** The text of a cursor: 32 characters of the URL-safe base64 alphabet. */
export function cursorText({ micros, id }: FeedCursor): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeBigInt64BE(BigInt(micros));
  bytes.write(id.replaceAll('-', ''), 8, 'hex');
  return bytes.toString('base64url');
}

/** The cursor with this text; undefined if the text is not that of a cursor. */
export function parseCursor(text: string): FeedCursor | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // Decoding ignores what is not in the alphabet.
  if (bytes.length !== BYTES || bytes.toString('base64url') !== text) return undefined;
  const hex = bytes.toString('hex', 8);
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  return { micros: bytes.readBigInt64BE().toString(), id };
}
