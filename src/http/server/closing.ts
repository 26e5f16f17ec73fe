import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';

/** Milliseconds in which responses announce the end of their connection, before idle connections are closed. */
const NOTICE = 500;

/**
 * Makes responses say `Connection: close` during shutdown. A connection that ends while a request is on its way is an error for
 * the client, so active clients get time to notice.
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
