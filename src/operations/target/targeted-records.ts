import type { Class } from '../../fields/field.js';
import { namingOf } from '../../fields/naming.js';
import { Circuit } from '../../network/circuit/circuit.entity.js';
import { Cluster } from '../../network/cluster/cluster.entity.js';
import { Device } from '../../network/device/device.entity.js';
import { IpAddress } from '../../network/ip-address/ip-address.entity.js';
import { Location } from '../../network/location/location.entity.js';
import { PowerFeed } from '../../network/power-feed/power-feed.entity.js';
import { Rack } from '../../network/rack/rack.entity.js';
import { Region } from '../../network/region/region.entity.js';
import { Site } from '../../network/site/site.entity.js';
import { VirtualMachine } from '../../network/virtual-machine/virtual-machine.entity.js';
import { Asset } from '../../procurement/asset/asset.entity.js';
import { SoftwareLicence } from '../../procurement/software-licence/software-licence.entity.js';
import { tableOf, valueOf } from '../../lists/record-sql.js';

/** The records that can be targets, by the name of their resource. */
export const TARGETED_RECORDS = {
  sites: () => Site,
  locations: () => Location,
  racks: () => Rack,
  devices: () => Device,
  clusters: () => Cluster,
  'virtual-machines': () => VirtualMachine,
  'ip-addresses': () => IpAddress,
  assets: () => Asset,
  'software-licences': () => SoftwareLicence,
  regions: () => Region,
  circuits: () => Circuit,
  'power-feeds': () => PowerFeed,
} satisfies Record<string, () => Class>;

export type TargetedResource = keyof typeof TARGETED_RECORDS;

export const TARGETED_RESOURCES = Object.keys(TARGETED_RECORDS) as TargetedResource[];

/** SQL of the name of a targeted record; null if there is no such record. @param resource SQL of its resource @param id SQL of its id */
export const targetName = (resource: string, id: string): string =>
  `(CASE ${resource} ${TARGETED_RESOURCES.map((name) => {
    const record = TARGETED_RECORDS[name]() as Class;
    return `WHEN '${name}' THEN (SELECT ${valueOf(namingOf(record)!, 'r')}::text FROM ${tableOf(record)} r WHERE r.id = ${id})`;
  }).join(' ')} END)`;
