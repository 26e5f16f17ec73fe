import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Device } from './device.entity.js';

export class CreateDevice extends CreateBody(Device) {}
export class UpdateDevice extends UpdateBody(Device) {}

@Controller('api/devices')
export class DevicesController extends ResourceController({
  record: Device,
  create: CreateDevice,
  update: UpdateDevice,
  area: 'network',
}) {}
