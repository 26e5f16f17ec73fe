import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Database } from '../database/database.js';
import { isApiRequest } from '../http/api-path.js';
import { DomainError } from '../http/errors.js';
import { hasRole, type AccessRule, type Caller } from './access.js';
import { Callers } from './callers.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The one guard of the service. It runs when a route is matched and before a byte of the body is read, so that a caller without
 * the rights learns nothing else. It denies by default: under `/api` a route without an access rule is closed, and a path without
 * a route is a 404 only for callers with a session or token.
 *
 * Nest calls its guards after Fastify has read the body. Therefore Fastify's `onRequest` calls `check`, and Nest's guard only
 * verifies that it did.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly checked = new WeakSet<FastifyRequest>();

  constructor(
    @Inject(Callers) private readonly callers: Callers,
    @Inject(Database) private readonly db: Database,
  ) {}

  /** @throws DomainError forbidden if a request has reached a handler without being checked */
  canActivate(context: ExecutionContext): true {
    if (this.checked.has(context.switchToHttp().getRequest<FastifyRequest>())) return true;
    throw new DomainError('forbidden', 'This route is closed: its access was not checked');
  }

  /**
   * Sets `request.context`.
   * @throws DomainError unauthenticated, tooManyRequests or forbidden
   */
  async check(request: FastifyRequest): Promise<void> {
    const access = request.routeOptions.config.access;
    const { ['if-match']: ifMatch, accept } = request.headers;
    const requestId = request.id;
    const context = { requestId, db: this.db, ifMatch, accept };
    // Every use of the API needs a credential.
    if (isApiRequest(request) && !access?.public) {
      const caller = await this.callers.callerOf(request);
      if (!caller) throw unauthenticated(request);
      const { profileId, email, credential } = caller;
      const token = credential.kind === 'token' ? { tokenId: credential.id, tokenName: credential.name } : undefined;
      request.context = { ...context, caller, db: this.db.as({ profileId, email, requestId, ...token }) };
      if (credential.kind === 'token' && credential.readOnly && !SAFE_METHODS.has(request.method)) {
        throw new DomainError('forbidden', 'This token is read-only');
      }
      if (!request.is404) authorize(caller, access);
    } else {
      // A public route does not look up the caller.
      request.context = { ...context, caller: undefined as never };
    }
    if (!SAFE_METHODS.has(request.method) && !showsToken(request) && isCrossSite(request)) {
      throw new DomainError('forbidden', 'Writing from another site is refused');
    }
    this.checked.add(request);
  }
}

/** The refusal of a request whose credential is missing or not valid. */
function unauthenticated({ headers }: FastifyRequest): DomainError {
  return headers.authorization === undefined
    ? new DomainError('unauthenticated')
    : new DomainError(
        'unauthenticated',
        'Not authenticated. The Authorization header must be Bearer followed by a valid token',
        {
          headers: { 'www-authenticate': 'Bearer' },
        },
      );
}

/** @throws DomainError forbidden if the rule of a route does not admit the caller */
function authorize({ credential, ...rights }: Caller, access: AccessRule | undefined): void {
  const isToken = credential.kind === 'token';
  if (!access?.role) throw new DomainError('forbidden', 'This route is closed: it has no access rule');
  if (access.session && isToken) {
    throw new DomainError('forbidden', 'This needs a session, not a token. Log in at POST /api/auth/login');
  }
  if (!hasRole(rights, access.role)) {
    const whose = isToken ? "this token's" : 'yours';
    throw new DomainError('forbidden', `This needs the role ${access.role} or above; ${whose} is ${rights.role}`);
  }
  if (access.area && !rights.areas.includes(access.area)) {
    const who = isToken ? 'this token does' : 'you do';
    throw new DomainError('forbidden', `This needs access to the area ${access.area}, which ${who} not have`);
  }
}

/**
 * Whether a header identifies the caller. A page of another site can make a browser send its cookie, but not a token that the
 * page does not know.
 */
const showsToken = ({ context, headers }: FastifyRequest): boolean =>
  context?.caller !== undefined && headers.authorization !== undefined;

/** Whether a browser says that the request comes from a page of another site. Other clients send neither header. */
function isCrossSite(request: FastifyRequest): boolean {
  const { origin, ['sec-fetch-site']: site } = request.headers;
  if (site === 'cross-site') return true;
  if (origin === undefined) return false;
  const host = URL.canParse(origin) ? new URL(origin).host : undefined;
  return host !== request.host;
}
