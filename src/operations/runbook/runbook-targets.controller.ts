import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { RunbookTarget } from './runbook-target.entity.js';
import { Runbook } from './runbook.entity.js';

class CreateRunbookTarget extends CreateBody(RunbookTarget) {}
class UpdateRunbookTarget extends UpdateBody(RunbookTarget) {}

@Controller('api/runbooks/:id/targets')
export class RunbookTargetsController extends ResourceController({
  record: RunbookTarget,
  create: CreateRunbookTarget,
  update: UpdateRunbookTarget,
  conflicts: true,
  owner: { record: Runbook, field: 'runbookId', param: 'targetId' },
}) {}
