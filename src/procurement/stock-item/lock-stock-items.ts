import type { Transaction } from '../../database/executor.js';
import { type Sql, sql } from '../../database/sql.js';

/** Locks stock items in one order, so that two who move several wait for each other. @param ids SELECT of them */
export async function lockStockItems(tx: Transaction, ids: Sql): Promise<void> {
  await tx.query(sql`SELECT 1 FROM stock_items WHERE id IN (${ids}) ORDER BY id FOR NO KEY UPDATE`);
}
