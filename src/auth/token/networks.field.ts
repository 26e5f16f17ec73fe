import { BlockList, isIP } from 'node:net';
import { ArrayMaxSize, IsArray } from 'class-validator';
import { TypedField } from '../../fields/fields.js';
import { HasNoHostBits, IsAddressWithPrefix, isNetwork, parseAddress } from '../../fields/types/cidr.js';
import type { FieldType } from '../../fields/types/field-type.js';
import { eachEntry } from '../../fields/types/own-constraint.js';

const MAX_NETWORKS = 100;
const A_NETWORK = 'must be an IPv4 or IPv6 network in CIDR notation, such as 10.0.0.0/8 or 2001:db8::/32';
const isAddress = (entry: unknown): boolean => typeof entry === 'string' && parseAddress(entry) !== undefined;

/** A list of networks in CIDR notation, without host bits. */
export const networks: FieldType = {
  column: () => ({ type: 'cidr', array: true }),
  constraints: () => [
    IsArray({ message: 'must be an array of networks' }),
    ArrayMaxSize(MAX_NETWORKS, { message: `must have at most ${MAX_NETWORKS} entries` }),
    IsAddressWithPrefix(eachEntry(A_NETWORK, isAddress)),
    HasNoHostBits(
      eachEntry('must have no bits set to the right of its prefix length', (entry) => isNetwork(entry as string)),
    ),
  ],
  schema: () => ({ type: 'array', maxItems: MAX_NETWORKS, items: { type: 'string', format: 'cidr' } }),
  filterSchema: () => ({ type: 'string', format: 'cidr' }),
  sqlType: 'cidr',
  parse: (raw) => (isNetwork(raw) ? raw : undefined),
  expects: 'a network in CIDR notation, such as 10.0.0.0/8',
  operators: [],
};

/** A list of networks, `[]` by default. */
export const NetworksField = (description: string, readOnly = false): PropertyDecorator =>
  TypedField(networks, description, { default: [], example: [], readOnly });

/** A set of networks. */
export class AddressRanges {
  private readonly list = new BlockList();

  /** @param ranges in CIDR notation */
  constructor(ranges: readonly string[]) {
    for (const range of ranges) {
      const { family, host, prefix } = parseAddress(range)!;
      this.list.addSubnet(host, prefix, family === 4 ? 'ipv4' : 'ipv6');
    }
  }

  /** Whether an address is in one of the networks. False for text that is not an address. */
  has(address: string): boolean {
    // A zone names an interface of this host and is not part of the address.
    const [host = ''] = address.split('%', 1);
    const family = isIP(host);
    return family !== 0 && this.list.check(host, family === 4 ? 'ipv4' : 'ipv6');
  }
}
