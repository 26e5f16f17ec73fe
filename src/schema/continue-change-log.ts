import type { DataSource } from 'typeorm';
import type { DatabaseLog } from '../database/outage.js';

// A new database does not have the function yet.
const MAY = `SELECT coalesce(has_function_privilege(to_regprocedure('continue_change_log()'), 'EXECUTE'), false) AS may`;

/**
 * Continues the change log after its last entry if the database comes from another server, where transactions have other numbers. Must
 * run before anything writes.
 */
export async function continueChangeLog(dataSource: DataSource, log: DatabaseLog): Promise<void> {
  const [{ may }] = await dataSource.query(MAY);
  if (!may) return;
  const [{ continued }] = await dataSource.query('SELECT continue_change_log() AS continued');
  if (continued) log.info({}, 'The change log comes from another server and goes on here');
}
