import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { SluggedService } from '../../kernel/slugged.service.js';
import { Manufacturer } from './manufacturer.entity.js';

export class CreateManufacturerDto extends CreateDto(Manufacturer) {}
export class UpdateManufacturerDto extends UpdateDto(Manufacturer) {}

@Controller('api/manufacturers')
export class ManufacturersController extends ResourceController({
  record: Manufacturer,
  create: CreateManufacturerDto,
  update: UpdateManufacturerDto,
  area: 'procurement',
  service: SluggedService<Manufacturer>,
}) {}
