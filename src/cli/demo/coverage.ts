import type { Device } from './devices.js';
import type { Estate } from './estate.js';
import type { Group } from './hardware.js';
import type { Site } from './places.js';

/** The coverage of an agreement: the devices of some orders, at one site or at all sites. */
interface Covered {
  path: 'contracts' | 'slas';
  agreement: string;
  site?: string;
  orders: readonly Group['order'][];
}

/** Warranties of the network equipment are over, or end within the quarter. Not all of it is in a contract. */
const COVERED: readonly Covered[] = [
  { path: 'contracts', agreement: 'Support of the core network', site: 'ams', orders: ['edge', 'fabric'] },
  { path: 'contracts', agreement: 'Remote hands, London', site: 'lon', orders: ['edge'] },
  { path: 'contracts', agreement: 'Server maintenance', orders: ['servers'] },
  { path: 'slas', agreement: 'Network hardware, gold', site: 'ams', orders: ['edge'] },
];

/** The sites whose room and power an agreement covers. */
const PLACES: readonly [path: Covered['path'], agreement: string, site: string][] = [
  ['contracts', 'Cage and power, Amsterdam', 'ams'],
  ['contracts', 'Cage and power, London', 'lon'],
  ['slas', 'Power and cooling, Amsterdam', 'ams'],
  ['slas', 'Power and cooling, London', 'lon'],
];

/** Says what the contracts and SLAs cover. */
export async function makeCoverage(estate: Estate, sites: readonly Site[], devices: readonly Device[]): Promise<void> {
  const agreements = new Map<string, string>();
  for (const path of ['contracts', 'slas'] as const) {
    for (const { name, id } of await estate.all(path)) agreements.set(`${path} ${name as string}`, id);
  }
  const cover = (path: string, agreement: string, resource: string, recordId: string): Promise<unknown> =>
    estate.make(`${path}/${agreements.get(`${path} ${agreement}`)!}/coverage`, { resource, recordId });
  for (const { path, agreement, site, orders } of COVERED) {
    const covered = devices.filter(
      (device) => orders.includes(device.group.order) && device.site.code === (site ?? device.site.code),
    );
    for (const { id } of covered) await cover(path, agreement, 'devices', id);
  }
  for (const [path, agreement, code] of PLACES) {
    await cover(path, agreement, 'sites', sites.find((site) => site.code === code)!.id);
  }
}
