import type { FastifyReply, FastifyRequest } from 'fastify';
import { routePath } from '../api-path.js';
import { whenFinished } from '../finished.js';
import {
  etagOf,
  JSON_TYPE,
  matches,
  replyOf,
  type ActionReply,
  type DocumentReply,
  type ListReply,
  type RecordReply,
} from '../replies.js';
import { HTML_TYPE } from '../html.js';
import { SVG_POLICY, SVG_TYPE } from '../svg.js';

/** Decrypts the secrets in a record's JSON text for callers who may read them, and hides them from others. */
type Reveal = (json: string, secrets: readonly string[], request: FastifyRequest) => string;

/** Wraps the reply of a handler in `data`, and sets the headers that belong to it: `ETag`, `Location`, `Link`. */
export class Envelope {
  constructor(private readonly reveal: Reveal) {}

  bodyOf(result: unknown, request: FastifyRequest, response: FastifyReply): unknown {
    const reply = replyOf(result);
    switch (reply.kind) {
      case 'empty':
        return undefined;
      case 'plain':
        if (reply.status !== undefined) void response.status(reply.status);
        if (reply.etag !== undefined) void response.header('etag', reply.etag);
        return enveloped(reply.json, response, reply.beside);
      case 'record':
        return this.record(reply, request, response);
      case 'action':
        return this.action(reply, request, response);
      case 'list':
        return list(reply, request, response);
      case 'document':
        return document(reply, response);
      case 'svg':
        void response.type(SVG_TYPE).header('content-security-policy', SVG_POLICY);
        return reply.svg;
      case 'body':
        void response.type(reply.type);
        protect(reply.type, response);
        return reply.body;
    }
  }

  private record(reply: RecordReply, request: FastifyRequest, response: FastifyReply): string | undefined {
    const { version, isWeak, link, once, beside } = reply.surroundings;
    const record = this.reveal(reply.json, reply.secrets, request);
    const etag = etagOf(record, version);
    void response.header('etag', isWeak ? `W/${etag}` : etag);
    if (response.statusCode === 201) void response.header('location', `${routePath(request)}/${reply.id}`);
    if (link !== undefined) void response.header('link', link);
    const { ['if-none-match']: known } = request.headers;
    const isRead = response.statusCode === 200 && (request.method === 'GET' || request.method === 'HEAD');
    if (known !== undefined && isRead && matches(known, etag)) {
      void response.status(304);
      return undefined;
    }
    const more = beside ? `,${JSON.stringify(beside).slice(1, -1)}` : '';
    return enveloped(once ? `${record.slice(0, -1)},${JSON.stringify(once).slice(1)}` : record, response, more);
  }

  private action({ pieces, secrets, dryRun }: ActionReply, request: FastifyRequest, response: FastifyReply): string {
    const data = pieces
      .map((piece, index) => (index % 2 === 1 ? this.reveal(piece, secrets, request) : piece))
      .join('');
    return enveloped(data, response, dryRun ? ',"dryRun":true' : '');
  }
}

function list(
  { type, filename, body, next }: ListReply,
  request: FastifyRequest,
  response: FastifyReply,
): ListReply['body'] {
  if (next !== undefined) void response.header('link', `<${addressAfter(next, request)}>; rel="next"`);
  if (filename) void response.header('content-disposition', `attachment; filename="${filename}"`);
  return sent(type, body, response);
}

function document({ type, etag, body }: DocumentReply, response: FastifyReply): DocumentReply['body'] {
  void response.headers({ etag, 'cache-control': 'private, no-cache' });
  protect(type, response);
  if (body !== undefined) return sent(type, body, response);
  void response.status(304);
  return undefined;
}

/** The address of the next page of a list. */
function addressAfter(cursor: string, request: FastifyRequest): string {
  const query = new URLSearchParams(request.url.split('?', 2)[1]);
  query.delete('page');
  query.set('after', cursor);
  return `${routePath(request)}?${query.toString()}`;
}

/** A picture or a page to print runs no script and loads nothing. */
function protect(type: string, response: FastifyReply): void {
  if (type === HTML_TYPE) void response.header('content-security-policy', SVG_POLICY);
}

/** A body whose stream ends with the response. */
function sent(type: string, body: ListReply['body'], response: FastifyReply): ListReply['body'] {
  if (typeof body !== 'string') whenFinished(response, () => body.destroy());
  void response.type(type);
  return body;
}

/** @param more JSON text of further properties beside `data`, each after a comma */
function enveloped(data: string, response: FastifyReply, more = ''): string {
  void response.type(JSON_TYPE);
  return `{"data":${data}${more}}`;
}
