import { Module, type DynamicModule, type Type } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { AuthModule } from '../auth/auth.module.js';
import { Clock } from '../auth/credential/clock.js';
import { CalendarModule } from '../calendar/calendar.module.js';
import { ChangeLogModule } from '../change-log/change-log.module.js';
import type { Configuration } from '../config/configuration.js';
import { families } from '../schema/families.js';
import { CoreModule } from './core.module.js';
import type { Database } from '../database/database.js';
import { HealthModule } from '../health/health.module.js';
import { RecordsModule } from '../records/records.module.js';
import { SearchModule } from '../search/search.module.js';
import type { Secrets } from '../access/secrets.js';

export interface Parts {
  configuration: Configuration;
  db: Database;
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
  static with(parts: Parts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CoreModule.with(parts),
        RecordsModule,
        AuthModule,
        ...families,
        CalendarModule,
        ChangeLogModule,
        SearchModule,
        HealthModule,
        ...(parts.extra ?? []),
      ],
    };
  }
}
