import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Vlan } from './vlan.entity.js';

class CreateVlan extends CreateBody(Vlan) {}
class UpdateVlan extends UpdateBody(Vlan) {}

@Controller('api/vlans')
export class VlansController extends ResourceController({
  record: Vlan,
  about: 'Virtual LANs, alone or in groups',
  view: {
    columns: ['vid', 'name', 'status', 'vlanGroupId', 'siteId', 'role', 'tenantGroupId'],
    order: 'vid',
    groups: {
      VLAN: ['vid', 'name', 'status', 'role', 'description'],
      Place: ['vlanGroupId', 'siteId', 'tenantGroupId'],
    },
  },
  create: CreateVlan,
  update: UpdateVlan,
  conflicts: true,
}) {}
