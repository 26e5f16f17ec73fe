import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Vrf } from './vrf.entity.js';

export class CreateVrf extends CreateBody(Vrf) {}
export class UpdateVrf extends UpdateBody(Vrf) {}

@Controller('api/vrfs')
export class VrfsController extends ResourceController({
  record: Vrf,
  create: CreateVrf,
  update: UpdateVrf,
  area: 'network',
}) {}
