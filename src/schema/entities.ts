import { Index } from 'typeorm';
import { authEntities } from '../auth/auth.module.js';
import { calendarEntities } from '../calendar/calendar.module.js';
import { CatalogueEntry } from '../catalogue/catalogue-entry.entity.js';
import { changeSetEntities } from '../change-sets/change-set-entities.js';
import { ChangeLogEntry } from '../change-log/change-log-entry.entity.js';
import { customFieldEntities } from '../custom-fields/custom-field.entity.js';
import { Setting } from '../database/setting.entity.js';
import type { Class } from '../fields/field.js';
import { StoredRecord } from '../fields/record.js';
import { entitiesOf } from '../resource/family.js';
import { IdempotencyKey } from '../resource/idempotency/idempotency.entity.js';
import { transitionEntities } from '../transitions/transition-entities.js';
import { webhookEntities } from '../webhooks/webhook.entity.js';
import { families } from './families.js';
import { listIndexes } from './record-table.js';
import { recordTableOf } from './record-table-of.js';

/** Entities that belong to no module of their own. */
export const serviceEntities = [IdempotencyKey, Setting, CatalogueEntry, ...customFieldEntities];

/** All entities. Migrations are generated from them, so the list must not depend on an application. */
export const entities: readonly Class[] = [
  ...authEntities,
  ...serviceEntities,
  ChangeLogEntry,
  ...families.flatMap(entitiesOf),
  ...calendarEntities,
  ...transitionEntities,
  ...changeSetEntities,
  ...webhookEntities,
];

/** The tables of records, which have an id, the times of their creation and last change, and fields. */
export const records: readonly Class<StoredRecord>[] = entities.filter(
  (entity): entity is Class<StoredRecord> => entity.prototype instanceof StoredRecord,
);

// TypeORM does not support these kinds of indexes, and would drop unknown ones.
for (const record of records) {
  for (const name of listIndexes(recordTableOf(record)).keys()) Index(name, { synchronize: false })(record);
}
