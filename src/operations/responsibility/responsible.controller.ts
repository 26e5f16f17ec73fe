import { Controller, Get, Inject, Param, Query, type Type } from '@nestjs/common';
import { Access, meets } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { labelOf, withArticle } from '../../fields/record-entity.js';
import { pathId } from '../../http/path-id.js';
import type { ListReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { ComputedLists } from '../../lists/computed-list.js';
import type { RawQuery } from '../../lists/parameters/query-parameters.js';
import { Operation } from '../../openapi/operation.js';
import { assertExists } from '../../records/owner.js';
import { readingOf } from '../../records/record-access.js';
import { TagOf } from '../../resource/resource.operations.js';
import { nameOfResource } from '../containment.js';
import { OnCallSchedule } from '../on-call-schedule/on-call-schedule.entity.js';
import { type Responsible, RESPONSIBLE } from './responsibility.entity.js';
import { responsibleFor } from './responsible.list.js';
import { ResponsibleParty } from './responsible.models.js';
import { parseResponsible, RESPONSIBLE_PARAMETERS } from './responsible.query.js';

/** The controller of the responsible people for records of one kind. */
function responsibleController({ owner: record }: Responsible): Type {
  @Controller(`api/${nameOfResource(record)}/:id/responsible`)
  @TagOf(record)
  class ResponsibleController {
    constructor(@Inject(ComputedLists) private readonly lists: ComputedLists) {}

    @Get()
    @Access(readingOf(record))
    @TakesQuery()
    @Operation({
      operationId: `list${record.name}Responsible`,
      text: {
        summary: `List who is responsible for ${withArticle(record)}`,
        description:
          'The responsibilities of the record, then those of its containers, the nearest first. The containers of a device are its rack, its location with the enclosing ones, its site, and the regions. A virtual machine is in its cluster, and a cluster at its site. An asset is in the containers of its devices, or without a device at its own location and site. A circuit is at the sites of its ends. The search for a kind ends at the nearest record that has responsibilities of the kind, unless `all` is `true`. Callers with the area `operations` also get the person on call of each roster.',
      },
      list: { parameters: RESPONSIBLE_PARAMETERS },
      response: ResponsibleParty,
      status: 200,
      finds: labelOf(record),
    })
    responsible(
      @Ctx() ctx: RequestContext,
      @Param() at: Record<string, string>,
      @Query() query: RawQuery,
    ): Promise<ListReply> {
      const id = pathId(at);
      const request = parseResponsible(query);
      const list = responsibleFor(record, id, request, meets(ctx.caller, readingOf(OnCallSchedule)));
      return this.lists.list(ctx, request, list, () => assertExists(ctx.db, { record, field: 'id', id }));
    }
  }
  Object.defineProperty(ResponsibleController, 'name', { value: `${record.name}ResponsibleController` });
  return ResponsibleController;
}

/** The responsible people, for every kind of record that has responsibilities. */
export const responsibleControllers: readonly Type[] = RESPONSIBLE.map(responsibleController);
