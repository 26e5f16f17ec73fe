import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Device } from './device.entity.js';

export class CreateDeviceDto extends CreateDto(Device) {}
export class UpdateDeviceDto extends UpdateDto(Device) {}

@Controller('api/devices')
export class DevicesController extends ResourceController({
  record: Device,
  create: CreateDeviceDto,
  update: UpdateDeviceDto,
  area: 'network',
}) {}
