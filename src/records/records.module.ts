import { Global, Module } from '@nestjs/common';
import type { Configuration } from '../config/configuration.js';
import { CONFIGURATION } from '../config/tokens.js';
import { Database } from '../database/database.js';
import { AnswerMemory } from '../answers/answer-memory.js';
import { AnswerTurns } from '../answers/answer-turns.js';
import { ComputedLists } from '../answers/computed-list.js';
import { Exports } from '../answers/exports.js';
import { LongLists } from '../answers/long-lists.js';
import { RecordCounts } from '../lists/record-counts.js';
import { RecordStores } from './record-store.js';
import { Secrets } from '../access/secrets.js';

const MEGABYTE = 1024 * 1024;

/** Providers that all records share: the memory and the turns of responses, long lists, kept counts, and the stores of services. */
@Global()
@Module({
  providers: [
    {
      provide: AnswerMemory,
      inject: [CONFIGURATION],
      useFactory: ({ answerMemory }: Configuration) => new AnswerMemory(answerMemory * MEGABYTE),
    },
    {
      provide: AnswerTurns,
      inject: [Database, AnswerMemory],
      useFactory: (db: Database, memory: AnswerMemory) => new AnswerTurns(db, memory),
    },
    {
      provide: LongLists,
      inject: [Database, AnswerMemory],
      useFactory: (db: Database, memory: AnswerMemory) => new LongLists(db, memory),
    },
    {
      provide: Exports,
      inject: [Database, AnswerMemory, Secrets],
      useFactory: (db: Database, memory: AnswerMemory, secrets: Secrets) => new Exports(db, memory, secrets),
    },
    { provide: RecordCounts, inject: [Database], useFactory: (db: Database) => new RecordCounts(db) },
    ComputedLists,
    RecordStores,
  ],
  exports: [AnswerMemory, AnswerTurns, ComputedLists, Exports, LongLists, RecordCounts, RecordStores],
})
export class RecordsModule {}
