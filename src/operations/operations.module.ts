import { Family } from '../resource/family.js';
import { ChangeRequestsController } from './change-request/change-requests.controller.js';
import { IncidentContextController } from './incident/context/incident-context.controller.js';
import { IncidentContextService } from './incident/context/incident-context.service.js';
import { IncidentsController } from './incident/incidents.controller.js';
import { KnownIssuesController } from './known-issue/known-issues.controller.js';
import { MaintenanceWindowsController } from './maintenance-window/maintenance-windows.controller.js';
import { OnCallController } from './on-call/on-call.controller.js';
import { OnCallService } from './on-call/on-call.service.js';
import { CoverController } from './on-call-schedule/cover/cover.controller.js';
import { CoverService } from './on-call-schedule/cover/cover.service.js';
import { OnCallSchedulesController } from './on-call-schedule/on-call-schedules.controller.js';
import { RotationController } from './on-call-schedule/rotation/rotation.controller.js';
import { RotationService } from './on-call-schedule/rotation/rotation.service.js';
import { RunbooksController } from './runbook/runbooks.controller.js';

@Family({
  title: 'Operations',
  controllers: [
    OnCallSchedulesController,
    RotationController,
    CoverController,
    OnCallController,
    RunbooksController,
    KnownIssuesController,
    MaintenanceWindowsController,
    ChangeRequestsController,
    IncidentsController,
    IncidentContextController,
  ],
  providers: [IncidentContextService, CoverService, RotationService, OnCallService],
})
export class OperationsModule {}
