import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { VirtualMachine } from '../virtual-machine/virtual-machine.entity.js';
import { VirtualMachineAddress } from './virtual-machine-address.entity.js';

class CreateVirtualMachineAddress extends CreateBody(VirtualMachineAddress) {}
class UpdateVirtualMachineAddress extends UpdateBody(VirtualMachineAddress) {}

@Controller('api/virtual-machines/:id/addresses')
export class VirtualMachineAddressesController extends ResourceController({
  record: VirtualMachineAddress,
  create: CreateVirtualMachineAddress,
  update: UpdateVirtualMachineAddress,
  conflicts: { create: true },
  owner: { record: VirtualMachine, field: 'virtualMachineId', param: 'addressId' },
}) {}
