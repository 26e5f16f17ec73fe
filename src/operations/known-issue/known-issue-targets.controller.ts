import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { KnownIssueTarget } from './known-issue-target.entity.js';
import { KnownIssue } from './known-issue.entity.js';

class CreateKnownIssueTarget extends CreateBody(KnownIssueTarget) {}
class UpdateKnownIssueTarget extends UpdateBody(KnownIssueTarget) {}

@Controller('api/known-issues/:id/targets')
export class KnownIssueTargetsController extends ResourceController({
  record: KnownIssueTarget,
  create: CreateKnownIssueTarget,
  update: UpdateKnownIssueTarget,
  conflicts: true,
  owner: { record: KnownIssue, field: 'knownIssueId', param: 'targetId' },
}) {}
