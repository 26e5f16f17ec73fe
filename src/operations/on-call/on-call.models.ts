import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_ID, idOf } from '../../openapi/schema.js';

const uuid = { type: String, format: 'uuid', example: EXAMPLE_ID } as const;
const starts = { type: String, format: 'date-time', example: '2026-03-02T08:00:00.000Z' } as const;
const ends = { ...starts, example: '2026-03-09T08:00:00.000Z' } as const;
const roster = { description: 'Roster: `rotation` of its schedules, or `name` where that is null', example: 'Network' };
const person = { type: () => OnCallPerson, nullable: true } as const;
const hours = { type: 'number', minimum: 0, example: 168 } as const;

/** A person who is on call. */
export class OnCallPerson {
  @ApiProperty({ description: 'Identifier of the person', ...uuid }) id!: string;
  @ApiProperty({ description: "The person's full name", example: 'Ada Lovelace' }) fullName!: string;
  @ApiProperty({
    description: "The person's email address",
    type: String,
    nullable: true,
    example: 'ada@example.com',
  })
  email!: string | null;
  @ApiProperty({ description: "The person's telephone number", type: String, nullable: true, example: '+33 1 23 45' })
  phone!: string | null;
  @ApiProperty({ description: 'Status of the person. A person who is `inactive` covers nothing', example: 'active' })
  status!: string;
}

/** The shift of a roster that begins next. */
export class NextShift {
  @ApiProperty({ description: 'Schedule of the shift', ...uuid, ...idOf('on-call-schedules') })
  scheduleId!: string;
  @ApiProperty({ description: 'Start of the shift', ...ends }) startTime!: string;
  @ApiProperty({ description: 'Who has the shift', ...person }) person!: OnCallPerson | null;
}

/** A shift that covers a time. If `scheduleId` is null, the roster has no shift then. */
export class OnCall {
  @ApiProperty(roster) roster!: string;
  @ApiProperty({
    description: 'Schedule of the shift; null if the roster has no shift at that time',
    ...uuid,
    ...idOf('on-call-schedules'),
    nullable: true,
  })
  scheduleId!: string | null;
  @ApiProperty({ description: 'Name of the schedule', type: String, nullable: true, example: 'Network primary' })
  name!: string | null;
  @ApiProperty({ description: 'Start of the shift; null if it is open', ...starts, nullable: true })
  startTime!: string | null;
  @ApiProperty({ description: 'End of the shift; null if it is open', ...ends, nullable: true })
  endTime!: string | null;
  @ApiProperty({ description: 'Who is on call; null if nobody is', ...person }) person!: OnCallPerson | null;
  @ApiProperty({ description: 'The shift of the roster that begins next', type: () => NextShift, nullable: true })
  next!: NextShift | null;
}

/** A shift, cut to the window. */
export class OnCallShift {
  @ApiProperty(roster) roster!: string;
  @ApiProperty({ description: 'Schedule of the shift', ...uuid, ...idOf('on-call-schedules') })
  scheduleId!: string;
  @ApiProperty({ description: 'Name of the schedule', example: 'Network primary' }) name!: string;
  @ApiProperty({ description: 'Start of the shift, or of the window', ...starts }) startTime!: string;
  @ApiProperty({ description: 'End of the shift, or of the window', ...ends }) endTime!: string;
  @ApiProperty({ description: 'Who has the shift; null if nobody is assigned', ...person })
  person!: OnCallPerson | null;
}

const GAP_REASONS = ['no_shift', 'nobody_assigned', 'person_inactive'] as const;

/** Time that nobody of a roster covers. */
export class OnCallGap {
  @ApiProperty(roster) roster!: string;
  @ApiProperty({ description: 'Start of the gap', ...starts }) startTime!: string;
  @ApiProperty({ description: 'End of the gap', ...ends }) endTime!: string;
  @ApiProperty({
    description: 'Whether there is no shift, one without a person, or one of a person who is inactive',
    enum: GAP_REASONS,
    enumName: 'OnCallGapReason',
  })
  reason!: string;
}

/** Time with several shifts of a roster. */
export class OnCallOverlap {
  @ApiProperty(roster) roster!: string;
  @ApiProperty({ description: 'Start of the overlap', ...starts }) startTime!: string;
  @ApiProperty({ description: 'End of the overlap', ...ends }) endTime!: string;
  @ApiProperty({
    description: 'Schedules of the shifts, in the order of their starts',
    type: 'array',
    minItems: 2,
    items: idOf('on-call-schedules'),
  })
  scheduleIds!: string[];
}

/** The hours of one person in a roster within the window. */
export class OnCallLoad {
  @ApiProperty(roster) roster!: string;
  @ApiProperty({ description: 'Who is on call', type: () => OnCallPerson }) person!: OnCallPerson;
  @ApiProperty({ description: 'Elapsed hours that the person covers', ...hours }) hours!: number;
  @ApiProperty({ description: 'Of these, the hours between 22:00 and 06:00 in the time zone', ...hours, example: 56 })
  nightHours!: number;
  @ApiProperty({ description: 'Of these, the hours of Saturdays and Sundays in the time zone', ...hours, example: 48 })
  weekendHours!: number;
  @ApiProperty({ description: 'Number of shifts', type: 'integer', minimum: 1, example: 1 }) shifts!: number;
  @ApiProperty({
    description: 'Share of the hours in which anybody covers the roster',
    type: 'number',
    minimum: 0,
    maximum: 1,
    example: 0.25,
  })
  share!: number;
}
