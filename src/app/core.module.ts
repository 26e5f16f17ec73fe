import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../auth/credential/clock.js';
import type { ServiceDataSource } from '../database/data-source.js';
import { Database } from '../database/database.js';
import { Outbound } from '../database/outbound.js';
import { IdempotencyKeys } from '../resource/idempotency/idempotency.js';
import { ImportQueue } from '../resource/import/import-queue.js';
import { Pipeline } from '../resource/pipeline.js';
import { Secrets } from '../access/secrets.js';
import type { Configuration } from '../config/configuration.js';
import { CONFIGURATION } from '../config/tokens.js';
import { serviceEntities } from '../schema/entities.js';

export interface CoreDependencies {
  configuration: Configuration;
  /** Opened and migrated. It is closed with the application. */
  dataSource: ServiceDataSource;
  secrets: Secrets;
  clock?: Clock;
}

/** Providers for every family: the configuration, the database, the secrets and the clock. */
@Global()
@Module({})
export class CoreModule {
  static with({ configuration, dataSource, secrets, clock = new Clock() }: CoreDependencies): DynamicModule {
    return {
      module: CoreModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => dataSource.options,
          // A start needs the database before the application: for the key, the first administrator and the catalogue.
          dataSourceFactory: () => Promise.resolve(dataSource),
        }),
        TypeOrmModule.forFeature([...serviceEntities]),
      ],
      providers: [
        { provide: CONFIGURATION, useValue: configuration },
        { provide: Database, inject: [DataSource], useFactory: ({ database }: ServiceDataSource) => database },
        { provide: Secrets, useValue: secrets },
        { provide: Clock, useValue: clock },
        Outbound,
        ImportQueue,
        IdempotencyKeys,
        Pipeline,
      ],
      exports: [CONFIGURATION, Database, Secrets, Clock, Outbound],
    };
  }
}
