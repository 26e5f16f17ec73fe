import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { Configuration } from '../config/configuration.js';
import { Database } from '../database/database.js';
import { CONFIGURATION } from '../config/tokens.js';
import { TagGroup } from '../openapi/tags.js';
import { AuthController } from './auth.controller.js';
import { Clock } from './clock.js';
import { AccessGuard } from '../access/access.guard.js';
import { Callers } from '../access/callers.js';
import { LoginThrottling } from './login-throttle.js';
import { ProfilesController, ProfileSessionsController } from './profile/profiles.controller.js';
import { SessionCallers } from './session/session-callers.js';
import { Sessions } from './session/sessions.js';

@TagGroup('Access')
@Module({
  controllers: [AuthController, ProfilesController, ProfileSessionsController],
  providers: [
    {
      provide: Sessions,
      inject: [Database, Clock, CONFIGURATION],
      useFactory: (db: Database, clock: Clock, { sessionIdleMinutes, sessionAbsoluteHours }: Configuration) =>
        new Sessions(db, clock, { idleMinutes: sessionIdleMinutes, absoluteHours: sessionAbsoluteHours }),
    },
    {
      provide: LoginThrottling,
      inject: [Database, Clock],
      useFactory: (db: Database, clock: Clock) => new LoginThrottling(db, clock),
    },
    { provide: Callers, useClass: SessionCallers },
    AccessGuard,
    { provide: APP_GUARD, useExisting: AccessGuard },
  ],
})
export class AuthModule {}
