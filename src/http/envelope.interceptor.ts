import type { Readable } from 'node:stream';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { etagOf, JSON_TYPE, ListReply, matches, PlainReply, RecordReply, type Parts } from './replies.js';

/** Opens the secrets in a record's JSON text for a caller who may read them, and hides them from others. */
export type Reveal = (json: string, secrets: readonly string[], request: FastifyRequest) => string;

/** Wraps what a handler gives in `data`, and says what HTTP knows of it: its entity tag, its place. */
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reveal: Reveal) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(map((result: unknown) => this.envelope(result, request, reply)));
  }

  private envelope(result: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    if (result === undefined) return undefined;
    if (result instanceof RecordReply) {
      const record = this.reveal(result.json, result.secrets, request);
      const etag = etagOf(record);
      void reply.header('etag', etag);
      if (result.location !== undefined) void reply.header('location', result.location);
      const { ['if-none-match']: known } = request.headers;
      if (known !== undefined && reply.statusCode === 200 && (request.method === 'GET' || request.method === 'HEAD')) {
        if (matches(known, etag, true)) {
          void reply.status(304);
          return undefined;
        }
      }
      return json(`{"data":${record}}`, reply);
    }
    if (result instanceof ListReply) {
      if (result.source) leaveWithClient(result.source, reply);
      return json(result.body, reply);
    }
    if (result instanceof PlainReply) return json(`{"data":${result.json}}`, reply);
    return json(JSON.stringify({ data: result }), reply);
  }
}

/** A client that has its answer, or has gone before it had a byte, needs nothing more of it. */
function leaveWithClient(source: Parts, { raw }: FastifyReply): void {
  if (raw.destroyed || raw.closed) source.leave();
  else raw.once('close', () => source.leave());
}

function json<T extends string | Readable>(body: T, reply: FastifyReply): T {
  void reply.type(JSON_TYPE);
  return body;
}
