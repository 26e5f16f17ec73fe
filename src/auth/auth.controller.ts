import { isEmail } from '../fields/types/text.js';
import { Controller, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Configuration } from '../config/configuration.js';
import { Database } from '../database/database.js';
import { clientAddress, networkOf } from '../http/client-address.js';
import { Ctx, type RequestContext } from '../lists/request-context.js';
import { DomainError, invalid } from '../http/errors.js';
import { KIB } from '../http/json-body.js';
import { AddRouteConfig } from '../http/route-config.js';
import { PlainReply } from '../http/replies.js';
import { BodyOf } from '../fields/bodies/bodies.js';
import { declaredSqlOf } from '../lists/record-sql.js';
import { Operation } from '../openapi/operation.js';
import { Tag } from '../openapi/tags.js';
import { CONFIGURATION } from '../config/tokens.js';
import { Access, Public } from '../access/access.js';
import { ChangePassword, Credentials } from './auth.bodies.js';
import { LoginThrottling } from './password/login-throttle.js';
import { hashPassword, refuseEmail, verifyPassword } from './password/passwords.js';
import { Profile } from './profile/profile.entity.js';
import { setSessionCookie } from './session/session-cookie.js';
import { Sessions } from './session/sessions.js';
import { sql, write } from '../database/sql.js';

/** Callers without a session may send it too, so it is small. */
const BODY_LIMIT = 16 * KIB;

const anyone = { role: 'viewer' } as const;
const session = { ...anyone, session: true } as const;

interface StoredCredentials {
  id: string;
  email: string;
  /** Null if the profile has no password login. */
  passwordHash: string | null;
  isActive: boolean;
}

const PASSWORD_LOGIN_OFF = 'Logging in with a password is disabled. Sign in at GET /api/auth/oidc/login';

const notCurrent = (): DomainError => invalid('currentPassword', 'is not the current password');

/** Logging in and out, and the caller's own password. */
@Controller('api/auth')
@Tag('Authentication', 'Logging in and out, and changing your own password')
export class AuthController {
  constructor(
    @Inject(Database) private readonly db: Database,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(LoginThrottling) private readonly throttling: LoginThrottling,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @Post('login')
  @AddRouteConfig({ bodyLimit: BODY_LIMIT })
  @HttpCode(200)
  @Public()
  @Operation({
    operationId: 'login',
    text: {
      summary: 'Log in',
      description:
        'Opens a session and sets its cookie. A wrong email, a wrong password and a profile without a password get the same response. Refused with 403 if only single sign-on is allowed.',
    },
    body: Credentials,
    response: Profile,
    status: 200,
    errors: [401, 429, 503],
  })
  async login(
    @BodyOf(Credentials) { email: given, password }: Credentials,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PlainReply> {
    if (!this.configuration.passwordLogin) throw new DomainError('forbidden', PASSWORD_LOGIN_OFF);
    const [profile] = await this.db.query<StoredCredentials>(
      sql`SELECT id, email, password_hash AS "passwordHash", is_active AS "isActive" FROM profiles WHERE ${isEmail('email', given)}`,
    );
    const address = clientAddress(request);
    const { 'user-agent': userAgent } = request.headers;
    const token = await this.throttling.attempt(profile?.email ?? given, address, async () => {
      const passwordHash = profile?.isActive ? (profile.passwordHash ?? undefined) : undefined;
      if (!(await verifyPassword(networkOf(address), passwordHash, password))) return undefined;
      return this.sessions.open(this.db, profile!.id, { passwordHash, remoteAddress: address, userAgent });
    });
    if (token === undefined) throw new DomainError('unauthenticated', 'Wrong email or password');
    const answer = await this.profile(profile!.id);
    void reply.header('set-cookie', setSessionCookie(request, token, this.configuration.secureCookies));
    return answer;
  }

  @Post('logout')
  @AddRouteConfig({ bodyLimit: BODY_LIMIT })
  @HttpCode(204)
  @Access(session)
  @Operation({
    operationId: 'logout',
    text: { summary: 'Log out', description: 'Ends the session of the cookie.' },
    status: 204,
    errors: [400],
  })
  async logout(
    @Ctx() ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.sessions.end(ctx.caller.credential.id);
    void reply.header('set-cookie', setSessionCookie(request, '', this.configuration.secureCookies));
  }

  @Get('session')
  @Access(anyone)
  @Operation({
    operationId: 'getSession',
    text: {
      summary: 'Read the profile of the caller',
      description: 'The profile that the caller is logged in with, its role and its areas.',
    },
    response: Profile,
    status: 200,
    errors: [400],
  })
  session(@Ctx() ctx: RequestContext): Promise<PlainReply> {
    return this.profile(ctx.caller.profileId);
  }

  @Post('password')
  @AddRouteConfig({ bodyLimit: BODY_LIMIT })
  @HttpCode(204)
  @Access(session)
  @Operation({
    operationId: 'changePassword',
    text: {
      summary: 'Change your own password',
      description:
        'Ends the other sessions of the caller. The old password stops working at once. If two changes are sent at the same time, one succeeds and the other is refused.',
    },
    body: ChangePassword,
    status: 204,
    errors: [429],
  })
  async password(
    @Ctx() ctx: RequestContext,
    @BodyOf(ChangePassword) { currentPassword, newPassword }: ChangePassword,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const {
      profileId,
      email,
      credential: { id: sessionId },
    } = ctx.caller;
    const address = clientAddress(request);
    // A stolen session must not help to guess the password.
    const verified = await this.throttling.attempt(email, address, async () => {
      const [profile] = await this.db.query<Pick<StoredCredentials, 'passwordHash'>>(
        sql`SELECT password_hash AS "passwordHash" FROM profiles WHERE id = ${profileId}`,
      );
      if (!profile) throw new DomainError('unauthenticated');
      const { passwordHash: stored } = profile;
      return (await verifyPassword(networkOf(address), stored ?? undefined, currentPassword)) ? stored : undefined;
    });
    if (typeof verified !== 'string') throw notCurrent();
    refuseEmail('newPassword', newPassword, email);
    const passwordHash = await hashPassword(newPassword);
    await ctx.db.transaction(async (tx) => {
      // Hashing is slow. The profile may have changed meanwhile, so it is checked again under the lock of its row.
      const [profile] = await tx.query<Pick<StoredCredentials, 'passwordHash'>>(
        sql`SELECT password_hash AS "passwordHash" FROM profiles WHERE id = ${profileId} FOR NO KEY UPDATE`,
      );
      if (profile && profile.passwordHash !== verified) throw notCurrent();
      const [open] = await tx.query(sql`SELECT 1 FROM sessions WHERE id = ${sessionId}`);
      if (!open) throw new DomainError('unauthenticated');
      await tx.write(
        write`UPDATE profiles SET password_hash = ${passwordHash}, updated_at = now() WHERE id = ${profileId}`,
      );
      await this.sessions.endAll(tx, profileId, sessionId);
    });
  }

  private async profile(id: string): Promise<PlainReply> {
    const profile = declaredSqlOf(Profile);
    const [row] = await this.db.query<{ json: string }>(profile.selectJson(profile.table, sql`WHERE t.id = ${id}`));
    if (!row) throw new DomainError('unauthenticated');
    return new PlainReply(row.json);
  }
}
