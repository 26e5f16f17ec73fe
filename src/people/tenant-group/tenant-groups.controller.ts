import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { TenantGroup } from './tenant-group.entity.js';

export class CreateTenantGroupDto extends CreateDto(TenantGroup) {}
export class UpdateTenantGroupDto extends UpdateDto(TenantGroup) {}

@Controller('api/tenant-groups')
export class TenantGroupsController extends ResourceController({
  record: TenantGroup,
  create: CreateTenantGroupDto,
  update: UpdateTenantGroupDto,
  area: 'people',
}) {}
