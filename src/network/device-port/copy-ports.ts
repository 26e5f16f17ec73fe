import type { Transaction } from '../../database/executor.js';

/** Gives a device the ports of its type that it lacks. @returns the ids of the new ports, in the order of those of the type */
export async function copyPorts(tx: Transaction, deviceId: string): Promise<string[]> {
  const rows = await tx.write<{ id: string }>(
    `INSERT INTO device_ports (device_id, name, label, type, mgmt_only, speed_mbps, description)
       SELECT d.id, p.name, p.label, p.type, p.mgmt_only, p.speed_mbps, p.description
       FROM devices d JOIN device_type_ports p ON p.device_type_id = d.device_type_id
       WHERE d.id = $1
       ON CONFLICT (device_id, name) DO NOTHING RETURNING id, name`,
    [deviceId],
    `SELECT written.id FROM written JOIN devices d ON d.id = $1
       JOIN device_type_ports p ON p.device_type_id = d.device_type_id AND p.name = written.name
     ORDER BY p.created_at, p.id`,
  );
  return rows.map(({ id }) => id);
}
