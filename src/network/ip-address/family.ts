import { parseAddress } from '../../types/cidr.js';

/** IP version of an address with prefix length; undefined where the value is not one. */
export const familyOf = (address: unknown): 4 | 6 | undefined =>
  typeof address === 'string' ? parseAddress(address)?.family : undefined;
