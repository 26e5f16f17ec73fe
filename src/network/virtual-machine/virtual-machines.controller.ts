import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { VirtualMachine } from './virtual-machine.entity.js';

export class CreateVirtualMachineDto extends CreateDto(VirtualMachine) {}
export class UpdateVirtualMachineDto extends UpdateDto(VirtualMachine) {}

@Controller('api/virtual-machines')
export class VirtualMachinesController extends ResourceController({
  record: VirtualMachine,
  create: CreateVirtualMachineDto,
  update: UpdateVirtualMachineDto,
  area: 'network',
}) {}
