import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { SluggedService } from '../../kernel/slugged.service.js';
import { Site } from './site.entity.js';

export class CreateSiteDto extends CreateDto(Site) {}
export class UpdateSiteDto extends UpdateDto(Site) {}

@Controller('api/sites')
export class SitesController extends ResourceController({
  record: Site,
  create: CreateSiteDto,
  update: UpdateSiteDto,
  area: 'network',
  service: SluggedService<Site>,
}) {}
