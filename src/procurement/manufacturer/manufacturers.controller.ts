import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { SluggedService } from '../../records/slugged.service.js';
import { Manufacturer } from './manufacturer.entity.js';

export class CreateManufacturer extends CreateBody(Manufacturer) {}
export class UpdateManufacturer extends UpdateBody(Manufacturer) {}

@Controller('api/manufacturers')
export class ManufacturersController extends ResourceController({
  record: Manufacturer,
  about: 'Who makes devices and assets, and where they give support',
  view: { columns: ['name', 'website', 'supportEmail', 'supportPhone'], order: 'name' },
  create: CreateManufacturer,
  update: UpdateManufacturer,
  service: SluggedService<Manufacturer>,
}) {}
