import { createHash } from 'node:crypto';
import { constants, gzipSync } from 'node:zlib';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ValidationFailed } from './errors.js';
import { JSON_TYPE, matches } from './replies.js';

export type Query = Record<string, string | string[]>;

/** Files are for everybody, and links to them may have parameters of other programs. */
export const FILE_ROUTE: FastifyContextConfig = { access: { public: true }, takesQuery: true };

interface Served {
  plain: Buffer;
  gzip: Buffer;
  digest: string;
}

/**
 * Responds with the result of `make`, which is made and compressed at the first request, and kept.
 * @param make takes the query string if it has a parameter, and then throws for all but a few
 */
export function staticResponse(
  type: string,
  make: (query: Query) => string | Buffer,
  cacheControl = 'no-cache',
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const takesQuery = make.length > 0;
  const kept = new Map<string, Served>();
  const servedFor = (query: Query): Served => {
    const key = JSON.stringify(Object.entries(query).toSorted());
    let served = kept.get(key);
    if (!served) {
      const plain = Buffer.from(make(query));
      served = {
        plain,
        gzip: gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }),
        digest: createHash('sha1').update(plain).digest('base64url'),
      };
      kept.set(key, served);
    }
    return served;
  };
  return (request, reply) => {
    let served: Served;
    try {
      served = servedFor(takesQuery ? (request.query as Query) : {});
    } catch (error) {
      if (!(error instanceof ValidationFailed)) throw error;
      return reply.status(error.status).type(JSON_TYPE).send(JSON.stringify(error.body));
    }
    const zipped = /\bgzip\b(?!\s{0,9};\s{0,9}q=0(?:\.0{0,3})?\s{0,9}(?:,|$))/i.test(
      request.headers['accept-encoding'] ?? '',
    );
    // A strong tag identifies the bytes, and the compressed ones differ.
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
  };
}

/** Serves the result of `make` to everybody at a path, as `staticResponse` does. */
export function serveStatic(
  fastify: FastifyInstance,
  path: string,
  type: string,
  make: (query: Query) => string | Buffer,
): void {
  fastify.get(path, { config: FILE_ROUTE }, staticResponse(type, make));
}
