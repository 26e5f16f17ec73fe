import { DETAIL } from '../../database/constraint-faults.js';
import { addBodyRule } from '../../fields/bodies/bodies.js';
import { defineRule, Rule } from '../../fields/bodies/rules.js';
import { EnumField, ReferenceField, TextField, TimestampField } from '../../fields/fields.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { StoredRecord } from '../../fields/record.js';
import { toTimestamp } from '../../fields/types/time.js';
import { Fault } from '../../http/errors.js';
import { ChangeRequest } from '../../operations/change-request/change-request.entity.js';
import { Person } from '../../people/person/person.entity.js';
import { Device } from '../device/device.entity.js';
import { Rack, RACK_FACES, type RackFace } from '../rack/rack.entity.js';
import { WholeUnitsField } from './whole-units.field.js';

const NOT_AFTER = 'must be after startTime';

// A trigger raises both (`src/schema/functions/place_reservations.sql`), with the rack and the other reservation.
defineRule('ex_rack_reservations_units', 'units', `overlap ${DETAIL}`);
defineRule('ck_rack_reservations_units_rack', 'units', `must be units of the rack: ${DETAIL}`);

/** Units of a rack that are kept free for some time, or for a device. Reservations of a rack do not overlap in units, face and time. */
@RecordEntity('rack_reservations', { area: 'network' })
@Rule(
  'ck_rack_reservations_units',
  'cardinality(units) > 0 AND 0 < ALL (units)',
  'units',
  'must be whole units, counted from 1',
)
@Rule('ck_rack_reservations_end_time', 'end_time > start_time', 'endTime', NOT_AFTER)
export class RackReservation extends StoredRecord {
  // Bodies have it as a required property (`rack-reservations.controller.ts`).
  @ReferenceField(
    () => Rack,
    'Rack whose units are reserved; null once the rack was deleted, which ends the reservation',
    {
      readOnly: true,
    },
  )
  rackId!: string | null;
  @WholeUnitsField(
    'Whole units that are reserved, each once, from 1 to the `units` of the rack. They need not be next to each other',
  )
  units!: number[];
  @EnumField('Face of the rack that is reserved; both, if null', 'RackFace', RACK_FACES) face!: RackFace | null;
  @TimestampField('Start; null if it is open', { example: '2031-03-06T08:00:00.000Z' }) startTime!: string | null;
  @TimestampField('End, which is not part of the time; null if it is open. It is after the start', {
    example: '2031-03-13T08:00:00.000Z',
  })
  endTime!: string | null;
  @ReferenceField(() => Device, 'Device that the units are for. It is the only one that may be placed there')
  deviceId!: string | null;
  @ReferenceField(() => Person, 'Person whom it is for') personId!: string | null;
  @ReferenceField(
    () => ChangeRequest,
    'Change request that it is for. It ends when the change is finished or cancelled',
  )
  changeRequestId!: string | null;
  @TextField('Description', { searchable: true, example: 'Two storage shelves for the move' })
  description!: string | null;
}

addBodyRule(RackReservation, ({ startTime, endTime }) => {
  const [start, end] = [startTime, endTime].map((value) =>
    typeof value === 'string' ? toTimestamp(value) : undefined,
  );
  return start !== undefined && end !== undefined && end <= start ? new Fault('endTime', NOT_AFTER) : undefined;
});
