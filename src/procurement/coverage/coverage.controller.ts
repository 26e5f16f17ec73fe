import { Controller, Get, Inject, Param, Query, type Type } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { labelOf, withArticle } from '../../fields/record-entity.js';
import { pathId } from '../../http/path-id.js';
import type { ListReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { ComputedLists } from '../../lists/computed-list.js';
import { FILE, PAGE, type PageRequest, readPage } from '../../lists/parameters/paging.js';
import { day, type Parameter, type RawQuery } from '../../lists/parameters/query-parameters.js';
import { Operation } from '../../openapi/operation.js';
import { assertExists } from '../../records/owner.js';
import { readingOf } from '../../records/record-access.js';
import { TagOf } from '../../resource/resource.operations.js';
import { COVERED_RECORDS, type CoveredResource } from './covered-records.js';
import { coverageList } from './coverage-list.js';
import { Covering } from './covering.js';

interface CoverageRequest extends PageRequest {
  on?: string;
}

const PARAMETERS: readonly Parameter<CoverageRequest>[] = [
  ...PAGE,
  ...FILE,
  day('on', 'Day for which `isActive` is worked out; today in UTC by default', (request, value) => {
    request.on = value;
  }),
];

/** The controller of the coverage of one kind of record. */
function coverageController(resource: CoveredResource): Type {
  const record = COVERED_RECORDS[resource]();
  const words = labelOf(record);

  @Controller(`api/${resource}/:id/coverage`)
  @TagOf(record)
  class CoverageController {
    constructor(@Inject(ComputedLists) private readonly lists: ComputedLists) {}

    @Get()
    @Access(readingOf(record))
    @TakesQuery()
    @Operation({
      operationId: `list${record.name}Coverage`,
      text: {
        summary: `List the coverage of ${withArticle(record)}`,
        description:
          'The contracts and SLAs of the record, and its warranty, including past and future ones. Coverage without an end comes first, then the latest end. A device also has the coverage of its asset, and an asset that of its devices.',
      },
      list: { parameters: PARAMETERS },
      response: Covering,
      status: 200,
      finds: words,
    })
    coverage(
      @Ctx() ctx: RequestContext,
      @Param() at: Record<string, string>,
      @Query() query: RawQuery,
    ): Promise<ListReply> {
      const id = pathId(at);
      const request = readPage<CoverageRequest>(query, PARAMETERS, {});
      return this.lists.list(ctx, request, coverageList(resource, id, request.on), () =>
        assertExists(ctx.db, { record, field: 'id', id }),
      );
    }
  }
  Object.defineProperty(CoverageController, 'name', { value: `${record.name}CoverageController` });
  return CoverageController;
}

/** The coverage of every kind of record that has it. */
export const coverageControllers: readonly Type[] = (Object.keys(COVERED_RECORDS) as CoveredResource[]).map(
  coverageController,
);
