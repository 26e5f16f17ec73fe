import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { VirtualMachine } from './virtual-machine.entity.js';

export class CreateVirtualMachine extends CreateBody(VirtualMachine) {}
export class UpdateVirtualMachine extends UpdateBody(VirtualMachine) {}

@Controller('api/virtual-machines')
export class VirtualMachinesController extends ResourceController({
  record: VirtualMachine,
  create: CreateVirtualMachine,
  update: UpdateVirtualMachine,
  area: 'network',
}) {}
