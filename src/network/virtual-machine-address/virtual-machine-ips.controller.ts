import { ComputedField } from '../../fields/fields.js';
import { IpAddress } from '../ip-address/ip-address.entity.js';
import { ipsController } from '../ip-address/ips.controller.js';
import { VirtualMachine } from '../virtual-machine/virtual-machine.entity.js';
import { addressesOf } from '../ip-address/machine-addresses.js';

/** An IP address as the list of its virtual machine shows it. */
export class VirtualMachineIpAddress extends IpAddress {
  @ComputedField(
    'Name of the interface that the address is bound to',
    (t) => `(SELECT i.name FROM virtual_machine_addresses a JOIN virtual_machine_interfaces i ON i.id = a.interface_id
      WHERE a.ip_address_id = ${t}.id)`,
    { type: 'string', example: 'eth0' },
    { nullable: true },
  )
  interfaceName!: string | null;
}

/** The addresses of a virtual machine: those of its interfaces, and those of the machine as a whole. */
export const VirtualMachineIpsController = ipsController({
  owner: VirtualMachine,
  record: VirtualMachineIpAddress,
  text: 'Every address of the virtual machine, with the name of the interface that it is bound to.',
  fixed: [],
  condition: addressesOf,
});
