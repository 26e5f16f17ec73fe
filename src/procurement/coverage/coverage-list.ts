import { sql } from '../../database/sql.js';
import { objectColumn, type ComputedList } from '../../lists/computed-list.js';
import { linkedName } from '../../records/record-link.js';
import { COVERED_RECORDS, type CoveredResource } from './covered-records.js';
import { Order } from '../../lists/order.js';

/** SQL of today in UTC. */
const TODAY = sql`(now() AT TIME ZONE INTERVAL '0')::date`;

/**
 * The coverage of a record. @param on the requested day; today in UTC by default
 */
export function coverageList(resource: CoveredResource, id: string, on: string | undefined): ComputedList {
  const day = on === undefined ? TODAY : sql`${on}::date`;
  return {
    name: 'coverage',
    rows: sql`SELECT x.*, v.name AS vendor_name
      FROM what_covers(${resource}, ${id}::uuid, ${day}) x LEFT JOIN vendors v ON v.id = x.vendor_id`,
    columns: [
      { name: 'kind', sql: 't.kind', isText: false },
      objectColumn('source', { resource: 't.source', id: 't.source_id', name: 't.source_name' }, 'true'),
      objectColumn('vendor', { id: 't.vendor_id', name: 't.vendor_name' }, 't.vendor_id IS NOT NULL'),
      { name: 'from', sql: 't.first_day', isText: false },
      { name: 'until', sql: 't.last_day', isText: false },
      { name: 'isActive', sql: 't.is_active', isText: false, isBoolean: true },
      objectColumn(
        'via',
        { resource: 't.via', id: 't.via_id', name: linkedName(COVERED_RECORDS, 't.via', 't.via_id') },
        't.via IS NOT NULL',
      ),
    ],
    order: new Order([
      't.last_day DESC NULLS FIRST',
      't.kind',
      't.source_name COLLATE "C"',
      't.source_id',
      't.first_day NULLS FIRST',
      't.via NULLS FIRST',
      't.via_id',
    ]),
  };
}
