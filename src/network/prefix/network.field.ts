import { isIP } from 'node:net';
import { TypedField, type Options } from '../../fields/fields.js';
import { checked, TEXT_OPERATORS, type FieldType } from '../../fields/types/field-type.js';
import { parseAddress } from '../../fields/types/cidr.js';

/** Bits of an address of a family. */
export const bitsOf = (family: 4 | 6): 32 | 128 => (family === 4 ? 32 : 128);

/** An IPv4 or IPv6 address as a number. */
function numberOf(family: 4 | 6, host: string): bigint {
  if (family === 4) return host.split('.').reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  // The URL parser writes every IPv6 address in hexadecimal groups, with at most one gap.
  const [head = '', tail] = new URL(`http://[${host}]`).hostname.slice(1, -1).split('::');
  const groups = (text = ''): string[] => (text === '' ? [] : text.split(':'));
  const [left, right] = [groups(head), groups(tail)];
  const gap = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...gap, ...right].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

/** Whether a text is a network: an address with prefix length whose host bits are zero. */
export function isNetwork(text: string): boolean {
  const parsed = parseAddress(text);
  if (!parsed) return false;
  const hostBits = BigInt(bitsOf(parsed.family) - parsed.prefix);
  return (numberOf(parsed.family, parsed.host) & ((1n << hostBits) - 1n)) === 0n;
}

const A_NETWORK = 'an IPv4 or IPv6 network in CIDR notation, such as 10.0.0.0/24 or 2001:db8::/32';

/** An IP network. Its canonical spelling is answered. */
export const network: FieldType = {
  column: () => ({ type: 'cidr' }),
  read: checked((value) => {
    if (typeof value !== 'string' || !parseAddress(value)) return `must be ${A_NETWORK}`;
    return isNetwork(value) ? undefined : 'must not have host bits: all bits after the prefix length must be zero';
  }),
  schema: () => ({ type: 'string', format: 'cidr' }),
  sqlType: 'cidr',
  parse: (raw) => (isNetwork(raw) ? raw : undefined),
  expects: A_NETWORK,
  operators: TEXT_OPERATORS,
  text: (column) => `${column}::text`,
};

/** An address with or without a prefix length; undefined for any other text. */
export const addressOrNetwork = (raw: string): string | undefined =>
  parseAddress(raw) || (isIP(raw) !== 0 && !raw.includes('%')) ? raw : undefined;

/** An IP network without host bits. */
export const NetworkField = (description: string, options: Options = {}) =>
  TypedField(network, description, { example: '10.0.0.0/24', ...options });
