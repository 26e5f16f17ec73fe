import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Executor } from '../database/executor.js';
import { versionsIn } from '../http/replies.js';
import type { Caller } from './access.js';

/** What a handler knows of its request. It stays as it is; a transaction within the request is passed on by itself. */
export interface RequestContext {
  /** The logged-in profile and its session or token. Missing on public routes only. */
  readonly caller: Caller;
  /** The id that the log and `X-Request-Id` show. */
  readonly requestId: string;
  /** Runs the statements of the request. With an `Idempotency-Key`, it is the transaction that stores the response. */
  readonly db: Executor;
  /** The versions in the `If-Match` of a PATCH or DELETE, of which the record must have one; undefined if any will do. */
  readonly versions?: readonly string[];
  /** `Accept`, which selects the format of a list. */
  readonly accept?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on every route that is not public. */
    caller?: Caller;
    /** The database on behalf of the caller, set by the guard; with an `Idempotency-Key` the transaction that the handler runs in. */
    db?: Executor;
  }
}

/** The context of the request, as a parameter of a handler. It is made when the handler is called. */
export const Ctx = createParamDecorator((_data: unknown, context: ExecutionContext): RequestContext => {
  const { caller, id, db, headers } = context.switchToHttp().getRequest<FastifyRequest>();
  return {
    caller: caller!,
    requestId: id,
    db: db!,
    versions: versionsIn(headers['if-match']),
    accept: headers.accept,
  };
});
