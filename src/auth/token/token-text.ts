import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62, numberOf } from '../credential/base62.js';

/*
 * The text of a token: `iio_<12 base62>_<43 base62><6 base62>`. The parts are the public id, 256 random bits, and the CRC-32 of
 * everything before it. The prefix and the checksum let a secret scanner recognise a token without asking the service.
 */

/** The prefix of every token. */
export const TOKEN_START = 'iio_';
const ID_LENGTH = 12;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const PREFIX_LENGTH = TOKEN_START.length + ID_LENGTH;
const FORM = new RegExp(`^${TOKEN_START}[0-9A-Za-z]{${ID_LENGTH}}_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM_LENGTH);

/** The stored part of a token: its prefix and the SHA-256 of its secret. */
interface StoredToken {
  prefix: string;
  secretHash: Buffer;
}

/** A new token and its stored part. */
export function makeToken(): StoredToken & { text: string } {
  // More bits than the digits need, so that all digits have nearly the same probability.
  const prefix = TOKEN_START + base62(numberOf(randomBytes(16)), ID_LENGTH);
  const secret = base62(numberOf(randomBytes(32)), SECRET_LENGTH);
  const body = `${prefix}_${secret}`;
  return { text: body + checksum(body), prefix, secretHash: hashOf(secret) };
}

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
