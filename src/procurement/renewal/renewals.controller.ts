import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Renewal } from './renewal.entity.js';

export class CreateRenewalDto extends CreateDto(Renewal) {}
export class UpdateRenewalDto extends UpdateDto(Renewal) {}

@Controller('api/renewals')
export class RenewalsController extends ResourceController({
  record: Renewal,
  create: CreateRenewalDto,
  update: UpdateRenewalDto,
  area: 'procurement',
}) {}
