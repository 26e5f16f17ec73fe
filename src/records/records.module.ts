import { Global, Module } from '@nestjs/common';
import type { Configuration } from '../config/configuration.js';
import { CONFIGURATION } from '../config/tokens.js';
import { Database } from '../database/database.js';
import { DefinitionStore } from '../fields/custom/definition-store.js';
import { Spool } from '../http/spool/spool.js';
import { SpoolFile } from '../http/spool/spool-file.js';
import { ComputedLists } from '../lists/computed-list.js';
import { ListStreams } from '../lists/list-streams.js';
import { RecordCounts } from '../lists/record-counts.js';
import { Summaries } from '../lists/summary/summaries.js';
import { RecordStores } from './record-store.js';
import { Secrets } from '../access/secrets.js';

const MEGABYTE = 1024 * 1024;

// With fewer connections, one that waits for a slow client would be missed.
const MOST_FEW = 2;

/** Providers that all records share: long responses, kept counts, and the stores of services. */
@Global()
@Module({
  providers: [
    {
      provide: SpoolFile,
      inject: [CONFIGURATION],
      useFactory: ({ spool }: Configuration) => new SpoolFile(spool * MEGABYTE),
    },
    {
      provide: ListStreams,
      inject: [Database, SpoolFile, Secrets],
      useFactory: (db: Database, file: SpoolFile, secrets: Secrets) =>
        new ListStreams(db, new Spool(file, db.size > MOST_FEW), secrets),
    },
    { provide: RecordCounts, inject: [Database], useFactory: (db: Database) => new RecordCounts(db) },
    ComputedLists,
    Summaries,
    RecordStores,
    DefinitionStore,
  ],
  exports: [DefinitionStore, ComputedLists, ListStreams, RecordCounts, RecordStores],
})
export class RecordsModule {}
