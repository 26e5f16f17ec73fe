import { BlockList, isIP } from 'node:net';
import { TypedField } from '../../fields/fields.js';
import { isNetwork, parseAddress } from '../../types/cidr.js';
import { checked, type FieldType } from '../../types/field-type.js';

const MAX_NETWORKS = 100;
const FAULT = 'must be an IPv4 or IPv6 network in CIDR notation, such as 10.0.0.0/8 or 2001:db8::/32';

function networkFault(value: unknown): string | undefined {
  if (typeof value !== 'string' || !parseAddress(value)) return FAULT;
  return isNetwork(value) ? undefined : 'must have no bits set to the right of its prefix length';
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
