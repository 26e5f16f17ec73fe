import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Device } from '../device/device.entity.js';
import { DevicePort } from './device-port.entity.js';

export class CreateDevicePortDto extends CreateDto(DevicePort) {}
export class UpdateDevicePortDto extends UpdateDto(DevicePort) {}

@Controller('api/devices/:id/ports')
export class DevicePortsController extends ResourceController({
  record: DevicePort,
  create: CreateDevicePortDto,
  update: UpdateDevicePortDto,
  area: 'network',
  owner: { record: Device, field: 'deviceId', param: 'portId' },
}) {}
