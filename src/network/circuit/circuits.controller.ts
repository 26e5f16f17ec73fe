import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Circuit } from './circuit.entity.js';

class CreateCircuit extends CreateBody(Circuit) {}
class UpdateCircuit extends UpdateBody(Circuit) {}

@Controller('api/circuits')
export class CircuitsController extends ResourceController({
  record: Circuit,
  about: 'Lines that carriers provide, with their two ends',
  view: {
    columns: ['circuitNumber', 'status', 'vendorId', 'type', 'commitRateKbps', 'contractId', 'terminationDate'],
    order: 'circuitNumber',
    groups: {
      Circuit: ['circuitNumber', 'type', 'status', 'commitRateKbps', 'description'],
      Contract: ['vendorId', 'contractId', 'installDate', 'terminationDate', 'tenantGroupId'],
    },
  },
  create: CreateCircuit,
  update: UpdateCircuit,
  conflicts: true,
}) {}
