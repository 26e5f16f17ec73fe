import { Inject, Injectable } from '@nestjs/common';
import { raw, sql } from '../database/sql.js';
import { instantText } from '../fields/types/time.js';
import type { InTransaction } from '../lists/request-context.js';
import { OnCallSchedule } from '../operations/on-call-schedule/on-call-schedule.entity.js';
import { pieceValues, type StoredValues } from '../operations/on-call-schedule/piece-values.js';
import { ROSTER, takeTurn } from '../operations/on-call-schedule/roster.js';
import { type ResourceService, serviceOf } from '../records/resource.service.js';
import type { OffboardedRecord } from './offboarding.models.js';

type Shift = Pick<OnCallSchedule, 'id' | 'name' | 'rotation' | 'description' | 'endTime'> & {
  customFields: StoredValues;
  /** Whether it has begun. */
  isRunning: boolean;
  now: string;
};

const NOT_OVER = sql`(t.end_time IS NULL OR t.end_time > now())`;

/** The shifts of a person who leaves. */
@Injectable()
export class ShiftsOfLeaver {
  constructor(@Inject(serviceOf(OnCallSchedule)) private readonly schedules: ResourceService<OnCallSchedule>) {}

  /** Shifts that have not ended, locked after their rosters, in the order in which a cover locks them. */
  async lock(tx: InTransaction, personId: string): Promise<Shift[]> {
    const rosters = await tx.db.query<{ roster: string }>(
      sql`SELECT DISTINCT ${raw(ROSTER)} COLLATE "C" AS roster FROM on_call_schedules t
        WHERE t.person_id = ${personId} AND ${NOT_OVER} ORDER BY 1`,
    );
    for (const { roster } of rosters) await takeTurn(tx.db, roster);
    return tx.db.query<Shift>(
      sql`SELECT t.id, t.name, t.rotation, t.description, ${raw(instantText('t.end_time'))} AS "endTime",
          t.custom_fields AS "customFields", coalesce(t.start_time < now(), true) AS "isRunning", ${raw(instantText('now()'))} AS now
        FROM on_call_schedules t WHERE t.person_id = ${personId} AND ${NOT_OVER} ORDER BY t.start_time NULLS FIRST, t.id FOR UPDATE`,
    );
  }

  /** Gives shifts to the successor, or to nobody. The rest of a running shift becomes a shift of its own. */
  async handOver(tx: InTransaction, shifts: readonly Shift[], personId: string | null): Promise<OffboardedRecord[]> {
    await this.schedules.updateMany(
      tx,
      shifts.map(({ id, isRunning, now }) => ({ id, body: isRunning ? { endTime: now } : { personId } })),
    );
    const rest = shifts.filter(({ isRunning }) => isRunning);
    await this.schedules.createMany(
      tx,
      rest.map(({ name, rotation, description, endTime, now, customFields }) => ({
        name,
        rotation,
        description,
        personId,
        startTime: now,
        endTime,
        ...pieceValues(tx.fields.of(OnCallSchedule), customFields),
      })),
    );
    return shifts.map(({ id, name, isRunning }) => ({
      resource: 'on-call-schedules',
      id,
      name,
      what: isRunning ? 'cut' : personId === null ? 'left_empty' : 'handed_over',
    }));
  }
}
