import { Controller } from '@nestjs/common';
import { CreateBody, OwnedBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Device } from '../device/device.entity.js';
import { addPortRule } from '../ports/port-kinds.js';
import { PortsService } from '../ports/ports.service.js';
import { DevicePort } from './device-port.entity.js';
import { devicePortFilters } from './device-port.filters.js';

class CreateDevicePort extends CreateBody(DevicePort) {}
class UpdateDevicePort extends UpdateBody(DevicePort) {}
addPortRule(CreateDevicePort);
class CreateFlatDevicePort extends OwnedBody(CreateDevicePort, DevicePort, 'deviceId', true) {}
class UpdateFlatDevicePort extends OwnedBody(UpdateDevicePort, DevicePort, 'deviceId', false) {}

@Controller('api/devices/:id/ports')
export class DevicePortsController extends ResourceController({
  record: DevicePort,
  create: CreateDevicePort,
  update: UpdateDevicePort,
  service: PortsService<DevicePort>,
  conflicts: true,
  deleteErrors: [409],
  owner: { record: Device, field: 'deviceId', param: 'portId' },
}) {}

@Controller('api/device-ports')
export class FlatDevicePortsController extends ResourceController({
  record: DevicePort,
  about: 'The ports of all devices, of every kind',
  view: { columns: ['name', 'deviceId', 'kind', 'type', 'enabled', 'untaggedVlanId', 'description'], order: 'name' },
  create: CreateFlatDevicePort,
  update: UpdateFlatDevicePort,
  service: PortsService<DevicePort>,
  filters: devicePortFilters,
  conflicts: true,
  deleteErrors: [409],
  flat: true,
}) {}
