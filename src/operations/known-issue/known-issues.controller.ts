import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { KnownIssue } from './known-issue.entity.js';

class CreateKnownIssue extends CreateBody(KnownIssue) {}
class UpdateKnownIssue extends UpdateBody(KnownIssue) {}

@Controller('api/known-issues')
export class KnownIssuesController extends ResourceController({
  record: KnownIssue,
  about: 'Known faults and their workarounds',
  view: { columns: ['name', 'severity', 'status', 'affectedSystem', 'workaround'], order: 'name' },
  create: CreateKnownIssue,
  update: UpdateKnownIssue,
}) {}
