import { sql } from '../../database/sql.js';
import type { ExtraFilter } from '../../lists/list-request.js';
import { address } from './address.field.js';

/** `within=10.0.0.0/8`: the addresses of a network. */
export const within: ExtraFilter = {
  name: 'within',
  description: 'address lies within one of the given networks, written as address/prefix',
  schema: { type: 'string', format: 'inet', example: '10.0.0.0/8' },
  expects: 'a network as address/prefix, such as 10.0.0.0/8 or 2001:db8::/32',
  parse: (raw) => address.parse(raw, {}),
  sqlType: 'inet',
  sql: (network) => sql`t.address <<= ${network}`,
};
