import type { FastifyInstance, FastifyRequest } from 'fastify';
import { whenFinished } from '../http/finished.js';

export interface HeldAnswers {
  /**
   * Adds bytes of a caller's response to the count.
   * @returns a function that subtracts them again
   */
  hold(caller: string, bytes: number): () => void;
}

// A response of this many characters fits into the socket's buffer.
const SMALL = 16 * 1024;

/** Counts responses that are sent as one text, until their clients have received them. */
export function countAnswers(
  fastify: FastifyInstance,
  memory: HeldAnswers,
  callerOf: (request: FastifyRequest) => string | undefined,
): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload === 'string' && payload.length > SMALL) {
      whenFinished(reply, memory.hold(callerOf(request) ?? '', Buffer.byteLength(payload)));
    }
    done();
  });
}
