import { ApiProperty } from '@nestjs/swagger';
import { ChangeLogEntry } from '../../../change-log/change-log-entry.entity.js';
import { ChangeRequest } from '../../change-request/change-request.entity.js';
import { KnownIssue } from '../../known-issue/known-issue.entity.js';
import { MaintenanceWindow } from '../../maintenance-window/maintenance-window.entity.js';
import { OnCallSchedule } from '../../on-call-schedule/on-call-schedule.entity.js';
import { Runbook } from '../../runbook/runbook.entity.js';

const count = { type: 'integer', format: 'int64', minimum: 0 } as const;
const instant = { type: 'string', format: 'date-time' } as const;

/** The state of the estate at the time of an incident. */
export class IncidentContext {
  @ApiProperty({ ...instant, description: 'Start of the window', example: '2026-02-28T08:30:00.000Z' }) from!: string;
  @ApiProperty({
    ...instant,
    description: 'End of the window: when the incident was noticed, or recorded if that is unknown',
    example: '2026-03-01T08:30:00.000Z',
  })
  to!: string;
  @ApiProperty({
    description:
      'Changes within the window of records that the caller may read, at most 100: those of its targets first, then those of records that contain them, then all others; within each group, the latest first',
    type: [ChangeLogEntry],
  })
  changes!: ChangeLogEntry[];
  @ApiProperty({ ...count, description: 'Total number of changes', example: 12 }) changeCount!: number;
  @ApiProperty({ description: 'Maintenance windows that overlap the window, at most 100', type: [MaintenanceWindow] })
  maintenanceWindows!: MaintenanceWindow[];
  @ApiProperty({ ...count, description: 'Total number of maintenance windows', example: 1 })
  maintenanceWindowCount!: number;
  @ApiProperty({ description: 'Change requests scheduled within the window, at most 100', type: [ChangeRequest] })
  changeRequests!: ChangeRequest[];
  @ApiProperty({ ...count, description: 'Total number of change requests', example: 2 })
  changeRequestCount!: number;
  @ApiProperty({ description: 'Schedules that cover the time `to`, at most 100', type: [OnCallSchedule] })
  onCall!: OnCallSchedule[];
  @ApiProperty({ ...count, description: 'Total number of schedules', example: 1 }) onCallCount!: number;
  @ApiProperty({
    description:
      'Known issues whose system the incident names, or that share words with its title, best match first, at most 20',
    type: [KnownIssue],
  })
  knownIssues!: KnownIssue[];
  @ApiProperty({
    ...count,
    description:
      'Number of matching known issues. Of those that share only single words, the latest 500 are considered',
    example: 3,
  })
  knownIssueCount!: number;
  @ApiProperty({
    description:
      'Runbooks whose category the incident names, or that share words with its title, best match first, at most 20',
    type: [Runbook],
  })
  runbooks!: Runbook[];
  @ApiProperty({
    ...count,
    description: 'Number of matching runbooks. Of those that share only single words, the latest 500 are considered',
    example: 3,
  })
  runbookCount!: number;
}
