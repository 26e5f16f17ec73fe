import { ApiProperty } from '@nestjs/swagger';
import { ChangeLogEntry } from '../../change-log/change-log-entry.entity.js';
import { NamedRecord } from '../../records/named-record.js';
import { KnownIssueStep } from '../call/call.models.js';
import { WorkConflict } from '../conflict/work-conflict.js';
import { ImpactCounts, MOST_REACHED, ReachedRecord } from '../impact/impact.js';
import { REASONS } from '../on-call/on-call.lists.js';
import { OnCallPerson } from '../on-call/on-call.models.js';

const instant = { type: 'string', format: 'date-time', nullable: true } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** The records that go down with the targets. */
class CardReach {
  @ApiProperty({ description: 'Number of reached records by resource' }) counts!: ImpactCounts;
  @ApiProperty({ description: `The reached records, the first ${MOST_REACHED}`, type: [ReachedRecord] })
  records!: ReachedRecord[];
}

/** A span of time with one person, or nobody, on call. */
export class CardInterval {
  @ApiProperty({ ...instant, nullable: false, example: '2026-03-02T08:00:00.000Z', description: 'Its start' })
  startTime!: string;
  @ApiProperty({ ...instant, nullable: false, example: '2026-03-02T10:00:00.000Z', description: 'Its end' })
  endTime!: string;
  @ApiProperty({ description: 'Who is on call; null if nobody is', type: () => OnCallPerson, nullable: true })
  person!: OnCallPerson | null;
  @ApiProperty({
    description: 'Why nobody is on call; null if somebody is',
    enum: REASONS,
    enumName: 'NobodyOnCallReason',
    nullable: true,
  })
  reason!: string | null;
}

/** A roster that operates touched records, and its people on call during the work. */
class CardRoster {
  @ApiProperty({ description: 'Name of the roster', example: 'Network' }) roster!: string;
  @ApiProperty({ description: 'The records that it is responsible for', type: [NamedRecord] }) via!: NamedRecord[];
  @ApiProperty({ description: 'Who is on call, by time', type: [CardInterval] }) intervals!: CardInterval[];
}

/** Coverage of the affected devices and assets. */
class CardCoverage {
  @ApiProperty({ ...count, description: 'Number of those with coverage', example: 38 }) covered!: number;
  @ApiProperty({ description: 'Those without coverage', type: [NamedRecord] }) uncovered!: NamedRecord[];
}

/** Price of replacing some records, in one currency. */
class CardAmount {
  @ApiProperty({
    description: 'Currency, an ISO 4217 code; null if no purchase order says it',
    type: 'string',
    nullable: true,
    example: 'EUR',
  })
  currency!: string | null;
  @ApiProperty({ description: 'The exact amount', example: '170000.00' }) amount!: string;
  @ApiProperty({ ...count, description: 'Number of the records', example: 38 }) records!: number;
}

/** Price of replacing the affected devices and assets. */
class CardReplacement {
  @ApiProperty({ description: 'The amounts by currency', type: [CardAmount] }) amounts!: CardAmount[];
  @ApiProperty({ ...count, description: 'Number of the records whose price is unknown', example: 2 }) unknown!: number;
}

/** The card of a change, a maintenance window or an incident. */
export class Card {
  @ApiProperty({ description: 'The change, the window or the incident' }) record!: NamedRecord;
  @ApiProperty({ ...instant, description: 'Start of its time; null without one', example: '2026-03-02T08:00:00.000Z' })
  from!: string | null;
  @ApiProperty({ ...instant, description: 'End of its time; null without one', example: '2026-03-02T10:00:00.000Z' })
  to!: string | null;
  @ApiProperty({ description: 'Its targets, by resource and name', type: [NamedRecord] }) targets!: NamedRecord[];
  @ApiProperty({ description: 'Records that go down if all targets do' }) reached!: CardReach;
  @ApiProperty({
    description: 'The nearest rosters that operate a target, or a reached device, cluster or virtual machine',
    type: [CardRoster],
  })
  onCall!: CardRoster[];
  @ApiProperty({ description: 'Coverage of the devices and assets among the targets and the reached records' })
  coverage!: CardCoverage;
  @ApiProperty({ description: 'Price of replacing these' }) replacement!: CardReplacement;
  @ApiProperty({ description: 'Conflicts with other work', type: [WorkConflict] }) conflicts!: WorkConflict[];
  @ApiProperty({
    description: 'Known issues of the targets and the reached records that are not resolved, the nearest first',
    type: [KnownIssueStep],
  })
  knownIssues!: KnownIssueStep[];
  @ApiProperty({
    description: 'The last 10 changes of the targets, the latest first; fewer if they are very long',
    type: [ChangeLogEntry],
  })
  changes!: ChangeLogEntry[];
}
