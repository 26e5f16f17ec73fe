import { isIP } from 'node:net';
import { TypedField, type Options } from '../../fields/fields.js';
import { TEXT_OPERATORS, type FieldType } from '../../fields/types/field-type.js';
import { HasNoHostBits, IsAddressWithPrefix, isNetwork, parseAddress, sameAddress } from '../../fields/types/cidr.js';

const A_NETWORK = 'an IPv4 or IPv6 network in CIDR notation, such as 10.0.0.0/24 or 2001:db8::/32';

/** An IP network. Responses have its canonical spelling. */
export const network: FieldType = {
  column: () => ({ type: 'cidr' }),
  constraints: () => [
    IsAddressWithPrefix({ message: `must be ${A_NETWORK}` }),
    HasNoHostBits({ message: 'must not have host bits: all bits after the prefix length must be zero' }),
  ],
  schema: () => ({ type: 'string', format: 'cidr' }),
  sqlType: 'cidr',
  parse: (raw) => (isNetwork(raw) ? raw : undefined),
  normal: sameAddress,
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
