import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../../access/request-context.js';
import type { ListReply } from '../../http/replies.js';
import { SvgReply } from '../../http/svg.js';
import { ComputedLists, type ComputedColumn } from '../../answers/computed-list.js';
import type { PageRequest } from '../../parameters/paging.js';
import { EXPIRATION_KINDS, type ExpirationKind } from './expiration.js';
import { drawExpirations, SHOWN, type DrawnExpiration } from './expirations.drawing.js';
import { AMOUNT, expiring, TODAY, type Expiring } from './expirations.sql.js';

export interface ExpirationRequest extends PageRequest {
  /** Days ahead; 90 in a list and twelve months in a drawing if it is not given. */
  within?: number;
  /** All if there are none. */
  kinds: readonly ExpirationKind[];
  overdue?: boolean;
  vendorIds: readonly string[];
  /** Whether `format` asks for a drawing. */
  isDrawing?: boolean;
}

export const DEFAULT_WITHIN = 90;
const DUE_DAYS = 30;

const COLUMNS: readonly ComputedColumn[] = [
  { name: 'kind', sql: 't.kind', isText: true },
  { name: 'resource', sql: 't.resource', isText: true },
  { name: 'id', sql: 't.id', isText: false },
  { name: 'name', sql: 't.name', isText: true },
  { name: 'date', sql: 't.date', isText: false },
  { name: 'daysLeft', sql: `t.date - ${TODAY}`, isText: false },
  {
    name: 'state',
    sql: `CASE WHEN t.date < ${TODAY} THEN 'overdue' WHEN t.date <= ${TODAY} + ${DUE_DAYS} THEN 'due' ELSE 'upcoming' END`,
    isText: true,
  },
  { name: 'vendorId', sql: 't.vendor_id', isText: false },
  { name: 'vendor.name', sql: '(SELECT v.name FROM vendors v WHERE v.id = t.vendor_id)', isText: true, isName: true },
  { name: 'amount', sql: AMOUNT, isText: false },
  { name: 'currency', sql: 't.currency', isText: true },
];

/** The last day of the month before this one, a year later. */
const END_OF_YEAR = `(date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 year')::date - 1`;

const monthOf = (date: string): string => `(extract(year FROM ${date}) * 12 + extract(month FROM ${date}))::int`;

type Drawn = { today: string } & (DrawnExpiration | { kind: null });

/** The first entries of each kind in each month, and how many there are. Has at least one row, for the date of today. */
const drawnOf = (rows: string): string => `
SELECT ${TODAY}::text AS today, e.kind, e.month, e.total, e.name, e.date
FROM (SELECT 1) one LEFT JOIN (
  SELECT t.kind, t.month, t.name, t.date::text AS date, count(*) OVER (PARTITION BY t.month, t.kind)::int AS total,
    row_number() OVER (PARTITION BY t.month, t.kind ORDER BY t.date, t.name COLLATE "C", t.id) AS place
  FROM (
    SELECT *, CASE WHEN date < ${TODAY} THEN 0 ELSE 1 + ${monthOf('date')} - ${monthOf(TODAY)} END AS month FROM (${rows}) r
  ) t
) e ON e.place <= ${SHOWN}
ORDER BY e.month, e.kind, e.place`;

/** What expires, of all resources that have such dates. */
@Injectable()
export class ExpirationsService {
  constructor(@Inject(ComputedLists) private readonly lists: ComputedLists) {}

  /** @throws DomainError notAcceptable, unavailable, ValidationFailed */
  list(ctx: RequestContext, request: ExpirationRequest): Promise<ListReply> {
    const values: unknown[] = [request.within ?? DEFAULT_WITHIN];
    return this.lists.list(ctx, request, {
      name: 'expirations',
      rows: expiring({ ...chosen(request), until: `${TODAY} + $1::integer` }, values),
      columns: COLUMNS,
      orderBy: 't.date, t.kind, t.name COLLATE "C", t.id',
      values,
    });
  }

  /** Twelve months, from the current one, with what expires in each. */
  async draw({ db }: RequestContext, request: ExpirationRequest): Promise<SvgReply> {
    const values: unknown[] = [request.within ?? null];
    const expirations = chosen(request);
    const rows = expiring({ ...expirations, until: `least(${TODAY} + $1::integer, ${END_OF_YEAR})` }, values);
    const found = await db.plan<Drawn>(drawnOf(rows), values);
    const entries = found.filter(({ kind }) => kind !== null) as DrawnExpiration[];
    return new SvgReply(drawExpirations(found[0]!.today, expirations.kinds, entries));
  }
}

const chosen = ({ kinds, vendorIds, overdue }: ExpirationRequest): Omit<Expiring, 'until'> => ({
  kinds: kinds.length > 0 ? EXPIRATION_KINDS.filter((kind) => kinds.includes(kind)) : EXPIRATION_KINDS,
  vendorIds,
  overdue,
});
