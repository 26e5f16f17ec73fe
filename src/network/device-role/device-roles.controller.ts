import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { SluggedService } from '../../records/slugged.service.js';
import { DeviceRole } from './device-role.entity.js';

class CreateDeviceRole extends CreateBody(DeviceRole) {}
class UpdateDeviceRole extends UpdateBody(DeviceRole) {}

@Controller('api/device-roles')
export class DeviceRolesController extends ResourceController({
  record: DeviceRole,
  about: 'Purposes of devices, such as access switches',
  view: { columns: ['name', 'tier', 'redundancy', 'typicalLocation'], order: 'name' },
  create: CreateDeviceRole,
  update: UpdateDeviceRole,
  service: SluggedService<DeviceRole>,
}) {}
