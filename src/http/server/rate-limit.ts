import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientAddress, networkOf } from '../client-address.js';
import { DomainError } from '../errors.js';

/**
 * Limits the requests per session or token, or per address without a credential. For IPv6, per network, because one customer has all of its
 * addresses. Health checks are not limited. The guard refuses invalid credentials first, so a 401 is not counted; it costs one indexed query.
 * @param max requests per minute; 0 for no limit
 */
export async function limitRequests(
  fastify: FastifyInstance,
  max: number,
  credentialOf: (request: FastifyRequest) => string | undefined,
): Promise<void> {
  if (max === 0) return;
  await fastify.register(rateLimit, {
    max,
    timeWindow: '1 minute',
    // After the guard, which identifies the credential, and before the body is parsed, so that malformed bodies count too.
    hook: 'preParsing',
    keyGenerator: (request) => credentialOf(request) ?? networkOf(clientAddress(request)),
    allowList: ({ url }) => url.startsWith('/health'),
    errorResponseBuilder: (_request, { ttl }) =>
      new DomainError(
        'too_many_requests',
        `The limit of ${max} requests per minute is exceeded. Try again in ${Math.ceil(ttl / 1000)} s`,
      ),
  });
}
