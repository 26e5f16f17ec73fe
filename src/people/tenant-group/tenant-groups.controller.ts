import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { TenantGroup } from './tenant-group.entity.js';

export class CreateTenantGroup extends CreateBody(TenantGroup) {}
export class UpdateTenantGroup extends UpdateBody(TenantGroup) {}

@Controller('api/tenant-groups')
export class TenantGroupsController extends ResourceController({
  record: TenantGroup,
  create: CreateTenantGroup,
  update: UpdateTenantGroup,
  area: 'people',
}) {}
