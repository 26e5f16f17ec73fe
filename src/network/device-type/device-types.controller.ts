import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { DeviceType } from './device-type.entity.js';
import { DeviceTypesService } from './device-types.service.js';

export class CreateDeviceType extends CreateBody(DeviceType) {}
export class UpdateDeviceType extends UpdateBody(DeviceType) {}

@Controller('api/device-types')
export class DeviceTypesController extends ResourceController({
  record: DeviceType,
  about: 'Models and the modules that fit them',
  create: CreateDeviceType,
  update: UpdateDeviceType,
  service: DeviceTypesService,
  conflicts: { update: true },
}) {}
