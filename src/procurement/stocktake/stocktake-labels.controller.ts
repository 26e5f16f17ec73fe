import { Controller, Get, Inject, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access } from '../../access/access.js';
import type { Configuration } from '../../config/configuration.js';
import { CONFIGURATION } from '../../config/tokens.js';
import { sql } from '../../database/sql.js';
import { invalid, NotFound } from '../../http/errors.js';
import { PathId } from '../../http/path-id.js';
import { publicAddress } from '../../http/public-address.js';
import { TakesQuery } from '../../http/route-config.js';
import type { SvgReply } from '../../http/svg.js';
import { INT4_MAX } from '../../lists/parameters/paging.js';
import {
  choice,
  integer,
  type Parameter,
  type RawQuery,
  readQuery,
  withDefault,
} from '../../lists/parameters/query-parameters.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { Operation } from '../../openapi/operation.js';
import { readingOf } from '../../records/record-access.js';
import { TagOf } from '../../resource/resource.operations.js';
import { MOST_LABELS } from '../asset/label/label.picture.js';
import { type Chosen, LABEL } from '../asset/label/labels.controller.js';
import { LabelsService } from '../asset/label/labels.service.js';
import { labelledIn } from './stocktake-result.js';
import { Stocktake } from './stocktake.entity.js';
import { LISTS_OF_ASSETS, type ListOfAssets } from './stocktake.models.js';

interface Sheet extends Chosen {
  list: ListOfAssets;
  sheet: number;
}

const SHEET: readonly Parameter<Sheet>[] = [
  withDefault(
    choice<Sheet, ListOfAssets>(
      'list',
      'StocktakeAssetList',
      'The list whose assets get labels',
      LISTS_OF_ASSETS,
      (chosen, list) => (chosen.list = list),
    ),
    'missing',
  ),
  integer(
    'sheet',
    `Number of the sheet, from 1. Each has ${MOST_LABELS} labels at most`,
    { min: 1, max: INT4_MAX, default: 1, example: 1 },
    (chosen, number) => (chosen.sheet = number),
  ),
  ...(LABEL as readonly Parameter<never>[] as readonly Parameter<Sheet>[]),
];

/** Labels for the assets in a result, for example for missing assets whose label cannot be scanned any more. */
@Controller('api/stocktakes/:id')
@TagOf(Stocktake)
export class StocktakeLabelsController {
  constructor(
    @Inject(LabelsService) private readonly labels: LabelsService,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @Get('labels.svg')
  @Access(readingOf(Stocktake))
  @TakesQuery()
  @Operation({
    operationId: 'drawStocktakeLabels',
    text: {
      summary: 'Get a sheet of labels of a list of the result',
      description:
        'An A4 sheet with the labels of the assets of a list, those that are missing by default, in the order of the list. 400 for a sheet that there is not.',
    },
    query: SHEET,
    picture: true,
    status: 200,
    finds: 'stocktake',
  })
  async sheet(
    @Ctx() ctx: RequestContext,
    @Req() request: FastifyRequest,
    @PathId() id: string,
    @Query() query: RawQuery,
  ): Promise<SvgReply> {
    const chosen = readQuery<Sheet>(query, SHEET, { list: 'missing', sheet: 1, code: 'qr', content: 'url' });
    const [known] = await ctx.db.query(sql`SELECT 1 FROM stocktakes WHERE id = ${id}`);
    if (!known) throw new NotFound('Stocktake');
    const { ids, total } = await labelledIn(ctx.db, id, chosen.list, chosen.sheet, MOST_LABELS);
    if (total === 0) throw invalid('list', `must have assets: ${chosen.list} has none`);
    if (ids.length === 0) throw invalid('sheet', `must be at most ${Math.ceil(total / MOST_LABELS)}`);
    const { code, content } = chosen;
    const address = publicAddress(request, this.configuration.publicUrl);
    return this.labels.sheet(ctx, ids, { code, content, address });
  }
}
