import type { Readable } from 'node:stream';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { whenFinished } from '../finished.js';
import {
  ActionReply,
  BodyReply,
  DocumentReply,
  etagOf,
  JSON_TYPE,
  ListReply,
  matches,
  PlainReply,
  RecordReply,
} from '../replies.js';
import { SVG_POLICY, SVG_TYPE, SvgReply } from '../svg.js';

/** Decrypts the secrets in a record's JSON text for callers who may read them, and hides them from others. */
export type Reveal = (json: string, secrets: readonly string[], request: FastifyRequest) => string;

/** An interceptor that returns an observable, not a promise of one. */
export interface InnerInterceptor extends NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown>;
}

/** Wraps the result of a handler in `data`, and sets the headers that belong to it: `ETag`, `Location`, `Link`. */
export class EnvelopeInterceptor implements NestInterceptor {
  /**
   * @param inner the interceptor between the envelope and the handler, so that a response is stored for its idempotency key before
   * it is wrapped. Nest would spend as much on calling a second interceptor as on calling the handler.
   */
  constructor(
    private readonly inner: InnerInterceptor,
    private readonly reveal: Reveal,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return this.inner.intercept(context, next).pipe(map((result: unknown) => this.envelope(result, request, reply)));
  }

  private envelope(result: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    if (result === undefined) return undefined;
    if (result instanceof RecordReply) {
      const record = this.reveal(result.json, result.secrets, request);
      const etag = etagOf(record, result.version);
      void reply.header('etag', result.isWeak ? `W/${etag}` : etag);
      if (result.location !== undefined) void reply.header('location', result.location);
      if (result.link !== undefined) void reply.header('link', result.link);
      const { ['if-none-match']: known } = request.headers;
      if (known !== undefined && reply.statusCode === 200 && (request.method === 'GET' || request.method === 'HEAD')) {
        if (matches(known, etag)) {
          void reply.status(304);
          return undefined;
        }
      }
      const { once } = result;
      const shown = once ? `${record.slice(0, -1)},${JSON.stringify(once).slice(1)}` : record;
      return json(`{"data":${shown}}`, reply);
    }
    if (result instanceof ListReply) {
      const { type, filename, body } = result;
      if (typeof body !== 'string') whenFinished(reply, () => body.destroy());
      if (filename) void reply.header('content-disposition', `attachment; filename="${filename}"`);
      void reply.type(type);
      return body;
    }
    if (result instanceof ActionReply) {
      const { pieces, secrets, dryRun } = result;
      const data = pieces
        .map((piece, index) => (index % 2 === 1 ? this.reveal(piece, secrets, request) : piece))
        .join('');
      return json(dryRun ? `{"data":${data},"dryRun":true}` : `{"data":${data}}`, reply);
    }
    if (result instanceof SvgReply) {
      void reply.type(SVG_TYPE).header('content-security-policy', SVG_POLICY);
      return result.svg;
    }
    if (result instanceof DocumentReply) {
      const { type, etag, body } = result;
      void reply.headers({ etag, 'cache-control': 'private, no-cache' });
      if (body === undefined) {
        void reply.status(304);
        return undefined;
      }
      if (typeof body !== 'string') whenFinished(reply, () => body.destroy());
      void reply.type(type);
      return body;
    }
    if (result instanceof BodyReply) {
      void reply.type(result.type);
      return result.body;
    }
    if (result instanceof PlainReply) return json(`{"data":${result.json}}`, reply);
    return json(JSON.stringify({ data: result }), reply);
  }
}

function json<T extends string | Readable>(body: T, reply: FastifyReply): T {
  void reply.type(JSON_TYPE);
  return body;
}
