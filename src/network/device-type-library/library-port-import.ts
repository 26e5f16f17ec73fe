import type { Transaction } from '../../database/executor.js';
import type { ResourceService } from '../../records/resource.service.js';
import type { DeviceTypePort } from '../device-type-port/device-type-port.entity.js';
import type { LibraryType } from './library-file.js';
import type { LibraryPort } from './library-ports.js';
import { differs } from './library-values.js';
import { sql } from '../../database/sql.js';
import type { InTransaction } from '../../lists/request-context.js';

type StoredPort = { id: string; deviceTypeId: string; kind: string; name: string } & Record<string, unknown>;
type PortBody = LibraryPort & { deviceTypeId: string };

/** Number of ports that one statement writes. */
const AT_ONCE = 5000;

/** Kinds of ports that others refer to. They are written before the others, and deleted after them. */
const REFERRED: readonly string[] = ['power', 'rear'];
const isReferred = ({ kind }: { kind: string }): boolean => REFERRED.includes(kind);

const keyOf = (typeId: string, kind: string, name: string): string => `${typeId} ${kind} ${name}`;

/**
 * Updates the ports of types to those of the library.
 * @param existing types that already have ports
 * @returns ids of those whose ports were changed
 */
export async function writePorts(
  tx: InTransaction,
  service: ResourceService<DeviceTypePort>,
  library: readonly LibraryType[],
  typeIds: ReadonlyMap<string, number>,
  existing: ReadonlyMap<string, number>,
): Promise<Set<string>> {
  const superfluous = new Map(
    (await storedPorts(tx.db, [...existing.keys()])).map((row) => [keyOf(row.deviceTypeId, row.kind, row.name), row]),
  );
  const creations: PortBody[] = [];
  const changes: { id: string; body: PortBody }[] = [];
  for (const [deviceTypeId, index] of typeIds) {
    for (const port of library[index]!.ports) {
      const key = keyOf(deviceTypeId, port.kind, port.name);
      const known = superfluous.get(key);
      superfluous.delete(key);
      const body = { ...port, deviceTypeId };
      if (!known) creations.push(body);
      else if (differs(known, body)) changes.push({ id: known.id, body });
    }
  }
  const removals = [...superfluous.values()];
  const remove = async (some: readonly StoredPort[]): Promise<void> => {
    if (some.length > 0)
      await service.removeMany(
        tx,
        some.map(({ id }) => id),
      );
  };
  const create = async (some: readonly PortBody[], ids: ReadonlyMap<string, string>): Promise<void> => {
    for (let from = 0; from < some.length; from += AT_ONCE) {
      await service.createMany(
        tx,
        some.slice(from, from + AT_ONCE).map((body) => linked(body, ids)),
      );
    }
  };
  await remove(removals.filter((port) => !isReferred(port)));
  await create(creations.filter(isReferred), new Map());
  const referring = [...creations.filter((port) => !isReferred(port)), ...changes.map(({ body }) => body)];
  const ids = await referredIds(tx.db, referring);
  if (changes.length > 0)
    await service.updateMany(
      tx,
      changes.map(({ id, body }) => ({ id, body: linked(body, ids) })),
    );
  await create(
    creations.filter((port) => !isReferred(port)),
    ids,
  );
  await remove(removals.filter(isReferred));
  const touched = [...removals, ...creations, ...changes.map(({ body }) => body)].map(
    ({ deviceTypeId }) => deviceTypeId,
  );
  return new Set(touched.filter((id) => existing.has(id)));
}

const storedPorts = (tx: Transaction, typeIds: readonly string[]): Promise<StoredPort[]> =>
  tx.query<StoredPort>(
    sql`SELECT p.id, p.device_type_id AS "deviceTypeId", p.kind, p.name, p.label, p.type, p.mgmt_only AS "mgmtOnly", p.description,
       p.maximum_draw_w AS "maximumDrawW", p.allocated_draw_w AS "allocatedDrawW", p.feed_leg AS "feedLeg", p.positions,
       p.rear_position AS "rearPosition", rear.name AS "rearPort", power.name AS "powerPort"
     FROM device_type_ports p LEFT JOIN device_type_ports rear ON rear.id = p.rear_port_id
     LEFT JOIN device_type_ports power ON power.id = p.power_port_id WHERE p.device_type_id = ANY(${typeIds})`,
  );

/** The ids of the ports that others may refer to, for the types of some ports. */
async function referredIds(tx: Transaction, ports: readonly PortBody[]): Promise<Map<string, string>> {
  const typeIds = new Set(
    ports.flatMap((port) => ((port.rearPort ?? port.powerPort) !== undefined ? [port.deviceTypeId] : [])),
  );
  if (typeIds.size === 0) return new Map();
  const rows = await tx.query<Pick<StoredPort, 'id' | 'deviceTypeId' | 'kind' | 'name'>>(
    sql`SELECT id, device_type_id AS "deviceTypeId", kind, name FROM device_type_ports WHERE device_type_id = ANY(${[...typeIds]}) AND kind = ANY(${REFERRED})`,
  );
  return new Map(rows.map(({ id, deviceTypeId, kind, name }) => [keyOf(deviceTypeId, kind, name), id]));
}

/** A body that refers to other ports by their ids. */
function linked({ rearPort, powerPort, ...body }: PortBody, ids: ReadonlyMap<string, string>): Partial<DeviceTypePort> {
  const idOf = (kind: string, name: string | undefined): string | undefined =>
    name === undefined ? undefined : ids.get(keyOf(body.deviceTypeId, kind, name));
  return {
    ...body,
    rearPortId: idOf('rear', rearPort),
    powerPortId: idOf('power', powerPort),
  } as Partial<DeviceTypePort>;
}
