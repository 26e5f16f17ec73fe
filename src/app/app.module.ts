import { Module, type DynamicModule, type Type } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { AuthModule } from '../auth/auth.module.js';
import { Clock } from '../auth/clock.js';
import { ChangeLogModule } from '../change-log/change-log.module.js';
import type { Configuration } from '../config/configuration.js';
import { families } from '../schema/families.js';
import { CoreModule } from './core.module.js';
import type { Database } from '../database/database.js';
import { HealthModule } from '../health/health.module.js';
import type { SecretBox } from '../records/secret-box.js';

/** What the application is built on. */
export interface Parts {
  configuration: Configuration;
  db: Database;
  secrets: SecretBox;
  clock?: Clock;
  logger?: FastifyBaseLogger;
  /** Milliseconds after which a client that takes no byte of its answer is cut off; 30 s when absent. */
  stallTimeout?: number;
  /** Modules besides the families. */
  extra?: Type[];
}

@Module({})
export class AppModule {
  static with(parts: Parts): DynamicModule {
    return {
      module: AppModule,
      imports: [CoreModule.with(parts), AuthModule, ...families, ChangeLogModule, HealthModule, ...(parts.extra ?? [])],
    };
  }
}
