import type { Transaction } from '../../database/executor.js';
import { type Sql, sql } from '../../database/sql.js';

/** Locks stock items in a fixed order, so that requests for several of them do not deadlock. @param ids SELECT of them */
export async function lockStockItems(tx: Transaction, ids: Sql): Promise<void> {
  await tx.query(sql`SELECT 1 FROM stock_items WHERE id IN (${ids}) ORDER BY id FOR NO KEY UPDATE`);
}
