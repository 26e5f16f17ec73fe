import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Vrf } from './vrf.entity.js';
import { VrfsService } from './vrfs.service.js';

class CreateVrf extends CreateBody(Vrf) {}
class UpdateVrf extends UpdateBody(Vrf) {}

@Controller('api/vrfs')
export class VrfsController extends ResourceController({
  record: Vrf,
  about: 'Routing tables that keep address spaces apart',
  view: { columns: ['name', 'routeDistinguisher', 'enforceUnique', 'description'], order: 'name' },
  create: CreateVrf,
  update: UpdateVrf,
  service: VrfsService,
  conflicts: true,
  deleteErrors: [409],
  text: {
    update: {
      description:
        'Changes the fields that are sent and no others; `null` clears a field that may be null. Switching `enforceUnique` on is refused with 409 while hosts are recorded twice, which the response lists.',
    },
    delete: {
      description:
        'References to it become null. Refused with 409 if a prefix of the VRF also exists outside all VRFs, where each prefix must be unique.',
    },
  },
}) {}
