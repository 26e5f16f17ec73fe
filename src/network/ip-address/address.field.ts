import { IsIn } from 'class-validator';
import { TypedField, type Options } from '../../fields/fields.js';
import { IsAddressWithPrefix, parseAddress, sameAddress } from '../../fields/types/cidr.js';
import { TEXT_OPERATORS, type FieldType } from '../../fields/types/field-type.js';
import { integer } from '../../fields/types/number.js';
import { named } from '../../openapi/schema.js';

const AN_ADDRESS = 'an IPv4 or IPv6 address with prefix length, such as 10.0.0.1/24 or 2001:db8::1/64';

/** An IP address with its prefix length. */
export const address: FieldType = {
  column: () => ({ type: 'inet' }),
  constraints: () => [IsAddressWithPrefix({ message: `must be ${AN_ADDRESS}` })],
  schema: () => ({ type: 'string', format: 'inet' }),
  sqlType: 'inet',
  parse: (raw) => (parseAddress(raw) ? raw : undefined),
  normal: sameAddress,
  expects: AN_ADDRESS,
  operators: TEXT_OPERATORS,
  select: (column) => `${column}::text`,
  // PostgreSQL's own order of inet puts the shorter prefix first even if its host is the higher one.
  sortKeys: (column) => [
    `set_masklen(${column}, CASE family(${column}) WHEN 4 THEN 32 ELSE 128 END)`,
    `masklen(${column})`,
  ],
  text: (column) => `${column}::text`,
};

/** Version of the Internet Protocol. */
export const ipFamily: FieldType = {
  ...integer,
  constraints: () => [IsIn([4, 6], { message: 'must be 4 or 6' })],
  schema: () => named({ name: 'IpFamily' }, { type: 'integer', format: 'int32', enum: [4, 6] }),
  parse: (raw) => (raw === '4' || raw === '6' ? Number(raw) : undefined),
  expects: '4 or 6',
};

/** An IP address with its prefix length. */
export const AddressField = (description: string, options: Options = {}) =>
  TypedField(address, description, { example: '10.0.0.1/24', ...options });

/** The version of an IP address, which follows from the address. */
export const IpFamilyField = (description: string, options: Options = {}) =>
  TypedField(ipFamily, description, { nullable: false, min: 4, max: 6, example: 4, ...options });
