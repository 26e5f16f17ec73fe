import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { SluggedService } from '../../records/slugged.service.js';
import { Platform } from './platform.entity.js';

class CreatePlatform extends CreateBody(Platform) {}
class UpdatePlatform extends UpdateBody(Platform) {}

@Controller('api/platforms')
export class PlatformsController extends ResourceController({
  record: Platform,
  about: 'Operating systems that devices and virtual machines run',
  view: { columns: ['name', 'manufacturerId', 'nosFamily', 'commercialStatus', 'popular'], order: 'name' },
  create: CreatePlatform,
  update: UpdatePlatform,
  service: SluggedService<Platform>,
}) {}
