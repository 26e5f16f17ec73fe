import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TagGroup } from '../openapi/tags.js';
import { approvalsController, approvalsServiceOf } from '../resource/approvals/approvals.controller.js';
import { Plans } from '../resource/plans.js';
import { APPROVALS, changeSetEntities } from './change-set-entities.js';
import { ChangePlans } from './change-plans.js';
import { ChangeSetActionsController, ChangeSetsController } from './change-sets.controller.js';
import { ChangeSetsService } from './change-sets.service.js';
import { MergeService } from './merge.service.js';
import { OperationsController } from './operations.controller.js';
import { OperationsService } from './operations.service.js';
import { PlannedResources } from './planned-resources.js';
import { UndoController } from './undo.controller.js';
import { UndoService } from './undo.service.js';

/** Change sets. Every resource of the families can record its requests here. */
@Global()
@TagGroup('Service')
@Module({
  imports: [TypeOrmModule.forFeature(changeSetEntities)],
  controllers: [
    ChangeSetsController,
    ChangeSetActionsController,
    OperationsController,
    approvalsController(APPROVALS),
    UndoController,
  ],
  providers: [
    ChangeSetsService,
    OperationsService,
    MergeService,
    UndoService,
    PlannedResources,
    ChangePlans,
    { provide: Plans, useExisting: ChangePlans },
    approvalsServiceOf(APPROVALS),
  ],
  exports: [Plans],
})
export class ChangeSetsModule {}
