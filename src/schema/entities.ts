import { Index } from 'typeorm';
import { LoginThrottle } from '../auth/login-throttle.entity.js';
import { Profile } from '../auth/profile/profile.entity.js';
import { Session } from '../auth/session/session.entity.js';
import { CatalogueEntry } from '../catalogue/catalogue-entry.entity.js';
import { ChangeLogEntry } from '../change-log/change-log-entry.entity.js';
import { Setting } from '../database/setting.entity.js';
import type { Class } from '../fields/field.js';
import { isLine } from '../fields/field-types.js';
import { StoredRecord } from '../fields/record.js';
import { resourceOf } from '../records/resource.js';
import { entitiesOf } from '../resource/family.js';
import { IdempotencyKey } from '../resource/idempotency/idempotency.entity.js';
import { families } from './families.js';
import { listIndexNames } from './migrations/record-table.js';

/** Every table of the service. */
export const entities: readonly Class[] = [
  Profile,
  Session,
  LoginThrottle,
  IdempotencyKey,
  Setting,
  CatalogueEntry,
  ChangeLogEntry,
  ...families.flatMap(entitiesOf),
];

/** Those of records, which have an id, the times of their creation and last change, and fields. */
export const records: readonly Class<StoredRecord>[] = entities.filter(
  (entity): entity is Class<StoredRecord> => entity.prototype instanceof StoredRecord,
);

// Indexes that migrations make, as TypeORM knows none of their kind: it would drop what it is not told of.
for (const record of records) {
  const { table, searched } = resourceOf(record);
  const lines = searched.filter(isLine).map((field) => field.columnName);
  for (const name of listIndexNames(table, lines)) Index(name, { synchronize: false })(record);
}
