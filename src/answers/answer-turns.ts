import type { Caller } from '../access/access.js';
import type { Database } from '../database/database.js';
import { Turns } from '../database/turns.js';
import type { AnswerMemory } from './answer-memory.js';

/** Milliseconds after which a request that waits to be read is refused. */
const PATIENCE = 10_000;

const REFUSAL = 'Too many lists are being read at the moment. Try again shortly, or ask for shorter pages';

/**
 * Readers of answers that may be long take turns, caller by caller: what they read is not yet counted among the bytes
 * that are held.
 */
export class AnswerTurns {
  private readonly readers: Turns;

  constructor(
    db: Database,
    private readonly memory: AnswerMemory,
  ) {
    this.readers = new Turns(db.size, PATIENCE, REFUSAL);
  }

  /** Reads an answer that may be long, when there is room for it. @throws DomainError unavailable */
  async read<T>({ profileId }: Caller, read: () => Promise<T>): Promise<T> {
    for (;;) {
      if (this.memory.isFull(profileId)) await this.memory.room(profileId);
      const done = await this.readers.take(profileId);
      try {
        // While this one waited, others may have taken the room.
        if (!this.memory.isFull(profileId)) return await read();
      } finally {
        done();
      }
    }
  }
}
