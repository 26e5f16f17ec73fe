import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientAddress } from './client-address.js';
import { DomainError } from './errors.js';

/**
 * Limits the requests of a session, or of an address where there is no session. Health is not limited.
 * @param max requests a minute; 0 for any number
 */
export async function limitRequests(
  fastify: FastifyInstance,
  max: number,
  sessionOf: (request: FastifyRequest) => string | undefined,
): Promise<void> {
  if (max === 0) return;
  await fastify.register(rateLimit, {
    max,
    timeWindow: '1 minute',
    // After the guard, which knows the session, and before the body, so that one that cannot be read counts too.
    hook: 'preParsing',
    keyGenerator: (request) => sessionOf(request) ?? clientAddress(request),
    allowList: ({ url }) => url.startsWith('/health'),
    errorResponseBuilder: (_request, { ttl }) =>
      new DomainError(
        'tooManyRequests',
        `More than ${max} requests in a minute. Try again in ${Math.ceil(ttl / 1000)} s`,
      ),
  });
}
