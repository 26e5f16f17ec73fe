import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Contract } from './contract.entity.js';

class CreateContract extends CreateBody(Contract) {}
class UpdateContract extends UpdateBody(Contract) {}

@Controller('api/contracts')
export class ContractsController extends ResourceController({
  record: Contract,
  about: 'Agreements with vendors, their terms and cost',
  view: {
    columns: ['name', 'vendorId', 'status', 'endDate', 'noticeDate', 'cost'],
    order: 'endDate',
    groups: {
      Contract: ['name', 'contractNumber', 'vendorId', 'type', 'status', 'notes'],
      Term: ['startDate', 'endDate', 'noticeDate'],
      Cost: ['cost', 'currency'],
    },
  },
  create: CreateContract,
  update: UpdateContract,
  conflicts: { update: true },
}) {}
