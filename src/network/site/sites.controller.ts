import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { SluggedService } from '../../kernel/slugged.service.js';
import { Site } from './site.entity.js';

export class CreateSite extends CreateBody(Site) {}
export class UpdateSite extends UpdateBody(Site) {}

@Controller('api/sites')
export class SitesController extends ResourceController({
  record: Site,
  create: CreateSite,
  update: UpdateSite,
  area: 'network',
  service: SluggedService<Site>,
}) {}
