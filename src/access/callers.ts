import type { FastifyRequest } from 'fastify';
import type { Caller } from './access.js';

/** Tells who sent a request. Provided by the module that keeps sessions and tokens. */
export abstract class Callers {
  /**
   * The caller, or undefined where the request carries no valid credential.
   * @throws DomainError tooManyRequests; unauthenticated for an expired token; forbidden for a token used from an address
   * outside its networks
   */
  abstract callerOf(request: FastifyRequest): Promise<Caller | undefined>;
}
