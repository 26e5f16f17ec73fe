import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FairQueue } from '../http/fair-queue.js';
import { DomainError } from '../http/errors.js';
import { onceDone } from '../http/once.js';
import { CallerRequests } from './caller-requests.js';

/** Maximum concurrent calls in total and of one caller. A message takes milliseconds of CPU time before its request starts. */
const PLACES = 8;
const PER_CALLER = 2;
const TIMEOUT = 30_000;

/**
 * Serves the Model Context Protocol at `/mcp` over streamable HTTP, in the 2026 revision and earlier ones. It is stateless, so every
 * replica can answer every request. Its packages are loaded with the first request.
 */
export function serveMcp(fastify: FastifyInstance): void {
  const handler = onceDone(async () => {
    const { messageHandler } = await import('./message-handler.js');
    return messageHandler((error) => fastify.log.debug({ err: error }, 'A message was refused'));
  });
  const queue = new FairQueue(PLACES, {
    timeoutMs: TIMEOUT,
    message: 'Too many calls of tools are being answered. Try again shortly',
    perCaller: PER_CALLER,
  });
  fastify.post(
    '/mcp',
    { config: { access: { role: 'viewer', readsOnly: true } } },
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { headers, body, caller, host, protocol } = request;
      if (Array.isArray(body)) throw new DomainError('validation', 'The body must be one message, not a list');
      const passed = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
      const asked = new Request(`${protocol}://${host}/mcp`, { method: 'POST', headers: passed });
      return queue.run(caller!.profileId, async () => {
        // Other requests have a turn of the event loop between two messages.
        await setImmediate();
        const answer = await (await handler())(asked, body, new CallerRequests(fastify, request));
        void reply.status(answer.status).headers(Object.fromEntries(answer.headers));
        // Complete, although it may be an event stream, because a tool answers once with a short text.
        return reply.send(await answer.text());
      });
    },
  );
}
