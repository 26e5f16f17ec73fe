const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The last digits of a number in base62, with leading zeros. */
export function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET[Number(rest % 62n)]! + text;
  return text;
}

/** The number that bytes are, the most significant one first. */
export const numberOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);
