import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';

/** Milliseconds in which answers say that their connection ends, before the idle connections are closed. */
const NOTICE = 500;

/**
 * Has the answers of a server that is told to end say `Connection: close`. A connection that ends under a request is a
 * failure to who sent it, so those who use theirs get the time to hear of it.
 */
export function announceClosing(fastify: FastifyInstance): void {
  const { server } = fastify;
  const connections = promisify(server.getConnections.bind(server));
  let closing = false;
  fastify.addHook('preClose', async () => {
    closing = true;
    if ((await connections()) > 0) await sleep(NOTICE);
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) void reply.header('connection', 'close');
    done();
  });
}
