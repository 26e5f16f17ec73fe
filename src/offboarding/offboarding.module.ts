import { Module } from '@nestjs/common';
import { ProfilesService } from '../auth/profile/profiles.service.js';
import { Incident } from '../operations/incident/incident.entity.js';
import { OnCallSchedule } from '../operations/on-call-schedule/on-call-schedule.entity.js';
import { Runbook } from '../operations/runbook/runbook.entity.js';
import { PeopleService } from '../people/person/people.service.js';
import { AssetAssignmentsService } from '../procurement/asset/asset-assignments.service.js';
import { AssetsService } from '../procurement/asset/assets.service.js';
import { SoftwareLicenceSeat } from '../procurement/software-licence-seat/software-licence-seat.entity.js';
import { TagGroup } from '../openapi/tags.js';
import { serviceOf } from '../records/resource.service.js';
import { OffboardingController } from './offboarding.controller.js';
import { OffboardingService } from './offboarding.service.js';
import { ShiftsOfLeaver } from './shifts-of-leaver.js';

/** Offboarding across all families. */
@TagGroup('People and tenancy')
@Module({
  controllers: [OffboardingController],
  providers: [
    OffboardingService,
    ShiftsOfLeaver,
    AssetsService,
    AssetAssignmentsService,
    PeopleService,
    ProfilesService,
    serviceOf(Incident),
    serviceOf(OnCallSchedule),
    serviceOf(Runbook),
    serviceOf(SoftwareLicenceSeat),
  ],
})
export class OffboardingModule {}
