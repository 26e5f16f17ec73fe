import { Module, type DynamicModule, type Type } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { AuthModule } from '../auth/auth.module.js';
import { CalendarModule } from '../calendar/calendar.module.js';
import { ChangeLogModule } from '../change-log/change-log.module.js';
import { ChangeSetsModule } from '../change-sets/change-sets.module.js';
import { CustomFieldsModule } from '../custom-fields/custom-fields.module.js';
import { families } from '../schema/families.js';
import { CoreModule, type CoreDependencies } from './core.module.js';
import { HealthModule } from '../health/health.module.js';
import { ExposureModule } from '../exposure/exposure.module.js';
import { OffboardingModule } from '../offboarding/offboarding.module.js';
import { OutputsModule } from '../outputs/outputs.module.js';
import { RecordsModule } from '../records/records.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { TransitionsModule } from '../transitions/transitions.module.js';
import { SearchModule } from '../search/search.module.js';

export interface AppDependencies extends CoreDependencies {
  logger?: FastifyBaseLogger;
  /** Milliseconds without progress after which a client that does not read its response is disconnected; 30 s by default. */
  stallTimeout?: number;
  /** Additional modules, next to those of the families. */
  extra?: Type[];
}

@Module({})
export class AppModule {
  static with(parts: AppDependencies): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CoreModule.with(parts),
        RecordsModule,
        AuthModule,
        ...families,
        CalendarModule,
        ChangeLogModule,
        CustomFieldsModule,
        TransitionsModule,
        ChangeSetsModule,
        WebhooksModule,
        SearchModule,
        ExposureModule,
        OffboardingModule,
        OutputsModule,
        HealthModule,
        ...(parts.extra ?? []),
      ],
    };
  }
}
