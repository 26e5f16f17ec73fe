import { Inject, Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { onceFor } from '../http/once.js';
import { Database } from '../database/database.js';
import { sql } from '../database/sql.js';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { ComputedLists } from '../lists/computed-list.js';
import { ExportLines } from '../lists/export-lines.js';
import { ListStreams } from '../lists/list-streams.js';
import { RecordCounts } from '../lists/record-counts.js';
import { RecordList } from '../lists/record-list.js';
import { recordSqlOf, type RecordSql } from '../lists/record-sql.js';
import { Summaries } from '../lists/summary/summaries.js';
import { Secrets } from '../access/secrets.js';
import type { JsonRow } from './record-writer.js';

/** What a record is read with. */
export interface RecordReaders<T extends StoredRecord = StoredRecord> {
  readonly resource: RecordSql<T>;
  readonly pages: RecordList;
  /** Reads one record by its id. Those that are asked for in one turn of the event loop are read by one statement. */
  readonly byId: DataLoader<string, JsonRow | undefined>;
}

/** What the service of a record depends on. */
export interface RecordStore<T extends StoredRecord = StoredRecord> extends RecordReaders<T> {
  /** Readers of the same records, which also show the records that these references refer to. */
  expanded(names: readonly string[]): RecordReaders<T>;
  readonly lines: ExportLines;
  readonly streams: ListStreams;
  readonly computed: ComputedLists;
  readonly summaries: Summaries;
  readonly secrets: Secrets;
}

/** Makes the store of each record class once for the same custom fields, so that all services of a record share it. */
@Injectable()
export class RecordStores {
  private readonly made = onceFor((resource: RecordSql) => this.make(resource));

  constructor(
    @Inject(ListStreams) private readonly streams: ListStreams,
    @Inject(RecordCounts) private readonly counts: RecordCounts,
    @Inject(Secrets) private readonly secrets: Secrets,
    @Inject(Database) private readonly db: Database,
    @Inject(ComputedLists) private readonly computed: ComputedLists,
    @Inject(Summaries) private readonly summaries: Summaries,
  ) {}

  /** The store of a record class, with the custom fields that the request knows. */
  of<T extends StoredRecord>(record: Class<T>): RecordStore<T> {
    return this.made(recordSqlOf(record) as RecordSql) as RecordStore<T>;
  }

  private make(resource: RecordSql): RecordStore {
    const { secrets, streams, computed, summaries } = this;
    const readers = this.readersOf(resource);
    return {
      ...readers,
      expanded: (names) => (names.length > 0 ? this.readersOf(resource.expand(names)) : readers),
      lines: new ExportLines(resource),
      streams,
      computed,
      summaries,
      secrets,
    };
  }

  private readersOf(resource: RecordSql): RecordReaders {
    return {
      resource,
      pages: new RecordList(this.counts, resource),
      byId: this.loaderOf(resource),
    };
  }

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
