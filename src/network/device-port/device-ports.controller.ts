import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Device } from '../device/device.entity.js';
import { DevicePort } from './device-port.entity.js';

export class CreateDevicePort extends CreateBody(DevicePort) {}
export class UpdateDevicePort extends UpdateBody(DevicePort) {}

@Controller('api/devices/:id/ports')
export class DevicePortsController extends ResourceController({
  record: DevicePort,
  create: CreateDevicePort,
  update: UpdateDevicePort,
  conflicts: true,
  owner: { record: Device, field: 'deviceId', param: 'portId' },
}) {}
