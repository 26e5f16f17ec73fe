import { Index } from 'typeorm';
import { LoginThrottle } from '../auth/password/login-throttle.entity.js';
import { Identity } from '../auth/oidc/identity.entity.js';
import { Profile } from '../auth/profile/profile.entity.js';
import { Session } from '../auth/session/session.entity.js';
import { Token } from '../auth/token/token.entity.js';
import { CalendarEvent } from '../calendar/calendar-event.entity.js';
import { CalendarFeed } from '../calendar/calendar-feed.entity.js';
import { CatalogueEntry } from '../catalogue/catalogue-entry.entity.js';
import { ChangeLogEntry } from '../change-log/change-log-entry.entity.js';
import { Setting } from '../database/setting.entity.js';
import type { Class } from '../fields/field.js';
import { isLine } from '../types/text.js';
import { StoredRecord } from '../fields/record.js';
import { resourceOf } from '../projection/resource.js';
import { entitiesOf } from '../resource/family.js';
import { IdempotencyKey } from '../idempotency/idempotency.entity.js';
import { families } from './families.js';
import { valueIndexName } from './migrations/counted-column.js';
import { listIndexNames } from './migrations/record-table.js';
import { countedOf } from './record-table-of.js';

export const entities: readonly Class[] = [
  Profile,
  Session,
  Identity,
  Token,
  LoginThrottle,
  IdempotencyKey,
  Setting,
  CatalogueEntry,
  ChangeLogEntry,
  ...families.flatMap(entitiesOf),
  CalendarFeed,
  CalendarEvent,
];

/** The tables of records, which have an id, the times of their creation and last change, and fields. */
export const records: readonly Class<StoredRecord>[] = entities.filter(
  (entity): entity is Class<StoredRecord> => entity.prototype instanceof StoredRecord,
);

// TypeORM does not support these kinds of indexes. It would drop those that it does not know.
for (const record of records) {
  const { table, searched } = resourceOf(record);
  const lines = searched.filter(isLine).map((field) => field.columnName);
  const counted = countedOf(record).map((column) => valueIndexName(table, column));
  for (const name of [...listIndexNames(table, lines), ...counted]) Index(name, { synchronize: false })(record);
}
