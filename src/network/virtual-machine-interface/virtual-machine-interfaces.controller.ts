import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { VirtualMachine } from '../virtual-machine/virtual-machine.entity.js';
import { VirtualMachineInterface } from './virtual-machine-interface.entity.js';

export class CreateVirtualMachineInterface extends CreateBody(VirtualMachineInterface) {}
export class UpdateVirtualMachineInterface extends UpdateBody(VirtualMachineInterface) {}

@Controller('api/virtual-machines/:id/interfaces')
export class VirtualMachineInterfacesController extends ResourceController({
  record: VirtualMachineInterface,
  create: CreateVirtualMachineInterface,
  update: UpdateVirtualMachineInterface,
  conflicts: true,
  owner: { record: VirtualMachine, field: 'virtualMachineId', param: 'interfaceId' },
}) {}
