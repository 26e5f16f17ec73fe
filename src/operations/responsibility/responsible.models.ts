import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_ID, idOf } from '../../openapi/schema.js';
import { NamedRecord } from '../../records/named-record.js';
import { REASONS } from '../on-call/on-call.lists.js';
import { NextShift, OnCallPerson } from '../on-call/on-call.models.js';

const ifCovered = 'Only if somebody is on call: ';
const instant = { type: String, format: 'date-time', nullable: true, required: false } as const;

/** The person who covers a roster at a time: the entry of `GET /api/on-call`, or why there is none. */
class RosterCover {
  @ApiProperty({
    description: 'Who is on call; null if nobody is, and then `reason` says why',
    type: () => OnCallPerson,
    nullable: true,
  })
  person!: OnCallPerson | null;
  @ApiProperty({
    description:
      'Only if nobody is on call: the person of the shift is inactive, the shift has no person, there is no shift, or the roster does not exist or has ended',
    enum: REASONS,
    enumName: 'NobodyOnCallReason',
    required: false,
  })
  reason?: string;
  @ApiProperty({ description: `${ifCovered}roster`, required: false, example: 'Network' }) roster?: string;
  @ApiProperty({
    description: `${ifCovered}schedule of the shift`,
    example: EXAMPLE_ID,
    ...idOf('on-call-schedules'),
    required: false,
  })
  scheduleId?: string;
  @ApiProperty({ description: `${ifCovered}name of the schedule`, required: false, example: 'Network primary' })
  name?: string;
  @ApiProperty({
    description: `${ifCovered}start of the shift, null if it is open`,
    ...instant,
    example: '2026-03-02T08:00:00.000Z',
  })
  startTime?: string | null;
  @ApiProperty({
    description: `${ifCovered}end of the shift, null if it is open`,
    ...instant,
    example: '2026-03-09T08:00:00.000Z',
  })
  endTime?: string | null;
  @ApiProperty({
    description: `${ifCovered}shift of the roster that begins next`,
    type: () => NextShift,
    nullable: true,
    required: false,
  })
  next?: NextShift | null;
}

/** A responsibility for a record, or for a record that contains it. */
export class ResponsibleParty {
  @ApiProperty({ description: 'Kind of the responsibility', example: 'operates' }) kind!: string;
  @ApiProperty({
    description: 'Roster that is responsible; null if a person is',
    type: String,
    nullable: true,
    example: 'Network',
  })
  roster!: string | null;
  @ApiProperty({
    description: 'Person who is responsible; null if a roster is',
    type: () => OnCallPerson,
    nullable: true,
  })
  person!: OnCallPerson | null;
  @ApiProperty({ description: 'Record that the responsibility belongs to: the record itself, or a container of it' })
  via!: NamedRecord;
  @ApiProperty({
    description: 'Number of steps outward from the record to `via`, 0 for the record itself',
    type: 'integer',
    format: 'int32',
    minimum: 0,
    example: 1,
  })
  distance!: number;
  @ApiProperty({
    description:
      'Who covers the roster at the time, or why nobody does; null if a person is responsible. Only for callers with the area `operations`',
    type: () => RosterCover,
    nullable: true,
    required: false,
  })
  onCall?: RosterCover | null;
}
