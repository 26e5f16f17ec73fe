import { circuits } from './circuits.js';
import { dcim } from './dcim.js';
import { devices } from './devices.js';
import { ipam } from './ipam.js';
import type { NetboxKind } from './kind.js';
import { tenancy } from './tenancy.js';
import { virtualization } from './virtualization.js';

/** All kinds that have a home, in the order in which records refer to each other. */
export const KINDS: readonly NetboxKind[] = [
  ...tenancy.groups,
  ...dcim.places,
  ...dcim.catalogue,
  ...tenancy.people,
  ...dcim.racks,
  ...circuits.circuits,
  ...ipam.networks,
  ...virtualization.clusters,
  ...devices.devices,
  ...virtualization.machines,
  ...devices.ports,
  ...virtualization.interfaces,
  ...ipam.addresses,
  ...circuits.terminations,
  ...dcim.power,
  ...devices.cables,
  ...tenancy.responsibilities,
];

/** Kinds whose objects are only values of others. */
export const VALUES: ReadonlySet<string> = new Set([
  'circuits.circuittype',
  'circuits.provideraccount',
  'circuits.providernetwork',
  'circuits.circuitgroup',
  'dcim.cabletermination',
  'dcim.macaddress',
  'dcim.module',
  'dcim.portmapping',
  'dcim.porttemplatemapping',
  'dcim.powerpanel',
  'dcim.rackrole',
  'dcim.racktype',
  'dcim.sitegroup',
  'dcim.virtualchassis',
  'extras.customfield',
  'extras.customfieldchoiceset',
  'extras.tag',
  'extras.taggeditem',
  'ipam.asn',
  'ipam.rir',
  'ipam.role',
  'ipam.routetarget',
  'tenancy.contactgroup',
  'tenancy.contactrole',
  'tenancy.tenantgroup',
  'virtualization.clustergroup',
]);

/** Why a kind has no home here. */
export const REASONS: Readonly<Record<string, string>> = {
  'dcim.devicebay': 'there are no device bays; a device in a bay is a device',
  'dcim.devicebaytemplate': 'there are no device bays',
  'dcim.inventoryitem': 'there are no inventory items; an asset has a tag and a serial number',
  'dcim.modulebay': 'there are no module bays; the ports of a module are ports of the device',
  'dcim.modulebaytemplate': 'there are no module bays',
  'dcim.rackreservation': 'there are no reservations of racks',
  'ipam.iprange': 'there are no ranges of addresses; a prefix has addresses',
};

/** Data of the installation and not of the estate, which is not read. */
export const isOfInstallation = (model: string): boolean =>
  /^(?:auth|users|core|contenttypes|sessions|admin|django_\w+|social_django|account|taggit|thumbnail)\./.test(model) ||
  /^extras\.(?:dashboard|report|script|cachedvalue|objectchange|jobresult|bookmark|savedfilter|tableconfig|notification|notificationgroup|subscription|objecttype)$/.test(
    model,
  ) ||
  model === 'dcim.cablepath';
