import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { SluggedService } from '../../kernel/slugged.service.js';
import { DeviceRole } from './device-role.entity.js';

export class CreateDeviceRoleDto extends CreateDto(DeviceRole) {}
export class UpdateDeviceRoleDto extends UpdateDto(DeviceRole) {}

@Controller('api/device-roles')
export class DeviceRolesController extends ResourceController({
  record: DeviceRole,
  create: CreateDeviceRoleDto,
  update: UpdateDeviceRoleDto,
  area: 'network',
  service: SluggedService<DeviceRole>,
}) {}
