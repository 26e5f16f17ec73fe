import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { Ctx, type RequestContext } from '../../../lists/request-context.js';
import { Access } from '../../../access/access.js';

import { sql, type Sql } from '../../../database/sql.js';
import { pathId } from '../../../http/path-id.js';
import type { ListReply } from '../../../http/replies.js';
import { TakesQuery } from '../../../http/route-config.js';
import { ComputedLists, type ComputedList } from '../../../lists/computed-list.js';
import { FILE, PAGE, type PageRequest, readPage } from '../../../lists/parameters/paging.js';
import { instant, type Parameter, type RawQuery } from '../../../lists/parameters/query-parameters.js';
import { Operation } from '../../../openapi/operation.js';
import { assertExists } from '../../../records/owner.js';
import { readingOf } from '../../../records/record-access.js';
import { TagOf } from '../../../resource/resource.operations.js';
import { movementsOf } from '../stock-movements.service.js';
import { StockItem } from '../../stock-item/stock-item.entity.js';
import { StockLevel } from './stock-level.js';
import { Order } from '../../../lists/order.js';

interface LevelsRequest extends PageRequest {
  asOf?: string;
}

const PARAMETERS: readonly Parameter<LevelsRequest>[] = [
  ...PAGE,
  ...FILE,
  instant<LevelsRequest>('asOf', 'The levels at this time; now if it is not given', (request, value) => {
    request.asOf = value;
  }),
];

/** The current levels, which triggers maintain. */
const now = (itemId: string): Sql =>
  sql`SELECT site_id, location_id, quantity FROM stock_levels WHERE stock_item_id = ${itemId}`;

/** The sums of the movements until the requested time. */
const past = (itemId: string, asOf: string): Sql => {
  const until = sql`m.stock_item_id = ${itemId} AND m.created_at <= ${asOf}::timestamptz`;
  return sql`SELECT CASE WHEN location_id IS NULL THEN site_id END AS site_id, location_id, sum(change) AS quantity
    FROM (
      SELECT m.site_id, m.location_id, CASE m.kind WHEN 'transfer' THEN -m.quantity ELSE m.quantity END AS change
        FROM stock_movements m WHERE ${until}
      UNION ALL
      SELECT m.to_site_id, m.to_location_id, m.quantity FROM stock_movements m WHERE m.kind = 'transfer' AND ${until}
    ) changes GROUP BY 1, 2 HAVING sum(change) <> 0`;
};

/** The levels of an item by place. A location counts for the site where it is today. */
const levelsOf = (itemId: string, asOf: string | undefined): ComputedList => ({
  name: 'stock-levels',
  rows: sql`SELECT coalesce(l.site_id, kept.site_id) AS site_id, kept.location_id, s.name AS site, l.name AS location, kept.quantity
    FROM (${asOf === undefined ? now(itemId) : past(itemId, asOf)}) kept
    LEFT JOIN locations l ON l.id = kept.location_id LEFT JOIN sites s ON s.id = coalesce(l.site_id, kept.site_id)`,
  columns: [
    { name: 'siteId', sql: 't.site_id', isText: false },
    { name: 'site.name', sql: 't.site', isText: true, isName: true },
    { name: 'locationId', sql: 't.location_id', isText: false },
    { name: 'location.name', sql: 't.location', isText: true, isName: true },
    { name: 'quantity', sql: 't.quantity', isText: false },
  ],
  order: new Order(['t.site COLLATE "C"', 't.location COLLATE "C"', 't.site_id', 't.location_id']),
});

@Controller('api/stock-items/:id/levels')
@TagOf(StockItem)
export class StockLevelsController {
  constructor(@Inject(ComputedLists) private readonly lists: ComputedLists) {}

  @Get()
  @Access(readingOf(StockItem))
  @TakesQuery()
  @Operation({
    operationId: 'listStockLevels',
    text: {
      summary: 'List the levels of a stock item',
      description: 'How many units there are, by place: the sum of the movements. Places without units are left out.',
    },
    list: { parameters: PARAMETERS },
    response: StockLevel,
    status: 200,
    finds: 'stock item',
  })
  list(@Ctx() ctx: RequestContext, @Param() at: Record<string, string>, @Query() query: RawQuery): Promise<ListReply> {
    const request = readPage<LevelsRequest>(query, PARAMETERS, {});
    const owner = movementsOf(pathId(at));
    return this.lists.list(ctx, request, levelsOf(owner.id, request.asOf), () => assertExists(ctx.db, owner));
  }
}
