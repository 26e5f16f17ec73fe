import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '../errors.js';

/**
 * Refuses requests that Node accepts and RFC 9112 does not: HTTP/0.9, HTTP/1.1 without a Host header, and requests with two Host
 * headers, as a proxy may have used the other one.
 * @throws DomainError validation
 */
export function assertOneHost({ httpVersion, rawHeaders }: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>): void {
  if (httpVersion === '0.9') throw new DomainError('validation', 'The request is not valid HTTP');
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) {
    throw new DomainError('validation', 'The request must have one Host header');
  }
}

export function requireOneHost(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ raw }, _reply, done) => {
    assertOneHost(raw);
    done();
  });
}
