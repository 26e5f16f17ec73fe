import { Family } from '../resource/family.js';
import { callControllers } from './call/call.controller.js';
import { cardControllers } from './card/card.controller.js';
import { CardService } from './card/card.service.js';
import { ChangeRequestsController } from './change-request/change-requests.controller.js';
import { ChangeRequestTargetsController } from './change-request/change-request-targets.controller.js';
import { ConflictsController } from './conflict/conflicts.controller.js';
import { ConflictsService } from './conflict/conflicts.service.js';
import { impactControllers } from './impact/impact.controller.js';
import { IncidentContextController } from './incident/context/incident-context.controller.js';
import { IncidentContextService } from './incident/context/incident-context.service.js';
import { IncidentTargetsController } from './incident/incident-targets.controller.js';
import { IncidentUpdate } from './incident/update/incident-update.entity.js';
import { IncidentUpdatesController } from './incident/update/incident-updates.controller.js';
import { IncidentUpdatesService } from './incident/update/incident-updates.service.js';
import { IncidentsController } from './incident/incidents.controller.js';
import { KnownIssueTargetsController } from './known-issue/known-issue-targets.controller.js';
import { KnownIssuesController } from './known-issue/known-issues.controller.js';
import { MaintenanceWindowsController } from './maintenance-window/maintenance-windows.controller.js';
import { MaintenanceWindowTargetsController } from './maintenance-window/maintenance-window-targets.controller.js';
import { OnCallController } from './on-call/on-call.controller.js';
import { OnCallService } from './on-call/on-call.service.js';
import { CoverController } from './on-call-schedule/cover/cover.controller.js';
import { CoverService } from './on-call-schedule/cover/cover.service.js';
import { OnCallSchedulesController } from './on-call-schedule/on-call-schedules.controller.js';
import { RotationController } from './on-call-schedule/rotation/rotation.controller.js';
import { RotationService } from './on-call-schedule/rotation/rotation.service.js';
import { responsibilitiesControllers } from './responsibility/responsibilities.controller.js';
import { responsibleControllers } from './responsibility/responsible.controller.js';
import { RunbookTargetsController } from './runbook/runbook-targets.controller.js';
import { RunbooksController } from './runbook/runbooks.controller.js';

@Family({
  title: 'Operations',
  controllers: [
    OnCallSchedulesController,
    RotationController,
    CoverController,
    OnCallController,
    RunbooksController,
    RunbookTargetsController,
    KnownIssuesController,
    KnownIssueTargetsController,
    MaintenanceWindowsController,
    MaintenanceWindowTargetsController,
    ChangeRequestsController,
    ChangeRequestTargetsController,
    IncidentsController,
    IncidentTargetsController,
    IncidentUpdatesController,
    IncidentContextController,
    ConflictsController,
    ...impactControllers,
    ...responsibilitiesControllers,
    ...responsibleControllers,
    ...callControllers,
    ...cardControllers,
  ],
  providers: [
    CardService,
    ConflictsService,
    IncidentContextService,
    IncidentUpdatesService,
    CoverService,
    RotationService,
    OnCallService,
  ],
  entities: [IncidentUpdate],
})
export class OperationsModule {}
