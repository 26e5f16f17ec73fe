import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { MaintenanceWindow } from './maintenance-window.entity.js';
import { MaintenanceWindowTarget } from './maintenance-window-target.entity.js';

class CreateMaintenanceWindowTarget extends CreateBody(MaintenanceWindowTarget) {}
class UpdateMaintenanceWindowTarget extends UpdateBody(MaintenanceWindowTarget) {}

@Controller('api/maintenance-windows/:id/targets')
export class MaintenanceWindowTargetsController extends ResourceController({
  record: MaintenanceWindowTarget,
  create: CreateMaintenanceWindowTarget,
  update: UpdateMaintenanceWindowTarget,
  conflicts: true,
  owner: { record: MaintenanceWindow, field: 'maintenanceWindowId', param: 'targetId' },
}) {}
