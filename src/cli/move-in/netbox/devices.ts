import type { Mapping } from '../mapping.js';
import { LeftOut, type Row } from '../model.js';
import { color, placeIn, type NetboxKind } from './kind.js';
import { type Positions, unitIn } from './device-names.js';
import type { NetboxIndex } from './netbox-index.js';

const device: NetboxKind = {
  model: 'dcim.device',
  resource: 'devices',
  required: ['name'],
  row: (object, index) => {
    const rack: Positions = index.racks.get(object.text('rack') ?? '') ?? { startingUnit: 1 };
    const position = object.number('position');
    object.add('virtual_chassis', 'dcim.virtualchassis');
    object.add('config_template', 'extras.configtemplate');
    // Addresses refer to the device. The source does not say which of its records is meant.
    for (const field of ['primary_ip4', 'primary_ip6', 'oob_ip']) object.addLater(field, 'ipam.ipaddress');
    const rackId = object.reference('rack', 'dcim.rack');
    return {
      name: nameOf(object, index),
      deviceTypeId: object.reference('device_type', 'dcim.devicetype'),
      deviceRoleId: object.reference('role', 'dcim.devicerole'),
      platformId: object.reference('platform', 'dcim.platform'),
      siteId: placeIn(rackId, object.reference('site', 'dcim.site')),
      locationId: placeIn(rackId, object.reference('location', 'dcim.location')),
      rackId,
      rackPosition: position === null ? null : unitIn(rack, position, index.devices.heightOf(object.object.fields)),
      rackFace: object.text('face'),
      clusterId: object.reference('cluster', 'virtualization.cluster'),
      tenantGroupId: object.reference('tenant', 'tenancy.tenant'),
      status: object.word('status'),
      serialNumber: object.line('serial'),
      description: object.text('description'),
    };
  },
};

/** The name of a device. A device without a valid name is given one. */
function nameOf(object: Mapping, index: NetboxIndex): string {
  const own = object.line('name');
  const name = index.devices.nameOf(object.object.pk, { ...object.object.fields, name: own });
  if (name !== own) {
    const why =
      own === null ? 'it has no name, and' : own.trim() === '' ? 'its name is blank: it' : 'its name is too long: it';
    object.changed('name', `${why} is called ${name}`);
  }
  return name;
}

/** Common properties of ports of devices and of device types. */
const port = (object: Mapping): Row => ({
  name: object.line('name'),
  label: object.line('label'),
  type: object.line('type'),
  description: object.text('description'),
});

const ofDevice = (object: Mapping): Row => {
  object.add('module', 'dcim.module');
  return { deviceId: object.owner('device', 'dcim.device'), ...port(object) };
};

/** A template belongs to a device type or to a type of module, which is a device type here. */
const ofType = (object: Mapping): Row => ({
  deviceTypeId:
    object.value('device_type') === null
      ? object.owner('module_type', 'dcim.moduletype')
      : object.owner('device_type', 'dcim.devicetype'),
  ...port(object),
});

const power = (object: Mapping): Row => ({
  maximumDrawW: object.number('maximum_draw'),
  allocatedDrawW: object.number('allocated_draw'),
});

/** A front port passes to a position of a rear port. Its own fields say which one; since 4.5 a mapping does. */
function rear(object: Mapping, index: NetboxIndex, model: string): Row {
  const mapped = index.mappingsOf(`${object.object.model}:${object.object.pk}`);
  object.value('positions');
  const own: unknown = object.value('rear_port');
  const position = object.number('rear_port_position');
  if (own !== null) return { rearPortId: object.owner('rear_port', model), rearPosition: position ?? 1 };
  const [first, ...others] = mapped;
  if (!first) throw new LeftOut('it passes to no rear port');
  for (const mapping of others)
    object.changed('positions', `${mapping.pk}: a front port passes to one position of one rear port`);
  object.uses.push(`${first.model}:${first.pk}`);
  if (!object.known.has(model, first.rear)) throw new LeftOut(`${model} ${first.rear} was not moved`);
  return { rearPortId: object.known.ids.of(model, first.rear), rearPosition: first.position };
}

