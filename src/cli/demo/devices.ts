import type { Clusters } from './compute.js';
import type { Estate, Made } from './estate.js';
import { GROUPS, type Group, type Ports } from './hardware.js';
import type { People } from './people.js';
import type { Rack, Site } from './places.js';
import type { Procurement } from './procurement.js';

const STATES: Record<string, string> = {
  'ams-hv-24': 'staged',
  'ams-access-sw-04': 'planned',
  'lon-hv-23': 'failed',
  'lon-hv-24': 'offline',
  'lon-backup-02': 'decommissioning',
};

export interface Port {
  id: string;
  name: string;
  use: Ports['use'];
}

export interface Device {
  id: string;
  name: string;
  site: Site;
  group: Group;
  rack: Rack;
  ports: Port[];
}

/** The records that devices refer to, by slug. */
export interface Catalogue {
  types: ReadonlyMap<string, Made>;
  roles: ReadonlyMap<string, string>;
  platforms: ReadonlyMap<string, string>;
}

/** 108 devices per site with their ports. Each is a delivered asset and has its own position in a rack. */
export async function makeDevices(
  estate: Estate,
  sites: readonly Site[],
  { types, roles, platforms }: Catalogue,
  procurement: Procurement,
  clusters: ReadonlyMap<Site, Clusters>,
  people: People,
): Promise<Device[]> {
  const devices: Device[] = [];
  for (const site of sites) {
    const places = new RackSpace();
    for (const group of GROUPS) {
      await makeTypePorts(estate, types.get(group.type)!.id, group);
      if (group.site !== undefined && group.site !== site.code) continue;
      for (let number = 1; number <= group.count; number++) {
        const name = `${site.code}-${group.name}-${String(number).padStart(2, '0')}`;
        const rack = site.racks.get(group.racks[(number - 1) % group.racks.length]!)!;
        const type = types.get(group.type)!;
        const asset = await procurement.install(site, group, rack.locationId);
        const { id } = await estate.make('devices', {
          name,
          deviceTypeId: type.id,
          deviceRoleId: roles.get(group.role),
          platformId: group.platform === undefined ? null : platforms.get(group.platform),
          siteId: site.id,
          locationId: rack.locationId,
          rackId: rack.id,
          rackPosition: places.take(rack, type.uHeight as number, group.fromBottom === true),
          rackFace: 'front',
          clusterId: clusterOf(clusters.get(site)!, group, number),
          tenantGroupId: group.name === 'db' ? people.tenantGroups[(number - 1) % people.tenantGroups.length] : null,
          assetId: asset.id,
          serialNumber: asset.serialNumber,
          status: STATES[name] ?? 'active',
        });
        devices.push({ id, name, site, group, rack, ports: await makePorts(estate, id, group) });
      }
    }
  }
  return devices;
}

/** The last six hypervisor hosts belong to the test cluster. */
function clusterOf(
  { production, test, kubernetes, switches }: Clusters,
  { cluster, name }: Group,
  number: number,
): string | null {
  if (name === 'spine') return switches;
  if (cluster === 'kubernetes') return kubernetes;
  if (cluster === 'virtual') return number > 18 ? test : production;
  return null;
}

/** A type has the ports of its devices, except for the ports that each device creates for itself. */
async function makeTypePorts(estate: Estate, typeId: string, group: Group): Promise<void> {
  const path = `device-types/${typeId}/ports`;
  if ((await estate.total(path)) > 0) return;
  const ports = group.ports
    .filter(({ type }) => type !== 'virtual')
    .flatMap(({ type, speedMbps, use, ...range }) =>
      namesOf(range).map((name) => ({ name, type, speedMbps, mgmtOnly: use === 'mgmt' })),
    );
  await estate.makeAll(path, ports);
}

const namesOf = ({ prefix, from, to }: Pick<Ports, 'prefix' | 'from' | 'to'>): string[] =>
  from === undefined ? [prefix] : Array.from({ length: to! - from + 1 }, (_, n) => prefix + (from + n));

async function makePorts(estate: Estate, deviceId: string, group: Group): Promise<Port[]> {
  const planned = group.ports.flatMap(({ prefix, from, to, use, ...port }) =>
    namesOf({ prefix, from, to }).map((name, index, names) => ({
      use,
      body: {
        name,
        ...port,
        mgmtOnly: use === 'mgmt',
        enabled: use !== 'access' || index < names.length * 0.75,
        macAddress: port.type === 'virtual' || port.type === 'other' ? null : macAddress(estate),
      },
    })),
  );
  const ids = await estate.makeAll(
    `devices/${deviceId}/ports`,
    planned.map(({ body }) => body),
  );
  return planned.map(({ use, body: { name } }, index) => ({ id: ids[index]!, name, use }));
}

/** A locally administered address, which no manufacturer assigns. */
const macAddress = ({ random }: Estate): string =>
  ['02', ...Array.from({ length: 5 }, () => random.integer(0, 255).toString(16).padStart(2, '0').toUpperCase())].join(
    ':',
  );

/** Allocates the units of racks, so that no two devices share a position. */
class RackSpace {
  private readonly free = new Map<string, { lowest: number; highest: number }>();

  /** Takes the lowest free units for a device of this height. */
  take(rack: Rack, height: number, fromBottom: boolean): number {
    const free = this.free.get(rack.name) ?? { lowest: 1, highest: rack.units };
    this.free.set(rack.name, free);
    if (free.highest - free.lowest + 1 < height) throw new Error(`Rack ${rack.name} is full`);
    if (!fromBottom) return (free.highest -= height) + 1;
    free.lowest += height;
    return free.lowest - height;
  }
}
