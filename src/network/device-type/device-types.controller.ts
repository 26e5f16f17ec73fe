import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { DeviceType } from './device-type.entity.js';
import { DeviceTypesService } from './device-types.service.js';

export class CreateDeviceTypeDto extends CreateDto(DeviceType) {}
export class UpdateDeviceTypeDto extends UpdateDto(DeviceType) {}

@Controller('api/device-types')
export class DeviceTypesController extends ResourceController({
  record: DeviceType,
  create: CreateDeviceTypeDto,
  update: UpdateDeviceTypeDto,
  area: 'network',
  service: DeviceTypesService,
}) {}
