import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Incident } from './incident.entity.js';

class CreateIncident extends CreateBody(Incident) {}
class UpdateIncident extends UpdateBody(Incident) {}

@Controller('api/incidents')
export class IncidentsController extends ResourceController({
  record: Incident,
  about: 'Outages and faults, with their severity and the people who work on them',
  view: {
    columns: ['name', 'severity', 'status', 'detectedAt', 'assignedToId', 'resolvedAt'],
    order: '-detectedAt',
    groups: {
      Incident: ['name', 'severity', 'status', 'assignedToId', 'description'],
      Times: ['detectedAt', 'resolvedAt'],
    },
  },
  create: CreateIncident,
  update: UpdateIncident,
}) {}
