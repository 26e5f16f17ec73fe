import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Sla } from './sla.entity.js';

export class CreateSla extends CreateBody(Sla) {}
export class UpdateSla extends UpdateBody(Sla) {}

@Controller('api/slas')
export class SlasController extends ResourceController({
  record: Sla,
  create: CreateSla,
  update: UpdateSla,
  area: 'procurement',
}) {}
