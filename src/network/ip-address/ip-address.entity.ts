import { Index } from 'typeorm';
import { Fault } from '../../http/errors.js';
import { addBodyRule } from '../../fields/bodies/bodies.js';
import { LineField, ReferenceField, TextField, WordField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule, Rule } from '../../fields/bodies/rules.js';
import { DevicePort } from '../device-port/device-port.entity.js';
import { Device } from '../device/device.entity.js';
import { Vrf } from '../vrf/vrf.entity.js';
import { AddressField, IpFamilyField } from './address.field.js';
import { familyOf } from './family.js';

const FAMILY_FAULT = 'must be 4 for an IPv4 address and 6 for an IPv6 address';

// Raised by the trigger `ip_addresses_home` (`src/schema/functions/ip_addresses_home.sql`).
defineRule('ck_ip_addresses_interface_kind', 'interfaceId', 'must be a port of the kind network');
defineRule('ck_ip_addresses_device_id', 'deviceId', 'must be the device of the port that the address is bound to');

// Raised by the trigger `ip_addresses_machine` (`src/schema/functions/ip_addresses_machine.sql`).
for (const field of ['deviceId', 'interfaceId'])
  defineRule(
    `uq_ip_addresses_${field.replace('Id', '')}_machine`,
    field,
    'must be null: the address belongs to a virtual machine',
  );

// Raised by the triggers `ip_addresses_hosts_*` (`src/schema/functions/keep_hosts.sql`).
defineRule('uq_ip_addresses_vrf_host', 'address', 'is already recorded in the VRF, which enforces unique addresses');

@RecordEntity('ip_addresses', {
  area: 'network',
  label: 'IP address',
  plural: 'IP addresses',
  numbers: true,
  apart: ['vrfId'],
})
@Rule('ck_ip_addresses_family', 'family = family(address)', 'family', FAMILY_FAULT)
@Index('ix_ip_addresses_address_order', { synchronize: false })
@Index('ix_ip_addresses_address_within', { synchronize: false })
export class IpAddress extends StoredRecord {
  @AddressField('Address with prefix length', { required: true, naming: true, searchable: true }) address!: string;
  @ReferenceField(() => Vrf, 'Routing table that the address is in') vrfId!: string | null;
  @ReferenceField(
    () => Device,
    'Device that has the address. If `interfaceId` is set, it becomes the device of that port, whatever is sent',
  )
  deviceId!: string | null;
  @ReferenceField(
    () => DevicePort,
    'Port of a device that the address is bound to. Setting it makes `deviceId` the device of the port',
  )
  interfaceId!: string | null;
  @WordField('Status', ['active', 'reserved', 'deprecated', 'dhcp', 'slaac'], { default: 'active', counted: true })
  status!: string;
  @WordField('Role', ['loopback', 'secondary', 'anycast', 'vip', 'vrrp', 'hsrp', 'glbp', 'carp', 'mgmt', 'peering'])
  role!: string | null;
  @IpFamilyField('IP version, derived from `address`. A value that contradicts the address is refused') family!: number;
  @LineField('Name in the DNS', { example: 'core-sw-01.example.com', searchable: true }) dnsName!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}

// If a body has both, the fault is reported with its other faults. The constraint checks a family alone.
addBodyRule(IpAddress, ({ address, family }) => {
  const expected = familyOf(address);
  return expected !== undefined && (family === 4 || family === 6) && family !== expected
    ? new Fault('family', FAMILY_FAULT)
    : undefined;
});
