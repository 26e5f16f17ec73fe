import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { during } from './during.filter.js';
import { MaintenanceWindow } from './maintenance-window.entity.js';

class CreateMaintenanceWindow extends CreateBody(MaintenanceWindow) {}
class UpdateMaintenanceWindow extends UpdateBody(MaintenanceWindow) {}

@Controller('api/maintenance-windows')
export class MaintenanceWindowsController extends ResourceController({
  record: MaintenanceWindow,
  about: 'Planned work and its disruption',
  view: {
    columns: ['name', 'status', 'startTime', 'endTime', 'impact'],
    order: '-startTime',
    groups: { Window: ['name', 'status', 'impact', 'description'], Times: ['startTime', 'endTime'] },
  },
  create: CreateMaintenanceWindow,
  update: UpdateMaintenanceWindow,
  filters: [during],
}) {}