/** One kind of ports, of devices and of device types. */
function ports(
  kind: string,
  name: string,
  own: (object: Mapping, index: NetboxIndex, suffix: '' | 'template') => Row,
  after?: string[],
): NetboxKind[] {
  const defaults = { mark_connected: false, enabled: true };
  return [
    {
      model: `dcim.${name}template`,
      resource: 'device-type-ports',
      after,
      required: ['name', 'deviceTypeId', 'rearPortId'],
      defaults,
      row: (object, index) => ({ ...ofType(object), kind, ...own(object, index, 'template') }),
    },
    {
      model: `dcim.${name}`,
      resource: 'device-ports',
      after,
      required: ['name', 'deviceId', 'rearPortId'],
      defaults,
      row: (object, index) => ({ ...ofDevice(object), kind, ...own(object, index, '') }),
    },
  ];
}

const network = (object: Mapping, index: NetboxIndex, suffix: string): Row => {
  const common = { mgmtOnly: object.flag('mgmt_only') };
  object.add('bridge', object.object.model);
  object.add('vdcs', 'dcim.virtualdevicecontext');
  object.add('wireless_lans', 'wireless.wirelesslan');
  object.add('qinq_svlan', 'ipam.vlan');
  object.add('vlan_translation_policy', 'ipam.vlantranslationpolicy');
  if (suffix === 'template') return common;
  const speed = object.number('speed');
  // Links of their own.
  object.list('tagged_vlans');
  return {
    ...common,
    enabled: object.flag('enabled'),
    mtu: object.number('mtu'),
    // Of NetBox in kilobits per second.
    speedMbps: speed === null ? null : Math.round(speed / 1000),
    macAddress: index.macAddressOf(object),
    mode: object.text('mode'),
    parentId: object.reference('parent', 'dcim.interface'),
    lagId: object.reference('lag', 'dcim.interface'),
    untaggedVlanId: object.reference('untagged_vlan', 'ipam.vlan'),
    vrfId: object.reference('vrf', 'ipam.vrf'),
  };
};

const cable: NetboxKind = {
  model: 'dcim.cable',
  resource: 'cables',
  required: ['aId', 'bId', 'aResource', 'bResource'],
  row: (object, index) => {
    const ends = index.endsOf(object.object.pk);
    object.add('bundle', 'dcim.cablebundle');
    const [a, b] = [endOf(object, ends.A, 'A'), endOf(object, ends.B, 'B')];
    for (const end of [...ends.A, ...ends.B])
      if (end.key !== undefined) object.uses.push(`dcim.cabletermination:${end.key}`);
    return {
      aResource: a.resource,
      aId: a.id,
      bResource: b.resource,
      bId: b.id,
      type: object.line('type'),
      status: object.word('status'),
      label: object.line('label'),
      color: color(object),
      lengthM: object.measure('length', 'length_unit', METRES),
      tenantGroupId: object.reference('tenant', 'tenancy.tenant'),
      description: object.text('description'),
    };
  },
};

const METRES: ReadonlyMap<string | null, number> = new Map([
  [null, 1],
  ['km', 1000],
  ['m', 1],
  ['cm', 0.01],
  ['mi', 1609.344],
  ['ft', 0.3048],
  ['in', 0.0254],
]);

/** The resource of an end of a cable. */
const ENDS: Readonly<Record<string, string>> = {
  'circuits.circuittermination': 'circuit-terminations',
  'dcim.powerfeed': 'power-feeds',
};

/** @throws LeftOut if the cable has no such end */
function endOf(
  object: Mapping,
  ends: readonly { model: string; pk: string }[],
  side: string,
): { resource: string; id: string } {
  const [first, ...others] = ends;
  if (!first) throw new LeftOut(`end ${side} is not connected`);
  for (const { model, pk } of others)
    object.changed(`termination ${side}`, `${model} ${pk}: a cable has one end on each side`);
  if (!object.known.has(first.model, first.pk)) throw new LeftOut(`${first.model} ${first.pk} was not moved`);
  return { resource: ENDS[first.model] ?? 'device-ports', id: object.known.ids.of(first.model, first.pk) };
}

export const devices = {
  devices: [device],
  ports: [
    ...ports('rear', 'rearport', (object) => ({ positions: object.number('positions') ?? 1 })),
    ...ports('front', 'frontport', (object, index, suffix) => rear(object, index, `dcim.rearport${suffix}`)),
    ...ports('power', 'powerport', power),
    ...ports('outlet', 'poweroutlet', (object, _, suffix) => ({
      powerPortId: object.reference('power_port', `dcim.powerport${suffix}`),
      feedLeg: object.text('feed_leg'),
    })),
    ...ports('console', 'consoleport', () => ({})),
    ...ports('console-server', 'consoleserverport', () => ({})),
    ...ports('network', 'interface', network, ['parent', 'lag', 'bridge']),
  ],
  cables: [cable],
};
