import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { ChangeRequest } from './change-request.entity.js';

class CreateChangeRequest extends CreateBody(ChangeRequest) {}
class UpdateChangeRequest extends UpdateBody(ChangeRequest) {}

@Controller('api/change-requests')
export class ChangeRequestsController extends ResourceController({
  record: ChangeRequest,
  about: 'Changes from draft to completion',
  view: {
    columns: ['name', 'status', 'risk', 'scheduledFor', 'requestedById'],
    order: '-scheduledFor',
    groups: { Change: ['name', 'risk', 'status', 'description'], Planning: ['scheduledFor', 'requestedById'] },
  },
  create: CreateChangeRequest,
  update: UpdateChangeRequest,
}) {}
