import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../../lists/request-context.js';
import { raw, sql, type Sql } from '../../../database/sql.js';
import { NotFound } from '../../../http/errors.js';
import { availablePower } from '../../power-feed/power-feed.entity.js';

/**
 * Reads the power of a rack as JSON; no row if the rack does not exist. The way up from a power port leads to a feed, or to an outlet
 * and its power ports.
 */
const powerOf = (rack: string): Sql => sql`WITH RECURSIVE ports AS MATERIALIZED (
    SELECT p.id, p.device_id, coalesce(p.allocated_draw_w, p.maximum_draw_w, 0)::int8 AS draw
    FROM devices d JOIN device_ports p ON p.device_id = d.id AND p.kind = 'power'
    WHERE d.rack_id = ${rack} AND NOT EXISTS (SELECT FROM device_ports o WHERE o.device_id = d.id AND o.kind = 'outlet')
  ), up (seed, id) AS (
    SELECT id, id FROM ports
    UNION
    SELECT up.seed, s.id FROM up JOIN cable_ends e ON e.end_id = up.id
      JOIN device_ports o ON o.id = e.other_id AND o.kind = 'outlet'
      JOIN device_ports s ON s.device_id = o.device_id AND s.kind = 'power' AND (o.power_port_id IS NULL OR s.id = o.power_port_id)
  ), fed AS (SELECT DISTINCT up.seed, e.other_id AS feed_id FROM up JOIN cable_ends e ON e.end_id = up.id)
  SELECT json_build_object(
    'feeds', (
      SELECT coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'type', f.type, 'availableW', f.available,
        'allocatedW', f.allocated, 'utilisation', round(f.allocated / nullif(f.available, 0)::numeric, 4)) ORDER BY f.name COLLATE "C", f.id), '[]')
      FROM (
        SELECT f.id, f.name, f.type, ${raw(availablePower('f'))} AS available,
          (SELECT coalesce(sum(p.draw), 0) FROM fed JOIN ports p ON p.id = fed.seed WHERE fed.feed_id = f.id) AS allocated
        FROM power_feeds f WHERE f.rack_id = ${rack}
      ) f
    ),
    'unfed', (
      SELECT coalesce(json_agg(json_build_object('id', d.id, 'name', d.name) ORDER BY d.name COLLATE "C", d.id), '[]')
      FROM devices d WHERE d.rack_id = ${rack} AND EXISTS (SELECT FROM device_ports p WHERE p.device_id = d.id AND p.kind = 'power')
        AND NOT EXISTS (SELECT FROM device_ports p JOIN cable_ends e ON e.end_id = p.id WHERE p.device_id = d.id AND p.kind = 'power')
    )
  )::text AS json FROM racks r WHERE r.id = ${rack}`;

/** The feeds of a rack. */
@Injectable()
export class RackPowerService {
  /** As JSON (`RackPower`). @throws NotFound */
  async power({ db }: RequestContext, rackId: string): Promise<string> {
    const [found] = await db.query<{ json: string }>(powerOf(rackId));
    if (!found) throw new NotFound('Rack');
    return found.json;
  }
}
