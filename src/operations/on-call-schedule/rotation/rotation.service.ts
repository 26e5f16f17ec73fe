import { knowsTimeZone } from '../../../database/time-zones.js';
import { UNKNOWN_TIME_ZONE } from '../../../fields/types/time-zone.js';
import { Inject, Injectable } from '@nestjs/common';
import type { InTransaction, RequestContext } from '../../../lists/request-context.js';
import { type Transaction } from '../../../database/executor.js';
import { instantText } from '../../../fields/types/time.js';
import { Conflict, Fault, invalid, ValidationFailed } from '../../../http/errors.js';
import { ActionReply } from '../../../http/replies.js';
import { Person } from '../../../people/person/person.entity.js';
import { lockReferences } from '../../../records/references.js';
import { serviceOf, type ResourceService } from '../../../records/resource.service.js';
import { OnCallSchedule } from '../on-call-schedule.entity.js';
import { pieceValues, type StoredValues } from '../piece-values.js';
import { HOURS, ROSTER, takeTurn } from '../roster.js';
import { MOST_SHIFTS, type OnCallRotation, type RotateOnCallSchedules } from './rotation.dto.js';
import { literal, raw, sql, type Sql } from '../../../database/sql.js';

interface Turn {
  startTime: string;
  endTime: string;
  /** Number of the turn, from 0. */
  n: number;
}

/** A shift that overlaps the time of a rotation. */
type Overlapping = Pick<
  OnCallSchedule,
  'id' | 'name' | 'rotation' | 'description' | 'personId' | 'startTime' | 'endTime'
> & {
  customFields: StoredValues;
  startsBefore: boolean;
  endsAfter: boolean;
};

/** Writes the shifts of rotations. */
@Injectable()
export class RotationService {
  constructor(@Inject(serviceOf(OnCallSchedule)) private readonly schedules: ResourceService<OnCallSchedule>) {}

  /** However many shifts: a fixed number of statements. @throws ValidationFailed, Conflict */
  async rotate(ctx: RequestContext, body: RotateOnCallSchedules, dryRun: boolean): Promise<ActionReply> {
    if (!(await knowsTimeZone(ctx.db, body.timeZone))) throw invalid('timeZone', UNKNOWN_TIME_ZONE);
    const written = await ctx.transaction((tx) => this.write(tx, body), dryRun);
    return new ActionReply([JSON.stringify(written)], [], dryRun);
  }

  private async write(tx: InTransaction, body: RotateOnCallSchedules): Promise<OnCallRotation> {
    const { name, rotation, personIds, description, replace = false } = body;
    // Locked before schedules, in the order in which deleting a person locks the two.
    const dangling = await lockReferences(
      tx.db,
      Person,
      personIds.map((id, index) => ({ path: `personIds[${index}]`, id })),
    );
    const turns = await turnsOf(tx.db, body);
    if (dangling.length > 0) throw new ValidationFailed(dangling);
    await takeTurn(tx.db, rotation);
    const span = { startTime: turns[0]!.startTime, endTime: turns.at(-1)!.endTime };
    const overlapping = await tx.db.query<Overlapping>(lockOverlapping(rotation, span));
    overlapping.sort((a, b) => ((a.startTime ?? '') < (b.startTime ?? '') ? -1 : 1));
    if (overlapping.length > 0 && !replace) throw taken(rotation, overlapping);
    const removedIds = overlapping.filter(isWithin).map(({ id }) => id);
    const shortened = overlapping.filter((shift) => !isWithin(shift));
    if (removedIds.length > 0) await this.schedules.removeMany(tx, removedIds);
    await this.schedules.updateMany(
      tx,
      shortened.map(({ id, startsBefore }) => ({
        id,
        body: startsBefore ? { endTime: span.startTime } : { startTime: span.endTime },
      })),
    );
    const shifts = turns.map(({ n, startTime, endTime }) => ({
      personId: personIds[n % personIds.length]!,
      startTime,
      endTime,
    }));
    const custom = tx.fields.of(OnCallSchedule);
    const rests = shortened
      .filter(({ startsBefore, endsAfter }) => startsBefore && endsAfter)
      .map(({ id: _id, startsBefore: _before, endsAfter: _after, customFields, ...shift }) => ({
        ...shift,
        ...pieceValues(custom, customFields),
        startTime: span.endTime,
      }));
    const ids = await this.schedules.createMany(tx, [
      ...shifts.map((shift) => ({ name, rotation, description, ...shift })),
      ...rests,
    ]);
    return {
      shifts: shifts.map((shift, index) => ({ id: ids[index]!, ...shift })),
      removedIds,
      shortenedIds: shortened.map(({ id }) => id),
    };
  }
}

