import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from './access.js';
import type { Executor } from '../database/database.js';

/** The caller of a request, and the connection on which its SQL runs. */
export interface RequestContext {
  /** The logged-in profile and its session; set by the guard on every route that is not public. */
  caller: Caller;
  /** The id that the log and `X-Request-Id` show. */
  requestId: string;
  /** Runs the statements of the request. With an `Idempotency-Key`, it is the transaction that stores the response. */
  db: Executor;
  /** `If-Match` of a PATCH or DELETE. */
  ifMatch?: string;
  /** `Accept`, which selects the format of a list. */
  accept?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    context?: RequestContext;
  }
}

/** The context of the request, as a parameter of a handler. */
export const Ctx = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().context,
);
