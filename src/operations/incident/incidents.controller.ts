import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Incident } from './incident.entity.js';

export class CreateIncidentDto extends CreateDto(Incident) {}
export class UpdateIncidentDto extends UpdateDto(Incident) {}

@Controller('api/incidents')
export class IncidentsController extends ResourceController({
  record: Incident,
  create: CreateIncidentDto,
  update: UpdateIncidentDto,
  area: 'operations',
}) {}
