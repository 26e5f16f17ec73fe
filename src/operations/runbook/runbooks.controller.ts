import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Runbook } from './runbook.entity.js';

export class CreateRunbookDto extends CreateDto(Runbook) {}
export class UpdateRunbookDto extends UpdateDto(Runbook) {}

@Controller('api/runbooks')
export class RunbooksController extends ResourceController({
  record: Runbook,
  create: CreateRunbookDto,
  update: UpdateRunbookDto,
  area: 'operations',
}) {}
