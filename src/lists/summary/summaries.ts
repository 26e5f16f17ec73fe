import { Inject, Injectable } from '@nestjs/common';
import { raw, sql, type Sql } from '../../database/sql.js';
import type { RequestContext } from '../../access/request-context.js';
import { pluralLabelOf } from '../../fields/record-entity.js';
import { Fault, invalid, ValidationFailed } from '../../http/errors.js';
import { ListReply } from '../../http/replies.js';
import { SvgReply, wantsSvg } from '../../http/svg.js';
import { lineOf } from '../csv.js';
import { ListStreams } from '../list-streams.js';
import { type FileFormat, fileFormatOf, MEDIA_TYPES, PAGE } from '../parameters/paging.js';
import { fileWindowOf, requestConditions, windowOf } from '../request-sql.js';
import { type RecordSql, resourceNameOf } from '../record-sql.js';
import { type Bar, drawSummary, MOST_BARS } from './summary.picture.js';
import type { SummaryRequest } from './summary-query.js';
import { MOST_GROUPS, SummaryStatement } from './summary-statement.js';

type Drawn = { groups: number; total: string | null; others: string | null } & (Bar | { labels: null; amount: null });

/** Lists counts and sums of the records of a list by group, in the same pages and formats as the lists of records. */
@Injectable()
export class Summaries {
  constructor(@Inject(ListStreams) private readonly streams: ListStreams) {}

  /** @param others conditions that are not of the request @throws DomainError not_acceptable, unavailable, ValidationFailed */
  async list(
    ctx: RequestContext,
    resource: RecordSql,
    request: SummaryRequest,
    others: readonly Sql[],
  ): Promise<ListReply | SvgReply> {
    const conditions = [...requestConditions(request, resource), ...others];
    const statement = new SummaryStatement(resource, request, conditions);
    const asked = request.asPicture ? 'svg' : request.format;
    if (wantsSvg(asked, ctx.accept, Object.values(MEDIA_TYPES))) {
      return this.draw(ctx, resource, request, statement);
    }
    const format = fileFormatOf(request, ctx.accept);
    if (format) return this.file(ctx, `${resourceNameOf(resource.table)}-summary`, format, request, statement);
    return this.page(ctx, request, statement);
  }

  private page(ctx: RequestContext, request: SummaryRequest, statement: SummaryStatement): Promise<ListReply> {
    const records = statement.records(windowOf(request));
    return this.streams.found(ctx, { ctes: statement.found, records }, request, refuseTooMany);
  }

  private async file(
    { caller }: RequestContext,
    name: string,
    format: FileFormat,
    request: SummaryRequest,
    statement: SummaryStatement,
  ): Promise<ListReply> {
    const window = fileWindowOf(request);
    const groups = raw('(SELECT count(*) FROM found)');
    const isCsv = format === 'csv';
    const cells = statement.cells(request.raw);
    const rows = isCsv
      ? sql`SELECT ${groups}, ${raw(cells.map((cell) => cell.sql).join(', '))} FROM found t ${statement.joins} ORDER BY ${statement.orderBy} ${window}`
      : sql`SELECT ${groups}, record FROM (${statement.records(window)}) records`;
    const body = await this.streams.text(caller, sql`WITH ${statement.found} ${rows}`, {
      head: isCsv ? lineOf(cells.map(({ header }) => header)) : '',
      row([counted, ...shown]) {
        // The first row tells it before anything is sent.
        refuseTooMany(Number(counted));
        return isCsv ? lineOf(shown) : `${shown[0]}\n`;
      },
      tail: () => '',
    });
    return new ListReply(`${MEDIA_TYPES[format]}; charset=utf-8`, body, `${name}.${format}`);
  }

  private async draw(
    { db }: RequestContext,
    resource: RecordSql,
    request: SummaryRequest,
    { found, joins, labels, orderBy }: SummaryStatement,
  ): Promise<SvgReply> {
    const { groupings, sums, given } = request;
    const faults = PAGE.filter(({ name }) => given.has(name)).map(
      ({ name }) => new Fault(name, 'must not be given for a picture'),
    );
    if (sums.length > 1) faults.push(new Fault('sum', 'must be one field for a picture'));
    if (faults.length > 0) throw new ValidationFailed(faults);
    const amount = raw(sums.length > 0 ? 't.s0' : 't.count');
    const most = raw(MOST_BARS);
    const statement = sql`WITH ${found}, ranked AS MATERIALIZED (
        SELECT t.*, ${amount} AS amount, row_number() OVER (ORDER BY ${orderBy}) AS place,
          row_number() OVER (ORDER BY abs(${amount}) DESC NULLS LAST, ${orderBy}) AS size
        FROM found t
      )
      SELECT every.*, bar.* FROM (
        SELECT count(*)::int AS groups, sum(amount)::text AS total, sum(amount) FILTER (WHERE size > ${most})::text AS others
        FROM ranked
      ) every LEFT JOIN (
        SELECT t.place, ${labels} AS labels, t.amount::text FROM ranked t ${joins} WHERE t.size <= ${most}
      ) bar ON true ORDER BY bar.place`;
    const drawn = await db.query<Drawn>(statement.planned());
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

function refuseTooMany(groups: number): void {
  if (groups <= MOST_GROUPS) return;
  throw invalid('groupBy', 'must make at most 10,000 groups. Group by fewer fields, or narrow the list');
}
