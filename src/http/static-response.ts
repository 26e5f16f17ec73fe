import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ValidationFailed } from './errors.js';
import { errorBody } from './error-body.js';
import { matches } from './replies.js';

export type Query = Record<string, string | string[]>;

/** Files are public, and links to them may have parameters of other programs. */
export const FILE_ROUTE: FastifyContextConfig = { access: { public: true }, takesQuery: true };

/** A file, ready to be sent. */
export interface Served {
  plain: Uint8Array;
  gzip: Uint8Array;
  digest: string;
}

const compress = promisify(gzip);

export async function servedOf(content: string | Buffer): Promise<Served> {
  const plain = Buffer.from(content);
  return {
    plain,
    gzip: await compress(plain, { level: constants.Z_BEST_COMPRESSION }),
    digest: createHash('sha1').update(plain).digest('base64url'),
  };
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Responds with the result of `make`, which is created and compressed at the first request, and cached.
 * @param make gets the query string if it has a parameter, and throws for all but a few
 */
export function staticResponse(
  type: string,
  make: (query: Query) => string | Buffer | Promise<Served>,
  cacheControl = 'no-cache',
): Handler {
  const takesQuery = make.length > 0;
  const kept = new Map<string, Promise<Served>>();
  const servedFor = (query: Query): Promise<Served> => {
    const key = JSON.stringify(Object.entries(query).toSorted());
    let served = kept.get(key);
    if (!served) {
      const content = make(query);
      served = content instanceof Promise ? content : servedOf(content);
      kept.set(key, served);
      // The next request tries again.
      served.catch(() => kept.delete(key));
    }
    return served;
  };
  return async (request, reply) => {
    try {
      const served = await servedFor(takesQuery ? (request.query as Query) : {});
      return send(request, reply, { type, served, cacheControl });
    } catch (error) {
      return sendFault(request, reply, error);
    }
  };
}

/** Refuses a query string that names no part of a file. @throws other errors */
export function sendFault(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof ValidationFailed)) throw error;
  const { type, text } = errorBody(error, request);
  return reply.status(error.status).type(type).send(text);
}

/** Sends a file, compressed if the client accepts that, or 304 if the client already has it. */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, served, cacheControl }: { type: string; served: Served; cacheControl: string },
): FastifyReply {
  const zipped = /\bgzip\b(?!\s{0,9};\s{0,9}q=0(?:\.0{0,3})?\s{0,9}(?:,|$))/i.test(
    request.headers['accept-encoding'] ?? '',
  );
  // A strong tag identifies bytes, and the compressed bytes differ.
  const etag = `"${served.digest}${zipped ? '-gzip' : ''}"`;
  const vary = reply.getHeader('vary');
  void reply.headers({
    etag,
    'cache-control': cacheControl,
    vary: vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`,
  });
  if (matches(request.headers['if-none-match'] ?? '', etag)) return reply.status(304).send();
  if (zipped) void reply.header('content-encoding', 'gzip');
  return reply.type(type).send(zipped ? served.gzip : served.plain);
}

/** Serves the result of `make` to everybody at a path, as `staticResponse` does. */
export function serveStatic(
  fastify: FastifyInstance,
  path: string,
  type: string,
  make: (query: Query) => string | Buffer | Promise<Served>,
): void {
  fastify.get(path, { config: FILE_ROUTE }, staticResponse(type, make));
}
