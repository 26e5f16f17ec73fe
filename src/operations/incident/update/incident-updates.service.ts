import type { Columns, InsertedRow, NewRecord, Returning } from '../../../records/record-writer.js';
import { RecordService } from '../../../records/record-service.js';
import { ResourceService } from '../../../records/resource.service.js';
import { IncidentUpdate } from './incident-update.entity.js';
import { sql, write } from '../../../database/sql.js';
import type { RequestContext } from '../../../lists/request-context.js';

/** Statuses of an incident that is over. */
const OVER = ['resolved', 'closed'];

/** Writes the timeline of incidents. An entry with a status or severity sets that of the incident. */
@RecordService(IncidentUpdate)
export class IncidentUpdatesService extends ResourceService<IncidentUpdate> {
  protected override newColumns(ctx: RequestContext, body: Partial<IncidentUpdate>): Columns {
    return { ...super.newColumns(ctx, body), author: ctx.caller.email };
  }

  protected override insert(
    ctx: RequestContext,
    records: readonly NewRecord<IncidentUpdate>[],
    returning: Returning,
  ): Promise<InsertedRow[]> {
    return ctx.transaction(async (tx) => {
      const [update] = records;
      const { incident_id: incidentId, status = null, severity = null } = update!.columns;
      const id = sql`${incidentId}`;
      // The entries of one incident are written one after another, so that the last one determines its status.
      const [time] = await tx.db.query<{ at: string }>(
        sql`SELECT greatest(clock_timestamp(), (SELECT max(created_at) + interval '1 millisecond' FROM incident_updates WHERE incident_id = ${id}))::text AS at
          FROM (SELECT FROM incidents WHERE id = ${id} FOR NO KEY UPDATE) incident`,
      );
      if (time) Object.assign(update!.columns, { created_at: time.at, updated_at: time.at });
      const rows = await super.insert(tx, records, returning);
      if (status !== null || severity !== null) {
        const reached = sql`${status}::text`;
        await tx.db.write(
          write`UPDATE incidents SET status = coalesce(${reached}, status), severity = coalesce(${severity}::text, severity),
              resolved_at = CASE WHEN ${reached} = ANY(${OVER}::text[]) THEN coalesce(resolved_at, greatest(now(), detected_at)) ELSE resolved_at END
            WHERE id = ${id}`,
        );
      }
      return rows;
    });
  }
}
