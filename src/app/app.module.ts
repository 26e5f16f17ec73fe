import { Module, type DynamicModule, type Type } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { AuthModule } from '../auth/auth.module.js';
import { Clock } from '../auth/credential/clock.js';
import { CalendarModule } from '../calendar/calendar.module.js';
import { ChangeLogModule } from '../change-log/change-log.module.js';
import { CustomFieldsModule } from '../custom-fields/custom-fields.module.js';
import type { Configuration } from '../config/configuration.js';
import { families } from '../schema/families.js';
import { CoreModule } from './core.module.js';
import type { ServiceDataSource } from '../database/data-source.js';
import { HealthModule } from '../health/health.module.js';
import { ExposureModule } from '../exposure/exposure.module.js';
import { OutputsModule } from '../outputs/outputs.module.js';
import { RecordsModule } from '../records/records.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { SearchModule } from '../search/search.module.js';
import type { Secrets } from '../access/secrets.js';

export interface AppDependencies {
  configuration: Configuration;
  /** Opened and migrated. It is closed with the application. */
  dataSource: ServiceDataSource;
  secrets: Secrets;
  clock?: Clock;
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
        WebhooksModule,
        SearchModule,
        ExposureModule,
        OutputsModule,
        HealthModule,
        ...(parts.extra ?? []),
      ],
    };
  }
}
