import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { TypedField } from '../../fields/fields.js';
import { uuid } from '../../fields/types/uuid.js';
import { EXAMPLE_ID } from '../../openapi/schema.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Rack } from '../rack/rack.entity.js';
import { RackReservation } from './rack-reservation.entity.js';

const ofRack = { references: () => Rack, nullable: false, example: EXAMPLE_ID } as const;

class CreateRackReservation extends CreateBody(RackReservation) {
  @TypedField(uuid, 'Rack whose units are reserved', { ...ofRack, required: true })
  override rackId!: string;
}

class UpdateRackReservation extends UpdateBody(RackReservation) {
  @TypedField(uuid, 'Rack whose units are reserved', ofRack)
  override rackId?: string;
}

@Controller('api/rack-reservations')
export class RackReservationsController extends ResourceController({
  record: RackReservation,
  about: 'Units of racks that are kept free for a time, a device or a change',
  view: {
    columns: ['rackId', 'units', 'face', 'startTime', 'endTime', 'deviceId', 'description'],
    order: '-startTime',
    groups: {
      Units: ['rackId', 'units', 'face'],
      Time: ['startTime', 'endTime'],
      Purpose: ['deviceId', 'personId', 'changeRequestId', 'description'],
    },
  },
  create: CreateRackReservation,
  update: UpdateRackReservation,
  conflicts: true,
  text: {
    create: {
      description:
        'Reserves whole units of a rack. Reservations of a rack never overlap in units, face and time, however many requests there are at once. While a reservation runs, no device can be placed in its units except the one that it names. Devices that stand there already stay.',
    },
  },
}) {}
