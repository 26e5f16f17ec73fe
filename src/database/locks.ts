import type { Transaction } from './executor.js';
import { raw, sql, type Sql } from './sql.js';

/**
 * The advisory locks of the service: SQL of the key of each. Locks that only functions of the schema take are in
 * `src/schema/functions`. No other application may use these keys in the same database. A key never changes, because replicas of two
 * versions run at the same time during an upgrade.
 */
export const LOCKS = {
  /** Migrations. The lock belongs to a session. */
  migrations: raw(7_260_514_398),
  /** The folds of the maintained totals. */
  totals: raw(7_260_514_399),
  /** The maximum number of webhooks. */
  webhooks: raw(7_260_514_410),
  /** The default settings of a role behind a pooler. */
  settings: raw(`hashtextextended('inventory.settings', 0)`),
  /** The entries of the catalogue that are shipped. */
  catalogue: raw(`hashtext('catalogue')`),
  /** Imports of the device type library. */
  library: raw(`hashtext('device-type-library')`),
  /** The definitions of custom fields. `name_custom_field` and `hold_new_custom_fields` take it too. */
  customFields: raw(`hashtext('custom_fields'), 0`),
  /** The custom fields of a table. Its writes share it in `hold_custom_fields`. */
  customFieldsOf: (table: Sql) => sql`hashtext('custom_fields'), hashtext(${table})`,
  /** The definitions of transitions. The lock of a table, which its writes share, is in `hold_transitions`. */
  transitions: raw(`hashtext('transitions'), 0`),
  /** The shifts of a roster. */
  roster: (name: string) => sql`hashtext('on-call roster'), hashtext(${name})`,
  /** The stored events of a kind of calendar. */
  calendar: (kind: string) => sql`hashtext('calendar events'), hashtext(${kind})`,
  /** Imports with one key of a table, an Idempotency-Key of a caller, and a comparison of databases. Their names have different prefixes. */
  named: (name: string) => sql`hashtextextended(${name}, 0)`,
} as const;

/** Waits for a lock, and holds it until the transaction ends. */
export async function holdLock(tx: Transaction, key: Sql): Promise<void> {
  await tx.query(sql`SELECT pg_advisory_xact_lock(${key})`);
}

/** Takes a lock until the transaction ends, unless another transaction holds it. */
export async function tryLock(tx: Transaction, key: Sql): Promise<boolean> {
  const [row] = await tx.query<{ taken: boolean }>(sql`SELECT pg_try_advisory_xact_lock(${key}) AS taken`);
  return row!.taken;
}
