import { Controller } from '@nestjs/common';
import { CreateBody, OwnedBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { VirtualMachine } from '../virtual-machine/virtual-machine.entity.js';
import { VirtualMachineInterface } from './virtual-machine-interface.entity.js';

class CreateVirtualMachineInterface extends CreateBody(VirtualMachineInterface) {}
class UpdateVirtualMachineInterface extends UpdateBody(VirtualMachineInterface) {}
class CreateFlatVirtualMachineInterface extends OwnedBody(
  CreateVirtualMachineInterface,
  VirtualMachineInterface,
  'virtualMachineId',
  true,
) {}
class UpdateFlatVirtualMachineInterface extends OwnedBody(
  UpdateVirtualMachineInterface,
  VirtualMachineInterface,
  'virtualMachineId',
  false,
) {}

@Controller('api/virtual-machines/:id/interfaces')
export class VirtualMachineInterfacesController extends ResourceController({
  record: VirtualMachineInterface,
  create: CreateVirtualMachineInterface,
  update: UpdateVirtualMachineInterface,
  conflicts: true,
  owner: { record: VirtualMachine, field: 'virtualMachineId', param: 'interfaceId' },
}) {}

@Controller('api/virtual-machine-interfaces')
export class FlatVirtualMachineInterfacesController extends ResourceController({
  record: VirtualMachineInterface,
  about: 'The interfaces of all virtual machines',
  create: CreateFlatVirtualMachineInterface,
  update: UpdateFlatVirtualMachineInterface,
  conflicts: true,
  flat: true,
}) {}
