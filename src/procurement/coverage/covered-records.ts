import type { Class } from '../../fields/field.js';
import { Circuit } from '../../network/circuit/circuit.entity.js';
import { Cluster } from '../../network/cluster/cluster.entity.js';
import { Device } from '../../network/device/device.entity.js';
import { Rack } from '../../network/rack/rack.entity.js';
import { Site } from '../../network/site/site.entity.js';
import { VirtualMachine } from '../../network/virtual-machine/virtual-machine.entity.js';
import { Asset } from '../asset/asset.entity.js';
import { SoftwareLicence } from '../software-licence/software-licence.entity.js';

/** The records that contracts and SLAs can cover, by the names of their resources. */
export const COVERED_RECORDS = {
  sites: () => Site,
  racks: () => Rack,
  devices: () => Device,
  clusters: () => Cluster,
  'virtual-machines': () => VirtualMachine,
  circuits: () => Circuit,
  assets: () => Asset,
  'software-licences': () => SoftwareLicence,
} satisfies Record<string, () => Class>;

export type CoveredResource = keyof typeof COVERED_RECORDS;
