import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { DeviceType } from '../device-type/device-type.entity.js';
import { DeviceTypePort } from './device-type-port.entity.js';

export class CreateDeviceTypePort extends CreateBody(DeviceTypePort) {}
export class UpdateDeviceTypePort extends UpdateBody(DeviceTypePort) {}

@Controller('api/device-types/:id/ports')
export class DeviceTypePortsController extends ResourceController({
  record: DeviceTypePort,
  create: CreateDeviceTypePort,
  update: UpdateDeviceTypePort,
  conflicts: true,
  owner: { record: DeviceType, field: 'deviceTypeId', param: 'portId' },
}) {}
