import { ApiProperty } from '@nestjs/swagger';
import { addBodyRule } from '../../../fields/bodies/bodies.js';
import { RequestBody } from '../../../fields/field.js';
import { TimestampField, UuidField } from '../../../fields/fields.js';
import { toTimestamp } from '../../../fields/types/time.js';
import { idOf } from '../../../openapi/schema.js';
import { Fault } from '../../../http/errors.js';

export const NOT_AFTER_START = 'must be after startTime';

export class CoverOnCallSchedule extends RequestBody {
  @UuidField('The person who takes over; null for nobody', { required: true, nullable: true })
  personId!: string | null;
  @TimestampField('Start of the covered part; that of the shift if it is not given', {
    example: '2026-03-03T08:30:00.000Z',
  })
  startTime?: string | null;
  @TimestampField('End of the covered part; that of the shift if it is not given', {
    example: '2026-03-04T08:30:00.000Z',
  })
  endTime?: string | null;
}

const instantOf = (value: unknown): string | undefined => (typeof value === 'string' ? toTimestamp(value) : undefined);

addBodyRule(CoverOnCallSchedule, ({ startTime, endTime }) => {
  const [start, end] = [instantOf(startTime), instantOf(endTime)];
  return start !== undefined && end !== undefined && end <= start ? new Fault('endTime', NOT_AFTER_START) : undefined;
});

/** The schedules into which a shift was split. */
export class OnCallCover {
  @ApiProperty({
    description: 'Schedules that the shift consists of now, in order of time',
    type: 'array',
    minItems: 1,
    maxItems: 3,
    items: idOf('on-call-schedules'),
  })
  scheduleIds!: string[];
}
