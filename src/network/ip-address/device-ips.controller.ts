import { DeviceIpAddress } from './device-ip-address.js';
import { Device } from '../device/device.entity.js';
import { ipsController } from './ips.controller.js';

/** The addresses of a device: those bound to its ports and those given to it as a whole. */
export const DeviceIpsController = ipsController({
  owner: Device,
  record: DeviceIpAddress,
  text: 'Every address whose `deviceId` is the device, with the name of the port that it is bound to.',
  fixed: ['deviceId'],
});
