import type { Transaction } from '../../database/executor.js';
import { sql } from '../../database/sql.js';

/**
 * Whether no active administrator is left without these profiles. The active administrators are locked until the transaction ends, so
 * that two of them cannot demote each other concurrently.
 */
export async function areLastAdministrators(tx: Transaction, profileIds: readonly string[]): Promise<boolean> {
  const administrators = await tx.query<{ id: string }>(
    sql`SELECT id FROM profiles WHERE role = 'admin' AND is_active ORDER BY id FOR UPDATE`,
  );
  return administrators.length > 0 && administrators.every(({ id }) => profileIds.includes(id));
}
