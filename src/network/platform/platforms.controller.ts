import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { SluggedService } from '../../kernel/slugged.service.js';
import { Platform } from './platform.entity.js';

export class CreatePlatformDto extends CreateDto(Platform) {}
export class UpdatePlatformDto extends UpdateDto(Platform) {}

@Controller('api/platforms')
export class PlatformsController extends ResourceController({
  record: Platform,
  create: CreatePlatformDto,
  update: UpdatePlatformDto,
  area: 'network',
  service: SluggedService<Platform>,
}) {}
