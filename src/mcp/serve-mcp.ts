import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../http/errors.js';
import { onceDone } from '../http/once.js';
import { CallerRequests } from './caller-requests.js';

/**
 * Serves the Model Context Protocol at `/mcp` over streamable HTTP, in the revision of 2026 and those before it. No state is kept between
 * requests, so each replica can answer each of them. Its packages are loaded with the first request.
 */
export function serveMcp(fastify: FastifyInstance): void {
  const handler = onceDone(async () => {
    const { messageHandler } = await import('./message-handler.js');
    return messageHandler((error) => fastify.log.debug({ err: error }, 'A message was refused'));
  });
  fastify.post(
    '/mcp',
    { config: { access: { role: 'viewer', readsOnly: true } } },
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { headers, body, host, protocol } = request;
      if (Array.isArray(body)) throw new DomainError('validation', 'The body must be one message, not a list');
      const passed = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
      const asked = new Request(`${protocol}://${host}/mcp`, { method: 'POST', headers: passed });
      const answer = await (await handler())(asked, body, new CallerRequests(fastify, request, reply));
      void reply.status(answer.status).headers(Object.fromEntries(answer.headers));
      return reply.send(answer.body === null ? undefined : Readable.fromWeb(answer.body as never));
    },
  );
}
