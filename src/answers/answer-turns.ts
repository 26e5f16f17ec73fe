import type { Caller } from '../access/access.js';
import type { Database } from '../database/database.js';
import { Turns } from '../database/turns.js';
import { Unavailable } from '../http/errors.js';
import { FOR_MEMORY, type AnswerMemory } from './answer-memory.js';

const REFUSAL = 'Too many lists are being read at the moment. Try again shortly, or ask for shorter pages';

/**
 * Turns for reading answers that may be long, round-robin by caller. Bytes count as held only after they were read, so concurrent
 * readers could exceed the limit.
 */
export class AnswerTurns {
  private readonly readers: Turns;

  constructor(
    private readonly db: Database,
    private readonly memory: AnswerMemory,
  ) {
    // As long as for a connection, for which they would wait without turns.
    this.readers = new Turns(db.size, { patience: db.patience, refusal: REFUSAL }, { forClaim: FOR_MEMORY });
    memory.onRelease(() => this.readers.serve());
  }

  /** Reads an answer that may be long, when there is memory for it. @throws DomainError unavailable */
  async read<T>({ profileId }: Caller, read: () => Promise<T>): Promise<T> {
    const asked = Date.now();
    const done = await this.readers.take(profileId, () => !this.memory.isFull(profileId));
    try {
      // Reading would wait for a connection after the wait for a turn, and be refused then.
      if (this.db.outage.isTotalFor(this.db.patience) && Date.now() - asked > this.db.patience / 2)
        throw new Unavailable();
      return await read();
    } finally {
      done();
    }
  }
}
