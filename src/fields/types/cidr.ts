import { isIP } from 'node:net';
import { textConstraint } from './own-constraint.js';

/** Address and prefix length of `10.0.0.1/24` or `2001:db8::1/64`; undefined for any other text. */
export function parseAddress(value: string): { family: 4 | 6; host: string; prefix: number } | undefined {
  const slash = value.indexOf('/');
  const host = value.slice(0, slash);
  const prefix = value.slice(slash + 1);
  const family = slash > 0 && /^(?:0|[1-9]\d{0,2})$/.test(prefix) ? isIP(host) : 0;
  // isIP accepts zones such as fe80::1%eth0, which have a meaning on one host only.
  if (family === 0 || host.includes('%') || Number(prefix) > (family === 4 ? 32 : 128)) return undefined;
  return { family: family as 4 | 6, host, prefix: Number(prefix) };
}

export const bitsOf = (family: 4 | 6): 32 | 128 => (family === 4 ? 32 : 128);

/** An IPv4 or IPv6 address as a number. */
export function numberOf(family: 4 | 6, host: string): bigint {
  if (family === 4) return host.split('.').reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  // The URL parser writes every IPv6 address in hexadecimal groups, with at most one gap.
  const [head = '', tail] = new URL(`http://[${host}]`).hostname.slice(1, -1).split('::');
  const groups = (text = ''): string[] => (text === '' ? [] : text.split(':'));
  const [left, right] = [groups(head), groups(tail)];
  const gap = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...gap, ...right].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

/** Canonical form of an address or network; undefined for any other text. */
export function sameAddress(text: string): string | undefined {
  const parsed = parseAddress(text);
  return parsed && `${parsed.family} ${numberOf(parsed.family, parsed.host)}/${parsed.prefix}`;
}

/** Whether a text is a network: an address with prefix length whose host bits are zero. */
export function isNetwork(text: string): boolean {
  const parsed = parseAddress(text);
  if (!parsed) return false;
  const hostBits = BigInt(bitsOf(parsed.family) - parsed.prefix);
  return (numberOf(parsed.family, parsed.host) & ((1n << hostBits) - 1n)) === 0n;
}

/** An address with its prefix length. `IsIP` knows addresses without one. The sentence is given where it is used. */
export const IsAddressWithPrefix = textConstraint('isAddressWithPrefix', (text) => parseAddress(text) !== undefined);

export const HasNoHostBits = textConstraint('hasNoHostBits', isNetwork);
