import type { Secrets } from '../access/secrets.js';
import type { Executor } from '../database/executor.js';
import type { StoredRecord } from '../fields/record.js';
import type { RecordSql } from '../lists/record-sql.js';
import type { Change, Columns } from './record-writer.js';

/** Keeps the stored value of a secret that is sent unchanged: encrypted again, the same text would be another value. */
export async function keepUnchangedSecrets<T extends StoredRecord>(
  db: Executor,
  resource: RecordSql<T>,
  secrets: Secrets,
  changes: readonly Change<T>[],
): Promise<void> {
  const fields = resource.secrets.map((property) => resource.field(property));
  const sending = changes.filter(({ columns }) =>
    fields.some(({ columnName }) => typeof columns[columnName] === 'string'),
  );
  if (sending.length === 0) return;
  const names = fields.map(({ columnName }) => columnName).join(', ');
  const rows = await db.query<Columns>(`SELECT id, ${names} FROM ${resource.table} WHERE id = ANY($1)`, [
    sending.map(({ id }) => id),
  ]);
  const stored = new Map(rows.map((row) => [row.id, row]));
  for (const { id, columns, body } of sending) {
    for (const { columnName, property } of fields) {
      const sealed = stored.get(id)?.[columnName];
      const value = (body as Record<string, unknown>)[property];
      if (typeof columns[columnName] === 'string' && typeof sealed === 'string' && secrets.open(sealed) === value) {
        columns[columnName] = sealed;
      }
    }
  }
}
