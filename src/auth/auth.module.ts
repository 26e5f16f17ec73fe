import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Configuration } from '../config/configuration.js';
import { Database } from '../database/database.js';
import { CONFIGURATION } from '../config/tokens.js';
import { TagGroup } from '../openapi/tags.js';
import { AuthController } from './auth.controller.js';
import { Clock } from './credential/clock.js';
import { AccessGuard, Callers } from '../access/access.guard.js';
import { CredentialCallers } from './credential-callers.js';
import { LoginThrottle } from './password/login-throttle.entity.js';
import { LoginThrottling } from './password/login-throttle.js';
import { Identity } from './oidc/identity.entity.js';
import { Identities } from './oidc/identities.js';
import { IdentityProvider } from './oidc/identity-provider.js';
import { OidcController } from './oidc/oidc.controller.js';
import { UsedSignIn } from './oidc/used-sign-in.entity.js';
import { UsedSignIns } from './oidc/used-sign-ins.js';
import { Profile } from './profile/profile.entity.js';
import { ProfilesController, ProfileSessionsController } from './profile/profiles.controller.js';
import { serviceOf } from '../records/resource.service.js';
import { ProfilesService } from './profile/profiles.service.js';
import { Session } from './session/session.entity.js';
import { Sessions } from './session/sessions.js';
import { Token } from './token/token.entity.js';
import { Tokens } from './token/tokens.js';
import { TokensService } from './token/tokens.service.js';
import { OwnTokensController, TokensController } from './token/tokens.controller.js';

export const authEntities = [Profile, Session, Identity, UsedSignIn, Token, LoginThrottle];

/** Global, because lower floors, such as the streams of the change log, use it to identify callers. */
@Global()
@TagGroup('Access')
@Module({
  imports: [TypeOrmModule.forFeature(authEntities)],
  controllers: [
    AuthController,
    OidcController,
    TokensController,
    OwnTokensController,
    ProfilesController,
    ProfileSessionsController,
  ],
  providers: [
    {
      provide: Tokens,
      inject: [Database, Clock],
      useFactory: (db: Database, clock: Clock) => new Tokens(db, clock),
    },
    TokensService,
    ProfilesService,
    serviceOf(Session),
    {
      provide: Sessions,
      inject: [Database, Clock, CONFIGURATION],
      useFactory: (db: Database, clock: Clock, { sessionIdleMinutes, sessionAbsoluteHours }: Configuration) => {
        const limits = { idleMinutes: sessionIdleMinutes, absoluteHours: sessionAbsoluteHours };
        return new Sessions(db, clock, limits);
      },
    },
    {
      provide: LoginThrottling,
      inject: [Database, Clock],
      useFactory: (db: Database, clock: Clock) => new LoginThrottling(db, clock),
    },
    {
      provide: UsedSignIns,
      inject: [Database, Clock],
      useFactory: (db: Database, clock: Clock) => new UsedSignIns(db, clock),
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
  exports: [Callers],
})
export class AuthModule {}
