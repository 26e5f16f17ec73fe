import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { AnswerMemory } from '../answers/answer-memory.js';
import { AnswerTurns } from '../answers/answer-turns.js';
import { ComputedLists } from '../answers/computed-list.js';
import { ExportLines } from '../projection/export-lines.js';
import { Exports } from '../answers/exports.js';
import { LongLists } from '../answers/long-lists.js';
import { RecordCounts } from '../lists/record-counts.js';
import { RecordList } from '../lists/record-list.js';
import { StatementTexts } from '../lists/statement-texts.js';
import { RecordLoader } from './record-loader.js';
import { resourceOf, type Resource } from '../projection/resource.js';
import { Secrets } from '../access/secrets.js';

/** Readers of records: by id, and in pages. */
export interface RecordReaders<T extends StoredRecord = StoredRecord> {
  readonly resource: Resource<T>;
  readonly loader: RecordLoader;
  readonly pages: RecordList;
}

/** What the service of a record depends on. */
export interface RecordStore<T extends StoredRecord = StoredRecord> extends RecordReaders<T> {
  /** Readers of the same records, which also show the records that these references refer to. */
  expanded(names: readonly string[]): RecordReaders<T>;
  readonly lines: ExportLines;
  readonly exports: Exports;
  readonly computed: ComputedLists;
  readonly secrets: Secrets;
  readonly turns: AnswerTurns;
}

/** Makes the store of each record class once, so that all services of a record share its loader. */
@Injectable()
export class RecordStores {
  private readonly stores = new Map<Class, RecordStore>();
  private readonly texts = new StatementTexts();

  constructor(
    @Inject(Database) private readonly db: Database,
    @Inject(AnswerMemory) private readonly memory: AnswerMemory,
    @Inject(AnswerTurns) private readonly turns: AnswerTurns,
    @Inject(LongLists) private readonly longLists: LongLists,
    @Inject(RecordCounts) private readonly counts: RecordCounts,
    @Inject(Secrets) private readonly secrets: Secrets,
    @Inject(Exports) private readonly exports: Exports,
    @Inject(ComputedLists) private readonly computed: ComputedLists,
  ) {}

  of<T extends StoredRecord>(record: Class<T>): RecordStore<T> {
    let store = this.stores.get(record);
    if (!store) this.stores.set(record, (store = this.make(resourceOf(record) as Resource)));
    return store as RecordStore<T>;
  }

  private make(resource: Resource): RecordStore {
    const { turns, secrets, exports, computed } = this;
    const readers = new Map<Resource, RecordReaders>();
    const readersOf = (read: Resource): RecordReaders => {
      let made = readers.get(read);
      if (!made) readers.set(read, (made = this.readersOf(read)));
      return made;
    };
    return {
      ...readersOf(resource),
      expanded: (names) => readersOf(resource.expand(names)),
      lines: new ExportLines(resource),
      exports,
      computed,
      secrets,
      turns,
    };
  }

  private readersOf(resource: Resource): RecordReaders {
    return {
      resource,
      loader: new RecordLoader(this.db, this.memory, resource),
      pages: new RecordList(this.turns, this.longLists, this.counts, this.texts, resource),
    };
  }
}
