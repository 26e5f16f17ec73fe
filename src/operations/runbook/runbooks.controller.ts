import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Runbook } from './runbook.entity.js';

class CreateRunbook extends CreateBody(Runbook) {}
class UpdateRunbook extends UpdateBody(Runbook) {}

@Controller('api/runbooks')
export class RunbooksController extends ResourceController({
  record: Runbook,
  about: 'Procedures to follow, and their owners',
  view: { columns: ['name', 'category', 'ownerId', 'description'], order: 'name' },
  create: CreateRunbook,
  update: UpdateRunbook,
}) {}
