import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Location } from './location.entity.js';

export class CreateLocation extends CreateBody(Location) {}
export class UpdateLocation extends UpdateBody(Location) {}

@Controller('api/locations')
export class LocationsController extends ResourceController({
  record: Location,
  create: CreateLocation,
  update: UpdateLocation,
  area: 'network',
}) {}
