import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Parts } from './app.module.js';
import { Clock } from '../auth/clock.js';
import { Database } from '../database/database.js';
import { EnvelopeInterceptor } from '../http/envelope.interceptor.js';
import { IdempotencyInterceptor } from '../resource/idempotency/idempotency.interceptor.js';
import { Kernel } from '../records/kernel.js';
import { CONFIGURATION } from '../config/tokens.js';

/** What every family needs: the database, the kernel, the configuration and the clock. */
@Global()
@Module({})
export class CoreModule {
  static with({ configuration, db, secrets, clock = new Clock() }: Parts): DynamicModule {
    return {
      module: CoreModule,
      providers: [
        { provide: CONFIGURATION, useValue: configuration },
        { provide: Database, useValue: db },
        { provide: Kernel, useValue: new Kernel(db, secrets, configuration.answerMemory) },
        { provide: Clock, useValue: clock },
        {
          provide: EnvelopeInterceptor,
          inject: [Kernel],
          useFactory: (kernel: Kernel) =>
            new EnvelopeInterceptor((json, properties, request) =>
              kernel.reveal(json, properties, request.context!.caller),
            ),
        },
        IdempotencyInterceptor,
      ],
      exports: [CONFIGURATION, Database, Kernel, Clock],
    };
  }
}
