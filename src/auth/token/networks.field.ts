import { BlockList, isIP } from 'node:net';
import { TypedField } from '../../fields/fields.js';
import { parseAddress } from '../../fields/types/cidr.js';
import { checked, type FieldType } from '../../fields/types/field-type.js';

const MAX_NETWORKS = 100;
const FAULT = 'must be an IPv4 or IPv6 network in CIDR notation, such as 10.0.0.0/8 or 2001:db8::/32';

/** The family and the address as a number; undefined where a text is no address with a prefix length. */
function bitsOf(value: string): { bits: bigint; hostBits: bigint } | undefined {
  const parsed = parseAddress(value);
  if (!parsed) return undefined;
  const { family, host, prefix } = parsed;
  const bits = family === 4 ? ipv4(host) : ipv6(host);
  return { bits, hostBits: BigInt((family === 4 ? 32 : 128) - prefix) };
}

const ipv4 = (host: string): bigint => host.split('.').reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** @param host a valid IPv6 address, which URL writes in full but for one run of zeros */
function ipv6(host: string): bigint {
  const [head = '', tail] = new URL(`http://[${host}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : []);
  const [before, after] = [groups(head), groups(tail)];
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

function networkFault(value: unknown): string | undefined {
  const network = typeof value === 'string' ? bitsOf(value) : undefined;
  if (!network) return FAULT;
  const { bits, hostBits } = network;
  return bits & ((1n << hostBits) - 1n) ? 'must have no bits set to the right of its prefix length' : undefined;
}

/** A list of networks in CIDR notation, without host bits. */
export const networks: FieldType = {
  column: () => ({ type: 'cidr', array: true }),
  read: checked((value) => {
    if (!Array.isArray(value)) return 'must be an array of networks';
    if (value.length > MAX_NETWORKS) return `must have at most ${MAX_NETWORKS} entries`;
    for (const [index, entry] of value.entries()) {
      const fault = networkFault(entry);
      if (fault) return `${fault} (entry ${index})`;
    }
    return undefined;
  }),
  schema: () => ({ type: 'array', maxItems: MAX_NETWORKS, items: { type: 'string', format: 'cidr' } }),
  filterSchema: () => ({ type: 'string', format: 'cidr' }),
  sqlType: 'cidr',
  parse: (raw) => (networkFault(raw) ? undefined : raw),
  expects: 'a network in CIDR notation, such as 10.0.0.0/8',
  operators: [],
};

/** A list of networks; `[]` when it is not given. */
export const NetworksField = (description: string, readOnly = false): PropertyDecorator =>
  TypedField(networks, description, { default: [], example: [], readOnly });

/** Addresses of some networks. */
export class AddressRanges {
  private readonly list = new BlockList();

  /** @param ranges in CIDR notation */
  constructor(ranges: readonly string[]) {
    for (const range of ranges) {
      const { family, host, prefix } = parseAddress(range)!;
      this.list.addSubnet(host, prefix, family === 4 ? 'ipv4' : 'ipv6');
    }
  }

  /** Whether an address lies in one of them. What is no address lies in none. */
  has(address: string): boolean {
    // A zone names an interface of this host, and is no part of the address.
    const [host = ''] = address.split('%', 1);
    const family = isIP(host);
    return family !== 0 && this.list.check(host, family === 4 ? 'ipv4' : 'ipv6');
  }
}
