import type { FastifyInstance, FastifyRequest } from 'fastify';
import { loggedUrl } from './logger.js';

/**
 * Logs one line per request, after the response has been sent.
 * @param callerOf the properties of the line that identify the caller
 */
export function logRequests(fastify: FastifyInstance, callerOf: (request: FastifyRequest) => object | undefined): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info({ method, url: loggedUrl(url), status: reply.statusCode, ms, ...callerOf(request) }, 'request');
    done();
  });
}
