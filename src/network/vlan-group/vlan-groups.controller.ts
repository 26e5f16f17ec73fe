import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { VlanGroup } from './vlan-group.entity.js';

class CreateVlanGroup extends CreateBody(VlanGroup) {}
class UpdateVlanGroup extends UpdateBody(VlanGroup) {}

@Controller('api/vlan-groups')
export class VlanGroupsController extends ResourceController({
  record: VlanGroup,
  about: 'Sets of VLANs in which every vid is unique',
  create: CreateVlanGroup,
  update: UpdateVlanGroup,
  conflicts: true,
  text: {
    update: {
      description:
        'Changes the fields that are sent and no others; `null` clears a field that may be null. A range that excludes a VLAN of the group is refused with 409.',
    },
  },
}) {}
