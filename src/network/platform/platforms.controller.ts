import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { SluggedService } from '../../kernel/slugged.service.js';
import { Platform } from './platform.entity.js';

export class CreatePlatform extends CreateBody(Platform) {}
export class UpdatePlatform extends UpdateBody(Platform) {}

@Controller('api/platforms')
export class PlatformsController extends ResourceController({
  record: Platform,
  create: CreatePlatform,
  update: UpdatePlatform,
  area: 'network',
  service: SluggedService<Platform>,
}) {}
