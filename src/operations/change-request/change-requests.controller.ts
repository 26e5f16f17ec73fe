import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { ChangeRequest } from './change-request.entity.js';

export class CreateChangeRequestDto extends CreateDto(ChangeRequest) {}
export class UpdateChangeRequestDto extends UpdateDto(ChangeRequest) {}

@Controller('api/change-requests')
export class ChangeRequestsController extends ResourceController({
  record: ChangeRequest,
  create: CreateChangeRequestDto,
  update: UpdateChangeRequestDto,
  area: 'operations',
}) {}
