import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Vrf } from './vrf.entity.js';

export class CreateVrf extends CreateBody(Vrf) {}
export class UpdateVrf extends UpdateBody(Vrf) {}

@Controller('api/vrfs')
export class VrfsController extends ResourceController({
  record: Vrf,
  about: 'Routing tables that keep address spaces apart',
  create: CreateVrf,
  update: UpdateVrf,
}) {}
