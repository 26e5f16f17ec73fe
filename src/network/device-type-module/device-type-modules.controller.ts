import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { DeviceType } from '../device-type/device-type.entity.js';
import { DeviceTypeModule } from './device-type-module.entity.js';

class CreateDeviceTypeModule extends CreateBody(DeviceTypeModule) {}
class UpdateDeviceTypeModule extends UpdateBody(DeviceTypeModule) {}

@Controller('api/device-types/:id/modules')
export class DeviceTypeModulesController extends ResourceController({
  record: DeviceTypeModule,
  create: CreateDeviceTypeModule,
  update: UpdateDeviceTypeModule,
  owner: { record: DeviceType, field: 'deviceTypeId', param: 'moduleId' },
}) {}
