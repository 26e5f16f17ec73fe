import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Sla } from './sla.entity.js';

export class CreateSlaDto extends CreateDto(Sla) {}
export class UpdateSlaDto extends UpdateDto(Sla) {}

@Controller('api/slas')
export class SlasController extends ResourceController({
  record: Sla,
  create: CreateSlaDto,
  update: UpdateSlaDto,
  area: 'procurement',
}) {}
