import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { MaintenanceWindow } from './maintenance-window.entity.js';

export class CreateMaintenanceWindow extends CreateBody(MaintenanceWindow) {}
export class UpdateMaintenanceWindow extends UpdateBody(MaintenanceWindow) {}

@Controller('api/maintenance-windows')
export class MaintenanceWindowsController extends ResourceController({
  record: MaintenanceWindow,
  create: CreateMaintenanceWindow,
  update: UpdateMaintenanceWindow,
  area: 'operations',
}) {}
