import type { Executor } from '../../database/database.js';

/** Gives a device the ports of its type that it lacks. @returns the ids of the new ports, in the order of those of the type */
export async function copyPorts(tx: Executor, deviceId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `WITH made AS (
       INSERT INTO device_ports (device_id, name, label, type, mgmt_only, speed_mbps, description)
       SELECT d.id, p.name, p.label, p.type, p.mgmt_only, p.speed_mbps, p.description
       FROM devices d JOIN device_type_ports p ON p.device_type_id = d.device_type_id
       WHERE d.id = $1
       ON CONFLICT (device_id, name) DO NOTHING RETURNING id, name
     )
     SELECT made.id FROM made JOIN devices d ON d.id = $1
       JOIN device_type_ports p ON p.device_type_id = d.device_type_id AND p.name = made.name
     ORDER BY p.created_at, p.id`,
    [deviceId],
  );
  return rows.map(({ id }) => id);
}
