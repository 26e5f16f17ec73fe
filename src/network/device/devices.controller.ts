import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { flagOption } from '../../lists/parameters/query-options.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Device } from './device.entity.js';
import { DevicesService } from './devices.service.js';

const WITH_PORTS = flagOption('withPorts', '`true`: the device gets the ports of its type, which must then be given');

class CreateDevice extends CreateBody(Device) {}
class UpdateDevice extends UpdateBody(Device) {}

@Controller('api/devices')
export class DevicesController extends ResourceController({
  record: Device,
  about: 'Switches, servers and other hardware, with its ports and addresses',
  view: {
    columns: ['name', 'status', 'deviceRoleId', 'deviceTypeId', 'siteId', 'rackId', 'rackPosition'],
    order: 'name',
    facts: ['deviceRoleId', 'deviceTypeId', 'rackId', 'rackPosition', 'serialNumber', 'ips'],
    groups: {
      Device: ['name', 'status', 'deviceRoleId', 'deviceTypeId', 'platformId', 'serialNumber', 'assetId'],
      Place: ['siteId', 'locationId', 'rackId', 'rackPosition', 'rackFace'],
      Use: ['tenantGroupId', 'clusterId', 'description'],
    },
  },
  create: CreateDevice,
  update: UpdateDevice,
  service: DevicesService,
  conflicts: true,
  createOptions: { withPorts: WITH_PORTS },
}) {}
