import { Inject, Injectable } from '@nestjs/common';
import { raw, sql, type Sql } from '../../database/sql.js';
import type { RequestContext } from '../../lists/request-context.js';
import type { ListReply } from '../../http/replies.js';
import { SvgReply } from '../../http/svg.js';
import { ComputedLists, type ComputedColumn } from '../../lists/computed-list.js';
import type { PageRequest } from '../../lists/parameters/paging.js';
import { EXPIRATION_KINDS, isDated, type ExpirationKind } from './expiration-kinds.js';
import { drawExpirations, SHOWN, type PicturedExpiration, type PicturedTotal } from './expirations.picture.js';
import { AMOUNT, expiring, TODAY, type Expiring } from './expirations.sql.js';
import { Order } from '../../lists/order.js';

export interface ExpirationRequest extends PageRequest {
  /** Days ahead; 90 in a list and twelve months in a picture by default. */
  within?: number;
  /** All if there are none. */
  kinds: readonly ExpirationKind[];
  overdue?: boolean;
  vendorIds: readonly string[];
  /** Whether `format` asks for a picture. */
  asPicture?: boolean;
}

export const DEFAULT_WITHIN = 90;
const DUE_DAYS = 30;

const COLUMNS: readonly ComputedColumn[] = [
  { name: 'kind', sql: 't.kind', isText: true },
  { name: 'resource', sql: 't.resource', isText: true },
  { name: 'id', sql: 't.id', isText: false },
  { name: 'name', sql: 't.name', isText: true },
  { name: 'date', sql: 't.date', isText: false },
  { name: 'daysLeft', sql: sql`t.date - ${TODAY}`, isText: false },
  {
    name: 'state',
    sql: sql`CASE WHEN t.date IS NULL THEN 'due' WHEN t.date < ${TODAY} THEN 'overdue' WHEN t.date <= ${TODAY} + ${raw(DUE_DAYS)} THEN 'due' ELSE 'upcoming' END`,
    isText: true,
  },
  { name: 'vendorId', sql: 't.vendor_id', isText: false },
  { name: 'vendor.name', sql: '(SELECT v.name FROM vendors v WHERE v.id = t.vendor_id)', isText: true, isName: true },
  { name: 'amount', sql: AMOUNT, isText: false },
  { name: 'currency', sql: 't.currency', isText: true },
];

/** The last day of the month before this one, a year later. */
const END_OF_YEAR = sql`(date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 year')::date - 1`;

const monthOf = (date: Sql): Sql => sql`(extract(year FROM ${date}) * 12 + extract(month FROM ${date}))::int`;

interface Pictured {
  today: string;
  until: string;
  entries: PicturedExpiration[];
  totals: PicturedTotal[];
}

/**
 * The first entries of each kind in each month, their number, and the sum of each month. A contract that ends in the month of its
 * notice is two entries, but its amount counts once.
 */
const pictured = (rows: Sql, until: Sql): Sql => sql`
WITH entry AS MATERIALIZED (
  SELECT r.*, (count(*) OVER cell)::int AS total, row_number() OVER (cell ORDER BY r.date, r.name COLLATE "C", r.id) AS place FROM (
    SELECT *, CASE WHEN date < ${TODAY} THEN 0 ELSE 1 + ${monthOf(raw('date'))} - ${monthOf(TODAY)} END AS month FROM (${rows}) e
  ) r WINDOW cell AS (PARTITION BY r.month, r.kind)
), cost AS (
  SELECT DISTINCT ON (t.month, t.resource, t.id) t.month, t.currency, (${raw(AMOUNT)})::numeric AS amount FROM entry t
  ORDER BY t.month, t.resource, t.id
)
SELECT ${TODAY}::text AS today, (${until})::text AS until,
  (SELECT coalesce(json_agg(json_build_object('kind', t.kind, 'month', t.month, 'total', t.total, 'name', t.name,
      'date', t.date, 'amount', ${raw(AMOUNT)}, 'currency', t.currency) ORDER BY t.month, t.kind, t.place), '[]')
    FROM entry t WHERE t.place <= ${raw(SHOWN)}) AS entries,
  (SELECT coalesce(json_agg(json_build_object('month', m.month, 'currency', m.currency, 'amount', m.amount::text)
      ORDER BY m.month, m.currency), '[]')
    FROM (SELECT month, currency, sum(amount) AS amount FROM cost WHERE amount IS NOT NULL GROUP BY month, currency) m) AS totals`;

/** What expires, of all resources that have such dates. */
@Injectable()
export class ExpirationsService {
  constructor(@Inject(ComputedLists) private readonly lists: ComputedLists) {}

  /** @throws DomainError not_acceptable, unavailable, ValidationFailed */
  list(ctx: RequestContext, request: ExpirationRequest): Promise<ListReply> {
    const until = sql`${TODAY} + ${request.within ?? DEFAULT_WITHIN}::integer`;
    return this.lists.list(ctx, request, {
      name: 'expirations',
      rows: expiring({ ...chosen(request), until }),
      columns: COLUMNS,
      order: new Order(['t.date', 't.kind', 't.name COLLATE "C"', 't.id']),
    });
  }

  /** The expirations of twelve months, from the current one, or of fewer months if the requested days end earlier. */
  async draw({ db }: RequestContext, request: ExpirationRequest): Promise<SvgReply> {
    const all = chosen(request);
    const expirations = { ...all, kinds: all.kinds.filter(isDated) };
    const until = sql`least(${TODAY} + ${request.within ?? null}::integer, ${END_OF_YEAR})`;
    const statement = pictured(expiring({ ...expirations, until }), until);
    const [found] = await db.query<Pictured>(statement.unprepared());
    return new SvgReply(drawExpirations({ ...expirations, ...found! }));
  }
}

const chosen = ({ kinds, vendorIds, overdue }: ExpirationRequest): Omit<Expiring, 'until'> => ({
  kinds: kinds.length > 0 ? EXPIRATION_KINDS.filter((kind) => kinds.includes(kind)) : EXPIRATION_KINDS,
  vendorIds,
  overdue,
});
