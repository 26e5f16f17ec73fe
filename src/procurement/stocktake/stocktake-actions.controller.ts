import { Controller, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { BodyOf } from '../../fields/bodies/bodies.js';
import { Fault, ValidationFailed } from '../../http/errors.js';
import { PathId } from '../../http/path-id.js';
import { type ActionReply, type BodyReply, type ListReply, PlainReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { CURSOR, FILE_FORMATS, PAGE, PAGING, RAW, readPage } from '../../lists/parameters/paging.js';
import { DRY_RUN, readOptions } from '../../lists/parameters/query-options.js';
import { choice, type Parameter, type RawQuery } from '../../lists/parameters/query-parameters.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { Operation } from '../../openapi/operation.js';
import { named } from '../../openapi/schema.js';
import { readingOf, writingOf } from '../../records/record-access.js';
import { Idempotent } from '../../resource/idempotency/idempotency.js';
import { TagOf } from '../../resource/resource.operations.js';
import { StocktakeActionsService } from './stocktake-actions.service.js';
import { type ResultRequest, StocktakeResultsService } from './stocktake-results.service.js';
import { Stocktake } from './stocktake.entity.js';
import {
  ClosedStocktake,
  CloseStocktake,
  RESULT_LISTS,
  type ResultList,
  ScanCodes,
  ScannedCodes,
  StocktakeEntry,
} from './stocktake.models.js';

const write = writingOf(Stocktake);

const PARAMETERS: readonly Parameter<ResultRequest>[] = [
  ...PAGE,
  choice<ResultRequest, (typeof FILE_FORMATS)[number] | 'html'>(
    'format',
    'ListOrPageFormat',
    'A list as a file, as of other lists; or without a list `html`: the whole result as a page to print, one file without a script',
    [...FILE_FORMATS, 'html'],
    (request, format) => {
      if (format === 'html') request.asPage = true;
      else request.format = format;
    },
  ),
  RAW,
  ...CURSOR,
  choice<ResultRequest, ResultList>(
    'list',
    'StocktakeList',
    'The entries of this list, page by page, instead of the numbers',
    RESULT_LISTS,
    (request, list) => (request.list = list),
  ),
];

/** Parameters that apply to a list only. */
const OF_LISTS = [...PAGING, 'raw'];

const RESULT_SCHEMA = {
  type: 'object',
  description: 'The result in numbers',
  required: ['data'],
  properties: {
    data: named(
      { name: 'StocktakeNumbers' },
      {
        type: 'object',
        required: ['counts'],
        properties: {
          counts: named(
            { name: 'StocktakeCounts', description: 'Number of entries of each list' },
            {
              type: 'object',
              required: [...RESULT_LISTS],
              properties: Object.fromEntries(
                RESULT_LISTS.map((list) => [list, { type: 'integer', minimum: 0, example: 4 }]),
              ),
            },
          ),
        },
      },
    ),
  },
};

/** Scanning and its results. */
@Controller('api/stocktakes/:id')
@TagOf(Stocktake)
export class StocktakeActionsController {
  constructor(
    @Inject(StocktakeActionsService) private readonly service: StocktakeActionsService,
    @Inject(StocktakeResultsService) private readonly results: StocktakeResultsService,
  ) {}

  @Post('scans')
  @HttpCode(200)
  @Access(write)
  @Idempotent()
  @Operation({
    operationId: 'scanStocktake',
    text: {
      summary: 'Scan assets',
      description:
        'Records inventory tags or serial numbers that were seen, from many devices at once. The same codes again, and in any order, make no difference, except that the last scan of an asset says where it is: the one that the service recorded last. Codes of no asset are kept too.',
    },
    body: ScanCodes,
    response: ScannedCodes,
    status: 200,
    errors: [403, 409],
    finds: 'stocktake',
  })
  async scan(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @BodyOf(ScanCodes) body: ScanCodes,
  ): Promise<PlainReply> {
    return PlainReply.of(await this.service.scan(ctx, id, body));
  }

  @Get('result')
  @Access(readingOf(Stocktake))
  @TakesQuery()
  @Operation({
    operationId: 'listStocktakeResult',
    text: {
      summary: 'Read the result of a stocktake',
      description:
        'What was found so far, or when the stocktake was closed: in numbers; with `list`, one of the lists; with `format=html`, all of it as a page to print.',
    },
    document: {
      text: { type: 'text/html', description: 'A page to print', example: '<!doctype html>' },
      json: { name: 'StocktakeResult', schema: RESULT_SCHEMA },
      files: true,
    },
    query: PARAMETERS,
    response: StocktakeEntry,
    status: 200,
    finds: 'stocktake',
  })
  result(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @Query() query: RawQuery,
  ): Promise<BodyReply | ListReply | PlainReply> {
    const request = readPage<ResultRequest>(query, PARAMETERS, {});
    const { list, asPage, format, given } = request;
    if (list === undefined || asPage) {
      const useless = [...OF_LISTS, ...(format === undefined ? [] : ['format']), ...(asPage ? ['list'] : [])];
      const why = asPage ? 'must not be given for a page to print' : 'needs list';
      const faults = useless.filter((name) => given.has(name)).map((name) => new Fault(name, why));
      if (faults.length > 0) throw new ValidationFailed(faults);
    }
    return this.results.read(ctx, id, request);
  }

  @Post('close')
  @HttpCode(200)
  @Access(write)
  @TakesQuery()
  @Idempotent()
  @Operation({
    operationId: 'closeStocktake',
    text: {
      summary: 'Close a stocktake',
      description:
        'Applies the result in one transaction and keeps it as it is: with `relocate`, misplaced assets get the place where they were seen; with `missingStatus`, missing ones get that status. Assets that were changed since the stocktake began are left alone, and are `skipped`.',
    },
    body: CloseStocktake,
    bodyOptional: true,
    query: [DRY_RUN],
    response: ClosedStocktake,
    rehearsed: true,
    status: 200,
    errors: [403, 409],
    finds: 'stocktake',
  })
  close(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @Query() query: RawQuery,
    @BodyOf(CloseStocktake, { optional: true }) body: CloseStocktake,
  ): Promise<ActionReply> {
    const { dryRun } = readOptions({ dryRun: DRY_RUN }, query);
    return this.service.close(ctx, id, body, dryRun);
  }
}
