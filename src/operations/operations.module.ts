import { Family } from '../resource/family.js';
import { ChangeRequestsController } from './change-request/change-requests.controller.js';
import { IncidentContextController } from './incident/context/incident-context.controller.js';
import { IncidentContextService } from './incident/context/incident-context.service.js';
import { IncidentsController } from './incident/incidents.controller.js';
import { KnownIssuesController } from './known-issue/known-issues.controller.js';
import { MaintenanceWindowsController } from './maintenance-window/maintenance-windows.controller.js';
import { OnCallSchedulesController } from './on-call-schedule/on-call-schedules.controller.js';
import { RunbooksController } from './runbook/runbooks.controller.js';

@Family({
  title: 'Operations',
  controllers: [
    OnCallSchedulesController,
    RunbooksController,
    KnownIssuesController,
    MaintenanceWindowsController,
    ChangeRequestsController,
    IncidentsController,
    IncidentContextController,
  ],
  providers: [IncidentContextService],
})
export class OperationsModule {}
