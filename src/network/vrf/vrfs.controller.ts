import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Vrf } from './vrf.entity.js';

export class CreateVrfDto extends CreateDto(Vrf) {}
export class UpdateVrfDto extends UpdateDto(Vrf) {}

@Controller('api/vrfs')
export class VrfsController extends ResourceController({
  record: Vrf,
  create: CreateVrfDto,
  update: UpdateVrfDto,
  area: 'network',
}) {}
