import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Runbook } from './runbook.entity.js';

export class CreateRunbook extends CreateBody(Runbook) {}
export class UpdateRunbook extends UpdateBody(Runbook) {}

@Controller('api/runbooks')
export class RunbooksController extends ResourceController({
  record: Runbook,
  create: CreateRunbook,
  update: UpdateRunbook,
  area: 'operations',
}) {}
