import type { FastifyInstance, FastifyRequest } from 'fastify';
import { loggedUrl } from './logger.js';

/** Writes one line to the log for each request, when its answer has been sent. */
export function logRequests(
  fastify: FastifyInstance,
  profileOf: (request: FastifyRequest) => string | undefined,
): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const profile = profileOf(request);
    request.log.info({ method, url: loggedUrl(url), status: reply.statusCode, ms, profile }, 'request');
    done();
  });
}
