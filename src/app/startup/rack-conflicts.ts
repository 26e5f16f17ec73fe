import type { Logger } from 'pino';
import type { Executor } from '../../database/executor.js';
import { raw, sql } from '../../database/sql.js';

interface RackConflict {
  rackId: string;
  rack: string;
  devices: string[];
}

const MAX_LISTED = 100;

/** Devices that overlap, and devices outside the units of their racks. */
const CONFLICTS = sql`
SELECT r.id AS "rackId", r.name AS rack, ARRAY[a.name, b.name] AS devices
FROM rack_placements p
  JOIN rack_placements q ON q.rack_id = p.rack_id AND q.device_id > p.device_id AND q.faces && p.faces AND q.units && p.units
  JOIN racks r ON r.id = p.rack_id JOIN devices a ON a.id = p.device_id JOIN devices b ON b.id = q.device_id
WHERE p.cluster = p.rack_id AND q.cluster = q.rack_id
UNION ALL
SELECT r.id, r.name, ARRAY[d.name]
FROM devices d JOIN racks r ON r.id = d.rack_id LEFT JOIN device_types t ON t.id = d.device_type_id
WHERE d.rack_position < 1 OR d.rack_position - 1 >= r.units OR d.rack_position + t.u_height - 1 > r.units
ORDER BY rack, devices LIMIT ${raw(MAX_LISTED)}`;

/** Logs the devices that do not fit into their racks, from before this was checked. */
export async function reportRackConflicts(db: Executor, logger: Pick<Logger, 'warn'>): Promise<void> {
  const conflicts = await db.query<RackConflict>(CONFLICTS);
  if (conflicts.length === 0) return;
  logger.warn(
    { conflicts },
    `Devices do not fit into their racks (the first ${raw(MAX_LISTED)} at most). GET /api/racks/{id}/elevation shows them`,
  );
}
