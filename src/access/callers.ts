import type { FastifyRequest } from 'fastify';
import type { Caller } from './access.js';

/** Identifies the caller of a request. The module of sessions and tokens provides it. */
export abstract class Callers {
  /**
   * The caller; undefined if the request has no valid credential. A promise only if the credential has to be looked up: a promise
   * costs every request several turns of the microtask queue.
   * @throws DomainError too_many_requests; unauthenticated for an expired token; forbidden for a token used from an address
   * outside its networks
   */
  abstract callerOf(request: FastifyRequest): Caller | undefined | Promise<Caller | undefined>;
}
