import { Inject, Injectable } from '@nestjs/common';
import { EMPTY, join, raw, sql, where, type Sql } from '../../database/sql.js';
import type { RequestContext } from '../../lists/request-context.js';
import type { ListReply } from '../../http/replies.js';
import { ComputedLists, type ComputedColumn } from '../../lists/computed-list.js';
import type { PageRequest } from '../../lists/parameters/paging.js';
import { partOf, sizeOf, usedIn } from '../address-space.js';
import { FILLED_RESOURCES, type FilledResource } from './utilisation-entry.js';
import { Order } from '../../lists/order.js';

export interface UtilisationRequest extends PageRequest {
  /** All if there are none. */
  resources: readonly FilledResource[];
  siteIds: readonly string[];
  /** From 0 to 1. */
  atLeast: number;
}

export const NEARLY_FULL = 0.8;

const COLUMNS: readonly ComputedColumn[] = [
  { name: 'resource', sql: 't.resource', isText: true },
  { name: 'id', sql: 't.id', isText: false },
  { name: 'name', sql: 't.name', isText: true },
  { name: 'used', sql: 't.used', isText: false },
  { name: 'size', sql: 't.size', isText: false },
  { name: 'utilisation', sql: 't.utilisation', isText: false },
  { name: 'vrfId', sql: 't.vrf_id', isText: false },
  { name: 'vrf.name', sql: '(SELECT v.name FROM vrfs v WHERE v.id = t.vrf_id)', isText: true, isName: true },
  { name: 'siteId', sql: 't.site_id', isText: false },
  { name: 'site.name', sql: '(SELECT s.name FROM sites s WHERE s.id = t.site_id)', isText: true, isName: true },
];

// A prefix with more addresses than all recorded ones cannot be that full, so its blocks are not summed.
const prefixes = (atLeast: Sql): Sql => sql`
  SELECT 'prefixes' AS resource, p.id, p.prefix::text AS name, used.hosts::text AS used, ${raw(sizeOf('p.prefix'))}::text AS size,
    ${raw(partOf('used.hosts', 'p.prefix'))} AS utilisation, p.vrf_id, p.site_id
  FROM prefixes p CROSS JOIN LATERAL (SELECT ${raw(usedIn('p'))} AS hosts OFFSET 0) used
  WHERE ${raw(sizeOf('p.prefix'))} * ${atLeast}::numeric <= (
    SELECT coalesce(sum(hosts), 0) FROM address_blocks WHERE masklen(block) = CASE family(block) WHEN 4 THEN 16 ELSE 64 END)
    AND ${raw(partOf('used.hosts', 'p.prefix'))} >= ${atLeast}`;

/** No device reaches this unit, and twice the number is an integer. */
const HIGHEST = 10_000;

/** Placements are in half units. The first of a rack is 2. Units above the rack do not count. */
const racks = (atLeast: Sql): Sql => sql`
  SELECT 'racks', r.id, r.name, trim_scale(taken.halves / 2.0)::text, r.units::text,
    taken.halves / 2.0::float8 / r.units, NULL::uuid, r.site_id
  FROM racks r CROSS JOIN LATERAL (
    SELECT coalesce(sum(upper(span) - lower(span)), 0) AS halves FROM (
      SELECT unnest(range_agg(p.units) * int4multirange(int4range(2, least(r.units, ${raw(HIGHEST)}) * 2 + 2))) AS span
      FROM rack_placements p WHERE p.rack_id = r.id
    ) spans OFFSET 0
  ) taken
  WHERE r.units > 0 AND taken.halves / 2.0::float8 / r.units >= ${atLeast}`;

const ROWS: Readonly<Record<FilledResource, (atLeast: Sql) => Sql>> = { prefixes, racks };

/** The utilisation of prefixes and racks, the fullest first. */
@Injectable()
export class UtilisationService {
  constructor(@Inject(ComputedLists) private readonly lists: ComputedLists) {}

  /** @throws DomainError not_acceptable, unavailable, ValidationFailed */
  list(ctx: RequestContext, { resources, siteIds, atLeast, ...request }: UtilisationRequest): Promise<ListReply> {
    const chosen = resources.length > 0 ? FILLED_RESOURCES.filter((one) => resources.includes(one)) : FILLED_RESOURCES;
    // The first of the SELECTs names the columns.
    const fraction = sql`${atLeast}::float8`;
    const all = FILLED_RESOURCES.map(
      (one) => sql`(${ROWS[one](fraction)}${chosen.includes(one) ? EMPTY : raw(' AND false')})`,
    );
    const ofSites = siteIds.length > 0 ? [sql`site_id = ANY(${siteIds}::uuid[])`] : [];
    return this.lists.list(ctx, request, {
      name: 'utilisation',
      rows: sql`SELECT * FROM (${join(all, ' UNION ALL ')}) filled ${where(ofSites)}`,
      columns: COLUMNS,
      order: new Order(['t.utilisation DESC', 't.resource', 't.name COLLATE "C"', 't.id']),
    });
  }
}
