import { Controller } from '@nestjs/common';
import { CreateBody, OwnedBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { DeviceType } from '../device-type/device-type.entity.js';
import { addPortRule } from '../ports/port-kinds.js';
import { PortsService } from '../ports/ports.service.js';
import { DeviceTypePort } from './device-type-port.entity.js';

class CreateDeviceTypePort extends CreateBody(DeviceTypePort) {}
class UpdateDeviceTypePort extends UpdateBody(DeviceTypePort) {}
addPortRule(CreateDeviceTypePort);
class CreateFlatDeviceTypePort extends OwnedBody(CreateDeviceTypePort, DeviceTypePort, 'deviceTypeId', true) {}
class UpdateFlatDeviceTypePort extends OwnedBody(UpdateDeviceTypePort, DeviceTypePort, 'deviceTypeId', false) {}

@Controller('api/device-types/:id/ports')
export class DeviceTypePortsController extends ResourceController({
  record: DeviceTypePort,
  create: CreateDeviceTypePort,
  update: UpdateDeviceTypePort,
  service: PortsService<DeviceTypePort>,
  conflicts: true,
  owner: { record: DeviceType, field: 'deviceTypeId', param: 'portId' },
}) {}

@Controller('api/device-type-ports')
export class FlatDeviceTypePortsController extends ResourceController({
  record: DeviceTypePort,
  about: 'The ports of all device types, of every kind',
  view: { columns: ['name', 'deviceTypeId', 'kind', 'type', 'description'], order: 'name' },
  create: CreateFlatDeviceTypePort,
  update: UpdateFlatDeviceTypePort,
  service: PortsService<DeviceTypePort>,
  conflicts: true,
  flat: true,
}) {}
