import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Sla } from './sla.entity.js';

class CreateSla extends CreateBody(Sla) {}
class UpdateSla extends UpdateBody(Sla) {}

@Controller('api/slas')
export class SlasController extends ResourceController({
  record: Sla,
  about: 'Service levels agreed with vendors',
  view: {
    columns: ['name', 'vendorId', 'target', 'responseTime', 'uptime'],
    order: 'name',
    groups: { SLA: ['name', 'vendorId', 'description'], Terms: ['target', 'responseTime', 'uptime'] },
  },
  create: CreateSla,
  update: UpdateSla,
}) {}
