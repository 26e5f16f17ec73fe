import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Contract } from '../contract/contract.entity.js';
import { ContractCoverage } from './contract-coverage.entity.js';

class CreateContractCoverage extends CreateBody(ContractCoverage) {}
class UpdateContractCoverage extends UpdateBody(ContractCoverage) {}

@Controller('api/contracts/:id/coverage')
export class ContractCoverageController extends ResourceController({
  record: ContractCoverage,
  create: CreateContractCoverage,
  update: UpdateContractCoverage,
  conflicts: true,
  owner: { record: Contract, field: 'contractId', param: 'coverageId' },
}) {}
