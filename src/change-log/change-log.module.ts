import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Configuration } from '../config/configuration.js';
import { Database } from '../database/database.js';
import { CONFIGURATION } from '../config/tokens.js';
import { TagGroup } from '../openapi/tags.js';
import { ChangeLogRetention } from './change-log-retention.js';
import { serviceOf } from '../records/resource.service.js';
import { ChangeLogEntry } from './change-log-entry.entity.js';
import { ChangeFeed } from './feed/change-feed.js';
import { FeedHead } from './feed/feed-head.js';
import { FeedReaders } from './feed/feed-readers.js';
import { FeedController } from './feed/feed.controller.js';
import { ChangeLogController } from './change-log.controller.js';
import { RecordHistory } from './record-history.js';

/** The change log. Every resource shows its own records' history. */
@Global()
@TagGroup('Service')
@Module({
  imports: [TypeOrmModule.forFeature([ChangeLogEntry])],
  controllers: [ChangeLogController, FeedController],
  providers: [
    serviceOf(ChangeLogEntry),
    RecordHistory,
    ChangeFeed,
    FeedHead,
    FeedReaders,
    {
      provide: ChangeLogRetention,
      inject: [Database, CONFIGURATION],
      useFactory: (db: Database, { changeLogDays }: Configuration) => new ChangeLogRetention(db, changeLogDays),
    },
  ],
  exports: [RecordHistory, ChangeFeed],
})
export class ChangeLogModule {}
