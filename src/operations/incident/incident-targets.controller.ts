import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Incident } from './incident.entity.js';
import { IncidentTarget } from './incident-target.entity.js';

class CreateIncidentTarget extends CreateBody(IncidentTarget) {}
class UpdateIncidentTarget extends UpdateBody(IncidentTarget) {}

@Controller('api/incidents/:id/targets')
export class IncidentTargetsController extends ResourceController({
  record: IncidentTarget,
  create: CreateIncidentTarget,
  update: UpdateIncidentTarget,
  conflicts: true,
  owner: { record: Incident, field: 'incidentId', param: 'targetId' },
}) {}
