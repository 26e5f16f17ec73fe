import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Location } from './location.entity.js';
import { LocationsService } from './locations.service.js';

class CreateLocation extends CreateBody(Location) {}
class UpdateLocation extends UpdateBody(Location) {}

@Controller('api/locations')
export class LocationsController extends ResourceController({
  record: Location,
  about: 'Parts of a site, in a tree',
  view: {
    columns: ['name', 'siteId', 'parentId', 'facility', 'status'],
    order: 'name',
    groups: { Location: ['name', 'slug', 'status', 'facility', 'description'], Place: ['siteId', 'parentId'] },
  },
  create: CreateLocation,
  update: UpdateLocation,
  service: LocationsService,
  conflicts: { update: true },
  deleteErrors: [409],
}) {}
