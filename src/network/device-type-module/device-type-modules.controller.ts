import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { DeviceType } from '../device-type/device-type.entity.js';
import { DeviceTypeModule } from './device-type-module.entity.js';

export class CreateDeviceTypeModuleDto extends CreateDto(DeviceTypeModule) {}
export class UpdateDeviceTypeModuleDto extends UpdateDto(DeviceTypeModule) {}

@Controller('api/device-types/:id/modules')
export class DeviceTypeModulesController extends ResourceController({
  record: DeviceTypeModule,
  create: CreateDeviceTypeModuleDto,
  update: UpdateDeviceTypeModuleDto,
  area: 'network',
  owner: { record: DeviceType, field: 'deviceTypeId', param: 'moduleId' },
}) {}
