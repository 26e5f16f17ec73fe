import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { VirtualMachine } from './virtual-machine.entity.js';

class CreateVirtualMachine extends CreateBody(VirtualMachine) {}
class UpdateVirtualMachine extends UpdateBody(VirtualMachine) {}

@Controller('api/virtual-machines')
export class VirtualMachinesController extends ResourceController({
  record: VirtualMachine,
  about: 'Guests of a cluster, with their processors, memory and disk',
  view: {
    columns: ['name', 'status', 'clusterId', 'platformId', 'vcpus', 'memoryMb', 'diskGb'],
    order: 'name',
    groups: {
      Machine: ['name', 'status', 'clusterId', 'platformId', 'description'],
      Size: ['vcpus', 'memoryMb', 'diskGb'],
    },
  },
  create: CreateVirtualMachine,
  update: UpdateVirtualMachine,
}) {}
