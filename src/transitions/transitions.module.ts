import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TagGroup } from '../openapi/tags.js';
import { APPROVALS } from './approvals-of-movables.js';
import { approvalsController, approvalsServiceOf } from '../resource/approvals/approvals.controller.js';
import { openTransitionsControllers } from './open-transitions.controller.js';
import { transitionEntities } from './transition-entities.js';
import { TransitionsController } from './transitions.controller.js';
import { TransitionsService } from './transitions.service.js';

/** Transitions of statuses, and approvals. */
@TagGroup('Service')
@Module({
  imports: [TypeOrmModule.forFeature(transitionEntities)],
  controllers: [TransitionsController, ...openTransitionsControllers, ...APPROVALS.map(approvalsController)],
  providers: [TransitionsService, ...APPROVALS.map(approvalsServiceOf)],
})
export class TransitionsModule {}
