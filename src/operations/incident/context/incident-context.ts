import { ApiProperty } from '@nestjs/swagger';
import { ChangeLogEntry } from '../../../change-log/change-log-entry.entity.js';
import { ChangeRequest } from '../../change-request/change-request.entity.js';
import { KnownIssue } from '../../known-issue/known-issue.entity.js';
import { MaintenanceWindow } from '../../maintenance-window/maintenance-window.entity.js';
import { OnCallSchedule } from '../../on-call-schedule/on-call-schedule.entity.js';
import { Runbook } from '../../runbook/runbook.entity.js';

const instant = { type: 'string', format: 'date-time' } as const;

/** What was going on in the estate when an incident was noticed. */
export class IncidentContext {
  @ApiProperty({ ...instant, description: 'Start of the window', example: '2026-02-28T08:30:00.000Z' }) from!: string;
  @ApiProperty({
    ...instant,
    description: 'End of the window: when the incident was noticed, or recorded where that is not known',
    example: '2026-03-01T08:30:00.000Z',
  })
  to!: string;
  @ApiProperty({
    description:
      'Changes of the estate within the window, the latest first, at most 100; of records that the caller may read',
    type: [ChangeLogEntry],
  })
  changes!: ChangeLogEntry[];
  @ApiProperty({ description: 'Number of all those changes', type: 'integer', example: 12 }) changeCount!: number;
  @ApiProperty({ description: 'Maintenance windows that overlap the window', type: [MaintenanceWindow] })
  maintenanceWindows!: MaintenanceWindow[];
  @ApiProperty({ description: 'Change requests scheduled within the window', type: [ChangeRequest] })
  changeRequests!: ChangeRequest[];
  @ApiProperty({ description: 'Schedules that covered the moment of `to`', type: [OnCallSchedule] })
  onCall!: OnCallSchedule[];
  @ApiProperty({
    description:
      'Known issues whose system the incident names, or that share words with its title, the best match first, at most 20',
    type: [KnownIssue],
  })
  knownIssues!: KnownIssue[];
  @ApiProperty({
    description:
      'Runbooks whose category the incident names, or that share words with its title, the best match first, at most 20',
    type: [Runbook],
  })
  runbooks!: Runbook[];
}
