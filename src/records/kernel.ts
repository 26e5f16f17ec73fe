import { mayReadSecrets, type Caller } from '../access/access.js';
import type { Database } from '../database/database.js';
import { Turns } from '../database/turns.js';
import { AnswerMemory } from './answer-memory.js';
import { LongLists } from './long-lists.js';
import { RecordCounts } from './record-counts.js';
import type { SecretBox } from './secret-box.js';

type SealedRecord = Record<string, string | null>;

/** Milliseconds after which a request that waits to be read is refused. */
const PATIENCE = 10_000;

const REFUSAL = 'Too many lists are being read at the moment. Try again shortly, or ask for shorter pages';

const MEGABYTE = 1024 * 1024;

/** What the service of every resource is given. */
export class Kernel {
  readonly counts: RecordCounts;
  readonly memory: AnswerMemory;
  // Made on first use: the document is made without a database.
  private lists?: LongLists;
  // What is read and not yet counted among the bytes that are held.
  private readers?: Turns;

  /** @param answerMemory megabytes that all answers may hold */
  constructor(
    readonly db: Database,
    readonly secrets: SecretBox,
    answerMemory: number,
  ) {
    this.counts = new RecordCounts(db);
    this.memory = new AnswerMemory(answerMemory * MEGABYTE);
  }

  get longLists(): LongLists {
    return (this.lists ??= new LongLists(this.db, this.memory));
  }

  /** Reads an answer that may be long, when there is room for it. @throws DomainError unavailable */
  async reading<T>({ profileId }: Caller, read: () => Promise<T>): Promise<T> {
    this.readers ??= new Turns(this.db.size, PATIENCE, REFUSAL);
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

  /** A record's JSON text, or that of an array of them, as the caller may see it: its secrets opened for managers, null for others. */
  reveal(json: string, properties: readonly string[], caller: Caller): string {
    if (properties.length === 0) return json;
    const given = JSON.parse(json) as SealedRecord | SealedRecord[];
    for (const record of Array.isArray(given) ? given : [given]) {
      for (const property of properties) {
        const sealed = record[property];
        record[property] = sealed && mayReadSecrets(caller) ? this.secrets.open(sealed) : null;
      }
    }
    return JSON.stringify(given);
  }
}
