import { Controller } from '@nestjs/common';
import { addBodyRule, CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ExampleBody } from '../../fields/bodies/body-example.js';
import type { Class } from '../../fields/field.js';
import { Fault } from '../../http/errors.js';
import { EXAMPLE_ID } from '../../openapi/schema.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { SoftwareLicence } from '../software-licence/software-licence.entity.js';
import { NO_HOLDER, SEVERAL_HOLDERS, SoftwareLicenceSeat } from './software-licence-seat.entity.js';

@ExampleBody({ personId: EXAMPLE_ID })
class CreateSoftwareLicenceSeat extends CreateBody(SoftwareLicenceSeat) {}
@ExampleBody({ personId: EXAMPLE_ID })
class UpdateSoftwareLicenceSeat extends UpdateBody(SoftwareLicenceSeat) {}

/** Validates a body, so that all its faults are reported at once. Constraints check a change together with the rest of its record. */
function addRule(body: Class, isWhole: boolean): void {
  addBodyRule(body, ({ personId, assetId, deviceId }) => {
    const holders = [personId, assetId, deviceId];
    if (holders.every((holder) => holder === null || (isWhole && holder === undefined)))
      return new Fault('personId', NO_HOLDER);
    return holders.filter((holder) => (holder ?? null) !== null).length > 1
      ? new Fault(personId === undefined || personId === null ? 'assetId' : 'personId', SEVERAL_HOLDERS)
      : undefined;
  });
}
addRule(CreateSoftwareLicenceSeat, true);
addRule(UpdateSoftwareLicenceSeat, false);

@Controller('api/software-licences/:id/seats')
export class SoftwareLicenceSeatsController extends ResourceController({
  record: SoftwareLicenceSeat,
  create: CreateSoftwareLicenceSeat,
  update: UpdateSoftwareLicenceSeat,
  conflicts: true,
  owner: { record: SoftwareLicence, field: 'softwareLicenceId', param: 'seatId' },
  text: {
    create: {
      description:
        'Gives a seat of the licence to a person, an asset or a device. Refused if all seats of the licence are in use. While seats are in use, `assignedSeats` of the licence is their number.',
    },
    delete: { description: 'Frees the seat. When the last one is freed, `assignedSeats` of the licence is 0.' },
  },
}) {}
