import { parseAddress } from '../../fields/types/cidr.js';

/** IP version of an address with prefix length; undefined if the value is not an address. */
export const familyOf = (address: unknown): 4 | 6 | undefined =>
  typeof address === 'string' ? parseAddress(address)?.family : undefined;
