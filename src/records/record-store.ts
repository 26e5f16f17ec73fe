import { Inject, Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { onceFor } from '../http/once.js';
import { Database } from '../database/database.js';
import { sql } from '../database/sql.js';
import { ComputedLists } from '../lists/computed-list.js';
import { ListStreams } from '../lists/list-streams.js';
import { RecordCounts } from '../lists/record-counts.js';
import { RecordList } from '../lists/record-list.js';
import type { RecordSql } from '../lists/record-sql.js';
import { Summaries } from '../lists/summary/summaries.js';
import { Secrets } from '../access/secrets.js';
import type { JsonRow } from './record-writer.js';

/** The readers of the records of a resource. */
interface RecordReaders {
  readonly pages: RecordList;
  /** Reads one record by its id. Reads in the same turn of the event loop share a statement. */
  readonly byId: DataLoader<string, JsonRow | undefined>;
}

/** Dependencies of the services of all records. The readers of a resource are created once, and all services of a record share them. */
@Injectable()
export class RecordStores {
  readonly readersOf = onceFor((resource: RecordSql): RecordReaders => ({
    pages: new RecordList(this.counts, resource),
    byId: this.loaderOf(resource),
  }));

  constructor(
    @Inject(ListStreams) readonly streams: ListStreams,
    @Inject(RecordCounts) private readonly counts: RecordCounts,
    @Inject(Secrets) readonly secrets: Secrets,
    @Inject(Database) private readonly db: Database,
    @Inject(ComputedLists) readonly computed: ComputedLists,
    @Inject(Summaries) readonly summaries: Summaries,
  ) {}

  private loaderOf(resource: RecordSql): DataLoader<string, JsonRow | undefined> {
    return new DataLoader<string, JsonRow | undefined>(
      async (ids) => {
        const rows = await this.db.query<JsonRow>(
          resource.selectVersioned(resource.table, sql`WHERE t.id = ANY(${ids})`),
        );
        const found = new Map(rows.map((row) => [row.id, row]));
        return ids.map((id) => found.get(id.toLowerCase()));
      },
      { cache: false, maxBatchSize: 100, batchScheduleFn: setImmediate },
    );
  }
}
