import { sql, type Sql } from '../../database/sql.js';
import { uuid } from '../../fields/types/uuid.js';
import type { ExtraFilter } from '../../lists/list-request.js';

/** The condition that a person holds the asset `t`. @param person an id, or `ANY(…)` of several */
export const heldBy = (person: Sql): Sql =>
  sql`t.id IN (SELECT asset_id FROM asset_assignments WHERE returned_at IS NULL AND person_id = ${person})`;

/** `assigneeId=`: the assets that one of these people holds. */
export const assignee: ExtraFilter = {
  name: 'assigneeId',
  description: 'One of the given people has the asset at the moment',
  schema: uuid.schema(),
  expects: uuid.expects,
  parse: (raw) => uuid.parse(raw),
  sqlType: uuid.sqlType,
  sql: heldBy,
};

export const assetFilters: readonly ExtraFilter[] = [assignee];
