import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { SluggedService } from '../../records/slugged.service.js';
import { Site } from './site.entity.js';

class CreateSite extends CreateBody(Site) {}
class UpdateSite extends UpdateBody(Site) {}

@Controller('api/sites')
export class SitesController extends ResourceController({
  record: Site,
  about: 'Places where equipment stands',
  view: {
    columns: ['name', 'status', 'regionId', 'facility', 'timeZone'],
    order: 'name',
    groups: {
      Site: ['name', 'slug', 'status', 'facility', 'description'],
      Place: ['regionId', 'physicalAddress', 'timeZone', 'latitude', 'longitude'],
    },
  },
  create: CreateSite,
  update: UpdateSite,
  service: SluggedService<Site>,
  deleteErrors: [409],
}) {}