const isWithin = ({ startsBefore, endsAfter }: Overlapping): boolean => !startsBefore && !endsAfter;

/** @throws ValidationFailed if there are none, or too many */
async function turnsOf(tx: Transaction, body: RotateOnCallSchedules): Promise<Turn[]> {
  const turns = await tx.query<Turn>(turnsBy(body));
  if (turns.length === 0) throw invalid('until', 'must be after startTime');
  if (turns.length > MOST_SHIFTS) {
    throw invalid('until', `must be earlier: a rotation has at most ${MOST_SHIFTS} shifts`);
  }
  return turns;
}

/** The refusal of a rotation that overlaps these shifts. */
function taken(rotation: string, overlapping: readonly Overlapping[]): Conflict {
  const details = overlapping.map(
    ({ id, name, startTime, endTime }) =>
      new Fault(
        'rotation',
        `${rotation} already has the shift ${id} (${name}) from ${startTime ?? 'ever'} to ${endTime ?? 'ever'}`,
      ),
  );
  return new Conflict(...details);
}

/** SQL of the start of turn number `n`. It follows the clock of the time zone, except for turns in hours, which are elapsed time. */
const startOf = ({ startTime, unit, every = 1, timeZone }: RotateOnCallSchedules, n: Sql): Sql =>
  unit === 'hour'
    ? sql`${startTime}::timestamp AT TIME ZONE ${timeZone} + ${n} * ${every}::int * interval '1 hour'`
    : sql`(${startTime}::timestamp + ${n} * ${every}::int * ${literal(`1 ${unit}`)}::interval) AT TIME ZONE ${timeZone}`;

/** The turns in their order, up to one too many. A turn that lies entirely in a skipped hour is left out. */
const turnsBy = (body: RotateOnCallSchedules): Sql => sql`
SELECT n, ${raw(instantText('starts'))} AS "startTime", ${raw(instantText('least(ends, until)'))} AS "endTime"
FROM generate_series(0, ${raw(MOST_SHIFTS)}) n CROSS JOIN LATERAL (
  SELECT ${startOf(body, sql`n`)} AS starts, ${startOf(body, sql`(n + 1)`)} AS ends,
    ${body.until}::timestamp AT TIME ZONE ${body.timeZone} AS until
) turn WHERE starts < until AND starts < ends ORDER BY n`;

/** In the order in which other requests lock them. */
function lockOverlapping(rotation: string, span: { startTime: string; endTime: string }): Sql {
  const [start, end] = [sql`${span.startTime}`, sql`${span.endTime}`];
  return sql`SELECT t.id, t.name, t.rotation, t.description, t.person_id AS "personId", t.custom_fields AS "customFields",
      ${raw(instantText('t.start_time'))} AS "startTime", ${raw(instantText('t.end_time'))} AS "endTime",
      t.start_time IS NULL OR t.start_time < ${start} AS "startsBefore", t.end_time IS NULL OR t.end_time > ${end} AS "endsAfter"
    FROM on_call_schedules t WHERE ${raw(ROSTER)} = ${rotation} AND ${raw(HOURS)} && tstzrange(${start}, ${end}) ORDER BY t.id FOR UPDATE`;
}
