import { Controller, Get, Param, Query, type Type } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { labelOf, withArticle } from '../../fields/record-entity.js';
import { capital } from '../../fields/words.js';
import { NotFound } from '../../http/errors.js';
import { pathId } from '../../http/path-id.js';
import { PlainReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { type RawQuery, readQuery } from '../../lists/parameters/query-parameters.js';
import { Operation } from '../../openapi/operation.js';
import { readingOf } from '../../records/record-access.js';
import { TagOf } from '../../resource/resource.operations.js';
import { nameOfResource } from '../containment.js';
import { AT } from '../on-call/on-call.query.js';
import { OnCallSchedule } from '../on-call-schedule/on-call-schedule.entity.js';
import { type Responsible, RESPONSIBLE } from '../responsibility/responsibility.entity.js';
import { Call } from './call.models.js';
import { callStatement } from './call.statement.js';

const PARAMETERS = [AT];

/** The controller of the people to call about records of one kind. */
function callController({ owner: record }: Responsible): Type {
  const words = labelOf(record);

  @Controller(`api/${nameOfResource(record)}/:id/call`)
  @TagOf(record)
  class CallController {
    @Get()
    @Access(readingOf(OnCallSchedule))
    @TakesQuery()
    @Operation({
      operationId: `get${record.name}Call`,
      text: {
        summary: `Read whom to call about ${withArticle(record)}`,
        description:
          'In this order: the people on call of each roster that operates the record or a container of it; the responsible people; the vendors whose contract, SLA or warranty covers the record on the day; the runbooks about the record, its type, role, platform or manufacturer, or a container of it; the known issues about the same records that are neither resolved nor closed. Within each of these, the nearest comes first, and each roster and runbook is listed once.',
      },
      query: PARAMETERS,
      response: Call,
      status: 200,
      finds: words,
    })
    async call(
      @Ctx() { db }: RequestContext,
      @Param() path: Record<string, string>,
      @Query() query: RawQuery,
    ): Promise<PlainReply> {
      const id = pathId(path);
      const { at } = readQuery(query, PARAMETERS, { at: new Date().toISOString() });
      const statement = callStatement(record, id, at);
      const [found] = await db.query<{ json: string }>(statement);
      if (!found) throw new NotFound(capital(words));
      return new PlainReply(found.json);
    }
  }
  Object.defineProperty(CallController, 'name', { value: `${record.name}CallController` });
  return CallController;
}

/** The people to call, for every kind of record that has responsibilities. */
export const callControllers: readonly Type[] = RESPONSIBLE.map(callController);
