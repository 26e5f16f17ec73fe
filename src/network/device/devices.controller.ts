import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Device } from './device.entity.js';
import { DevicesService } from './devices.service.js';

export class CreateDevice extends CreateBody(Device) {}
export class UpdateDevice extends UpdateBody(Device) {}

@Controller('api/devices')
export class DevicesController extends ResourceController({
  record: Device,
  about: 'Switches, servers and other hardware, with its ports and addresses',
  create: CreateDevice,
  update: UpdateDevice,
  service: DevicesService,
  conflicts: true,
}) {}
