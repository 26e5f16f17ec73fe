import type { FastifyRequest } from 'fastify';
import type { Caller } from './access.js';

/** Tells who sent a request. Provided by the module that keeps sessions. */
export abstract class Callers {
  /** The caller, or undefined where the request carries no valid session. @throws DomainError tooManyRequests */
  abstract callerOf(request: FastifyRequest): Promise<Caller | undefined>;
}
