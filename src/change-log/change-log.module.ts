import { Global, Module } from '@nestjs/common';
import type { Configuration } from '../config/configuration.js';
import { Database } from '../database/database.js';
import { CONFIGURATION } from '../config/tokens.js';
import { TagGroup } from '../openapi/tags.js';
import { ChangeLogRetention } from './change-log-retention.js';
import { serviceOf } from '../records/resource.service.js';
import { ChangeLogEntry } from './change-log-entry.entity.js';
import { ChangeLogController } from './change-log.controller.js';
import { RecordHistory } from './record-history.js';

/** The change log. Every resource shows its own records' history. */
@Global()
@TagGroup('Service')
@Module({
  controllers: [ChangeLogController],
  providers: [
    serviceOf(ChangeLogEntry),
    RecordHistory,
    {
      provide: ChangeLogRetention,
      inject: [Database, CONFIGURATION],
      useFactory: (db: Database, { changeLogDays }: Configuration) => new ChangeLogRetention(db, changeLogDays),
    },
  ],
  exports: [RecordHistory],
})
export class ChangeLogModule {}
