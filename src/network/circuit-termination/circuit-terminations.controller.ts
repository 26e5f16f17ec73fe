import { Controller } from '@nestjs/common';
import { CreateBody, OwnedBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Circuit } from '../circuit/circuit.entity.js';
import { CircuitTermination } from './circuit-termination.entity.js';

class CreateCircuitTermination extends CreateBody(CircuitTermination) {}
class UpdateCircuitTermination extends UpdateBody(CircuitTermination) {}
class CreateFlatCircuitTermination extends OwnedBody(CreateCircuitTermination, CircuitTermination, 'circuitId', true) {}
class UpdateFlatCircuitTermination extends OwnedBody(
  UpdateCircuitTermination,
  CircuitTermination,
  'circuitId',
  false,
) {}

@Controller('api/circuits/:id/terminations')
export class CircuitTerminationsController extends ResourceController({
  record: CircuitTermination,
  create: CreateCircuitTermination,
  update: UpdateCircuitTermination,
  conflicts: { create: true },
  owner: { record: Circuit, field: 'circuitId', param: 'terminationId' },
}) {}

@Controller('api/circuit-terminations')
export class FlatCircuitTerminationsController extends ResourceController({
  record: CircuitTermination,
  about: 'The ends of all circuits',
  create: CreateFlatCircuitTermination,
  update: UpdateFlatCircuitTermination,
  conflicts: { create: true },
  flat: true,
}) {}
