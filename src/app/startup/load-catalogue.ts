import type { Executor, Transaction } from '../../database/executor.js';
import { fieldsOf, isList, isStored, type Class, type Field, type StoredField } from '../../fields/field.js';
import { tableOf } from '../../lists/record-sql.js';
import { DeviceRole } from '../../network/device-role/device-role.entity.js';
import { DeviceTypeModule } from '../../network/device-type-module/device-type-module.entity.js';
import { DeviceType } from '../../network/device-type/device-type.entity.js';
import { Platform } from '../../network/platform/platform.entity.js';
import { Manufacturer } from '../../procurement/manufacturer/manufacturer.entity.js';
import { deviceRoles, deviceTypes, manufacturers, platforms } from '../../catalogue/data/index.js';
import { identifier, join, raw, sql, write } from '../../database/sql.js';
import { holdLock, LOCKS } from '../../database/locks.js';

type Values = Record<string, unknown>;

/** Records that a new database has entries of. */
export const CATALOGUE_RECORDS: readonly Class[] = [Manufacturer, Platform, DeviceRole, DeviceType];

const SHIPPED = [manufacturers, platforms, deviceRoles, deviceTypes].reduce((sum, list) => sum + list.length, 0);

/** Instead of the table of an entry: marks an installation that began without the catalogue. */
const DECLINED = 'declined';

/**
 * Adds the entries that this database has not received yet. If there are none, this costs one small query.
 * @param isWanted if false, nothing is added. If it is false at the first start, later starts add nothing either
 */
export async function shipCatalogue(db: Executor, isWanted: boolean): Promise<void> {
  const [row] = await db.query<{ received: number; declined: boolean }>(
    sql`SELECT count(*)::int AS received, coalesce(bool_or(kind = ${DECLINED}), false) AS declined FROM catalogue_entries`,
  );
  const { received, declined } = row!;
  if (isWanted) {
    if (received < SHIPPED && !declined) await loadCatalogue(db);
  } else if (received === 0) {
    await db.write(write`INSERT INTO catalogue_entries (kind, slug) VALUES (${DECLINED}, '') ON CONFLICT DO NOTHING`);
  }
}

/**
 * Adds the catalogue entries (manufacturers, platforms, device roles, device types and their modules) that this database has not
 * received yet. Existing records are left alone: changes are kept, deleted records are not created again, and a customer's record with
 * the same slug counts as the entry.
 */
export function loadCatalogue(db: Executor): Promise<{ added: number }> {
  return db.transaction(async (tx) => {
    // Two replicas may start at the same time.
    await holdLock(tx, LOCKS.catalogue);
    // After a later request for the catalogue, new releases add to it too.
    await tx.write(write`DELETE FROM catalogue_entries WHERE kind = ${DECLINED}`);
    const makers = await addNew(tx, Manufacturer, manufacturers);
    const ids = await tx.query<{ slug: string; id: string }>(
      sql`SELECT DISTINCT ON (slug) slug, id FROM manufacturers WHERE slug = ANY(${manufacturers.map(({ slug }) => slug)}) ORDER BY slug, created_at`,
    );
    const idOf = new Map(ids.map(({ slug, id }) => [slug, id]));
    const made = ({ manufacturer, ...entry }: { manufacturer?: string; slug: string }): Values & { slug: string } => ({
      ...entry,
      // A deleted manufacturer stays deleted.
      manufacturerId: manufacturer === undefined ? null : (idOf.get(manufacturer) ?? null),
      source: 'vendor',
    });
    const added = [
      makers,
      await addNew(tx, Platform, platforms.map(made)),
      await addNew(tx, DeviceRole, deviceRoles.map(made)),
      await addNew(tx, DeviceType, deviceTypes.map(made)),
    ];
    const typeIds = added[3]!;
    const modules = deviceTypes.flatMap(({ slug, modules: parts }) =>
      typeIds.has(slug)
        ? parts.map((part, index) => ({
            sortOrder: (index + 1) * 10,
            ...part,
            deviceTypeId: typeIds.get(slug),
            source: 'vendor',
          }))
        : [],
    );
    await insert(tx, DeviceTypeModule, modules);
    return { added: added.reduce((sum, { size }) => sum + size, modules.length) };
  });
}

/**
 * Adds the entries that this database has not received yet and records them as shipped. Returns the ids of the new records by
 * slug.
 */
async function addNew(
  tx: Transaction,
  record: Class,
  entries: readonly { slug: string }[],
): Promise<Map<string, string>> {
  const kind = tableOf(record);
  const fresh = await tx.write<{ slug: string }>(
    write`INSERT INTO catalogue_entries (kind, slug) SELECT ${kind}, slug FROM unnest(${entries.map(({ slug }) => slug)}::text[]) AS shipped(slug)
     ON CONFLICT DO NOTHING RETURNING slug`,
  );
  const taken = await tx.query<{ slug: string }>(
    sql`SELECT slug FROM ${identifier(kind)} WHERE slug = ANY(${fresh.map(({ slug }) => slug)})`,
  );
  const own = new Set(taken.map(({ slug }) => slug));
  const wanted = new Set(fresh.map(({ slug }) => slug).filter((slug) => !own.has(slug)));
  const rows = await insert<{ slug: string; id: string }>(
    tx,
    record,
    entries.filter(({ slug }) => wanted.has(slug)),
    sql`slug, id`,
  );
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}

const isColumn = (field: Field): field is StoredField =>
  isStored(field) && !['id', 'createdAt', 'updatedAt'].includes(field.property);

/** Inserts records in one statement, with the defaults of their fields. */
async function insert<R extends object>(
  tx: Transaction,
  record: Class,
  entries: readonly object[],
  returning = sql`id`,
): Promise<R[]> {
  const fields = fieldsOf(record).filter(isColumn);
  const columns = join(fields.map((field) => identifier(field.columnName)));
  const types = fields.map((field) => `${field.columnName} ${field.type.sqlType}${isList(field) ? '[]' : ''}`);
  const rows = entries.map((entry) =>
    Object.fromEntries(
      fields.map((field) => [field.columnName, (entry as Values)[field.property] ?? field.default ?? null]),
    ),
  );
  return tx.write<R>(
    write`INSERT INTO ${identifier(tableOf(record))} (${columns}) SELECT ${columns}
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS entry(${raw(types.join(', '))}) RETURNING ${returning}`,
  );
}
