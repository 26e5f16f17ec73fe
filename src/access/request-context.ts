import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from './access.js';
import type { Executor } from '../database/database.js';

/** Who asks, and where the SQL of the request runs. */
export interface RequestContext {
  /** The logged-in profile and its session; set by the guard on every route that is not public. */
  caller: Caller;
  /** Also in the log and in `X-Request-Id`. */
  requestId: string;
  /** Carries the request's statements; within an Idempotency-Key, the transaction that stores the answer. */
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
