import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { SluggedService } from '../../records/slugged.service.js';
import { Manufacturer } from './manufacturer.entity.js';

class CreateManufacturer extends CreateBody(Manufacturer) {}
class UpdateManufacturer extends UpdateBody(Manufacturer) {}

@Controller('api/manufacturers')
export class ManufacturersController extends ResourceController({
  record: Manufacturer,
  about: 'Makers of devices and assets, and their support contacts',
  view: { columns: ['name', 'website', 'supportEmail', 'supportPhone'], order: 'name' },
  create: CreateManufacturer,
  update: UpdateManufacturer,
  service: SluggedService<Manufacturer>,
}) {}
