import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

export type ResponseHeaders = Readonly<Record<string, string>>;

/**
 * The security headers for browsers, computed once.
 * @param https whether browsers are told to use HTTPS only
 */
export function securityHeaders(https: boolean): ResponseHeaders {
  const middleware = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        // Needed by Swagger UI only.
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: https && { maxAge: 31_536_000 },
  });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  middleware(request, response, (error?: unknown) => {
    if (error) throw error as Error;
  });
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}

/** Adds these headers and the request id to every response, and keeps it out of caches unless its route decides otherwise. */
export function setResponseHeaders(fastify: FastifyInstance, headers: ResponseHeaders): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers).headers({ 'x-request-id': request.id, 'cache-control': 'no-store' });
    done();
  });
}
