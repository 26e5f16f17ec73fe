import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Location } from './location.entity.js';

export class CreateLocationDto extends CreateDto(Location) {}
export class UpdateLocationDto extends UpdateDto(Location) {}

@Controller('api/locations')
export class LocationsController extends ResourceController({
  record: Location,
  create: CreateLocationDto,
  update: UpdateLocationDto,
  area: 'network',
}) {}
