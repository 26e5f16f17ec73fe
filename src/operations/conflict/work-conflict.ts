import { ApiProperty } from '@nestjs/swagger';
import { NamedRecord } from '../../records/named-record.js';

const CONFLICT_KINDS = ['same_target', 'inside_target', 'around_target', 'open_incident', 'on_call_gap'] as const;

const end = { type: 'string', format: 'date-time', nullable: true } as const;

/** A conflict of work on a record. */
export class WorkConflict {
  @ApiProperty({
    description:
      '`same_target`, `inside_target`, `around_target`: another window or change at the same time, on the same record, on something in it, or on something that contains it. `open_incident`: an incident on any of these. `on_call_gap`: nobody is on call',
    enum: CONFLICT_KINDS,
    enumName: 'ConflictKind',
  })
  kind!: string;
  @ApiProperty({
    ...end,
    description: 'Start of the time that both have in common; null if it is open',
    example: '2026-03-01T08:30:00.000Z',
  })
  from!: string | null;
  @ApiProperty({
    ...end,
    description: 'End of the time that both have in common; null if it is open',
    example: '2026-03-01T10:30:00.000Z',
  })
  to!: string | null;
  @ApiProperty({
    description: 'The target of the requested work; null for a gap',
    type: () => NamedRecord,
    nullable: true,
  })
  target!: NamedRecord | null;
  @ApiProperty({
    description: 'The other maintenance window, change request or incident; null for a gap',
    type: () => NamedRecord,
    nullable: true,
  })
  other!: NamedRecord | null;
  @ApiProperty({
    description: 'The target of the other work; null for a gap',
    type: () => NamedRecord,
    nullable: true,
  })
  via!: NamedRecord | null;
  @ApiProperty({
    type: 'string',
    description: 'The roster without coverage; only for a gap',
    example: 'network-primary',
    required: false,
  })
  roster?: string;
}
