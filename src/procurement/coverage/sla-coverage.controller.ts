import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Sla } from '../sla/sla.entity.js';
import { SlaCoverage } from './sla-coverage.entity.js';

class CreateSlaCoverage extends CreateBody(SlaCoverage) {}
class UpdateSlaCoverage extends UpdateBody(SlaCoverage) {}

@Controller('api/slas/:id/coverage')
export class SlaCoverageController extends ResourceController({
  record: SlaCoverage,
  create: CreateSlaCoverage,
  update: UpdateSlaCoverage,
  conflicts: true,
  owner: { record: Sla, field: 'slaId', param: 'coverageId' },
}) {}
