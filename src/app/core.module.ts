import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Parts } from './app.module.js';
import { Clock } from '../auth/credential/clock.js';
import { Database } from '../database/database.js';
import { EnvelopeInterceptor } from '../server/envelope.interceptor.js';
import { IdempotencyInterceptor } from '../idempotency/idempotency.interceptor.js';
import { Secrets } from '../access/secrets.js';
import { CONFIGURATION } from '../config/tokens.js';

/** What every family needs: the configuration, the database, the secrets and the clock. */
@Global()
@Module({})
export class CoreModule {
  static with({ configuration, db, secrets, clock = new Clock() }: Parts): DynamicModule {
    return {
      module: CoreModule,
      providers: [
        { provide: CONFIGURATION, useValue: configuration },
        { provide: Database, useValue: db },
        { provide: Secrets, useValue: secrets },
        { provide: Clock, useValue: clock },
        {
          provide: EnvelopeInterceptor,
          inject: [Secrets, IdempotencyInterceptor],
          useFactory: (box: Secrets, idempotency: IdempotencyInterceptor) =>
            new EnvelopeInterceptor(idempotency, (json, properties, request) =>
              box.reveal(json, properties, request.context!.caller),
            ),
        },
        IdempotencyInterceptor,
      ],
      exports: [CONFIGURATION, Database, Secrets, Clock],
    };
  }
}
