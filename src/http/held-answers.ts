import type { FastifyInstance } from 'fastify';
import type { AnswerMemory } from '../records/answer-memory.js';

// Characters of an answer that the socket takes at once.
const SMALL = 16 * 1024;

/** Counts answers that are sent as one text among those that are held, until their clients have taken them. */
export function countAnswers(fastify: FastifyInstance, memory: AnswerMemory): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload === 'string' && payload.length > SMALL && !reply.raw.destroyed) {
      reply.raw.once('close', memory.hold(request.context?.caller?.profileId ?? '', Buffer.byteLength(payload)));
    }
    done();
  });
}
