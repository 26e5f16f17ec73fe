import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { Configuration } from '../config/configuration.js';
import { Database } from '../database/database.js';
import { CONFIGURATION } from '../config/tokens.js';
import { TagGroup } from '../openapi/tags.js';
import { AuthController } from './auth.controller.js';
import { Clock } from './credential/clock.js';
import { AccessGuard } from '../access/access.guard.js';
import { Callers } from '../access/callers.js';
import { CredentialCallers } from './credential-callers.js';
import { LookupBudget } from './credential/lookup-budget.js';
import { LoginThrottling } from './password/login-throttle.js';
import { Identities } from './oidc/identities.js';
import { IdentityProvider } from './oidc/identity-provider.js';
import { OidcController } from './oidc/oidc.controller.js';
import { ProfilesController, ProfileSessionsController } from './profile/profiles.controller.js';
import { serviceOf } from '../records/resource.service.js';
import { ProfilesService } from './profile/profiles.service.js';
import { Session } from './session/session.entity.js';
import { Sessions } from './session/sessions.js';
import { Tokens } from './token/tokens.js';
import { TokensService } from './token/tokens.service.js';
import { OwnTokensController, TokensController } from './token/tokens.controller.js';

@TagGroup('Access')
@Module({
  controllers: [
    AuthController,
    OidcController,
    TokensController,
    OwnTokensController,
    ProfilesController,
    ProfileSessionsController,
  ],
  providers: [
    { provide: LookupBudget, inject: [Clock], useFactory: (clock: Clock) => new LookupBudget(clock) },
    {
      provide: Tokens,
      inject: [Database, Clock, LookupBudget],
      useFactory: (db: Database, clock: Clock, budget: LookupBudget) => new Tokens(db, clock, budget),
    },
    TokensService,
    ProfilesService,
    serviceOf(Session),
    {
      provide: Sessions,
      inject: [Database, Clock, CONFIGURATION, LookupBudget],
      useFactory: (
        db: Database,
        clock: Clock,
        { sessionIdleMinutes, sessionAbsoluteHours }: Configuration,
        budget: LookupBudget,
      ) => new Sessions(db, clock, { idleMinutes: sessionIdleMinutes, absoluteHours: sessionAbsoluteHours }, budget),
    },
    {
      provide: LoginThrottling,
      inject: [Database, Clock],
      useFactory: (db: Database, clock: Clock) => new LoginThrottling(db, clock),
    },
    // Both are undefined if single sign-on is not configured.
    {
      provide: IdentityProvider,
      inject: [CONFIGURATION, Clock],
      useFactory: ({ singleSignOn }: Configuration, clock: Clock) =>
        singleSignOn && new IdentityProvider(singleSignOn, clock),
    },
    {
      provide: Identities,
      inject: [Database, Sessions, CONFIGURATION],
      useFactory: (db: Database, sessions: Sessions, { singleSignOn }: Configuration) =>
        singleSignOn && new Identities(db, sessions, singleSignOn),
    },
    { provide: Callers, useClass: CredentialCallers },
    AccessGuard,
    { provide: APP_GUARD, useExisting: AccessGuard },
  ],
  exports: [LookupBudget],
})
export class AuthModule {}
