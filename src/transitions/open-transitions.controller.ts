import { Controller, Get, Inject, Param, Query, type Type } from '@nestjs/common';
import { recordDigest } from '../resource/approvals/approval-state.js';
import { Access } from '../access/access.js';
import { Ctx, type RequestContext } from '../lists/request-context.js';
import { labelOf } from '../fields/record-entity.js';
import { NotFound } from '../http/errors.js';
import { pathId } from '../http/path-id.js';
import type { ListReply } from '../http/replies.js';
import { TakesQuery } from '../http/route-config.js';
import { ComputedLists } from '../lists/computed-list.js';
import { FILE, fileFormatOf, PAGE, parsePage } from '../lists/parameters/paging.js';
import type { RawQuery } from '../lists/parameters/query-parameters.js';
import { declaredSqlOf } from '../lists/record-sql.js';
import { Operation } from '../openapi/operation.js';
import { conditionsOf } from '../records/owner.js';
import { TagOf } from '../resource/resource.operations.js';
import { MOVABLE, type Movable } from './movable-controllers.js';
import { OpenTransition } from './open-transition.model.js';
import { openTransitions } from './open-transitions.list.js';

/** Properties of the response beside the transitions. */
const BESIDE = {
  digest: {
    type: 'string',
    description: 'What an approval of the record names as it is now: it covers all but the status and the times',
  },
};

/** The controller of the open transitions of one kind of record. */
function openTransitionsController({ record, path, owner, read }: Movable): Type {
  @Controller(`${path}/transitions`)
  @TagOf(owner?.record ?? record)
  class OpenTransitionsController {
    constructor(@Inject(ComputedLists) private readonly lists: ComputedLists) {}

    @Get()
    @Access(read)
    @TakesQuery()
    @Operation({
      operationId: `list${record.name}Transitions`,
      text: {
        summary: `List the moves that are open to a ${labelOf(record)}`,
        description:
          'Where the transitions of the installation let its status go from here, who may make each move, and whether the caller may make it now. The list is empty where nothing is defined. `digest` is that of an approval.',
      },
      list: { parameters: [...PAGE, ...FILE] },
      beside: BESIDE,
      response: OpenTransition,
      status: 200,
      finds: labelOf(record),
    })
    async list(
      @Ctx() ctx: RequestContext,
      @Param() at: Record<string, string>,
      @Query() query: RawQuery,
    ): Promise<ListReply> {
      const request = parsePage(query);
      // Whether the client accepts the format does not depend on the record.
      fileFormatOf(request, ctx.accept);
      const id = pathId(at, owner?.param);
      const within = owner && { record: owner.record, field: owner.field, id: pathId(at) };
      const digest = await recordDigest(ctx.db, record, id, conditionsOf(declaredSqlOf(record), within));
      if (digest === undefined) throw new NotFound(declaredSqlOf(record).label);
      const list = await this.lists.list(ctx, request, openTransitions(record, id, ctx.caller));
      return list.beside({ digest });
    }
  }
  Object.defineProperty(OpenTransitionsController, 'name', { value: `${record.name}TransitionsController` });
  return OpenTransitionsController;
}

/** The open transitions of every kind of record that can have them. */
export const openTransitionsControllers: readonly Type[] = MOVABLE.map(openTransitionsController);
