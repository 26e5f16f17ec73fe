import type { Class } from '../../fields/field.js';
import { Cluster } from '../../network/cluster/cluster.entity.js';
import { Device } from '../../network/device/device.entity.js';
import { IpAddress } from '../../network/ip-address/ip-address.entity.js';
import { Location } from '../../network/location/location.entity.js';
import { Rack } from '../../network/rack/rack.entity.js';
import { Site } from '../../network/site/site.entity.js';
import { VirtualMachine } from '../../network/virtual-machine/virtual-machine.entity.js';
import { Asset } from '../../procurement/asset/asset.entity.js';
import { SoftwareLicence } from '../../procurement/software-licence/software-licence.entity.js';

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
} satisfies Record<string, () => Class>;

export type TargetedResource = keyof typeof TARGETED_RECORDS;

export const TARGETED_RESOURCES = Object.keys(TARGETED_RECORDS) as TargetedResource[];
