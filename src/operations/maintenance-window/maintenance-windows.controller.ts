import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { MaintenanceWindow } from './maintenance-window.entity.js';

export class CreateMaintenanceWindowDto extends CreateDto(MaintenanceWindow) {}
export class UpdateMaintenanceWindowDto extends UpdateDto(MaintenanceWindow) {}

@Controller('api/maintenance-windows')
export class MaintenanceWindowsController extends ResourceController({
  record: MaintenanceWindow,
  create: CreateMaintenanceWindowDto,
  update: UpdateMaintenanceWindowDto,
  area: 'operations',
}) {}
