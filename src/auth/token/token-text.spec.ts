import { crc32 } from 'node:zlib';
import { isWellFormed, makeToken, storedOf, TOKEN_START } from './token-text.js';

it('has the form of the specification, and a checksum that anybody can verify', () => {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  for (let n = 0; n < 200; n++) {
    const { text, prefix } = makeToken();
    expect(text).toMatch(/^iio_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    expect(text.startsWith(`${prefix}_`)).toBe(true);
    let sum = 0;
    for (const digit of text.slice(-6)) sum = sum * 62 + alphabet.indexOf(digit);
    expect(sum).toBe(crc32(text.slice(0, -6)));
    expect(isWellFormed(text)).toBe(true);
  }
});

it('is never the same twice, and holds 256 random bits', () => {
  const tokens = Array.from({ length: 500 }, () => makeToken().text);
  expect(new Set(tokens.map((text) => text.slice(4, 16))).size).toBe(500);
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const secrets = tokens.map((text) => {
    let value = 0n;
    for (const digit of text.slice(17, 60)) value = value * 62n + BigInt(alphabet.indexOf(digit));
    return value;
  });
  expect(secrets.every((secret) => secret < 2n ** 256n)).toBe(true);
  // Each bit is set about half of the time: 160 of 500 are eight deviations away.
  for (let bit = 0n; bit < 256n; bit++) {
    const set = secrets.filter((secret) => (secret >> bit) & 1n).length;
    expect([bit, set > 160 && set < 340]).toEqual([bit, true]);
  }
});

it('has no other form', () => {
  const { text } = makeToken();
  const flipped = `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;
  for (const wrong of [
    '',
    'iio_',
    flipped,
    text.slice(1),
    text.slice(0, -1),
    `${text}0`,
    `${text}\n`,
    ` ${text}`,
    text.replace('iio_', 'IIO_'),
    text.replace(/_(?=[^_]*$)/, '-'),
    // A changed digit of the id, then one of the secret.
    `${text.slice(0, 8)}${text[8] === 'a' ? 'b' : 'a'}${text.slice(9)}`,
    `${text.slice(0, 30)}${text[30] === 'a' ? 'b' : 'a'}${text.slice(31)}`,
  ]) {
    expect([wrong, isWellFormed(wrong)]).toEqual([wrong, false]);
  }
  expect([text, flipped].map((token) => token.startsWith(TOKEN_START))).toEqual([true, true]);
});

it('stores its prefix and the hash of its secret, by which it is found again', () => {
  const { text, prefix, secretHash } = makeToken();
  expect(storedOf(text)).toEqual({ prefix, secretHash });
  expect(secretHash).toHaveLength(32);
  expect(prefix).toHaveLength(16);
});
