import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Renewal } from './renewal.entity.js';

export class CreateRenewal extends CreateBody(Renewal) {}
export class UpdateRenewal extends UpdateBody(Renewal) {}

@Controller('api/renewals')
export class RenewalsController extends ResourceController({
  record: Renewal,
  create: CreateRenewal,
  update: UpdateRenewal,
  area: 'procurement',
}) {}
