import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Database } from '../database/database.js';
import type { Executor } from '../database/executor.js';
import { isApiPath, pathOf } from '../http/api-path.js';
import { changeMessageOf } from '../http/change-message.js';
import { DomainError } from '../http/errors.js';
import { type AccessRule, type Caller, hasRole } from './access.js';

/** Identifies the caller of a request. The module of sessions and tokens provides it. */
export abstract class Callers {
  /**
   * The caller; undefined if the request has no valid credential. A promise only if the credential must be looked up, because a promise
   * costs every request several microtask turns.
   * @throws DomainError too_many_requests; unauthenticated for an expired token; forbidden for a token used from an address outside its
   * networks
   */
  abstract callerOf(request: FastifyRequest): Caller | undefined | Promise<Caller | undefined>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on every route that is not public. */
    caller?: Caller;
    /** The database on behalf of the caller. */
    db?: Executor;
  }
}

const CHECKED = Symbol('checked');

/** A request that was checked, or that is to be. */
type CheckedRequest = FastifyRequest & { [CHECKED]?: true };

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The one guard of the service. It runs when a route is matched and before a byte of the body is read, so that a caller without
 * the rights learns nothing else. It denies by default: a route without an access rule is closed, wherever it is. A path of the API
 * without a route is a 404 only for callers with a session or token.
 *
 * Nest calls its guards after Fastify has read the body. Therefore Fastify's `onRequest` hook checks a request, and Nest's
 * guard only verifies that it did.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    @Inject(Callers) private readonly callers: Callers,
    @Inject(Database) private readonly db: Database,
  ) {}

  /** @throws DomainError forbidden if a request has reached a handler without being checked */
  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<CheckedRequest>();
    if (request[CHECKED]) return true;
    throw closed(request, 'The access of a request was not checked');
  }

  /** Checks every request before its body is read, in the order of the hooks. */
  watch(fastify: Pick<FastifyInstance, 'addHook'>): void {
    fastify.addHook('onRequest', (request, _reply, done) => {
      const lookup = this.check(request);
      if (lookup) lookup.then(() => done(), done);
      else done();
    });
  }

  /**
   * Sets `caller` and `db` of the request. Returns a promise only if the caller has to be looked up.
   * @throws DomainError unauthenticated, too_many_requests or forbidden
   */
  check(request: FastifyRequest): void | Promise<void> {
    const { access } = request.routeOptions.config;
    if (access?.public || (request.is404 && !isApiPath(pathOf(request.url)))) {
      request.db = this.db;
      return this.admit(request);
    }
    const caller = this.callers.callerOf(request);
    if (!(caller instanceof Promise)) return this.admitCaller(request, access, caller);
    return caller.then((found) => this.admitCaller(request, access, found));
  }

  private admitCaller(request: FastifyRequest, access: AccessRule | undefined, caller: Caller | undefined): void {
    if (!caller) throw unauthenticated(request);
    const { profileId, email, role, credential } = caller;
    const isToken = credential.kind === 'token';
    const by = { profileId, email, role, requestId: request.id };
    const attribution = isToken ? { ...by, tokenId: credential.id, tokenName: credential.name } : by;
    request.caller = caller;
    request.db = this.db.as(attribution);
    if (isToken && credential.readOnly && !SAFE_METHODS.has(request.method) && !access?.readsOnly) {
      throw new DomainError('forbidden', 'This token is read-only');
    }
    if (!request.is404) authorize(request, caller, access);
    this.admit(request);
    if (SAFE_METHODS.has(request.method)) return;
    const message = changeMessageOf(request.headers);
    if (message !== undefined) request.db = this.db.as({ ...attribution, message });
  }

  private admit(request: CheckedRequest): void {
    if (!SAFE_METHODS.has(request.method) && !showsToken(request) && isCrossSite(request)) {
      throw new DomainError('forbidden', 'Writes from another site are refused');
    }
    request[CHECKED] = true;
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

/** The refusal of a route that has no access rule by mistake. The log names the route. */
function closed(request: FastifyRequest, mistake: string): DomainError {
  request.log.error(mistake);
  return new DomainError('forbidden', 'Forbidden');
}

/** @throws DomainError forbidden if the rule of a route does not admit the caller */
function authorize(request: FastifyRequest, caller: Caller, access: AccessRule | undefined): void {
  const { credential, role, areas } = caller;
  const isToken = credential.kind === 'token';
  if (!access?.role) throw closed(request, 'The route has no access rule');
  if (access.session && isToken) {
    throw new DomainError('forbidden', 'This needs a session, not a token. Log in at POST /api/auth/login');
  }
  if (!hasRole(caller, access.role)) {
    const whose = isToken ? "this token's" : 'yours';
    throw new DomainError('forbidden', `This needs the role ${access.role} or above; ${whose} is ${role}`);
  }
  if (access.area && !areas.includes(access.area)) {
    const who = isToken ? 'this token does' : 'you do';
    throw new DomainError('forbidden', `This needs access to the area ${access.area}, which ${who} not have`);
  }
}

/** Whether a header identifies the caller. A page of another site can make a browser send its cookie, but does not know a token. */
const showsToken = ({ caller, headers }: FastifyRequest): boolean =>
  caller !== undefined && headers.authorization !== undefined;

/** Whether a browser says that the request comes from a page of another site. Other clients send neither header. */
function isCrossSite(request: FastifyRequest): boolean {
  const { origin, ['sec-fetch-site']: site } = request.headers;
  if (site === 'cross-site') return true;
  if (origin === undefined) return false;
  const host = URL.canParse(origin) ? new URL(origin).host : undefined;
  return host !== request.host;
}
