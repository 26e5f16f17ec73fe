import type { Executor } from './executor.js';
import { sql } from './sql.js';

/**
 * Whether the database knows a time zone. It has its own copy of the IANA database, which may differ from Node's, and may lack old names.
 * @param db outside of a transaction, because an unknown zone would abort it
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
