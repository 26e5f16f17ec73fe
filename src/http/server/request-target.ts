import { NotFoundException } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError, Fault, ValidationFailed } from '../errors.js';
import type { IncomingMessage } from 'node:http';

/**
 * Refuses undecodable query strings, unknown routes, and query strings that the route does not read. This happens before the body is
 * read, whose faults would hide those of the target.
 */
export function checkTargets(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    assertDecodable(request.url);
    if (request.is404) throw new NotFoundException();
    takeBrackets(request);
    assertRead(request);
    done();
  });
}

/**
 * Refuses a query string whose percent-encoding is not UTF-8. Fastify would take it literally.
 * @throws DomainError validation
 */
export function assertDecodable(url: string): void {
  const start = url.indexOf('?');
  if (start < 0 || !url.includes('%', start)) return;
  try {
    decodeURIComponent(url.slice(start + 1));
  } catch {
    throw new DomainError('validation', 'The query string must be UTF-8, percent-encoded');
  }
}

/**
 * Reads `status[]=a` as `status=a`; several are a repeated parameter. Some clients, such as axios, send lists like that. Fastify keeps
 * the names as sent.
 */
function takeBrackets({ query }: FastifyRequest): void {
  const given = query as Record<string, string | string[]>;
  for (const name of Object.keys(given)) {
    if (name.length < 3 || !name.endsWith('[]')) continue;
    const plain = name.slice(0, -2);
    const values = [given[plain] ?? [], given[name]!].flat();
    given[plain] = values.length === 1 ? values[0]! : values;
    delete given[name];
  }
}

/** Refuses a query string on a route that reads none. An ignored filter would look as if it had worked. */
function assertRead(request: FastifyRequest): void {
  if (request.routeOptions.config.takesQuery) return;
  const names = Object.keys(request.query as object);
  if (names.length === 0) return;
  throw new ValidationFailed(
    names.map((name) => new Fault(name, 'is not a parameter of this path, which accepts none', 'unknown')),
  );
}

/**
 * Refuses requests that Node accepts and RFC 9112 does not: HTTP/0.9, HTTP/1.1 without a Host header, and requests with two Host
 * headers. Of two, a proxy may have used the other one.
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
