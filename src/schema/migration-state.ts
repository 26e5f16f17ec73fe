import type { Executor } from '../database/executor.js';
import { migrations } from './migrations/index.js';
import { sql } from '../database/sql.js';

/** How the database compares with this version of the service. */
interface MigrationState {
  /** Migrations of this version that the database has. */
  applied: number;
  /** Migrations of this version that the database does not have. */
  pending: number;
  /** Migrations that the database has from a newer version. */
  unknown: number;
}

export async function migrationState(db: Pick<Executor, 'query'>): Promise<MigrationState> {
  const rows = await db.query<{ name: string }>(sql`SELECT name FROM migrations`);
  const known = new Set(migrations.map(({ name }) => name));
  const applied = rows.filter(({ name }) => known.has(name)).length;
  return { applied, pending: known.size - applied, unknown: rows.length - applied };
}
