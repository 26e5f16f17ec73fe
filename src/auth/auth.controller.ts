import { Body, Controller, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Configuration } from '../config/configuration.js';
import { Database } from '../database/database.js';
import { clientAddress } from '../http/client-address.js';
import { Ctx, type RequestContext } from '../http/context.js';
import { DomainError, invalid } from '../http/errors.js';
import { TakesNoKeys } from '../http/idempotency.interceptor.js';
import { PlainReply } from '../http/replies.js';
import { parseBody } from '../kernel/dto.js';
import { resourceOf } from '../kernel/resource.js';
import { Operation } from '../openapi/document.js';
import { CONFIGURATION } from '../tokens.js';
import { Access, Public } from './access.js';
import { ChangePassword, Credentials } from './dto.js';
import { LoginThrottling } from './login-throttle.js';
import { hashPassword, refuseEmail, verifyPassword } from './passwords.js';
import { Profile } from './profile/profile.entity.js';
import { SESSION_COOKIE } from './session/session-cookie.js';
import { Sessions } from './session/sessions.js';

const TAG = 'Authentication';
const anyone = { role: 'viewer' } as const;

interface StoredCredentials {
  id: string;
  email: string;
  passwordHash: string;
  isActive: boolean;
}

/** Logging in and out, and the caller's own password. */
@Controller('api/auth')
export class AuthController {
  constructor(
    @Inject(Database) private readonly db: Database,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(LoginThrottling) private readonly throttling: LoginThrottling,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @TakesNoKeys()
  @Post('login')
  @HttpCode(200)
  @Public()
  @Operation({
    operationId: 'login',
    tag: TAG,
    access: { public: true },
    text: {
      summary: 'Log in',
      description: 'Opens a session and sets its cookie. A wrong email and a wrong password are answered alike.',
    },
    body: Credentials,
    response: Profile,
    status: 200,
    errors: [401, 429, 503],
  })
  async login(
    @Body() raw: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PlainReply> {
    const { email: given, password } = parseBody(Credentials, raw);
    const [profile] = await this.db.query<StoredCredentials>(
      `SELECT id, email, password_hash AS "passwordHash", is_active AS "isActive" FROM profiles WHERE lower(email) = lower($1)`,
      [given],
    );
    const email = profile?.email ?? given;
    const address = clientAddress(request);
    await this.throttling.enter(email, address);
    const right = await verifyPassword(profile?.isActive ? profile.passwordHash : undefined, password);
    if (!right) throw new DomainError('unauthenticated', 'Wrong email or password');
    await this.throttling.succeed(email, address);
    const { 'user-agent': userAgent } = request.headers;
    const token = await this.sessions.open(this.db, profile!.id, { remoteAddress: address, userAgent });
    void reply.header('set-cookie', this.cookie(request, token));
    return this.profile(profile!.id);
  }

  @TakesNoKeys()
  @Post('logout')
  @HttpCode(204)
  @Access(anyone)
  @Operation({
    operationId: 'logout',
    tag: TAG,
    access: anyone,
    text: { summary: 'Log out', description: 'Ends the session of the cookie.' },
    status: 204,
    errors: [400],
  })
  async logout(
    @Ctx() ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.sessions.end(ctx.caller.sessionId);
    void reply.header('set-cookie', this.cookie(request, ''));
  }

  @Get('session')
  @Access(anyone)
  @Operation({
    operationId: 'getSession',
    tag: TAG,
    access: anyone,
    text: { summary: 'Read the profile of the caller', description: 'Whose session it is, with its role and areas.' },
    response: Profile,
    status: 200,
    errors: [400],
  })
  session(@Ctx() ctx: RequestContext): Promise<PlainReply> {
    return this.profile(ctx.caller.profileId);
  }

  @TakesNoKeys()
  @Post('password')
  @HttpCode(204)
  @Access(anyone)
  @Operation({
    operationId: 'changePassword',
    tag: TAG,
    access: anyone,
    text: { summary: 'Change the own password', description: 'Ends the other sessions of the caller.' },
    body: ChangePassword,
    status: 204,
    errors: [429],
  })
  async password(@Ctx() ctx: RequestContext, @Body() raw: unknown, @Req() request: FastifyRequest): Promise<void> {
    const { currentPassword, newPassword } = parseBody(ChangePassword, raw);
    const { profileId, sessionId, email } = ctx.caller;
    // A stolen session must not become a place to guess the password at.
    const address = clientAddress(request);
    await this.throttling.enter(email, address);
    const [profile] = await this.db.query<StoredCredentials>(
      'SELECT password_hash AS "passwordHash" FROM profiles WHERE id = $1',
      [profileId],
    );
    if (!(await verifyPassword(profile?.passwordHash, currentPassword))) {
      throw invalid('currentPassword', 'is not the current password');
    }
    await this.throttling.succeed(email, address);
    refuseEmail('newPassword', newPassword, email);
    const passwordHash = await hashPassword(newPassword);
    await ctx.db.transaction(async (tx) => {
      await tx.query('UPDATE profiles SET password_hash = $2, updated_at = now() WHERE id = $1', [
        profileId,
        passwordHash,
      ]);
      await this.sessions.endAll(tx, profileId, sessionId);
    });
  }

  private async profile(id: string): Promise<PlainReply> {
    const profile = resourceOf(Profile);
    const [row] = await this.db.query<{ json: string }>(profile.selectJson(profile.table, 'WHERE t.id = $1'), [id]);
    if (!row) throw new DomainError('unauthenticated');
    return new PlainReply(row.json);
  }

  /** `Set-Cookie` with the token; without one, the end of the cookie. */
  private cookie(request: FastifyRequest, token: string): string {
    return stringifySetCookie({
      name: SESSION_COOKIE,
      value: token,
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: request.protocol === 'https' || this.configuration.secureCookies,
      ...(token === '' && { maxAge: 0 }),
    });
  }
}
