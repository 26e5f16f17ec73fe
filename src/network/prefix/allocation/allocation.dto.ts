import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { addBodyRule, TakesCustomFields } from '../../../fields/bodies/bodies.js';
import { RequestBody } from '../../../fields/field.js';
import { IntegerField, LineField, ObjectsField, ReferenceField, TextField, WordField } from '../../../fields/fields.js';
import { Fault } from '../../../http/errors.js';
import { EXAMPLE_ID } from '../../../openapi/schema.js';
import { MAX_ALLOCATED } from '../../available.js';
import { DevicePort } from '../../device-port/device-port.entity.js';
import { Device } from '../../device/device.entity.js';
import { ipFamily } from '../../ip-address/address.field.js';
import { IpAddress } from '../../ip-address/ip-address.entity.js';
import { VirtualMachineInterface } from '../../virtual-machine-interface/virtual-machine-interface.entity.js';
import { VirtualMachine } from '../../virtual-machine/virtual-machine.entity.js';

const VrfId = (): PropertyDecorator =>
  ApiProperty({
    description: 'VRF of the prefix',
    type: 'string',
    format: 'uuid',
    nullable: true,
    example: EXAMPLE_ID,
  });
const Family = (): PropertyDecorator =>
  ApiProperty({ description: 'IP version', ...ipFamily.schema({}), example: 4 } as ApiPropertyOptions);

/** A free address of a prefix. */
export class AvailableIp {
  @ApiProperty({
    description: 'Address that is free, with the length of the prefix',
    type: 'string',
    format: 'inet',
    example: '10.0.0.5/24',
  })
  address!: string;
  @Family() family!: number;
  @VrfId() vrfId!: string | null;
}

/** Space of a prefix that none of its children takes. */
export class AvailablePrefix {
  @ApiProperty({
    description: 'Network that is free, as large as possible',
    type: 'string',
    format: 'cidr',
    example: '10.0.4.0/22',
  })
  prefix!: string;
  @Family() family!: number;
  @VrfId() vrfId!: string | null;
}

/** Details of a new address. */
@TakesCustomFields(() => IpAddress)
export class AllocatedIp extends RequestBody {
  @LineField('Name in the DNS', { example: 'core-sw-01.example.com' }) dnsName?: string | null;
  @WordField('Status', ['active', 'reserved', 'deprecated', 'dhcp', 'slaac'], { nullable: false }) status?: string;
  @WordField('Role', ['loopback', 'secondary', 'anycast', 'vip', 'vrrp', 'hsrp', 'glbp', 'carp', 'mgmt', 'peering'])
  role?: string | null;
  @TextField('Description') description?: string | null;
  @ReferenceField(() => DevicePort, 'Port that the address is bound to') interfaceId?: string | null;
  @ReferenceField(() => Device, 'Device that has the address; that of the port when `interfaceId` is set')
  deviceId?: string | null;
  @ReferenceField(() => VirtualMachine, 'Virtual machine that has the address, instead of a device')
  virtualMachineId?: string | null;
  @ReferenceField(() => VirtualMachineInterface, 'Interface of the virtual machine that the address is bound to')
  virtualMachineInterfaceId?: string | null;
}

const CountField = (what: string): PropertyDecorator =>
  IntegerField(`Number of new ${what}; 1 if it is not given`, {
    nullable: false,
    min: 1,
    max: MAX_ALLOCATED,
    example: 1,
  });

export class AllocateIps extends RequestBody {
  @CountField('addresses') count?: number;
  @ObjectsField(`One entry for each new address, 1 to ${MAX_ALLOCATED}, instead of \`count\``, () => AllocatedIp, {
    min: 1,
    max: MAX_ALLOCATED,
    instead: true,
  })
  addresses?: AllocatedIp[];
}

addBodyRule(AllocateIps, ({ count, addresses }) =>
  addresses !== undefined && count !== undefined ? new Fault('count', 'must not be given beside addresses') : undefined,
);

addBodyRule(AllocateIps, ({ addresses }) =>
  // Entries that are no objects have faults of their own.
  (Array.isArray(addresses) ? (addresses as (AllocatedIp | null)[]) : []).flatMap((entry, index) => {
    const { deviceId, interfaceId, virtualMachineId, virtualMachineInterfaceId } = entry ?? {};
    const at = `addresses[${index}]`;
    if (!virtualMachineId) {
      return virtualMachineInterfaceId
        ? [new Fault(`${at}.virtualMachineInterfaceId`, 'needs virtualMachineId beside it')]
        : [];
    }
    return Object.entries({ deviceId, interfaceId })
      .filter(([, id]) => id)
      .map(([field]) => new Fault(`${at}.${field}`, 'must not be given beside virtualMachineId'));
  }),
);

export class AllocatePrefixes extends RequestBody {
  @IntegerField('Length of the new prefixes; more than that of the prefix they are taken from', {
    required: true,
    min: 1,
    max: 128,
    example: 26,
  })
  prefixLength!: number;
  @CountField('prefixes') count?: number;
}
