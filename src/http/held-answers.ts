import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Keeps count of the bytes that answers hold in memory. */
export interface HeldAnswers {
  /** Counts bytes that a caller's answer holds from now on. @returns ends that */
  hold(caller: string, bytes: number): () => void;
}

// Characters of an answer that the socket takes at once.
const SMALL = 16 * 1024;

/** Counts answers that are sent as one text among those that are held, until their clients have taken them. */
export function countAnswers(
  fastify: FastifyInstance,
  memory: HeldAnswers,
  callerOf: (request: FastifyRequest) => string | undefined,
): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload === 'string' && payload.length > SMALL && !reply.raw.destroyed) {
      reply.raw.once('close', memory.hold(callerOf(request) ?? '', Buffer.byteLength(payload)));
    }
    done();
  });
}
