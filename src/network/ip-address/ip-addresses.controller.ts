import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { DeviceIpAddress } from './device-ip-address.js';
import { IpAddress } from './ip-address.entity.js';
import { IpAddressesService } from './ip-addresses.service.js';
import { ofVirtualMachine } from './machine-addresses.js';
import { within } from './within.filter.js';

export class CreateIpAddress extends CreateBody(IpAddress, DeviceIpAddress) {}
export class UpdateIpAddress extends UpdateBody(IpAddress, DeviceIpAddress) {}

@Controller('api/ip-addresses')
export class IpAddressesController extends ResourceController({
  record: IpAddress,
  about: 'Addresses with their prefix length',
  view: {
    columns: ['address', 'status', 'dnsName', 'deviceId', 'interfaceId', 'vrfId', 'role'],
    order: 'address',
    groups: {
      Address: ['address', 'status', 'role', 'dnsName', 'description'],
      Place: ['vrfId', 'deviceId', 'interfaceId'],
    },
  },
  create: CreateIpAddress,
  update: UpdateIpAddress,
  service: IpAddressesService,
  filters: [within, ofVirtualMachine],
  conflicts: true,
}) {}
