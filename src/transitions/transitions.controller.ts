import { Controller } from '@nestjs/common';
import { ResourceController } from '../resource/resource.controller.js';
import { CreateTransition, UpdateTransition } from './transition.bodies.js';
import { Transition } from './transition.entity.js';
import { TransitionsService } from './transitions.service.js';

@Controller('api/transitions')
export class TransitionsController extends ResourceController({
  record: Transition,
  about: 'Moves of a status that an installation admits, who may make them, and how many approvals they need',
  view: { columns: ['resource', 'field', 'from', 'to', 'role', 'approvals', 'approverRole'], order: 'resource' },
  create: CreateTransition,
  update: UpdateTransition,
  conflicts: { create: true },
  access: { read: { role: 'viewer' }, write: { role: 'admin' } },
  service: TransitionsService,
  // A deleted definition can be created again.
  restorable: false,
  text: {
    create: {
      description:
        'With its first transition a field of a resource is closed.\n\nIts values are those that some transition names, and a write changes it only along one. Records keep the value that they have. A value that no transition names may change to any that has one with `from: null`. Of purchase orders, only `draft` to `ordered` can be defined. Transitions of resources of operations need the area `operations`.',
    },
    update: { description: '`resource`, `field`, `from` and `to` cannot be changed.' },
    delete: { description: 'Closes the move. Without its last transition a field is free text again.' },
  },
}) {}
