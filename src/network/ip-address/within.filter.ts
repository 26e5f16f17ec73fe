import { raw, sql } from '../../database/sql.js';
import type { ExtraFilter } from '../../lists/list-request.js';
import { address } from './address.field.js';

const [HOST] = address.sortKeys!('t.address');

/** `within=10.0.0.0/8`: the addresses whose host is in a network, whatever their own length. The first condition is for the index. */
export const within: ExtraFilter = {
  name: 'within',
  description: 'address lies within one of the given networks, written as address/prefix',
  schema: { type: 'string', format: 'inet', example: '10.0.0.0/8' },
  expects: 'a network as address/prefix, such as 10.0.0.0/8 or 2001:db8::/32',
  parse: (text) => address.parse(text, {}),
  sqlType: 'inet',
  sql: (network) => sql`(t.address && ${network} AND ${raw(HOST!)} <<= ${network})`,
};
