import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Rack } from './rack.entity.js';

class CreateRack extends CreateBody(Rack) {}
class UpdateRack extends UpdateBody(Rack) {}

@Controller('api/racks')
export class RacksController extends ResourceController({
  record: Rack,
  about: 'Cabinets of a site, and how many units they have',
  view: {
    columns: ['name', 'siteId', 'locationId', 'units', 'status'],
    order: 'name',
    groups: { Rack: ['name', 'status', 'units'], Place: ['siteId', 'locationId'] },
  },
  create: CreateRack,
  update: UpdateRack,
  conflicts: { update: true },
}) {}
