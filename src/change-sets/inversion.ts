import { randomUUID } from 'node:crypto';
import { apiValues, isShownIn } from '../change-log/api-values.js';
import type { Executor } from '../database/executor.js';
import { raw, sql, type Sql } from '../database/sql.js';
import { CUSTOM } from '../fields/custom/custom-field.js';
import { CUSTOM_COLUMN } from '../fields/record-entity.js';
import { isObject } from '../http/json-body.js';
import { over } from './operation-values.js';
import type { StoredOperation, Values } from './operation-store.js';

/** An entry of the change log, with its values as columns and in the form of the API. */
export interface Entry {
  action: 'create' | 'update' | 'delete';
  resource: string;
  recordId: string;
  name: string | null;
  oldValues: Values | null;
  newValues: Values | null;
  before: Values | null;
  after: Values | null;
}

/** The operations that revert entries, and secrets that they cannot restore. */
export interface Inversion {
  operations: StoredOperation[];
  /** Records whose secrets are lost. */
  withheld: { resource: string; recordId: string; name: string | null; field: string; isUpdate: boolean }[];
}

const WITHHELD = '(withheld)';

/** Columns of an entry. Their numbers are texts, because JavaScript numbers would change `6.50` and long ones. */
const exact = (columns: string): string =>
  `(SELECT jsonb_object_agg(key, CASE jsonb_typeof(value) WHEN 'number' THEN to_jsonb(value #>> '{}') ELSE value END) FROM jsonb_each(${columns}))`;

/** Entries of the change log that meet a condition on `c`, the last one first. */
export function entriesOf(db: Executor, condition: Sql): Promise<Entry[]> {
  const shown = `(c.action <> 'update' OR key <> 'updated_at') AND ${isShownIn('c.resource')}`;
  return db.query<Entry>(
    sql`SELECT c.action, c.resource, c.record_id AS "recordId", c.record_name AS name, ${raw(exact('c.old_values'))} AS "oldValues",
        ${raw(exact('c.new_values'))} AS "newValues", ${raw(apiValues('c.old_values', shown, 'c.new_values'))} AS before,
        ${raw(apiValues('c.new_values', shown, 'c.old_values'))} AS after
      FROM change_log c WHERE ${condition} ORDER BY c.id DESC`,
  );
}

/** Values of an entry, with those of custom fields in an object of their own. */
function nested(values: Values | null): Values {
  const found: Values = {};
  const custom: Values = {};
  for (const [name, value] of Object.entries(values ?? {})) {
    if (name.startsWith(`${CUSTOM}.`)) custom[name.slice(CUSTOM.length + 1)] = value;
    else found[name] = value;
  }
  return Object.keys(custom).length > 0 ? { ...found, [CUSTOM]: custom } : found;
}

/** Values for which there is no base yet. */
function without(values: Values, taken: ReadonlySet<string>): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !taken.has(name)));
}

/**
 * The operations that revert entries: created records are deleted, changed ones are set back, and deleted ones are created again. They
 * are in the opposite order, so that all intermediate states have existed before.
 * @param entries the last one first
 */
export function inverted(entries: readonly Entry[]): Inversion {
  const [created, deleted] = (['create', 'delete'] as const).map(
    (action) => new Set(entries.filter((entry) => entry.action === action).map(({ recordId }) => recordId)),
  ) as [Set<string>, Set<string>];
  const lasting = new Map<string, Values>();
  const bases = new Map<string, Set<string>>();
  const inversion: Inversion = { operations: [], withheld: [] };
  for (const entry of entries) {
    const { action, resource, recordId, name } = entry;
    // A record that was created and deleted needs no operation.
    if (created.has(recordId) && deleted.has(recordId)) continue;
    const about = { id: randomUUID(), resource, recordId, sealed: null, position: 0 };
    if (created.has(recordId)) {
      // The values that the entries wrote. Those of later entries count.
      lasting.set(recordId, { ...nested(entry.after), ...lasting.get(recordId) });
      if (action !== 'create') continue;
      const { id: _id, ...base } = lasting.get(recordId)!;
      inversion.operations.push({ ...about, op: 'delete', data: null, base, columns: {} });
      continue;
    }
    const columns = columnsOf(entry, created, (field) =>
      inversion.withheld.push({ resource, recordId, name, field, isUpdate: action === 'update' }),
    );
    if (action === 'delete') {
      inversion.operations.push({ ...about, op: 'create', data: openIn(nested(entry.before)), base: null, columns });
      continue;
    }
    const taken = bases.get(recordId) ?? new Set();
    bases.set(recordId, taken);
    const base = openIn(without(nested(entry.after), taken));
    for (const property of Object.keys(base)) taken.add(property);
    const data = openIn(nested(entry.before));
    if (Object.keys(columns).length === 0) continue;
    const last = inversion.operations.at(-1);
    if (last?.op === 'update' && last.recordId === recordId) {
      Object.assign(last, {
        data: over(last.data, data),
        base: over(base, last.base),
        columns: { ...last.columns, ...columns },
      });
    } else
      inversion.operations.push({ ...about, op: 'update', data, base: deleted.has(recordId) ? null : base, columns });
  }
  for (const [index, operation] of inversion.operations.entries()) operation.position = index + 1;
  return inversion;
}

/** Values without secrets. */
const openIn = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== WITHHELD));

/** The columns that revert a record. References to records that are deleted again are left out. */
function columnsOf(
  { action, oldValues, newValues }: Entry,
  created: ReadonlySet<string>,
  lost: (column: string) => void,
): Values {
  const columns: Values = {};
  for (const [column, value] of Object.entries(oldValues ?? {})) {
    if (action === 'update' && column === 'updated_at') continue;
    if (value === WITHHELD || newValues?.[column] === WITHHELD) {
      lost(column);
      continue;
    }
    if (action === 'update' && typeof value === 'string' && created.has(value)) continue;
    columns[column] = action === 'update' && column === CUSTOM_COLUMN ? customBack(value, newValues?.[column]) : value;
  }
  return columns;
}

/** Custom values that revert those of a record. A value that did not exist before is removed. */
function customBack(was: unknown, is: unknown): Values {
  const [old, young] = [was, is].map((values) => (isObject(values) ? (values as Values) : {})) as [Values, Values];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(young)])];
  return Object.fromEntries(
    keys.filter((key) => JSON.stringify(old[key]) !== JSON.stringify(young[key])).map((key) => [key, old[key] ?? null]),
  );
}
