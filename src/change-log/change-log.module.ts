import { Module } from '@nestjs/common';
import type { Configuration } from '../config/configuration.js';
import { Database } from '../database/database.js';
import { CONFIGURATION } from '../config/tokens.js';
import { TagGroup } from '../openapi/tags.js';
import { ChangeLogRetention } from './change-log-retention.js';
import { ChangeLogController } from './change-log.controller.js';

@TagGroup('Service')
@Module({
  controllers: [ChangeLogController],
  providers: [
    {
      provide: ChangeLogRetention,
      inject: [Database, CONFIGURATION],
      useFactory: (db: Database, { changeLogDays }: Configuration) => new ChangeLogRetention(db, changeLogDays),
    },
  ],
})
export class ChangeLogModule {}
