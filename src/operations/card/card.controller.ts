import { Controller, Get, Inject, Param, Query, type Type } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { raw, type Sql, sql } from '../../database/sql.js';
import type { Class } from '../../fields/field.js';
import { labelOf, withArticle } from '../../fields/record-entity.js';
import { capital } from '../../fields/words.js';
import { pathId } from '../../http/path-id.js';
import type { PlainReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { type RawQuery, readQuery } from '../../lists/parameters/query-parameters.js';
import { Operation } from '../../openapi/operation.js';
import { readingOf } from '../../records/record-access.js';
import { TagOf } from '../../resource/resource.operations.js';
import { ChangeRequest } from '../change-request/change-request.entity.js';
import { askedChange, askedWindow, targetsOf } from '../conflict/asked-work.js';
import type { AskedWork } from '../conflict/conflict-list.js';
import { MINUTES, MINUTES_PARAMETER } from '../conflict/conflicts.controller.js';
import { nameOfResource } from '../containment.js';
import { Incident } from '../incident/incident.entity.js';
import { MaintenanceWindow } from '../maintenance-window/maintenance-window.entity.js';
import { changeTime } from '../pending.js';
import { Card } from './card.models.js';
import { CardService } from './card.service.js';

const PARAMETERS = [MINUTES_PARAMETER];

/** A kind of work that has a card. */
interface Kind {
  record: Class;
  /** SELECT of its time, as `{id, name, from_time, to_time}`. */
  time(id: Sql, minutes: number): Sql;
  /** The same in the form that conflicts use. */
  work(id: Sql, minutes: number): AskedWork;
}

const INCIDENT_TIME = raw(
  'coalesce(t.detected_at, t.created_at) AS from_time, coalesce(t.resolved_at, now()) AS to_time',
);

const KINDS: readonly Kind[] = [
  {
    record: ChangeRequest,
    time: (
      id,
      minutes,
    ) => sql`SELECT t.id, t.name, lower(span) AS from_time, upper(span) AS to_time FROM change_requests t
      CROSS JOIN LATERAL (SELECT CASE WHEN t.scheduled_for IS NOT NULL THEN ${changeTime(sql`make_interval(mins => ${minutes}::int)`)} END AS span) s
      WHERE t.id = ${id}`,
    work: askedChange,
  },
  {
    record: MaintenanceWindow,
    time: (id) =>
      sql`SELECT t.id, t.name, t.start_time AS from_time, t.end_time AS to_time FROM maintenance_windows t WHERE t.id = ${id}`,
    work: askedWindow,
  },
  {
    record: Incident,
    time: (id) => sql`SELECT t.id, t.name, ${INCIDENT_TIME} FROM incidents t WHERE t.id = ${id}`,
    work: (id) => ({
      span: sql`SELECT tstzrange(t.from_time, greatest(t.from_time, t.to_time)) AS span FROM (
        SELECT ${INCIDENT_TIME} FROM incidents t WHERE t.id = ${id}) t`,
      targets: targetsOf('incident', id),
      id,
    }),
  },
];

/** The controller of the cards of one kind of work. */
function cardController({ record, time, work }: Kind): Type {
  const resource = nameOfResource(record);
  const words = labelOf(record);

  @Controller(`api/${resource}/:id/card`)
  @TagOf(record)
  class CardController {
    constructor(@Inject(CardService) private readonly service: CardService) {}

    @Get()
    @Access(readingOf(record))
    @TakesQuery()
    @Operation({
      operationId: `get${record.name}Card`,
      text: {
        summary: `Read the card of ${withArticle(record)}`,
        description:
          'A summary for the people who decide about the work, from one snapshot: its targets and the records that go down with them, the people on call, coverage and price of replacement, conflicts, known issues, and the last changes of the targets. Without a start there are neither people on call nor conflicts, and coverage is that of today. Without an end nobody is on call.',
      },
      query: PARAMETERS,
      response: Card,
      status: 200,
      finds: words,
    })
    card(
      @Ctx() ctx: RequestContext,
      @Param() at: Record<string, string>,
      @Query() query: RawQuery,
    ): Promise<PlainReply> {
      // The planner cannot look into the subquery. So it plans all work alike, and one generic plan is kept.
      const id = sql`(SELECT ${pathId(at)}::uuid)`;
      const { minutes } = readQuery(query, PARAMETERS, { minutes: MINUTES });
      return this.service.read(ctx, {
        resource,
        label: capital(words),
        time: time(id, minutes),
        work: work(id, minutes),
        minutes,
      });
    }
  }
  Object.defineProperty(CardController, 'name', { value: `${record.name}CardController` });
  return CardController;
}

/** The cards of every kind of work. */
export const cardControllers: readonly Type[] = KINDS.map(cardController);
