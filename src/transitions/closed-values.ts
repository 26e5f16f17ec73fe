import type { Executor } from '../database/executor.js';
import { sql } from '../database/sql.js';

/** The values of a field whose transitions are defined. */
export interface ClosedField {
  resource: string;
  field: string;
  /** The values that occur in transitions. */
  values: string[];
  /** The values of new records. */
  initial: string[];
}

/** The fields with defined transitions, in a fixed order. */
export async function closedFields(db: Executor): Promise<ClosedField[]> {
  return db.query<ClosedField>(
    sql`SELECT t.resource, t.field, array_agg(DISTINCT v.value ORDER BY v.value) AS values,
        coalesce(array_agg(DISTINCT t.to_value ORDER BY t.to_value) FILTER (WHERE t.from_value IS NULL), '{}') AS initial
      FROM transitions t, unnest(ARRAY[t.from_value, t.to_value]) v (value) WHERE v.value IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
  );
}
