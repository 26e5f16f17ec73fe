import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { TenantGroup } from './tenant-group.entity.js';

class CreateTenantGroup extends CreateBody(TenantGroup) {}
class UpdateTenantGroup extends UpdateBody(TenantGroup) {}

@Controller('api/tenant-groups')
export class TenantGroupsController extends ResourceController({
  record: TenantGroup,
  about: 'Customers or departments that devices belong to',
  create: CreateTenantGroup,
  update: UpdateTenantGroup,
}) {}
