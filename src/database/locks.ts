import type { Transaction } from './executor.js';
import { raw, sql, type Sql } from './sql.js';

/**
 * The advisory locks that the service takes: SQL of the key of each. Those that only functions of the schema take are in
 * `src/schema/functions`. No other application may use these keys in the same database. A key never changes, because replicas of two
 * versions run at once while an installation is updated.
 */
export const LOCKS = {
  /** Migrations. The lock belongs to a session. */
  migrations: raw(7_260_514_398),
  /** The sums of the kept totals. */
  totals: raw(7_260_514_399),
  /** The number of webhooks. */
  webhooks: raw(7_260_514_410),
  /** The settings of a role behind a pooler. */
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
  /** Imports with one key of a table, an Idempotency-Key of a caller, and a comparison of databases. Their names begin differently. */
  named: (name: string) => sql`hashtextextended(${name}, 0)`,
} as const;

/** Waits for a lock, and keeps it until the transaction ends. */
export async function holdLock(tx: Transaction, key: Sql): Promise<void> {
  await tx.query(sql`SELECT pg_advisory_xact_lock(${key})`);
}

/** Takes a lock until the transaction ends, unless another transaction has it. */
export async function tryLock(tx: Transaction, key: Sql): Promise<boolean> {
  const [row] = await tx.query<{ taken: boolean }>(sql`SELECT pg_try_advisory_xact_lock(${key}) AS taken`);
  return row!.taken;
}
