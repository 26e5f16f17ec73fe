import { ApiProperty } from '@nestjs/swagger';
import { addBodyRule } from '../../../fields/bodies/bodies.js';
import { RequestBody } from '../../../fields/field.js';
import {
  BooleanField,
  EnumField,
  IntegerField,
  LineField,
  NameField,
  TextField,
  TypedField,
} from '../../../fields/fields.js';
import { localTime, toLocalTime } from '../../../fields/types/time.js';
import { timeZone } from '../../../fields/types/time-zone.js';
import { uuids } from '../../../fields/types/uuid.js';
import { Fault } from '../../../http/errors.js';
import { EXAMPLE_ID, idOf } from '../../../openapi/schema.js';

/** Most shifts that one request can write. */
export const MOST_SHIFTS = 1000;

const UNITS = ['hour', 'day', 'week', 'month'] as const;
type Unit = (typeof UNITS)[number];

const starts = { type: String, format: 'date-time', example: '2026-03-02T08:00:00.000Z' } as const;
const ends = { ...starts, example: '2026-03-09T08:00:00.000Z' } as const;
const ids = { type: 'array', items: idOf('on-call-schedules') } as const;

export class RotateOnCallSchedules extends RequestBody {
  @NameField('Name of the schedules', { example: 'Network primary' }) name!: string;
  @LineField('Rotation label of the schedules, and so their roster', {
    required: true,
    notBlank: true,
    example: 'Network',
  })
  rotation!: string;
  @TypedField(uuids, 'People in the order of their turns', { required: true, example: [EXAMPLE_ID] })
  personIds!: string[];
  @TypedField(localTime, 'Start of the first turn, in the time zone', { required: true, example: '2026-03-02T09:00' })
  startTime!: string;
  @TypedField(timeZone, 'Time zone of the turns', { required: true, example: 'Europe/Paris' }) timeZone!: string;
  @IntegerField('Length of a turn, in units', { default: 1, min: 1, max: 1000 }) every?: number;
  @EnumField(
    'Unit of the length of a turn. Days, weeks and months are counted on the clocks of the time zone, hours in elapsed time',
    'RotationUnit',
    UNITS,
    { required: true, example: 'week' },
  )
  unit!: Unit;
  @TypedField(localTime, 'End of the last turn, in the time zone, which may cut it short', {
    required: true,
    example: '2026-04-27T09:00',
  })
  until!: string;
  @TextField('Notes of the schedules') description?: string | null;
  @BooleanField(
    '`true`: existing shifts of the roster within the time of the rotation are removed, and others are shortened to the part outside of it',
  )
  replace?: boolean;
}

const local = (value: unknown): string | undefined => (typeof value === 'string' ? toLocalTime(value) : undefined);

addBodyRule(RotateOnCallSchedules, ({ startTime, until }) => {
  const [start, end] = [local(startTime), local(until)];
  return start !== undefined && end !== undefined && end <= start
    ? new Fault('until', 'must be after startTime')
    : undefined;
});

/** A shift that a rotation has written. */
class RotationShift {
  @ApiProperty({ description: 'Identifier of the schedule', format: 'uuid', example: EXAMPLE_ID }) id!: string;
  @ApiProperty({ description: 'Who has the turn', format: 'uuid', example: EXAMPLE_ID }) personId!: string;
  @ApiProperty({ description: 'Start of the turn', ...starts }) startTime!: string;
  @ApiProperty({ description: 'End of the turn', ...ends }) endTime!: string;
}

/** The shifts of a rotation. */
export class OnCallRotation {
  @ApiProperty({ description: 'Shifts of the rotation, in order of time', type: [RotationShift] })
  shifts!: RotationShift[];
  @ApiProperty({ description: 'Schedules that were removed, in order of time', ...ids }) removedIds!: string[];
  @ApiProperty({
    description:
      'Schedules that were shortened, in order of time. If one extended beyond both ends of the rotation, its part after the rotation is a new schedule, which is not among `shifts`',
    ...ids,
  })
  shortenedIds!: string[];
}
