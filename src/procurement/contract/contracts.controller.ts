import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Contract } from './contract.entity.js';

export class CreateContractDto extends CreateDto(Contract) {}
export class UpdateContractDto extends UpdateDto(Contract) {}

@Controller('api/contracts')
export class ContractsController extends ResourceController({
  record: Contract,
  create: CreateContractDto,
  update: UpdateContractDto,
  area: 'procurement',
}) {}
