import { identifier, sql, type Sql } from '../../database/sql.js';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import type { ListReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { Operation } from '../../openapi/operation.js';
import { type ComputedColumn, ComputedLists } from '../../lists/computed-list.js';
import { FILE, PAGE, type PageRequest, readPage } from '../../lists/parameters/paging.js';
import { choice, type Parameter, type RawQuery, withDefault } from '../../lists/parameters/query-parameters.js';
import { readingOf } from '../../records/record-access.js';
import { TagOf } from '../../resource/resource.operations.js';
import { LicencePosition } from './licence-position.js';
import { SoftwareLicence } from './software-licence.entity.js';
import { Order } from '../../lists/order.js';

const GROUPINGS = ['product', 'vendorId'] as const;
type Grouping = (typeof GROUPINGS)[number];

interface PositionRequest extends PageRequest {
  groupBy: Grouping;
}

const GROUP_BY = choice<PositionRequest, Grouping>(
  'groupBy',
  'LicenceGrouping',
  'Field to group the licences by',
  GROUPINGS,
  (request, value) => (request.groupBy = value),
);

const PARAMETERS: readonly Parameter<PositionRequest>[] = [...PAGE, ...FILE, withDefault(GROUP_BY, 'product')];

// The condition is that of the partial index ix_software_licences_expiring.
const positionBy = (name: string): Sql => {
  const column = identifier(name);
  return sql`
SELECT l.${column} AS grouped, count(*) AS licences, coalesce(sum(l.seats), 0) AS seats,
  coalesce(sum(l.assigned_seats), 0) AS assigned, bool_or(l.seats IS NULL) AS unlimited,
  coalesce(sum(l.seats) FILTER (WHERE l.expiry_date <= (now() AT TIME ZONE 'UTC')::date + 90), 0) AS expiring,
  coalesce(sum(l.cost), 0) AS cost
FROM software_licences l WHERE l.status IS NULL OR l.status NOT IN ('retired', 'expired')
GROUP BY l.${column}`;
};

const SUMS: readonly ComputedColumn[] = [
  { name: 'licences', sql: 't.licences', isText: false },
  { name: 'seats', sql: 't.seats', isText: false },
  { name: 'assignedSeats', sql: 't.assigned', isText: false },
  { name: 'freeSeats', sql: 'CASE WHEN NOT t.unlimited THEN t.seats - t.assigned END', isText: false },
  { name: 'expiringSeats', sql: 't.expiring', isText: false },
  { name: 'cost', sql: 't.cost::text', isText: false },
  { name: 'unlimited', sql: 't.unlimited', isText: false, isBoolean: true },
];

const LISTS: Record<Grouping, { rows: Sql; columns: readonly ComputedColumn[]; order: Order }> = {
  product: {
    rows: positionBy('product'),
    columns: [{ name: 'product', sql: 't.grouped', isText: true }, ...SUMS],
    order: new Order(['t.grouped COLLATE "C"']),
  },
  vendorId: {
    rows: sql`SELECT p.*, v.name FROM (${positionBy('vendor_id')}) p LEFT JOIN vendors v ON v.id = p.grouped`,
    columns: [
      { name: 'vendorId', sql: 't.grouped', isText: false },
      { name: 'vendor.name', sql: 't.name', isText: true, isName: true },
      ...SUMS,
    ],
    order: new Order(['t.name COLLATE "C"', 't.grouped']),
  },
};

@Controller('api/software-licences/position')
@TagOf(SoftwareLicence)
export class LicencePositionController {
  constructor(@Inject(ComputedLists) private readonly lists: ComputedLists) {}

  @Get()
  @Access(readingOf(SoftwareLicence))
  @TakesQuery()
  @Operation({
    operationId: 'listLicencePositions',
    text: {
      summary: 'List the licence position',
      description:
        'Seats and cost of the licences, by product or vendor. Licences with the status `retired` or `expired` are left out. Licences without a number of seats count as unlimited.',
    },
    list: { parameters: PARAMETERS },
    response: LicencePosition,
    status: 200,
  })
  list(@Ctx() ctx: RequestContext, @Query() query: RawQuery): Promise<ListReply> {
    const request = readPage<PositionRequest>(query, PARAMETERS, { groupBy: 'product' });
    return this.lists.list(ctx, request, { name: 'licence-position', ...LISTS[request.groupBy] });
  }
}
