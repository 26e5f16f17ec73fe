import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Renewal } from './renewal.entity.js';

class CreateRenewal extends CreateBody(Renewal) {}
class UpdateRenewal extends UpdateBody(Renewal) {}

@Controller('api/renewals')
export class RenewalsController extends ResourceController({
  record: Renewal,
  about: 'Agreements to renew, by date',
  view: {
    columns: ['name', 'vendorId', 'renewalDate', 'amount', 'status', 'contractId'],
    order: 'renewalDate',
    groups: { Renewal: ['name', 'vendorId', 'contractId', 'status'], Term: ['renewalDate', 'amount', 'notes'] },
  },
  create: CreateRenewal,
  update: UpdateRenewal,
}) {}
