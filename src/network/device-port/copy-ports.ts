import type { Transaction } from '../../database/executor.js';
import { identifier, join, raw, sql, write } from '../../database/sql.js';

/** Columns that ports of a device copy from the ports of its type. */
const COPIED = [
  ...['kind', 'name', 'label', 'type', 'mgmt_only', 'speed_mbps', 'maximum_draw_w', 'allocated_draw_w', 'feed_leg'],
  ...['rear_position', 'positions', 'description'],
];
const LINKS = ['power_port_id', 'rear_port_id'];

/**
 * Adds the missing ports of its type to a device. References between the ports are copied by kind and name.
 * @returns the ids of the new ports, in the order of those of the type
 */
export async function copyPorts(tx: Transaction, deviceId: string): Promise<string[]> {
  const rows = await tx.write<{ id: string }>(
    write`WITH ports AS MATERIALIZED (
       SELECT p.*, d.id AS device_id, coalesce(own.id, gen_random_uuid()) AS own_id, own.id IS NULL AS is_new
       FROM devices d JOIN device_type_ports p ON p.device_type_id = d.device_type_id
       LEFT JOIN device_ports own ON own.device_id = d.id AND own.kind = p.kind AND own.name = p.name
       WHERE d.id = ${deviceId}
     )
     INSERT INTO device_ports (id, device_id, ${raw([...COPIED, ...LINKS].join(', '))})
       SELECT p.own_id, p.device_id, ${raw(COPIED.map((column) => `p.${column}`).join(', '))},
         ${join(LINKS.map((column) => sql`(SELECT o.own_id FROM ports o WHERE o.id = p.${identifier(column)})`))}
       FROM ports p WHERE p.is_new
       ON CONFLICT (device_id, kind, name) DO NOTHING RETURNING id, kind, name`.select(
      sql`SELECT written.id FROM written JOIN devices d ON d.id = ${deviceId} JOIN device_type_ports p
        ON p.device_type_id = d.device_type_id AND p.kind = written.kind AND p.name = written.name
      ORDER BY p.created_at, p.id`,
    ),
  );
  return rows.map(({ id }) => id);
}
