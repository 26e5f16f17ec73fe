import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../../../lists/request-context.js';
import type { Executor, Transaction } from '../../../database/executor.js';
import { instantText } from '../../../fields/types/time.js';
import { Conflict, Fault, NotFound, ValidationFailed } from '../../../http/errors.js';
import { Person } from '../../../people/person/person.entity.js';
import { lockReferences } from '../../../records/references.js';
import { serviceOf, type ResourceService } from '../../../records/resource.service.js';
import { OnCallSchedule } from '../on-call-schedule.entity.js';
import { pieceValues, type StoredValues } from '../piece-values.js';
import { ROSTER, takeTurn } from '../roster.js';
import { NOT_AFTER_START, type CoverOnCallSchedule, type OnCallCover } from './cover.dto.js';
import { EMPTY, raw, sql, type Sql } from '../../../database/sql.js';

type Shift = Pick<OnCallSchedule, 'name' | 'rotation' | 'description' | 'personId' | 'startTime' | 'endTime'> & {
  roster: string;
  customFields: StoredValues;
  /** Changes with every update of the row. */
  version: string;
};

const shiftOf = (id: string): Sql => sql`
  SELECT t.name, t.rotation, t.description, t.person_id AS "personId", ${raw(instantText('t.start_time'))} AS "startTime",
    ${raw(instantText('t.end_time'))} AS "endTime", t.custom_fields AS "customFields", ${raw(ROSTER)} AS roster, t.xmin::text AS version
  FROM on_call_schedules t WHERE t.id = ${id}`;

/** Lets somebody take over a part of a shift. */
@Injectable()
export class CoverService {
  constructor(@Inject(serviceOf(OnCallSchedule)) private readonly schedules: ResourceService<OnCallSchedule>) {}

  /** @throws NotFound, ValidationFailed, Conflict */
  async cover(ctx: RequestContext, id: string, body: CoverOnCallSchedule): Promise<OnCallCover> {
    // Read before waiting for a lock, because the request is about the shift that the client has seen.
    const seen = await read(ctx.db, id);
    return ctx.transaction(async (tx) => {
      const { personId } = body;
      // Before the shift is locked, in the order in which deleting a person locks the two.
      const dangling = await lockReferences(tx.db, Person, [{ path: 'personId', id: personId }]);
      const shift = await lock(tx.db, id, seen);
      const startTime = body.startTime ?? shift.startTime;
      const endTime = body.endTime ?? shift.endTime;
      const faults = [...outside(shift, startTime, endTime), ...dangling];
      if (faults.length > 0) throw new ValidationFailed(faults);
      if (personId === shift.personId) return { scheduleIds: [id] };
      const { name, rotation, description } = shift;
      const covered = {
        name,
        rotation,
        description,
        personId,
        startTime,
        endTime,
        ...pieceValues(ctx.fields.of(OnCallSchedule), shift.customFields),
      };
      const rest = { ...covered, personId: shift.personId, startTime: endTime, endTime: shift.endTime };
      const [isFirst, isLast] = [startTime === shift.startTime, endTime === shift.endTime];
      const change = (changed: Partial<OnCallSchedule>): Promise<unknown> =>
        this.schedules.updateMany(tx, [{ id, body: changed }]);
      if (isFirst && isLast) {
        await change({ personId });
        return { scheduleIds: [id] };
      }
      if (isFirst) {
        await change({ startTime: endTime });
        return { scheduleIds: [...(await this.schedules.createMany(tx, [covered])), id] };
      }
      await change({ endTime: startTime });
      return {
        scheduleIds: [id, ...(await this.schedules.createMany(tx, isLast ? [covered] : [covered, rest]))],
      };
    });
  }
}

/** @throws NotFound */
async function read(db: Executor, id: string, tail = EMPTY): Promise<Shift> {
  const [shift] = await db.query<Shift>(sql`${shiftOf(id)} ${tail}`);
  if (!shift) throw new NotFound('On-call schedule');
  return shift;
}

/**
 * Locks the shift. It must not have changed since it was seen, because the hours may belong to another person now.
 * @throws NotFound, Conflict
 */
async function lock(tx: Transaction, id: string, seen: Shift): Promise<Shift> {
  await takeTurn(tx, seen.roster);
  const shift = await read(tx, id, sql`FOR UPDATE`);
  if (shift.version !== seen.version) {
    throw new Conflict(
      new Fault('id', 'belongs to a shift that was changed meanwhile. Read it and repeat the request'),
    );
  }
  return shift;
}

/** A fault for each end of an interval that is outside of a shift. Instants are compared as texts of one form. */
function outside(shift: Shift, startTime: string | null, endTime: string | null): Fault[] {
  const { startTime: from, endTime: to } = shift;
  const extent = `the shift, which is from ${from ?? 'ever'} to ${to ?? 'ever'}`;
  const faults: Fault[] = [];
  if (startTime !== null && ((from !== null && startTime < from) || (to !== null && startTime >= to && from !== to))) {
    faults.push(new Fault('startTime', `must be within ${extent}`));
  }
  if (endTime !== null && ((to !== null && endTime > to) || (from !== null && endTime <= from && from !== to))) {
    faults.push(new Fault('endTime', `must be within ${extent}`));
  }
  if (faults.length === 0 && startTime !== null && endTime !== null && endTime <= startTime) {
    faults.push(new Fault('endTime', NOT_AFTER_START));
  }
  return faults;
}
