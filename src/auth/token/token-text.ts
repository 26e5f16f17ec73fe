import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/*
 * The text of a token: `iio_<12 base62>_<43 base62><6 base62>`. The parts are the public id, 256 random bits, and the CRC-32 of
 * everything before it. The prefix and the checksum let a secret scanner recognise a token without asking the service.
 */

const START = 'iio_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 12;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const PREFIX_LENGTH = START.length + ID_LENGTH;
const FORM = new RegExp(`^${START}[0-9A-Za-z]{${ID_LENGTH}}_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** A number in base62, with leading zeros. */
function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET[Number(rest % 62n)]! + text;
  return text;
}

const random = (bytes: number): bigint => BigInt(`0x${randomBytes(bytes).toString('hex')}`);

const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM_LENGTH);

/** 256 random bits, in base62. */
export const makeSecret = (): string => base62(random(32), SECRET_LENGTH);

/** The stored part of a token: its prefix and the SHA-256 of its secret. */
export interface StoredToken {
  prefix: string;
  secretHash: Buffer;
}

/** A new token and its stored part. */
export function makeToken(): StoredToken & { text: string } {
  // More bits than twelve digits need, so that all digits are equally likely.
  const prefix = `${START}${base62(random(16), ID_LENGTH)}`;
  const secret = makeSecret();
  const body = `${prefix}_${secret}`;
  return { text: body + checksum(body), prefix, secretHash: hashOf(secret) };
}

/** Whether a text begins like a token. Its form and its checksum may be wrong. */
export const isToken = (text: string): boolean => text.startsWith(START);

/** Whether a text has the form and the checksum of a token. */
export const isWellFormed = (text: string): boolean =>
  FORM.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);

/** The stored part of a well-formed token. */
export const storedOf = (text: string): StoredToken => ({
  prefix: text.slice(0, PREFIX_LENGTH),
  secretHash: hashOf(text.slice(PREFIX_LENGTH + 1, -CHECKSUM_LENGTH)),
});

/** The stored hash of a secret. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
