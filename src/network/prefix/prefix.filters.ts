import { sql } from '../../database/sql.js';
import type { ExtraFilter } from '../../lists/list-request.js';
import { address, ipFamily } from '../ip-address/address.field.js';
import { addressOrNetwork } from './network.field.js';

/** `within=10.0.0.0/8`: the network itself and the prefixes in it. */
const within: ExtraFilter = {
  name: 'within',
  description: 'prefix is one of the given networks, or lies within one',
  schema: { type: 'string', format: 'inet', example: '10.0.0.0/8' },
  expects: 'a network as address/prefix, such as 10.0.0.0/8 or 2001:db8::/32',
  parse: (raw) => address.parse(raw, {}),
  sqlType: 'inet',
  sql: (network) => sql`t.prefix <<= ${network}`,
};

/** `contains=10.1.2.3`: the prefixes that an address or a network lies in. */
const contains: ExtraFilter = {
  name: 'contains',
  description: 'prefix is one of the given networks, or contains one of them, or one of the given addresses',
  schema: { type: 'string', format: 'inet', example: '10.1.2.0/24' },
  expects: 'a network or an address, such as 10.1.2.0/24, 10.1.2.3 or 2001:db8::1',
  parse: addressOrNetwork,
  sqlType: 'inet',
  sql: (network) => sql`t.prefix >>= ${network}`,
};

const family: ExtraFilter = {
  name: 'family',
  description: 'prefix is of the given IP version',
  schema: ipFamily.schema({}),
  expects: ipFamily.expects,
  parse: (raw) => ipFamily.parse(raw, {}),
  sqlType: 'integer',
  sql: (value) => sql`family(t.prefix) = ${value}`,
};

export const prefixFilters: readonly ExtraFilter[] = [within, contains, family];
