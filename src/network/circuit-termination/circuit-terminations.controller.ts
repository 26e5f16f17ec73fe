import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Circuit } from '../circuit/circuit.entity.js';
import { CircuitTermination } from './circuit-termination.entity.js';

export class CreateCircuitTermination extends CreateBody(CircuitTermination) {}
export class UpdateCircuitTermination extends UpdateBody(CircuitTermination) {}

@Controller('api/circuits/:id/terminations')
export class CircuitTerminationsController extends ResourceController({
  record: CircuitTermination,
  create: CreateCircuitTermination,
  update: UpdateCircuitTermination,
  conflicts: { create: true },
  owner: { record: Circuit, field: 'circuitId', param: 'terminationId' },
}) {}
