import { Inject, Injectable } from '@nestjs/common';
import { raw, sql, type Sql } from '../../database/sql.js';
import type { RequestContext } from '../request-context.js';
import { pluralLabelOf } from '../../fields/record-entity.js';
import { Fault, ValidationFailed } from '../../http/errors.js';
import type { ListReply } from '../../http/replies.js';
import { SvgReply, wantsSvg } from '../../http/svg.js';
import { type ComputedList, ComputedLists } from '../computed-list.js';
import { MEDIA_TYPES, PAGING } from '../parameters/paging.js';
import { requestConditions } from '../request-sql.js';
import type { RecordSql } from '../record-sql.js';
import { labelsOf, refuseTooMany, summaryList } from './summary-list.js';
import { type Bar, drawSummary, MOST_BARS } from './summary.picture.js';
import type { SummaryRequest } from './summary-query.js';

type Drawn = { groups: number; total: string | null; others: string | null } & (Bar | { labels: null; amount: null });

/** Lists counts and sums of the records of a list by group. */
@Injectable()
export class Summaries {
  constructor(@Inject(ComputedLists) private readonly lists: ComputedLists) {}

  /** @param others conditions that are not of the request @throws DomainError not_acceptable, unavailable, ValidationFailed */
  async list(
    ctx: RequestContext,
    resource: RecordSql,
    request: SummaryRequest,
    others: readonly Sql[],
  ): Promise<ListReply | SvgReply> {
    const list = summaryList(resource, request, [...requestConditions(request, resource), ...others]);
    const asked = request.asPicture ? 'svg' : request.format;
    return wantsSvg(asked, ctx.accept, Object.values(MEDIA_TYPES))
      ? this.draw(ctx, resource, request, list)
      : this.lists.list(ctx, request, list);
  }

  private async draw(
    { db }: RequestContext,
    resource: RecordSql,
    { groupings, sums, given }: SummaryRequest,
    { rows, order: { text: order } }: ComputedList,
  ): Promise<SvgReply> {
    const faults = PAGING.filter((name) => given.has(name)).map(
      (name) => new Fault(name, 'must not be given for a picture'),
    );
    if (sums.length > 1) faults.push(new Fault('sum', 'must be one field for a picture'));
    if (faults.length > 0) throw new ValidationFailed(faults);
    const amount = raw(sums.length > 0 ? 't.s0' : 't.count');
    const most = raw(MOST_BARS);
    const statement = sql`WITH found AS MATERIALIZED (${rows}), ranked AS MATERIALIZED (
        SELECT t.*, ${amount} AS amount, row_number() OVER (ORDER BY ${order}) AS place,
          row_number() OVER (ORDER BY abs(${amount}) DESC NULLS LAST, ${order}) AS size
        FROM found t
      )
      SELECT every.*, bar.* FROM (
        SELECT count(*)::int AS groups, sum(amount)::text AS total, sum(amount) FILTER (WHERE size > ${most})::text AS others
        FROM ranked
      ) every LEFT JOIN (
        SELECT t.place, ${labelsOf(groupings)} AS labels, t.amount::text FROM ranked t WHERE t.size <= ${most}
      ) bar ON true ORDER BY bar.place`;
    const drawn = await db.query<Drawn>(statement.unprepared());
    const { groups, total, others } = drawn[0]!;
    refuseTooMany(groups);
    return new SvgReply(
      drawSummary({
        records: pluralLabelOf(resource.record, resource.table),
        by: groupings.map(({ key, reference }) => reference?.name ?? key),
        sum: sums[0]?.property,
        bars: drawn.filter((bar): bar is Drawn & Bar => bar.labels !== null),
        groups,
        total,
        others,
      }),
    );
  }
}
