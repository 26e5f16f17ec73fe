import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { IntegerField } from '../../fields/fields.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Rack } from './rack.entity.js';

// Not a bound of the record: a rack that was recorded with more units stays readable.
const HeightField = () => IntegerField('Height in rack units', { min: 1, max: 100, example: 42 });

export class CreateRack extends CreateBody(Rack) {
  @HeightField() override units?: number | null;
}
export class UpdateRack extends UpdateBody(Rack) {
  @HeightField() override units?: number | null;
}

@Controller('api/racks')
export class RacksController extends ResourceController({
  record: Rack,
  about: 'Cabinets of a site, and how many units they have',
  view: {
    columns: ['name', 'siteId', 'locationId', 'units', 'status'],
    order: 'name',
    apart: ['locationId', 'siteId'],
    namesRepeat: true,
    groups: { Rack: ['name', 'status', 'units'], Place: ['siteId', 'locationId'] },
  },
  create: CreateRack,
  update: UpdateRack,
  conflicts: { update: true },
}) {}
