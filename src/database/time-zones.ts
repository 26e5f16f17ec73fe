import type { Executor } from './executor.js';
import { sql } from './sql.js';

/**
 * Whether the database knows a time zone. It has its own copy of the IANA database, which may be another version than that of Node, and
 * may lack old names.
 * @param db outside of a transaction, which an unknown zone would end
 */
export async function knowsTimeZone(db: Pick<Executor, 'query'>, zone: string): Promise<boolean> {
  try {
    await db.query(sql`SELECT now() AT TIME ZONE ${zone}`);
    return true;
  } catch (error) {
    // invalid_parameter_value
    if ((error as { code?: string }).code !== '22023') throw error;
    return false;
  }
}
