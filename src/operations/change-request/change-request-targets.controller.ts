import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { ChangeRequest } from './change-request.entity.js';
import { ChangeRequestTarget } from './change-request-target.entity.js';

class CreateChangeRequestTarget extends CreateBody(ChangeRequestTarget) {}
class UpdateChangeRequestTarget extends UpdateBody(ChangeRequestTarget) {}

@Controller('api/change-requests/:id/targets')
export class ChangeRequestTargetsController extends ResourceController({
  record: ChangeRequestTarget,
  create: CreateChangeRequestTarget,
  update: UpdateChangeRequestTarget,
  conflicts: true,
  owner: { record: ChangeRequest, field: 'changeRequestId', param: 'targetId' },
}) {}
