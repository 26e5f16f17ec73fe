import { DeviceIpAddress } from './device-ip-address.js';
import { Device } from '../device/device.entity.js';
import { ipsController } from './ips.controller.js';

/** The addresses of a device: those of its ports, and those of the device as a whole. */
export const DeviceIpsController = ipsController({
  owner: Device,
  record: DeviceIpAddress,
  text: 'Every address whose `deviceId` is the device, with the name of the port that it is bound to.',
  fixed: ['deviceId'],
});
