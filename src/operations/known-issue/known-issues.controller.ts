import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { KnownIssue } from './known-issue.entity.js';

export class CreateKnownIssueDto extends CreateDto(KnownIssue) {}
export class UpdateKnownIssueDto extends UpdateDto(KnownIssue) {}

@Controller('api/known-issues')
export class KnownIssuesController extends ResourceController({
  record: KnownIssue,
  create: CreateKnownIssueDto,
  update: UpdateKnownIssueDto,
  area: 'operations',
}) {}
