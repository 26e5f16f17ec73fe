import type { Device, Port } from './devices.js';
import type { Estate } from './estate.js';
import type { Site } from './places.js';

/** A device, and one of its ports. */
interface End {
  device: Device;
  port: Port;
}

/** A port of a device by its use: the first one, or the one with an index. @throws Error if there is none */
export function portOf({ name, ports }: Device, use: Port['use'], index = 0): Port {
  const port = ports.filter((candidate) => candidate.use === use)[index];
  if (!port) throw new Error(`${name} has no port ${index + 1} for ${use}`);
  return port;
}

/** The links of every leaf of a site to both spines: the end at the spine, and that at the leaf. */
export function fabricLinks(devices: readonly Device[]): [spine: End, leaf: End][] {
  const spines = devices.filter(({ group }) => group.name === 'spine');
  const leaves = devices.filter(({ ports }) => ports.some(({ use }) => use === 'uplink'));
  return leaves.flatMap((leaf, row) =>
    spines.map((spine, column): [End, End] => [
      { device: spine, port: portOf(spine, 'access', row) },
      { device: leaf, port: portOf(leaf, 'uplink', column) },
    ]),
  );
}

/** The cables of the fabrics. Cables within a row are shorter than cables between rows. */
export async function makeCables(estate: Estate, sites: readonly Site[], devices: readonly Device[]): Promise<void> {
  const cables = sites.flatMap((site) =>
    fabricLinks(devices.filter((device) => device.site === site)).map(([spine, leaf], index) => ({
      aId: spine.port.id,
      bId: leaf.port.id,
      type: 'mmf-om4',
      label: `${site.code.toUpperCase()}-F${String(index + 1).padStart(3, '0')}`,
      color: '#00ffff',
      lengthM: index % 4 < 2 ? 10 : 20,
    })),
  );
  await estate.makeAll('cables', cables);
}
