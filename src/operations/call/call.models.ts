import { ApiExtraModels, ApiProperty, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import { EXAMPLE_ID, idOf } from '../../openapi/schema.js';
import { NamedRecord } from '../../records/named-record.js';
import { REASONS } from '../on-call/on-call.lists.js';
import { NextShift, OnCallPerson } from '../on-call/on-call.models.js';

const id = (resource: string) => ({ ...idOf(resource), example: EXAMPLE_ID });
const line = (description: string, example: string) =>
  ({ description, type: String, nullable: true, example }) as const;
const instant = { type: String, format: 'date-time', nullable: true } as const;
const step = (name: string, description: string) =>
  ({ description, type: 'string', const: name, example: name }) as ApiPropertyOptions;

/** A roster that operates the record, or what contains it, and who covers it. */
class OnCallStep {
  @ApiProperty(step('on_call', 'Who is on call of a roster that operates the record')) step!: string;
  @ApiProperty({ description: 'Roster', example: 'Network' }) roster!: string;
  @ApiProperty({ description: 'Record that the roster is responsible for: the record, or a container of it' })
  via!: NamedRecord;
  @ApiProperty({ description: 'Who is on call; null if nobody is', type: () => OnCallPerson, nullable: true })
  person!: OnCallPerson | null;
  @ApiProperty({
    description: 'Start of the shift; null if it is open, or if nobody is on call',
    ...instant,
    example: '2026-03-02T08:00:00.000Z',
  })
  startTime!: string | null;
  @ApiProperty({
    description: 'End of the shift; null if it is open, or if nobody is on call',
    ...instant,
    example: '2026-03-09T08:00:00.000Z',
  })
  endTime!: string | null;
  @ApiProperty({ description: 'The shift of the roster that begins next', type: () => NextShift, nullable: true })
  next!: NextShift | null;
  @ApiProperty({
    description: 'Why nobody is on call; null if somebody is',
    enum: REASONS,
    enumName: 'NobodyOnCallReason',
    nullable: true,
  })
  reason!: string | null;
}

/** A person who is responsible for the record or its container. */
class PersonStep {
  @ApiProperty(step('person', 'A person who is responsible')) step!: string;
  @ApiProperty({ description: 'The person' }) person!: OnCallPerson;
  @ApiProperty({ description: 'Record that the person is responsible for: the record, or a container of it' })
  via!: NamedRecord;
  @ApiProperty({ description: 'Kind of the responsibility', example: 'owns' }) kind!: string;
}

/** A vendor in a computed response, with the data for a call. */
class CalledVendor {
  @ApiProperty({ description: 'Identifier of the vendor', ...id('vendors') }) id!: string;
  @ApiProperty({ description: 'Name', example: 'Northwind Networks' }) name!: string;
  @ApiProperty(line('Telephone number', '+31 20 555 0100')) phone!: string | null;
  @ApiProperty(line('Email address', 'support@northwind.example')) email!: string | null;
  @ApiProperty(line('Website', 'https://northwind.example')) website!: string | null;
}

/** A contract in a computed response, with the number that the vendor uses. */
class CalledContract {
  @ApiProperty({ description: 'Identifier of the contract', ...id('contracts') }) id!: string;
  @ApiProperty({ description: 'Name', example: 'Support of the core network' }) name!: string;
  @ApiProperty(line('Number of the contract', 'C-2026-0042')) contractNumber!: string | null;
}

/** An SLA in a computed response, with its promises. */
class CalledSla {
  @ApiProperty({ description: 'Identifier of the SLA', ...id('slas') }) id!: string;
  @ApiProperty({ description: 'Name', example: 'Gold support' }) name!: string;
  @ApiProperty(line('Time within which the vendor responds', '4 hours')) responseTime!: string | null;
}

/** A vendor whose contract, SLA or warranty covers the record on the day. */
class VendorStep {
  @ApiProperty(step('vendor', 'A vendor that covers the record')) step!: string;
  @ApiProperty({
    description: 'The vendor of the contract or the SLA, or of the order of the asset; null if none is named',
    type: () => CalledVendor,
    nullable: true,
  })
  vendor!: CalledVendor | null;
  @ApiProperty({ description: 'The contract; null for others', type: () => CalledContract, nullable: true })
  contract!: CalledContract | null;
  @ApiProperty({ description: 'The SLA; null for others', type: () => CalledSla, nullable: true })
  sla!: CalledSla | null;
  @ApiProperty(line('Serial number of the record, or that of `via`', 'FCW2231L0AB')) serialNumber!: string | null;
  @ApiProperty({
    description: 'Last day of the coverage; null if it is open',
    type: String,
    format: 'date',
    nullable: true,
    example: '2029-02-28',
  })
  until!: string | null;
  @ApiProperty({
    description: 'The asset or the device that is covered, if it is not the record itself',
    type: () => NamedRecord,
    nullable: true,
  })
  via!: NamedRecord | null;
}

/** A procedure for the record, its kind or its container. */
class RunbookStep {
  @ApiProperty(step('runbook', 'A procedure to follow')) step!: string;
  @ApiProperty({ description: 'Identifier of the runbook', ...id('runbooks') }) id!: string;
  @ApiProperty({ description: 'Title', example: 'Fail over the core switch' }) name!: string;
  @ApiProperty(line('Grouping label', 'network')) category!: string | null;
  @ApiProperty({ description: 'The nearest of the records that the runbook is about' }) via!: NamedRecord;
}

/** A known, unresolved fault of the record, its kind or its container. */
export class KnownIssueStep {
  @ApiProperty(step('known_issue', 'A known fault')) step!: string;
  @ApiProperty({ description: 'Identifier of the known issue', ...id('known-issues') }) id!: string;
  @ApiProperty({ description: 'Title', example: 'Memory leak in the route processor' }) name!: string;
  @ApiProperty({ description: 'Severity', example: 'high' }) severity!: string;
  @ApiProperty(line('Interim mitigation', 'Reload the standby supervisor weekly')) workaround!: string | null;
}

const STEPS = [OnCallStep, PersonStep, VendorStep, RunbookStep, KnownIssueStep];

/** The people to call about a record, and the documents to read, in order. */
@ApiExtraModels(...STEPS)
export class Call {
  @ApiProperty({ description: 'The record' }) record!: NamedRecord;
  @ApiProperty({ description: 'The time', format: 'date-time', example: '2026-03-04T03:00:00.000Z' }) at!: string;
  @ApiProperty({
    description:
      'What to do, in this order: rosters, people, vendors, runbooks, known issues; of each, the nearest first',
    type: 'array',
    items: { anyOf: STEPS.map((model) => ({ $ref: getSchemaPath(model) })) },
  })
  steps!: (OnCallStep | PersonStep | VendorStep | RunbookStep | KnownIssueStep)[];
}
