import { JoinedField } from '../../fields/fields.js';
import { IpAddress } from './ip-address.entity.js';

/** An IP address as the list of its device shows it. */
export class DeviceIpAddress extends IpAddress {
  @JoinedField('interfaceId', 'name', 'Name of the port that the address is bound to', {
    example: 'GigabitEthernet1/0/1',
  })
  interfaceName!: string | null;
}
