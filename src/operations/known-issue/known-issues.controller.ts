import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { KnownIssue } from './known-issue.entity.js';

export class CreateKnownIssue extends CreateBody(KnownIssue) {}
export class UpdateKnownIssue extends UpdateBody(KnownIssue) {}

@Controller('api/known-issues')
export class KnownIssuesController extends ResourceController({
  record: KnownIssue,
  create: CreateKnownIssue,
  update: UpdateKnownIssue,
  area: 'operations',
}) {}
